/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The clock map on small cases whose bounds can be worked out by hand.
 */
#include "clock/map.h"

enum { MAX_PAIRS = 8, MAX_QUERIES = 4 };

/* A pair; its tag is its place in the row, from 1. */
typedef struct RowPair {
    char side; /* 'u': guest first, 'l': host first, 0: no more */
    gint64 x;
    gint64 y;
} RowPair;

typedef struct RowQuery {
    gint64 x;
    gint64 lo;
    gint64 at;
    gint64 hi;
} RowQuery;

/* @witnesses: tags for the first contradiction; @cut_by: tags for the second segment. */
typedef struct Row {
    const char *name;
    ClockPrior prior;
    gboolean may_cut;
    RowPair pairs[MAX_PAIRS];
    guint n_segments;
    guint64 n_contradictions;
    guint64 witnesses[3];
    guint64 cut_by[3];
    ClockRate rates[2];
    gint64 first_end;
    guint n_queries;
    RowQuery queries[MAX_QUERIES];
} Row;

#define EXACT      {{1, 1}, {1, 1}}
#define HALF_TO_2  {{1, 2}, {2, 1}}
#define NO_LOWER   G_MININT64
#define NO_UPPER   G_MAXINT64
#define DAY_CYCLES G_GINT64_CONSTANT(259200000000000) /* 24 h at 3 GHz */
#define DAY_NS     G_GINT64_CONSTANT(86400000000000)

static const Row rows[] = {
    {"known-rate: the tightest pair of each side bounds",
     EXACT, FALSE, {{'u', 0, 100}, {'l', 10, 50}, {'u', 20, 90}},
     1, 0, {0}, {0}, {{1, 1}, {1, 1}}, 20,
     2, {{0, 40, 55, 70}, {100, 140, 155, 170}}},
    {"unknown-rate: hull between the pairs, extreme lines outside",
     HALF_TO_2, FALSE, {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 100, 100}},
     1, 0, {0}, {0}, {{9, 10}, {11, 10}}, 100,
     3, {{50, 50, 55, 60}, {200, 190, 205, 220}, {-100, -110, -95, -80}}},
    {"any-order: the same pairs in another order give the same map",
     HALF_TO_2, TRUE, {{'u', 100, 110}, {'l', 0, 0}, {'l', 100, 100}, {'u', 0, 10}},
     1, 0, {0}, {0}, {{9, 10}, {11, 10}}, 100,
     3, {{50, 50, 55, 60}, {200, 190, 205, 220}, {-100, -110, -95, -80}}},
    {"rounding: thirds go down below and up above",
     {{1, 3}, {1, 3}}, FALSE, {{'u', 0, 10}, {'l', 0, 0}},
     1, 0, {0}, {0}, {{1, 3}, {1, 3}}, 0,
     4, {{1, 0, 5, 11}, {2, 0, 6, 11}, {-1, -1, 5, 10}, {3, 1, 6, 11}}},
    {"upper-only: unbounded below, slopes end at the prior",
     HALF_TO_2, FALSE, {{'u', 0, 10}, {'u', 10, 12}},
     1, 0, {0}, {0}, {{1, 2}, {2, 1}}, 10,
     2, {{0, NO_LOWER, 0, 7}, {20, NO_LOWER, 25, 32}}},
    {"lower-only: unbounded above, slopes end at the prior",
     HALF_TO_2, FALSE, {{'l', 0, 10}, {'l', 10, 12}},
     1, 0, {0}, {0}, {{1, 2}, {2, 1}}, 10,
     2, {{20, 20, 35, NO_UPPER}, {-10, -10, -2, NO_UPPER}}},
    {"equal-times: a lower pair above an upper one contradicts, two witnesses",
     HALF_TO_2, FALSE, {{'u', 0, 5}, {'l', 0, 5}, {'u', 0, 4}},
     1, 1, {3, 2}, {0}, {{1, 2}, {2, 1}}, 0,
     2, {{0, 5, 5, 5}, {8, 9, 15, 21}}},
    {"collinear: pairs on one line leave only it",
     HALF_TO_2, FALSE, {{'l', 0, 0}, {'u', 10, 10}, {'l', 20, 20}, {'u', 30, 30}},
     1, 0, {0}, {0}, {{1, 1}, {1, 1}}, 30,
     2, {{5, 5, 5, 5}, {-1000, -1000, -1000, -1000}}},
    {"day: 24 hours of 3 GHz cycles, and as far again",
     {{1, 4}, {1, 2}}, FALSE,
     {{'u', 0, 1000}, {'l', 0, -1000}, {'u', DAY_CYCLES, DAY_NS + 1000},
      {'l', DAY_CYCLES, DAY_NS - 1000}},
     1, 0, {0}, {0}, {{0}}, DAY_CYCLES,
     2, {{DAY_CYCLES / 2, DAY_NS / 2 - 1000, DAY_NS / 2, DAY_NS / 2 + 1000},
         {DAY_CYCLES * 2, DAY_NS * 2 - 3000, DAY_NS * 2, DAY_NS * 2 + 3000}}},
    {"step: a new segment, and the hull of both between",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 90, 90}, {'l', 200, 1200},
      {'u', 200, 1210}},
     2, 0, {0}, {5, 1}, {{1, 1}, {1, 1}}, 100,
     3, {{100, 100, 105, 110}, {150, 150, 155, 1160}, {250, 1250, 1255, 1260}}},
    {"step-seen-late: a pair that both lines take may be of either",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 10, 10}, {'u', 20, 30}, {'u', 30, 1040}, {'l', 40, 1040},
      {'u', 50, 1060}},
     2, 0, {0}, {5, 1}, {{1, 1}, {1, 1}}, 20,
     2, {{30, 30, 35, 1040}, {20, 20, 25, 30}}},
    {"step-forbidden: the pair is named and not used",
     EXACT, FALSE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 100, 100}, {'l', 200, 1200},
      {'u', 200, 1210}},
     1, 1, {5, 1}, {0}, {{1, 1}, {1, 1}}, 200,
     1, {{200, 200, 205, 210}}},
    {"three-witnesses: the pair and the two that set the least rate",
     HALF_TO_2, FALSE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 100, 100}, {'u', 200, 150}},
     1, 1, {5, 4, 1}, {0}, {{9, 10}, {11, 10}}, 100,
     1, {{200, 190, 205, 220}}},
    {"edge-witnesses: the pair and both ends of the hull's edge under it",
     HALF_TO_2, FALSE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 100, 100}, {'u', 50, 40}},
     1, 1, {5, 2, 4}, {0}, {{9, 10}, {11, 10}}, 100,
     1, {{50, 50, 55, 60}}},
    {"swapped-order: an upper pair taken for a lower one is found",
     EXACT, FALSE, {{'u', 0, 10}, {'l', 5, 5}, {'l', 20, 40}, {'u', 30, 40}},
     1, 1, {3, 1}, {0}, {{1, 1}, {1, 1}}, 30,
     1, {{20, 20, 25, 30}}},
    {"sign-error: a clock that runs backwards fits no positive rate",
     HALF_TO_2, FALSE, {{'u', 0, 10}, {'l', 0, 0}, {'l', 100, -100}, {'u', 100, -90}},
     1, 1, {4, 2}, {0}, {{1, 2}, {2, 1}}, 100,
     1, {{0, 0, 5, 10}}},
    {"late-fits: a late pair narrows the segment it belongs to",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 200, 1200}, {'u', 200, 1210},
      {'l', 50, 56}},
     2, 0, {0}, {4, 1}, {{1, 1}, {1, 1}}, 100,
     2, {{50, 56, 58, 60}, {250, 1250, 1255, 1260}}},
    {"late-wrong: a late pair that does not fit there never cuts",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 200, 1200}, {'u', 200, 1210},
      {'u', 50, 20}},
     2, 1, {6, 2}, {4, 1}, {{1, 1}, {1, 1}}, 100,
     2, {{50, 50, 55, 60}, {250, 1250, 1255, 1260}}},
    {"late-of-the-new-line: between two segments it moves the change back",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 200, 1200}, {'u', 200, 1210},
      {'l', 150, 1154}},
     2, 0, {0}, {4, 1}, {{1, 1}, {1, 1}}, 100,
     2, {{150, 1154, 1157, 1160}, {140, 140, 145, 1150}}},
    {"outlier: an old time that later pairs deny is no change",
     EXACT, TRUE,
     {{'u', 0, 10}, {'l', 0, 0}, {'u', 100, 110}, {'l', 100, 100}, {'l', 50, 1050}},
     1, 1, {5, 1}, {0}, {{1, 1}, {1, 1}}, 100,
     1, {{50, 50, 55, 60}}},
    {"far: further from the first pair than exact products reach",
     EXACT, TRUE, {{'u', 0, 10}, {'l', G_GINT64_CONSTANT(1) << 62, 0}},
     1, 1, {2, 1}, {0}, {{1, 1}, {1, 1}}, 0,
     1, {{0, NO_LOWER, 10, 10}}},
};

/* Guest readings mean nothing by themselves: every row holds from any of these zeros. */
static const guint64 guest_zeros[] = {
    0, 1, G_GUINT64_CONSTANT(9223372036854775758), G_GUINT64_CONSTANT(18446744073709551566)};
static const gint64 host_zeros[] = {0, G_GINT64_CONSTANT(1700000000000000000), -1000};

static GuestTime guest_at(guint64 zero, gint64 x)
{
    return (GuestTime){(gint64)(zero + (guint64)x)};
}

static ClockSolver *solve_row(const Row *row, guint64 guest_zero, gint64 host_zero)
{
    ClockSolver *solver = clock_solver_new(&row->prior, row->may_cut);

    for (guint i = 0; i < MAX_PAIRS && row->pairs[i].side != 0; i++) {
        const RowPair *pair = &row->pairs[i];

        clock_solver_add(solver,
                         &(ClockPair){.guest = guest_at(guest_zero, pair->x),
                                      .host = {host_zero + pair->y},
                                      .order = pair->side == 'u' ? CLOCK_GUEST_FIRST
                                                                 : CLOCK_HOST_FIRST,
                                      .tag = i + 1});
    }
    return solver;
}

static void check_tags(const ClockPair *pairs, guint n, const guint64 want[3])
{
    for (guint i = 0; i < 3; i++) {
        g_assert_cmpuint(i < n ? pairs[i].tag : 0, ==, want[i]);
    }
}

static gint64 moved(gint64 bound, gint64 zero)
{
    return bound == NO_LOWER || bound == NO_UPPER ? bound : bound + zero;
}

static void check_queries(const Row *row, const ClockMap *map, guint64 guest_zero,
                          gint64 host_zero)
{
    for (guint i = 0; i < row->n_queries; i++) {
        const RowQuery *want = &row->queries[i];
        HostSpan got = clock_map_place(map, guest_at(guest_zero, want->x));

        g_assert_cmpint(got.lo.ns, ==, moved(want->lo, host_zero));
        g_assert_cmpint(got.at.ns, ==, moved(want->at, host_zero));
        g_assert_cmpint(got.hi.ns, ==, moved(want->hi, host_zero));
    }
}

static void check_segments(const Row *row, const ClockMap *map, guint64 guest_zero)
{
    ClockSegment first = clock_map_segment(map, 0);

    g_assert_cmpuint(clock_map_n_segments(map), ==, row->n_segments);
    g_assert_cmpuint(first.n_cut_by, ==, 0);
    g_assert_cmpint(first.end.raw, ==, guest_at(guest_zero, row->first_end).raw);
    if (row->rates[0].den != 0) {
        g_assert_cmpint(first.rate_lo.num, ==, row->rates[0].num);
        g_assert_cmpint(first.rate_lo.den, ==, row->rates[0].den);
        g_assert_cmpint(first.rate_hi.num, ==, row->rates[1].num);
        g_assert_cmpint(first.rate_hi.den, ==, row->rates[1].den);
    }
    if (row->n_segments > 1) {
        ClockSegment second = clock_map_segment(map, 1);

        check_tags(second.cut_by, second.n_cut_by, row->cut_by);
    }
}

static void check_row(const Row *row, guint64 guest_zero, gint64 host_zero)
{
    g_autoptr(ClockSolver) solver = solve_row(row, guest_zero, host_zero);
    g_autoptr(ClockMap) map = clock_solver_finish(solver);
    ClockPair witnesses[3];
    guint n_witnesses = clock_map_witnesses(map, witnesses);

    check_segments(row, map, guest_zero);
    g_assert_cmpuint(clock_map_n_contradictions(map), ==, row->n_contradictions);
    check_tags(witnesses, n_witnesses, row->witnesses);
    g_assert_cmpint(clock_solver_feasible(solver), ==,
                    row->n_segments == 1 && row->n_contradictions == 0);
    check_queries(row, map, guest_zero, host_zero);
}

static void test_row(gconstpointer data)
{
    for (guint i = 0; i < G_N_ELEMENTS(guest_zeros); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(host_zeros); j++) {
            check_row(data, guest_zeros[i], host_zeros[j]);
        }
    }
}

/* Without a pair nothing is known, and the first pair starts to tell. */
static void test_empty(void)
{
    ClockPrior prior = EXACT;
    g_autoptr(ClockSolver) solver = clock_solver_new(&prior, TRUE);
    g_autoptr(ClockMap) empty = clock_solver_finish(solver);
    g_autoptr(ClockMap) map = NULL;
    HostSpan span = clock_map_place(empty, (GuestTime){5});

    g_assert_true(clock_solver_feasible(solver));
    g_assert_cmpuint(clock_map_n_segments(empty), ==, 0);
    g_assert_cmpint(span.lo.ns, ==, NO_LOWER);
    g_assert_cmpint(span.hi.ns, ==, NO_UPPER);
    clock_solver_add(solver, &(ClockPair){.guest = {5}, .host = {7}});
    map = clock_solver_finish(solver);
    g_assert_cmpint(clock_map_place(map, (GuestTime){6}).hi.ns, ==, 8);
}

/* A parabola has more corners than are kept: the bound may widen there, and never narrow. */
static void test_simplify(void)
{
    ClockPrior prior = {{1, 1000}, {1000, 1}};
    g_autoptr(ClockSolver) solver = clock_solver_new(&prior, FALSE);
    g_autoptr(ClockMap) map = NULL;
    ClockSegment segment;

    for (gint64 x = 0; x <= 400; x++) {
        clock_solver_add(solver, &(ClockPair){.guest = {x}, .host = {x * x}});
    }
    map = clock_solver_finish(solver);
    segment = clock_map_segment(map, 0);
    g_assert_cmpuint(segment.n_hull, <, 100);
    g_assert_cmpuint(segment.n_pairs, ==, 401);
    g_assert_cmpint(segment.half_width, ==, -1);
    for (gint64 x = 0; x <= 400; x++) {
        gint64 hi = clock_map_place(map, (GuestTime){x}).hi.ns;

        g_assert_cmpint(hi, >=, x * x);
        g_assert_cmpint(hi, <=, x * x + 400);
    }
}

/* A clock that steps all the time cannot make the solver take ever more memory. */
static void test_many_steps(void)
{
    ClockPrior prior = EXACT;
    g_autoptr(ClockSolver) solver = clock_solver_new(&prior, TRUE);
    g_autoptr(ClockMap) map = NULL;

    for (gint64 i = 0; i < 5000; i++) {
        clock_solver_add(solver, &(ClockPair){.guest = {i}, .host = {i * 1000},
                                              .order = CLOCK_HOST_FIRST});
        clock_solver_add(solver, &(ClockPair){.guest = {i}, .host = {i * 1000 + 10}});
    }
    map = clock_solver_finish(solver);
    g_assert_cmpuint(clock_map_n_segments(map), ==, 512);
    g_assert_cmpuint(clock_map_n_contradictions(map), ==, 5000 - 512);
}

static void check_rate(ClockRate rate, gint64 num, gint64 den)
{
    g_assert_cmpint(rate.num, ==, num);
    g_assert_cmpint(rate.den, ==, den);
}

/* @rate by @num / @den in millionths, rounded down. */
static gint64 millionths(ClockRate rate, gint64 num, gint64 den)
{
    return (gint64)((__int128)rate.num * den / rate.den * 1000000 / num);
}

/* Bounds of a prior are reduced, and rounded outward where they would not fit. */
static void test_prior(void)
{
    const gint64 limit = G_GINT64_CONSTANT(1) << 62;
    const gint64 unit = G_GINT64_CONSTANT(1) << 40;
    ClockPrior prior = clock_prior_within((ClockRate){1, 1}, 100);

    check_rate(prior.lo, 9999, 10000);
    check_rate(prior.hi, 10001, 10000);
    prior = clock_prior_exact((ClockRate){1, 3});
    check_rate(prior.lo, 1, 3);
    check_rate(prior.hi, 1, 3);
    prior = clock_prior_within((ClockRate){limit - 1, unit}, 7);
    g_assert_cmpint(MAX(prior.lo.num, prior.lo.den), <, limit);
    g_assert_cmpint(MAX(prior.hi.num, prior.hi.den), <, limit);
    g_assert_cmpint(millionths(prior.lo, limit - 1, unit), ==, 999992);
    g_assert_cmpint(millionths(prior.hi, limit - 1, unit), ==, 1000007);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) words = g_strsplit(rows[i].name, ":", 2);
        g_autofree char *path = g_strconcat("/clock-map/", words[0], NULL);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    g_test_add_func("/clock-map/empty", test_empty);
    g_test_add_func("/clock-map/simplify", test_simplify);
    g_test_add_func("/clock-map/many-steps", test_many_steps);
    g_test_add_func("/clock-map/prior", test_prior);
    return g_test_run();
}
