/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which packet is which, told from the sequence of packet lengths alone.
 */
#include "signature.h"

#include <string.h>

enum {
    MAX_PAIRS_A_SYMBOL = 1024, /* a more common symbol says nothing about the shift */
    MAX_VOTES = 1 << 22,
    MAX_SHIFTS = 1 << 20,
    N_CANDIDATES = 32,
    MISMATCH_BITS = 16,
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
        g_hash_table_insert(
            index->counts, symbol,
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

static void vote_all(GHashTable *votes, Stretch guest, Stretch host, gint64 word, guint32 delta)
{
    Index index;
    gint64 n_votes = 0;

    index_build(&index, host, word);
    for (gint64 i = guest.begin; i + word <= guest.end && n_votes < MAX_VOTES; i++) {
        gpointer symbol = (gpointer)(gsize)symbol_at(guest, i, word, delta);
        gsize count = (gsize)g_hash_table_lookup(index.counts, symbol);
        gint64 at = (gint64)(gsize)g_hash_table_lookup(index.heads, symbol);

        if (count > MAX_PAIRS_A_SYMBOL) {
            continue;
        }
        for (; at > 0; at = index.previous[at - 1], n_votes++) {
            vote(votes, host.begin + at - 1 - i);
        }
    }
    index_clear(&index);
}

static int by_votes(gconstpointer a, gconstpointer b)
{
    const Candidate *x = a;
    const Candidate *y = b;

    if (x->votes != y->votes) {
        return x->votes < y->votes ? 1 : -1;
    }
    return (x->shift > y->shift) - (x->shift < y->shift);
}

static GArray *most_voted(GHashTable *votes)
{
    GArray *candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
    GHashTableIter iter;
    gpointer key;
    gpointer value;

    g_hash_table_iter_init(&iter, votes);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        Candidate candidate = {.shift = (gint64)(gsize)key, .votes = (gint64)(gsize)value};

        g_array_append_val(candidates, candidate);
    }
    g_array_sort(candidates, by_votes);
    g_array_set_size(candidates, MIN(candidates->len, N_CANDIDATES));
    return candidates;
}

/* How often each length comes on the host: a common one tells little. */
static GHashTable *count_lengths(Stretch host)
{
    GHashTable *counts = g_hash_table_new(g_direct_hash, g_direct_equal);

    for (gint64 i = host.begin; i < host.end; i++) {
        gpointer len = GUINT_TO_POINTER(host.items[i].len);

        g_hash_table_insert(counts, len,
                            (gpointer)((gsize)g_hash_table_lookup(counts, len) + 1));
    }
    return counts;
}

static gint64 bits_of(gint64 total, gint64 count)
{
    gint64 bits = 0;

    for (; count * 2 <= total; count *= 2) {
        bits++;
    }
    return bits;
}

static Signature score_shift(Stretch guest, Stretch host, GHashTable *counts, gint64 shift,
                             guint32 delta)
{
    Signature result = {.shift = shift, .delta = delta};
    gint64 begin = MAX(guest.begin, host.begin - shift);
    gint64 end = MIN(guest.end, host.end - shift);

    for (gint64 i = begin; i < end; i++) {
        guint32 len = host.items[i + shift].len;

        if ((guest.items[i].times.flags | host.items[i + shift].times.flags) &
            HALF_UNSURE) {
            continue;
        }
        result.compared++;
        if (guest.items[i].len + delta != len) {
            result.score -= MISMATCH_BITS;
            continue;
        }
        result.matched++;
        result.score += bits_of(stretch_len(host), (gint64)(gsize)g_hash_table_lookup(
                                                       counts, GUINT_TO_POINTER(len)));
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

static void try_delta(Stretch guest, Stretch host, GHashTable *counts, guint32 delta,
                      Signature *best)
{
    g_autoptr(GHashTable) votes = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GArray) candidates = NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(word_lengths); i++) {
        vote_all(votes, guest, host, word_lengths[i], delta);
    }
    candidates = most_voted(votes);
    for (guint i = 0; i < candidates->len; i++) {
        gint64 shift = g_array_index(candidates, Candidate, i).shift;

        keep_better(best, score_shift(guest, host, counts, shift, delta));
    }
}

gboolean signature_find(Stretch guest, Stretch host, const guint32 *deltas, Signature *ret)
{
    g_autoptr(GHashTable) counts = count_lengths(host);
    Signature best = {.runner_up = G_MININT64};

    do {
        try_delta(guest, host, counts, *deltas, &best);
    } while (*deltas++ != 0 && *deltas != 0);
    *ret = best;
    return best.compared > 0 && best.score >= SIGNATURE_MIN_BITS &&
           (best.runner_up == G_MININT64 || best.score - SIGNATURE_MARGIN >= best.runner_up);
}
