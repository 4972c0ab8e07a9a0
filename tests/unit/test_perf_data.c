/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reader of perf.data: every layout gives the same events, in order, on the right clock.
 */
#include "perf_subject.h"

/* A way to lay a file out that must not change what is read. */
typedef struct LayoutCase {
    const char *path;
    PerfLayout layout;
    guint32 compressed;
    gsize chunk;
} LayoutCase;

static const LayoutCase layout_cases[] = {
    {"/perf/layout/file", {0}},
    {"/perf/layout/pipe", {.is_pipe = TRUE}},
    {"/perf/layout/first-attr-size", {.attr_size = 64}},
    {"/perf/layout/attr-of-the-future", {.attr_size = 256}},
    {"/perf/layout/attr-of-the-future-in-a-pipe", {.attr_size = 256, .is_pipe = TRUE}},
    {"/perf/layout/big-endian", {.big_endian = TRUE}},
    {"/perf/layout/big-endian-pipe", {.big_endian = TRUE, .is_pipe = TRUE}},
    {"/perf/layout/32-bit", {.long_size = 4}},
    {"/perf/layout/32-bit-big-endian", {.long_size = 4, .big_endian = TRUE}},
    {"/perf/layout/id-in-the-middle",
     {.sample_type = (SAMPLE_USUAL & ~SAMPLE_IDENTIFIER) | SAMPLE_ID}},
    {"/perf/layout/no-ip-no-cpu-no-tid",
     {.sample_type = SAMPLE_IDENTIFIER | SAMPLE_TIME | SAMPLE_RAW}},
    {"/perf/layout/one-attr-without-ids",
     {.n_attrs = 1, .sample_type = SAMPLE_USUAL & ~SAMPLE_IDENTIFIER}},
    {"/perf/layout/callchain", {.sample_type = SAMPLE_USUAL | SAMPLE_CALLCHAIN}},
    {"/perf/layout/read", {.sample_type = SAMPLE_USUAL | SAMPLE_READ}},
    {"/perf/layout/read-group-and-callchain",
     {.read_group = TRUE, .sample_type = SAMPLE_USUAL | SAMPLE_READ | SAMPLE_CALLCHAIN}},
    {"/perf/layout/compressed", {0}, RECORD_COMPRESSED, 4096},
    {"/perf/layout/compressed-records-span-chunks", {0}, RECORD_COMPRESSED, 13},
    {"/perf/layout/compressed2", {0}, RECORD_COMPRESSED2, 50},
    {"/perf/layout/compressed-pipe", {.is_pipe = TRUE}, RECORD_COMPRESSED, 100},
    {"/perf/layout/compressed-big-endian", {.big_endian = TRUE}, RECORD_COMPRESSED2, 100},
};

/* Every layout gives the same events, twice. */
static void test_layout(gconstpointer data)
{
    const LayoutCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&row->layout);
    g_autoptr(Subject) subject = NULL;

    perf_build_string_feature(build, FEATURE_HOSTNAME, "guest1");
    perf_build_string_feature(build, FEATURE_OSRELEASE, "6.12.0");
    perf_build_compress(build, row->compressed, row->chunk);
    subject_add_usual(build);
    subject = subject_of(build);
    subject_assert_no_problems(subject);
    subject_assert_usual(subject, perf_build_layout(build));
    g_assert_cmpstr(subject_info(subject)->machine, ==, "guest1");
    g_assert_cmpstr(subject_info(subject)->release, ==, "6.12.0");
    g_assert_cmpint(subject_info(subject)->side, ==, TRACE_SIDE_GUEST);
    g_assert_cmpint(subject_info(subject)->clock.kind, ==, TRACE_CLOCK_SCHED);

    subject_reread(subject);
    subject_assert_no_problems(subject);
    subject_assert_usual(subject, perf_build_layout(build));
    g_assert_cmpuint(trace_source_position(subject->source), <=, subject_info(subject)->size);
}

typedef struct ClockCase {
    const char *path;
    PerfLayout layout;
    TraceClockKind kind;
    const char *name;
} ClockCase;

static const ClockCase clock_cases[] = {
    {"/perf/clock/default", {0}, TRACE_CLOCK_SCHED, "perf"},
    {"/perf/clock/realtime", {.use_clockid = TRUE, .clockid = 0}, TRACE_CLOCK_REALTIME, "realtime"},
    {"/perf/clock/monotonic",
     {.use_clockid = TRUE, .clockid = 1},
     TRACE_CLOCK_MONOTONIC,
     "monotonic"},
    {"/perf/clock/monotonic-raw-in-a-pipe",
     {.use_clockid = TRUE, .clockid = 4, .is_pipe = TRUE},
     TRACE_CLOCK_MONOTONIC_RAW,
     "monotonic_raw"},
    {"/perf/clock/boottime-big-endian",
     {.use_clockid = TRUE, .clockid = 7, .big_endian = TRUE},
     TRACE_CLOCK_BOOTTIME,
     "boottime"},
    {"/perf/clock/tai", {.use_clockid = TRUE, .clockid = 11}, TRACE_CLOCK_TAI, "tai"},
    {"/perf/clock/not-known", {.use_clockid = TRUE, .clockid = 42}, TRACE_CLOCK_UNKNOWN, "unknown"},
};

/* perf record -k is found in the attributes; a TSC conversion belongs to the default clock only. */
static void test_clock(gconstpointer data)
{
    static const guint64 conversion[] = {31, 878169879, 0xfffffffff0000000};
    const ClockCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&row->layout);
    g_autoptr(Subject) subject = NULL;
    const TraceClock *clock;

    perf_build_values(build, RECORD_TIME_CONV, 0, conversion, G_N_ELEMENTS(conversion));
    subject_add_usual(build);
    subject = subject_of(build);
    clock = &subject_info(subject)->clock;
    g_assert_cmpint(clock->kind, ==, row->kind);
    g_assert_cmpstr(clock->name, ==, row->name);
    g_assert_cmpint(clock->step_ns, ==, 0);
    g_assert_cmpint(clock->has_tsc, ==, row->kind == TRACE_CLOCK_SCHED);
    if (clock->has_tsc) {
        g_assert_cmpuint(clock->tsc_shift, ==, 31);
        g_assert_cmpuint(clock->tsc_mult, ==, 878169879);
        g_assert_cmphex(clock->tsc_zero, ==, 0xfffffffff0000000);
    }
}

/* The clock of an attribute too short for it is in CLOCK_DATA; CLOCKID has the step. */
static void test_clock_features(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.attr_size = 64});
    g_autoptr(Subject) subject = NULL;
    guint8 clock_data[24] = {0};
    guint8 step[8];

    perf_build_put(build, clock_data, 1, 4);
    perf_build_put(build, clock_data + 4, 1, 4);
    perf_build_put(build, step, 4000000, 8);
    perf_build_feature(build, FEATURE_CLOCKID, step, sizeof(step));
    perf_build_feature(build, FEATURE_CLOCK_DATA, clock_data, sizeof(clock_data));
    subject_add_usual(build);
    subject = subject_of(build);
    subject_assert_no_problems(subject);
    g_assert_cmpint(subject_info(subject)->clock.kind, ==, TRACE_CLOCK_MONOTONIC);
    g_assert_cmpint(subject_info(subject)->clock.step_ns, ==, 4000000);
}

/* A conversion that makes no sense, or that the kernel did not vouch for, is not used. */
static void test_time_conv_damage(void)
{
    static const guint64 bad[][3] = {{64, 5, 0}, {31, 0, 0}, {31, G_MAXUINT64, 0}};
    static const guint64 no_zero[] = {31, 5, 7, 0, 0, 0};

    for (gsize i = 0; i <= G_N_ELEMENTS(bad); i++) {
        g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
        g_autoptr(Subject) subject = NULL;

        if (i < G_N_ELEMENTS(bad)) {
            perf_build_values(build, RECORD_TIME_CONV, 0, bad[i], 3);
        } else {
            perf_build_values(build, RECORD_TIME_CONV, 0, no_zero, G_N_ELEMENTS(no_zero));
        }
        subject = subject_of(build);
        g_assert_false(subject_info(subject)->clock.has_tsc);
        g_assert_cmpuint(subject_problems(subject, "TSC conversion"), ==, i < G_N_ELEMENTS(bad));
    }
}

/* An event older than the last round but one is passed on late, and that is said. */
static void test_late(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;
    static const gint64 times[] = {1000, 2000, 500, 3000, 4000};

    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    perf_build_xmit(build, 1, 2000, 1, skb, 1);
    perf_build_round(build);
    perf_build_xmit(build, 1, 3000, 1, skb, 1);
    perf_build_round(build); /* 1000 and 2000 go out */
    perf_build_xmit(build, 0, 500, 1, skb, 1);
    perf_build_round(build);
    perf_build_xmit(build, 0, 4000, 1, skb, 1);
    subject = subject_of(build);
    g_assert_cmpuint(subject->n, ==, G_N_ELEMENTS(times));
    for (gsize i = 0; i < subject->n; i++) {
        g_assert_cmpint(subject->events[i].time, ==, times[i]);
    }
    g_assert_cmpuint(subject_problems(subject, "out of order"), ==, 1);
}

/* Without rounds everything is sorted, as far as memory allows. */
static void test_no_rounds(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;

    for (guint i = 0; i < 300; i++) {
        perf_build_xmit(build, i % 4, 1000 + (i * 7919) % 300, 1, skb, i);
    }
    subject = subject_of(build);
    subject_assert_no_problems(subject);
    g_assert_cmpuint(subject->n, ==, 300);
    for (gsize i = 0; i < subject->n; i++) {
        g_assert_cmpint(subject->events[i].time, ==, 1000 + i);
    }
}

/* Part of a recording of perf 6.1 in a guest; the values are those that perf script prints. */
static void test_real(void)
{
    g_autofree char *path =
        g_test_build_filename(G_TEST_DIST, "corpus", "perf_data", "tcg-stock.data", NULL);
    g_autofree char *bytes = NULL;
    g_autoptr(Subject) subject = NULL;
    const Event *xmit;
    gsize len;

    g_assert_true(g_file_get_contents(path, &bytes, &len, NULL));
    subject = subject_new((const guint8 *)bytes, len);
    subject_assert_no_problems(subject);
    g_assert_cmpuint(subject->n, ==, 269);
    xmit = &subject->events[59];
    g_assert_cmpint(xmit->kind, ==, EVENT_NET_XMIT);
    g_assert_cmpint(xmit->time, ==, G_GINT64_CONSTANT(85032457375));
    g_assert_cmpint(xmit->cpu, ==, 1);
    g_assert_cmpint(xmit->tid, ==, 401);
    g_assert_cmphex(xmit->ptr[0], ==, G_GUINT64_CONSTANT(0xff211516993e5600));
    g_assert_cmpuint(xmit->num[0], ==, 42);
    g_assert_cmpstr(trace_source_name(subject->source, xmit->name), ==, "enp0s10");
    g_assert_cmpint(subject_info(subject)->side, ==, TRACE_SIDE_GUEST);
    g_assert_cmpstr(subject_info(subject)->release, ==, "6.12.117+deb13-amd64");
    g_assert_cmpuint(subject_info(subject)->clock.tsc_mult, ==, 878161260);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(layout_cases); i++) {
        g_test_add_data_func(layout_cases[i].path, &layout_cases[i], test_layout);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(clock_cases); i++) {
        g_test_add_data_func(clock_cases[i].path, &clock_cases[i], test_clock);
    }
    g_test_add_func("/perf/clock/features", test_clock_features);
    g_test_add_func("/perf/clock/bad-conversion", test_time_conv_damage);
    g_test_add_func("/perf/real", test_real);
    g_test_add_func("/perf/order/late", test_late);
    g_test_add_func("/perf/order/no-rounds", test_no_rounds);
    return g_test_run();
}
