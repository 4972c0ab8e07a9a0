/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first alignment: which packet is which when nothing is known of the clocks.
 */
#include "align.h"

#include "signature.h"

enum {
    TIME_WINDOW = 4096, /* packets looked at; a clock is taken as affine over them */
    MIN_OVERLAP = 4,
    MAX_STEPS = 40 * 1000 * 1000 /* pairs tried in all, a second or two of work */
};

Alignment align_by_content(Stretch guest, Stretch host, const guint32 *deltas)
{
    Alignment result = {.guest = guest, .host = host};
    Signature signature;

    if (!signature_find(guest, host, deltas, &signature)) {
        return result;
    }
    result.basis = ALIGN_CONTENT;
    result.shift = signature.shift;
    result.matched = signature.matched;
    result.compared = signature.compared;
    result.score = signature.score;
    result.has_delta = TRUE;
    result.delta = signature.delta;
    return result;
}

static gint64 guest_time(const StreamItem *item)
{
    return item->times.flags & HALF_HAS_EFFECT ? item->times.effect : item->times.cause;
}

/* The work of one search: the budget is shared by all shifts. */
typedef struct Search {
    Stretch guest;
    Stretch host;
    const GArray *known;
    const ClockMap *map; /* of the known pairs alone, or NULL */
    const ClockPrior *prior;
    gint64 steps;
} Search;

/* Whether one clock fits the pairs of @shift and the known ones. */
static gboolean shift_fits(Search *search, gint64 shift)
{
    g_autoptr(ClockSolver) solver = clock_solver_new(search->prior, FALSE);
    Stretch both = stretch_overlap(search->guest, search->host, shift);
    guint k = 0;

    for (gint64 i = both.begin; i < both.end; i++) {
        const StreamItem *guest = &search->guest.items[i];
        ClockPair pairs[HALF_MAX_PAIRS];
        guint n = half_pairs(&guest->times, &search->host.items[i + shift].times, pairs);

        for (; search->known && k < search->known->len &&
               g_array_index(search->known, ClockPair, k).guest.raw <= guest_time(guest);
             k++, search->steps++) {
            clock_solver_add(solver, &g_array_index(search->known, ClockPair, k));
        }
        for (guint p = 0; p < n; p++, search->steps++) {
            clock_solver_add(solver, &pairs[p]);
        }
        if (!clock_solver_feasible(solver)) {
            return FALSE;
        }
    }
    for (; search->known && k < search->known->len; k++, search->steps++) {
        clock_solver_add(solver, &g_array_index(search->known, ClockPair, k));
    }
    return clock_solver_feasible(solver);
}

/* A quick look at a few packets with the map of the known pairs alone. */
static gboolean shift_is_plausible(const Search *search, gint64 shift)
{
    Stretch both = stretch_overlap(search->guest, search->host, shift);
    gint64 stride = MAX(stretch_len(both) / 8, 1);

    for (gint64 i = both.begin; i < both.end && search->map != NULL; i += stride) {
        if (half_denials(search->map, &search->guest.items[i].times,
                         &search->host.items[i + shift].times) > 0) {
            return FALSE;
        }
    }
    return TRUE;
}

ClockMap *align_solve(const GArray *pairs, const ClockPrior *prior, gboolean may_cut)
{
    g_autoptr(ClockSolver) solver = NULL;

    if (pairs == NULL || pairs->len == 0) {
        return NULL;
    }
    solver = clock_solver_new(prior, may_cut);
    for (guint i = 0; i < pairs->len; i++) {
        clock_solver_add(solver, &g_array_index(pairs, ClockPair, i));
    }
    return clock_solver_finish(solver);
}

/* How many shifts fit, counted up to two, and the first of them. */
static guint count_fits(Search *search, gint64 *ret_shift)
{
    gint64 least = MIN(stretch_len(search->guest), stretch_len(search->host)) / 4;
    gint64 overlap = MAX(least, MIN_OVERLAP);
    guint fits = 0;

    for (gint64 shift = search->host.begin - search->guest.end + overlap;
         shift <= search->host.end - search->guest.begin - overlap && fits < 2; shift++) {
        if (!shift_is_plausible(search, shift)) {
            continue;
        }
        if (search->steps > MAX_STEPS) {
            return 2;
        }
        if (shift_fits(search, shift)) {
            *ret_shift = fits == 0 ? shift : *ret_shift;
            fits++;
        }
    }
    return fits;
}

Alignment align_by_time(Stretch guest, Stretch host, const GArray *known, const ClockPrior *prior)
{
    Alignment result = {.guest = guest, .host = host};
    g_autoptr(ClockMap) map = align_solve(known, prior, TRUE);

    /* A clock that steps inside a window fits no shift; another window may do. */
    for (gint64 begin = guest.begin; begin < guest.end; begin += TIME_WINDOW) {
        Search search = {.guest = guest, .host = host, .known = known, .map = map, .prior = prior};
        guint fits;

        search.guest.begin = begin;
        search.guest.end = MIN(guest.end, begin + TIME_WINDOW);
        fits = count_fits(&search, &result.shift);
        if (fits == 1) {
            result.basis = ALIGN_TIME;
        }
        if (fits > 0) {
            return result;
        }
    }
    return result;
}

void align_name_first(Alignment *alignment)
{
    gint64 first = stretch_overlap(alignment->guest, alignment->host, alignment->shift).begin;

    alignment->guest_first = stretch_id(alignment->guest, first);
    alignment->host_first = stretch_id(alignment->host, first + alignment->shift);
}

static int compare_guest_times(gconstpointer a, gconstpointer b)
{
    gint64 x = ((const ClockPair *)a)->guest.raw;
    gint64 y = ((const ClockPair *)b)->guest.raw;

    return (x > y) - (x < y);
}

void align_add_pairs(GArray *pairs, const Alignment *alignment)
{
    Stretch both = stretch_overlap(alignment->guest, alignment->host, alignment->shift);

    for (gint64 i = both.begin; i < both.end; i++) {
        ClockPair all[HALF_MAX_PAIRS];
        guint n = half_pairs(&alignment->guest.items[i].times,
                             &alignment->host.items[i + alignment->shift].times, all);

        g_array_append_vals(pairs, all, n);
    }
    g_array_sort(pairs, compare_guest_times);
}
