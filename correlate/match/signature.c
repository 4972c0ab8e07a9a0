/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which packet is which, told from the sequence of packet lengths alone.
 */
#include "signature.h"

#include <string.h>

enum {
    MAX_PAIRS_A_SYMBOL = 64, /* a more common symbol says nothing about the shift */
    MAX_VOTERS = 1 << 14,    /* places in the guest's sequence that vote */
    MAX_SHIFTS = 1 << 20,
    N_CANDIDATES = 32,
    MISMATCH_BITS = 16,
    HOPELESS = -4096, /* score at which a shift is given up */
};

/* Lengths are read alone and in words of several, which are rarer. */
static const gint64 word_lengths[] = {1, 8};

typedef struct Candidate {
    gint64 shift;
    gint64 votes;
} Candidate;

/* Where a symbol stands on the host: a chain of positions. */
typedef struct Index {
    GHashTable *heads; /* symbol → last position + 1 */
    gint64 *previous;
    GHashTable *counts;
} Index;

static guint64 symbol_at(Stretch stretch, gint64 i, gint64 word, guint32 delta)
{
    guint64 symbol = 1469598103934665603u;

    for (gint64 k = 0; k < word; k++) {
        symbol = (symbol ^ (stretch.items[i + k].len + delta)) * 1099511628211u;
    }
    return symbol | 1;
}

static void index_build(Index *index, Stretch host, gint64 word)
{
    gint64 n = stretch_len(host) - word + 1;

    index->heads = g_hash_table_new(g_direct_hash, g_direct_equal);
    index->counts = g_hash_table_new(g_direct_hash, g_direct_equal);
    index->previous = g_new0(gint64, MAX(n, 1));
    for (gint64 i = 0; i < n; i++) {
        gpointer symbol = (gpointer)(gsize)symbol_at(host, host.begin + i, word, 0);

        index->previous[i] = (gint64)(gsize)g_hash_table_lookup(index->heads, symbol);
        g_hash_table_insert(index->heads, symbol, (gpointer)(gsize)(i + 1));
        g_hash_table_insert(index->counts, symbol,
                            (gpointer)((gsize)g_hash_table_lookup(index->counts, symbol) + 1));
    }
}

static void index_clear(Index *index)
{
    g_hash_table_unref(index->heads);
    g_hash_table_unref(index->counts);
    g_free(index->previous);
}

static void vote(GHashTable *votes, gint64 shift)
{
    gpointer key = (gpointer)(gsize)shift;
    gsize count = (gsize)g_hash_table_lookup(votes, key);

    if (count > 0 || g_hash_table_size(votes) < MAX_SHIFTS) {
        g_hash_table_insert(votes, key, (gpointer)(count + 1));
    }
}

/* Places all over the guest's stretch vote for the shifts at which their word stands on the host.
 */
static void vote_all(GHashTable *votes, const Index *index, Stretch guest, Stretch host,
                     gint64 word, guint32 delta)
{
    gint64 stride = stretch_len(guest) / MAX_VOTERS + 1;

    for (gint64 i = guest.begin; i + word <= guest.end; i += stride) {
        gpointer symbol = (gpointer)(gsize)symbol_at(guest, i, word, delta);
        gsize count = (gsize)g_hash_table_lookup(index->counts, symbol);
        gint64 at = (gint64)(gsize)g_hash_table_lookup(index->heads, symbol);

        for (; at > 0 && count <= MAX_PAIRS_A_SYMBOL; at = index->previous[at - 1]) {
            vote(votes, host.begin + at - 1 - i);
        }
    }
}

static gboolean has_more_votes(Candidate a, Candidate b)
{
    return a.votes > b.votes || (a.votes == b.votes && a.shift < b.shift);
}

/* The shifts with most votes, most first; returns how many. */
static guint most_voted(GHashTable *votes, Candidate best[N_CANDIDATES])
{
    GHashTableIter iter;
    gpointer key;
    gpointer value;
    guint n = 0;

    g_hash_table_iter_init(&iter, votes);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        Candidate next = {.shift = (gint64)(gsize)key, .votes = (gint64)(gsize)value};
        guint at = n;

        while (at > 0 && has_more_votes(next, best[at - 1])) {
            at--;
        }
        if (at == N_CANDIDATES) {
            continue;
        }
        n = MIN(n + 1, N_CANDIDATES);
        memmove(best + at + 1, best + at, (n - 1 - at) * sizeof(Candidate));
        best[at] = next;
    }
    return n;
}

static guint8 bits_of(gint64 total, gint64 count)
{
    guint8 bits = 0;

    for (; count * 2 <= total; count *= 2) {
        bits++;
    }
    return bits;
}

/* What each packet's length tells, in bits: a common one tells little. */
static guint8 *weigh_lengths(Stretch host)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_direct_hash, g_direct_equal);
    guint8 *bits = g_new0(guint8, MAX(stretch_len(host), 1));

    for (gint64 i = host.begin; i < host.end; i++) {
        gpointer len = GUINT_TO_POINTER(host.items[i].len);

        g_hash_table_insert(counts, len, (gpointer)((gsize)g_hash_table_lookup(counts, len) + 1));
    }
    for (gint64 i = host.begin; i < host.end; i++) {
        gpointer count = g_hash_table_lookup(counts, GUINT_TO_POINTER(host.items[i].len));

        bits[i - host.begin] = bits_of(stretch_len(host), (gint64)(gsize)count);
    }
    return bits;
}

/* Compare packet by packet, until it is clear that the shift is wrong. */
static Signature score_shift(Stretch guest, Stretch host, const guint8 *bits, gint64 shift,
                             guint32 delta)
{
    Signature result = {.shift = shift, .delta = delta};
    Stretch both = stretch_overlap(guest, host, shift);

    for (gint64 i = both.begin; i < both.end && result.score > HOPELESS; i++) {
        const StreamItem *item = &host.items[i + shift];

        if ((guest.items[i].times.flags | item->times.flags) & HALF_UNSURE) {
            continue;
        }
        result.compared++;
        if (guest.items[i].len + delta == item->len) {
            result.matched++;
            result.score += bits[i + shift - host.begin];
        } else {
            result.score -= MISMATCH_BITS;
        }
    }
    return result;
}

/* Keep in @best the better of it and @next, and in its runner-up the other one's score. */
static void keep_better(Signature *best, Signature next)
{
    if (best->shift == next.shift && best->delta == next.delta && best->compared > 0) {
        return;
    }
    if (best->compared == 0 || next.score > best->score) {
        next.runner_up = best->compared == 0 ? G_MININT64 : best->score;
        *best = next;
    } else {
        best->runner_up = MAX(best->runner_up, next.score);
    }
}

static void try_delta(Stretch guest, Stretch host, const Index *indices, const guint8 *bits,
                      guint32 delta, Signature *best)
{
    g_autoptr(GHashTable) votes = g_hash_table_new(g_direct_hash, g_direct_equal);
    Candidate candidates[N_CANDIDATES];
    guint n;

    for (gsize i = 0; i < G_N_ELEMENTS(word_lengths); i++) {
        vote_all(votes, &indices[i], guest, host, word_lengths[i], delta);
    }
    n = most_voted(votes, candidates);
    for (guint i = 0; i < n; i++) {
        keep_better(best, score_shift(guest, host, bits, candidates[i].shift, delta));
    }
}

gboolean signature_find(Stretch guest, Stretch host, const guint32 *deltas, Signature *ret)
{
    g_autofree guint8 *bits = weigh_lengths(host);
    Index indices[G_N_ELEMENTS(word_lengths)];
    Signature best = {.runner_up = G_MININT64};

    for (gsize i = 0; i < G_N_ELEMENTS(word_lengths); i++) {
        index_build(&indices[i], host, word_lengths[i]);
    }
    do {
        try_delta(guest, host, indices, bits, *deltas, &best);
    } while (*deltas++ != 0 && *deltas != 0);
    for (gsize i = 0; i < G_N_ELEMENTS(word_lengths); i++) {
        index_clear(&indices[i]);
    }
    *ret = best;
    return best.compared > 0 && best.score >= SIGNATURE_MIN_BITS &&
           (best.runner_up == G_MININT64 || best.score - SIGNATURE_MARGIN >= best.runner_up);
}
