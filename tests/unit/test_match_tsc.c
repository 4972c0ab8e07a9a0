/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The clock from the VM's TSC offset. Expected values are of exact rational arithmetic (Python's
 * fractions), rounded down.
 */
#include "tsc.h"

enum { MULT = 878169879, SHIFT = 31 }; /* a TSC of 2.445 GHz in ns */

typedef struct Row {
    const char *sentence;
    MatchOptions options;
    TraceClock guest;
    HostClock host;
    gint64 raw;
    gint64 ns;   /* of @raw on the host's line */
    gint64 rate; /* host ns a unit × 2⁵⁶ */
    gboolean refused;
} Row;

static const Row rows[] = {
    {
        "cycles of the guest, no scaling",
        {.tsc_offset = G_GINT64_CONSTANT(-1000000000000), .tsc_ratio = 1},
        {.kind = TRACE_CLOCK_TSC},
        {.is_tsc = TRUE, .mult = MULT, .shift = SHIFT},
        .raw = G_GINT64_CONSTANT(500000000000),
        .ns = G_GINT64_CONSTANT(613394574495),
        .rate = G_GINT64_CONSTANT(29466491489353728),
    },
    {
        "ns of a guest whose TIME_CONV is in its file",
        {.tsc_offset = G_GINT64_CONSTANT(-1000000000000), .tsc_ratio = 1},
        {.kind = TRACE_CLOCK_SCHED, .has_tsc = TRUE, .tsc_mult = MULT, .tsc_shift = SHIFT,
         .tsc_zero = 999},
        {.is_tsc = TRUE, .mult = MULT, .shift = SHIFT, .zero = 12345},
        .raw = G_GINT64_CONSTANT(700000000000),
        .ns = G_GINT64_CONSTANT(1108929727675),
        .rate = G_GINT64_CONSTANT(72057594037927936),
    },
    {
        "a guest TSC scaled to two thirds: the inverse takes the offset off first and divides",
        {.tsc_offset = G_GINT64_CONSTANT(-5000000000000),
         .tsc_ratio = (G_GUINT64_CONSTANT(2) << 48) / 3, .tsc_frac = 48},
        {.kind = TRACE_CLOCK_TSC},
        {.is_tsc = TRUE, .mult = MULT, .shift = SHIFT},
        .raw = G_GINT64_CONSTANT(1000000000000),
        .ns = G_GINT64_CONSTANT(3680367446970),
        .rate = G_GINT64_CONSTANT(44199737234030749),
    },
    {
        "a guest TSC that has not reached zero: modulo 2^64",
        {.tsc_offset = G_GINT64_CONSTANT(-1000000000001), .tsc_ratio = 1},
        {.kind = TRACE_CLOCK_TSC},
        {.is_tsc = TRUE, .mult = 1},
        .raw = -500000,
        .ns = G_GINT64_CONSTANT(999999500001),
        .rate = G_GINT64_CONSTANT(72057594037927936),
    },
    {"a host that is not on the TSC", {.tsc_ratio = 1}, {.kind = TRACE_CLOCK_TSC}, {0},
     .refused = TRUE},
    {"a guest that is not on the TSC", {.tsc_ratio = 1}, {.kind = TRACE_CLOCK_SCHED},
     {.is_tsc = TRUE, .mult = MULT, .shift = SHIFT}, .refused = TRUE},
};

static void test_row(gconstpointer data)
{
    const Row *row = data;
    ClockPrior prior;
    ClockPair pairs[2];
    const char *missing =
        tsc_offset_apply(&row->options, &row->guest, &row->host, row->raw, &prior, pairs);

    g_assert_cmpint(missing != NULL, ==, row->refused);
    if (row->refused) {
        return;
    }
    g_assert_cmpint(prior.lo.den, ==, G_GINT64_CONSTANT(1) << 56);
    g_assert_cmpint(prior.lo.num, ==, row->rate);
    g_assert_cmpint(prior.hi.num, ==, row->rate + 1);
    g_assert_cmpint(pairs[0].guest.raw, ==, 0);
    g_assert_cmpint(pairs[0].order, ==, CLOCK_GUEST_FIRST);
    g_assert_cmpint(pairs[0].host.ns, ==, row->ns + 4);
    g_assert_cmpint(pairs[1].order, ==, CLOCK_HOST_FIRST);
    g_assert_cmpint(pairs[1].host.ns, ==, row->ns - 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/tsc/%s", rows[i].sentence);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    return g_test_run();
}
