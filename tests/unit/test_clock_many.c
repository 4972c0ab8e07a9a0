/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The true time is inside the bound for every one of more than a million generated events, and
 * the bound is as narrow as docs/clocks.md says.
 */
#include "clock/map.h"

enum { N_PAIRS = 160000 };

/* A clock: host ns = num/den · guest + offset, the offset changed by @step every @step_every pairs.
 */
typedef struct Scenario {
    const char *name;
    ClockRate rate;
    gint64 prior_ppm; /* 0: known exactly */
    guint64 guest_zero;
    gint64 step;
    gint64 bend;       /* added to the rate's numerator at one change, taken off at the next */
    guint step_every;  /* 0: never */
    guint least[2];    /* smallest latency, ns, by ClockSideOf */
    guint spread;      /* half of the latencies are this much more, or less */
    guint tail_shift;  /* the rest up to 2^this times as much */
    guint lower_in_16; /* how many pairs of 16 are host first */
    guint burst;       /* pairs of one order in a row */
} Scenario;

/* One row a scenario. */
/* clang-format off */
static const Scenario scenarios[] = {
    {"ns-known-rate: one clock, no drift",
     .rate = {1, 1}, .least = {500, 700}, .spread = 400, .tail_shift = 6, .lower_in_16 = 8,
     .burst = 1},
    {"ns-20ppm: both in ns, rate within 100 ppm",
     .rate = {1000020, 1000000}, .prior_ppm = 100, .least = {500, 700}, .spread = 400,
     .tail_shift = 8, .lower_in_16 = 8, .burst = 1},
    {"cycles-wrap: 2.9 GHz cycles that wrap",
     .rate = {100000, 289999}, .prior_ppm = 300, .guest_zero = G_MAXUINT64 - 1000000,
     .least = {300, 2000}, .spread = 400, .tail_shift = 10, .lower_in_16 = 8, .burst = 1},
    {"cycles-sign: 2.1 GHz cycles that pass 2^63, known rate",
     .rate = {10, 21}, .guest_zero = G_MAXINT64 - 1000000, .least = {100, 100}, .spread = 400,
     .tail_shift = 4, .lower_in_16 = 8, .burst = 1},
    {"steps-up: the clock jumps ahead",
     .rate = {1, 1}, .prior_ppm = 50, .step = 5000000, .step_every = 4000, .least = {500, 700},
     .spread = 400, .tail_shift = 6, .lower_in_16 = 8, .burst = 3},
    {"steps-down: the clock falls back",
     .rate = {1, 1}, .step = -5000000, .step_every = 4000, .least = {500, 700}, .spread = 400,
     .tail_shift = 6, .lower_in_16 = 8, .burst = 3},
    {"bursts: long runs of one order",
     .rate = {999980, 1000000}, .prior_ppm = 100, .guest_zero = 7, .least = {500, 900},
     .spread = 400, .tail_shift = 8, .lower_in_16 = 8, .burst = 64},
    {"rare-lower: one pair in 16 is host first",
     .rate = {1, 1}, .prior_ppm = 100, .guest_zero = 99, .step = 3000000, .step_every = 9000,
     .least = {400, 400}, .spread = 400, .tail_shift = 8, .lower_in_16 = 1, .burst = 1},
    {"bends: the rate changes by 20 ppm, which shows only thousands of pairs later",
     .rate = {1000000, 1000000}, .prior_ppm = 100, .bend = 20, .step_every = 16000,
     .least = {500, 700}, .spread = 400, .tail_shift = 6, .lower_in_16 = 8, .burst = 1},
    {"upper-only: one way",
     .rate = {1, 1}, .prior_ppm = 100, .least = {500, 0}, .spread = 400, .tail_shift = 6,
     .lower_in_16 = 0, .burst = 1},
};
/* clang-format on */

/* What is true of one generated pair, relative to the scenario's zero. */
typedef struct Truth {
    guint64 since;
    gint64 down;
    gint64 up;
} Truth;

/* xorshift64; a fixed seed a scenario, so that a failure repeats. */
static guint64 next_random(guint64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* @least plus a tail: each doubling is half as likely. */
static gint64 latency(const Scenario *scenario, ClockSideOf order, guint64 *state)
{
    guint shift = MIN((guint)__builtin_ctzll(next_random(state) | 1 << 20), scenario->tail_shift);

    return scenario->least[order] +
           (gint64)(next_random(state) % ((guint64)scenario->spread << shift));
}

/* The line that is true until the next change: from (@since, @host) with @rate. */
typedef struct TrueLine {
    guint64 since;
    gint64 host;
    ClockRate rate;
} TrueLine;

static Truth truth_at(const TrueLine *line, guint64 since)
{
    __int128 scaled = (__int128)(since - line->since) * line->rate.num;
    gint64 down = line->host + (gint64)(scaled / line->rate.den);

    return (Truth){since, down, down + (scaled % line->rate.den != 0)};
}

static void change(const Scenario *scenario, TrueLine *line, guint64 since)
{
    gboolean is_bent = line->rate.num != scenario->rate.num;

    line->host = truth_at(line, since).down + scenario->step;
    line->since = since;
    line->rate.num = scenario->rate.num + (is_bent ? 0 : scenario->bend);
}

static ClockPair pair_of(const Scenario *scenario, const Truth *truth, ClockSideOf order,
                         guint64 *state)
{
    gint64 delay = latency(scenario, order, state);

    return (ClockPair){
        .guest = {(gint64)(scenario->guest_zero + truth->since)},
        .host = {order == CLOCK_GUEST_FIRST ? truth->up + delay : truth->down - delay},
        .order = order,
    };
}

static ClockMap *generate(const Scenario *scenario, Truth *truths, guint n)
{
    ClockPrior prior = clock_prior_within(scenario->rate, scenario->prior_ppm);
    g_autoptr(ClockSolver) solver = clock_solver_new(&prior, TRUE);
    guint64 state = 88172645463325252ull;
    ClockSideOf order = CLOCK_GUEST_FIRST;
    guint64 since = 0;
    TrueLine line = {.host = 1000000000000000, .rate = scenario->rate};

    for (guint i = 0; i < n; i++) {
        ClockPair pair;

        if (scenario->step_every != 0 && i % scenario->step_every == 0) {
            change(scenario, &line, since);
        }
        if (i % scenario->burst == 0) {
            order = next_random(&state) % 16 < scenario->lower_in_16 ? CLOCK_HOST_FIRST
                                                                     : CLOCK_GUEST_FIRST;
        }
        truths[i] = truth_at(&line, since);
        pair = pair_of(scenario, &truths[i], order, &state);
        clock_solver_add(solver, &pair);
        since += 1 + next_random(&state) % 40000;
    }
    return clock_solver_finish(solver);
}

static HostSpan place(const Scenario *scenario, const ClockMap *map, const Truth *truth)
{
    return clock_map_place(map, (GuestTime){(gint64)(scenario->guest_zero + truth->since)});
}

/* A width in per cent of what the smallest latencies leave; -1 if unbounded. */
static gint64 per_cent(const Scenario *scenario, HostSpan span)
{
    if (span.lo.ns == G_MININT64 || span.hi.ns == G_MAXINT64) {
        return -1;
    }
    return (span.hi.ns - span.lo.ns) * 100 / (scenario->least[0] + scenario->least[1]);
}

static void test_containment(gconstpointer data)
{
    const Scenario *scenario = data;
    g_autofree Truth *truths = g_new(Truth, N_PAIRS);
    g_autoptr(ClockMap) map = generate(scenario, truths, N_PAIRS);
    guint n_segments = scenario->step_every == 0 ? 1 : (N_PAIRS - 1) / scenario->step_every + 1;
    guint outside = 0;
    gint64 widest = 0;

    for (guint i = 0; i < N_PAIRS; i++) {
        HostSpan span = place(scenario, map, &truths[i]);

        outside += span.lo.ns > truths[i].down || span.hi.ns < truths[i].up ||
                   span.lo.ns > span.at.ns || span.at.ns > span.hi.ns;
        widest = MAX(widest, per_cent(scenario, span));
    }
    g_test_message("%u events, widest bound %" G_GINT64_FORMAT " %% of the floor", N_PAIRS, widest);
    g_assert_cmpuint(outside, ==, 0);
    g_assert_cmpuint(clock_map_n_segments(map), ==, n_segments);
    g_assert_cmpuint(clock_map_n_contradictions(map), ==, 0);
    for (guint i = 0; i < n_segments; i++) {
        ClockSegment segment = clock_map_segment(map, i);

        g_assert_cmpuint(segment.n_hull, <, 100);
        g_assert_cmpint(segment.bounded_below, ==, scenario->lower_in_16 > 0);
    }
}

/* Half widths in per cent of (smallest forward + smallest backward latency) / 2. */
typedef struct Figures {
    gint64 begin;
    gint64 middle;
    gint64 end;
} Figures;

static Figures measure(const Scenario *scenario, guint n)
{
    g_autofree Truth *truths = g_new(Truth, n);
    g_autoptr(ClockMap) map = generate(scenario, truths, n);

    return (Figures){
        .begin = per_cent(scenario, place(scenario, map, &truths[0])),
        .middle = per_cent(scenario, place(scenario, map, &truths[n / 2])),
        .end = per_cent(scenario, place(scenario, map, &truths[n - 1])),
    };
}

/* Case C: rate known. Case D: rate unknown within 100 ppm. */
static void test_figures(void)
{
    static const guint counts[] = {100, 1000, 10000, 100000};
    Scenario known = {"C",
                      .rate = {1, 1},
                      .least = {500, 700},
                      .spread = 3000,
                      .tail_shift = 5,
                      .lower_in_16 = 8,
                      .burst = 1};
    Scenario unknown = known;

    unknown.rate = (ClockRate){1000020, 1000000};
    unknown.prior_ppm = 100;
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        Figures c = measure(&known, counts[i]);
        Figures d = measure(&unknown, counts[i]);

        g_test_message("%u pairs, %% of the floor: C %" G_GINT64_FORMAT
                       ", D begin %" G_GINT64_FORMAT " middle %" G_GINT64_FORMAT
                       " end %" G_GINT64_FORMAT,
                       counts[i], c.middle, d.begin, d.middle, d.end);
        g_assert_cmpint(d.middle, >=, 100);
        if (counts[i] >= 1000) {
            g_assert_cmpint(c.middle, <=, 110);
            g_assert_cmpint(d.middle, <=, c.middle * 110 / 100);
            g_assert_cmpint(MAX(d.begin, d.end), <=, 2 * c.middle);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(scenarios); i++) {
        g_auto(GStrv) words = g_strsplit(scenarios[i].name, ":", 2);
        g_autofree char *path = g_strconcat("/clock-many/", words[0], NULL);

        g_test_add_data_func(path, &scenarios[i], test_containment);
    }
    g_test_add_func("/clock-many/figures", test_figures);
    return g_test_run();
}
