/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reader of perf.data: every layout gives the same events, loss is placed, order is made.
 */
#include "perf_build.h"

#include "trace/source.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Record types and features that only tests of damage and loss write. */
enum {
    RECORD_LOST = 2,
    RECORD_LOST_SAMPLES = 13,
    RECORD_ID_INDEX = 69,
    RECORD_TIME_CONV = 79,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_CLOCKID = 23,
    FEATURE_CLOCK_DATA = 29,
    MISC_FILTERED = 1 << 15,
    MAX_EVENTS = 1024,
};

static const guint64 skb = G_GUINT64_CONSTANT(0xffff888012345678);

/* A file on disk that is read. */
typedef struct Subject {
    char *path;
    TraceSource *source;
    GError *error;
    Event events[MAX_EVENTS];
    gsize n;
} Subject;

static void read_all(Subject *subject)
{
    gsize n;

    subject->n = 0;
    do {
        n = trace_source_read(subject->source, subject->events + subject->n,
                              MIN(7, MAX_EVENTS - subject->n));
        subject->n += n;
    } while (n > 0);
}

static Subject *subject_new(const guint8 *bytes, gsize len)
{
    Subject *subject = g_new0(Subject, 1);
    int fd;

    subject->path = g_build_filename(g_get_tmp_dir(), "perf-XXXXXX", NULL);
    fd = g_mkstemp(subject->path);
    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(write(fd, bytes, len), ==, len);
    g_close(fd, NULL);
    subject->source = trace_source_open(subject->path, NULL, &subject->error);
    if (subject->source != NULL) {
        read_all(subject);
    }
    return subject;
}

static Subject *subject_of(PerfBuild *build)
{
    g_autoptr(GByteArray) file = perf_build_finish(build);

    return subject_new(file->data, file->len);
}

static void subject_free(Subject *subject)
{
    trace_source_free(subject->source);
    g_clear_error(&subject->error);
    g_unlink(subject->path);
    g_free(subject->path);
    g_free(subject);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Subject, subject_free)

static const TraceInfo *info_of(const Subject *subject)
{
    g_assert_no_error(subject->error);
    return trace_source_info(subject->source);
}

/* How often a problem whose text holds @part was noted. */
static guint64 problem_count(const Subject *subject, const char *part)
{
    const GArray *problems = info_of(subject)->problems;

    for (guint i = 0; i < problems->len; i++) {
        const TraceProblem *problem = &g_array_index(problems, TraceProblem, i);

        if (strstr(problem->text, part) != NULL) {
            return problem->count;
        }
    }
    return 0;
}

static void assert_no_problems(const Subject *subject)
{
    const GArray *problems = info_of(subject)->problems;

    for (guint i = 0; i < problems->len; i++) {
        g_test_message("%s", g_array_index(problems, TraceProblem, i).text);
    }
    g_assert_cmpuint(problems->len, ==, 0);
}

static void add_field(const char *name, const char *value, gboolean is_number, gpointer user_data)
{
    g_string_append_printf(user_data, "%s=%s ", name, value);
}

/* A round with two CPUs, the later one first, and a sample that is no event. */
static void add_usual(PerfBuild *build)
{
    perf_build_irq(build, 1, 2000, 25);
    if (perf_build_layout(build)->n_attrs > ATTR_CYCLES) {
        perf_build_cycles(build, 1, 2500);
    }
    perf_build_irq(build, 1, 3000, 26);
    perf_build_xmit(build, 0, 1000, 812, skb, 98);
    perf_build_xmit(build, 0, 2200, G_MAXUINT32, skb + 8, 60);
    perf_build_round(build);
    perf_build_xmit(build, 3, 2800, 0, skb + 16, 61);
    perf_build_round(build);
}

static void assert_xmit(const Subject *subject, const Event *event)
{
    g_autoptr(GString) fields = g_string_new(NULL);

    g_assert_cmpint(event->kind, ==, EVENT_NET_XMIT);
    g_assert_cmpint(event->time, ==, 1000);
    g_assert_cmpuint(event->num[0], ==, 98);
    g_assert_cmpuint(event->type, ==, TYPE_XMIT);
    g_assert_cmpstr(trace_source_name(subject->source, event->name), ==, "eth0");
    g_assert_cmpstr(trace_source_event_name(subject->source, event), ==, "net:net_dev_xmit");
    trace_source_describe(subject->source, event, add_field, fields);
    g_assert_nonnull(strstr(fields->str, "len=98 "));
    g_assert_nonnull(strstr(fields->str, "name=eth0 "));
}

/* The events of add_usual(), in order. */
static void assert_usual(const Subject *subject, const PerfLayout *layout)
{
    static const gint64 times[] = {1000, 2000, 2200, 2800, 3000};
    const guint16 cpus[] = {0, 1, 0, 3, 1};
    const guint64 mask = layout->long_size == 8 ? G_MAXUINT64 : G_MAXUINT32;

    g_assert_cmpuint(subject->n, ==, G_N_ELEMENTS(times));
    for (gsize i = 0; i < subject->n; i++) {
        g_assert_cmpint(subject->events[i].time, ==, times[i]);
        g_assert_cmpint(subject->events[i].cpu, ==,
                        layout->sample_type & SAMPLE_CPU ? cpus[i] : NO_CPU);
    }
    assert_xmit(subject, &subject->events[0]);
    g_assert_cmphex(subject->events[0].ptr[0], ==, skb & mask);
    g_assert_cmphex(subject->events[3].ptr[0], ==, (skb + 16) & mask);
    /* Without a thread, or with the -1 of one that has exited, common_pid stands in. */
    g_assert_cmpuint(subject->events[0].tid, ==, layout->sample_type & SAMPLE_TID ? 812 : 99);
    g_assert_cmpuint(subject->events[2].tid, ==, 99);
    g_assert_cmpint(subject->events[1].kind, ==, EVENT_IRQ_ENTRY);
    g_assert_cmpuint(subject->events[1].num[0], ==, 25);
    g_assert_cmpuint(info_of(subject)->events, ==, subject->n);
    g_assert_cmpuint(info_of(subject)->lost, ==, 0);
}

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
    add_usual(build);
    subject = subject_of(build);
    assert_no_problems(subject);
    assert_usual(subject, perf_build_layout(build));
    g_assert_cmpstr(info_of(subject)->machine, ==, "guest1");
    g_assert_cmpstr(info_of(subject)->release, ==, "6.12.0");
    g_assert_cmpint(info_of(subject)->side, ==, TRACE_SIDE_GUEST);
    g_assert_cmpint(info_of(subject)->clock.kind, ==, TRACE_CLOCK_SCHED);

    trace_source_rewind(subject->source);
    read_all(subject);
    assert_no_problems(subject);
    assert_usual(subject, perf_build_layout(build));
    g_assert_cmpuint(trace_source_position(subject->source), <=, info_of(subject)->size);
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
     {.use_clockid = TRUE, .clockid = 1}, TRACE_CLOCK_MONOTONIC, "monotonic"},
    {"/perf/clock/monotonic-raw-in-a-pipe",
     {.use_clockid = TRUE, .clockid = 4, .is_pipe = TRUE},
     TRACE_CLOCK_MONOTONIC_RAW,
     "monotonic_raw"},
    {"/perf/clock/boottime-big-endian",
     {.use_clockid = TRUE, .clockid = 7, .big_endian = TRUE}, TRACE_CLOCK_BOOTTIME, "boottime"},
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
    add_usual(build);
    subject = subject_of(build);
    clock = &info_of(subject)->clock;
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
    add_usual(build);
    subject = subject_of(build);
    assert_no_problems(subject);
    g_assert_cmpint(info_of(subject)->clock.kind, ==, TRACE_CLOCK_MONOTONIC);
    g_assert_cmpint(info_of(subject)->clock.step_ns, ==, 4000000);
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
        g_assert_false(info_of(subject)->clock.has_tsc);
        g_assert_cmpuint(problem_count(subject, "TSC conversion"), ==, i < G_N_ELEMENTS(bad));
    }
}

static void assert_loss(const Event *event, guint16 cpu, gint64 from, gint64 to, guint32 n)
{
    g_assert_cmpint(event->kind, ==, EVENT_LOSS);
    g_assert_cmpint(event->cpu, ==, cpu);
    g_assert_cmpint(event->ptr[0], ==, from);
    g_assert_cmpint(event->time, ==, to);
    g_assert_cmpuint(event->num[0], ==, n);
}

/* LOST stands between the CPU's last sample and its own time; it is no event. */
static void test_lost(gconstpointer data)
{
    g_autoptr(PerfBuild) build = perf_build_new(data);
    g_autoptr(Subject) subject = NULL;
    const guint64 lost[] = {11, 5};
    const guint64 lost_samples[] = {3};

    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    perf_build_xmit(build, 0, 1500, 1, skb, 1);
    perf_build_with_trailer(build, RECORD_LOST, 0, lost, 2, 1, 2000);
    perf_build_with_trailer(build, RECORD_LOST_SAMPLES, 0, lost_samples, 1, 0, 2500);
    perf_build_with_trailer(build, RECORD_LOST_SAMPLES, MISC_FILTERED, lost_samples, 1, 0, 2600);
    perf_build_xmit(build, 1, 3000, 1, skb, 1);
    subject = subject_of(build);
    assert_no_problems(subject);
    g_assert_cmpuint(subject->n, ==, 5);
    assert_loss(&subject->events[2], 1, 1000, 2000, 5);
    assert_loss(&subject->events[3], 0, 1500, 2500, 3);
    g_assert_cmpuint(info_of(subject)->events, ==, 3);
    g_assert_cmpuint(info_of(subject)->lost, ==, 8);
    g_assert_cmpstr(trace_source_event_name(subject->source, &subject->events[2]), ==, "lost");

    trace_source_rewind(subject->source);
    read_all(subject);
    assert_loss(&subject->events[2], 1, 1000, 2000, 5);
    g_assert_cmpuint(info_of(subject)->lost, ==, 8);
}

/* LOST without a trailer: the sample that follows it came from the same buffer. */
static void test_lost_without_time(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;
    const guint64 lost[] = {11, 5};

    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST, 0, lost, 2);
    perf_build_xmit(build, 1, 3000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST, 0, lost, 2);
    subject = subject_of(build);
    g_assert_cmpuint(subject->n, ==, 4);
    assert_loss(&subject->events[1], 1, 1000, 3000, 5);
    assert_loss(&subject->events[3], NO_CPU, 3000, 3000, 5);
}

typedef struct CounterCase {
    const char *path;
    gboolean has_index;   /* ID_INDEX tells the CPU of each id */
    guint64 announced;    /* by LOST on CPU 1 */
    guint64 counted;      /* by the counter of an id of CPU 1, in the end */
    guint64 want_rest;    /* lost after the last LOST */
    guint16 want_cpu;
} CounterCase;

static const CounterCase counter_cases[] = {
    {"/perf/loss/counter-says-the-same-again", TRUE, 5, 5, 0, 0},
    {"/perf/loss/counter-knows-of-more", TRUE, 5, 9, 4, 1},
    {"/perf/loss/counter-alone", TRUE, 0, 9, 9, 1},
    {"/perf/loss/counter-without-index-says-the-same-again", FALSE, 5, 5, 0, 0},
    {"/perf/loss/counter-without-index-knows-of-more", FALSE, 5, 9, 4, NO_CPU},
};

/* Counters that perf reads in the end are not counted on top of the LOST records. */
static void test_counter(gconstpointer data)
{
    const CounterCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;
    const guint64 index[] = {1, 11, 0, 1, 0};
    const guint64 lost[] = {11, row->announced};
    /* perf leaves pid, time and CPU 0 and fills in the id only. */
    const guint64 counter[] = {row->counted, 0, 0, 0, 11};

    if (row->has_index) {
        perf_build_values(build, RECORD_ID_INDEX, 0, index, G_N_ELEMENTS(index));
    }
    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    if (row->announced > 0) {
        perf_build_with_trailer(build, RECORD_LOST, 0, lost, 2, 1, 2000);
    }
    perf_build_xmit(build, 1, 2000, 1, skb, 1);
    perf_build_xmit(build, 0, 3000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST_SAMPLES, 0, counter, G_N_ELEMENTS(counter));
    subject = subject_of(build);
    assert_no_problems(subject);
    g_assert_cmpuint(info_of(subject)->lost, ==, row->announced + row->want_rest);
    if (row->want_rest > 0) {
        assert_loss(&subject->events[subject->n - 1], row->want_cpu, 2000, 3000, row->want_rest);
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
    g_assert_cmpuint(problem_count(subject, "out of order"), ==, 1);
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
    assert_no_problems(subject);
    g_assert_cmpuint(subject->n, ==, 300);
    for (gsize i = 0; i < subject->n; i++) {
        g_assert_cmpint(subject->events[i].time, ==, 1000 + i);
    }
}

static void damage_size_zero(PerfBuild *build)
{
    perf_build_bytes(build, "\1\0\0\0\0\0\0\0", 8);
}

static void damage_unknown_record(PerfBuild *build)
{
    const guint64 body[] = {1, 2, 3};

    perf_build_values(build, 200, 0, body, G_N_ELEMENTS(body));
    perf_build_values(build, G_MAXUINT32, 0, body, G_N_ELEMENTS(body));
}

static void damage_unknown_id(PerfBuild *build)
{
    const guint64 body[] = {12345, 0, 0, 1500, 0, 1, 0};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_short_sample(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, 1500};

    perf_build_values(build, 9, 0, body, 0);
    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_raw_size(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, 1500, 0, 1, G_MAXUINT64};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_time(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, G_MAXUINT64, 0, 1, 0};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_unknown_type(PerfBuild *build)
{
    guint64 body[] = {10, 0, 0, 1500, 0, 1, 0, 0};
    guint8 raw[16] = {0};

    perf_build_put(build, raw, 12, 4);
    perf_build_put(build, raw + 4, 321, 2); /* common_type */
    memcpy(&body[6], raw, sizeof(raw));
    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_string_feature(PerfBuild *build)
{
    guint8 length[8];

    perf_build_put(build, length, G_GUINT64_CONSTANT(3013029764), 8);
    perf_build_feature(build, FEATURE_HOSTNAME, length, sizeof(length));
    perf_build_feature(build, FEATURE_OSRELEASE, length, 2);
    perf_build_feature(build, FEATURE_CLOCKID, length, 3);
    perf_build_feature(build, FEATURE_CLOCK_DATA, length, sizeof(length));
}

static void damage_directory(PerfBuild *build)
{
    perf_build_feature(build, 24, "\1\0\0\0\0\0\0\0", 8);
}

static void damage_plain_then_compressed(PerfBuild *build)
{
    perf_build_values(build, RECORD_COMPRESSED, 0, &skb, 1);
}

static void damage_short_records(PerfBuild *build)
{
    static const guint32 types[] = {RECORD_LOST, RECORD_LOST_SAMPLES, 64, 69, 78, 79, 80, 71};

    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        perf_build_values(build, types[i], 0, NULL, 0);
    }
}

static void damage_attr_record(PerfBuild *build)
{
    guint64 body[12] = {0};

    perf_build_put(build, (guint8 *)body + 4, 100000, 4); /* its size */
    perf_build_values(build, 64, 0, body, G_N_ELEMENTS(body));
}

/* What is put between two events, how many events there are then, what is said how often. */
typedef struct DamageCase {
    const char *path;
    void (*damage)(PerfBuild *build);
    gsize want_n;
    const char *problem;
    guint64 count;
} DamageCase;

static const DamageCase damage_cases[] = {
    {"/perf/damage/record-of-size-0", damage_size_zero, 1, "impossible size", 1},
    {"/perf/damage/unknown-records-are-skipped", damage_unknown_record, 2, NULL, 0},
    {"/perf/damage/unknown-id", damage_unknown_id, 2, "id is unknown", 1},
    {"/perf/damage/short-sample", damage_short_sample, 2, "too short", 1},
    {"/perf/damage/raw-data-runs-over", damage_raw_size, 2, "too short", 1},
    {"/perf/damage/time-out-of-range", damage_time, 2, "time is out of range", 1},
    {"/perf/damage/event-without-format", damage_unknown_type, 3, "format is not in the file", 1},
    {"/perf/damage/features", damage_string_feature, 2, "feature is damaged", 4},
    {"/perf/damage/part-of-a-directory", damage_directory, 2, "--threads", 1},
    {"/perf/damage/plain-then-compressed", damage_plain_then_compressed, 2, "compressed", 1},
    {"/perf/damage/records-without-a-body", damage_short_records, 2, "attribute is damaged", 1},
    {"/perf/damage/attr-larger-than-its-record", damage_attr_record, 2, "attribute is damaged", 1},
};

/* What is whole is kept: of a damaged place only that is lost which cannot be told any more. */
static void test_damage(gconstpointer data)
{
    const DamageCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;

    perf_build_xmit(build, 0, 1000, 812, skb, 98);
    row->damage(build);
    perf_build_xmit(build, 0, 2000, 812, skb, 98);
    subject = subject_of(build);
    g_assert_cmpuint(subject->n, ==, row->want_n);
    assert_xmit(subject, &subject->events[0]);
    if (row->problem == NULL) {
        assert_no_problems(subject);
    } else {
        g_assert_cmpuint(problem_count(subject, row->problem), ==, row->count);
    }
}

/* An event that has no format is an event all the same, with its number for a name. */
static void test_unknown_type(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;

    damage_unknown_type(build);
    subject = subject_of(build);
    g_assert_cmpint(subject->events[0].kind, ==, EVENT_OTHER);
    g_assert_cmpuint(subject->events[0].type, ==, 321);
    g_assert_nonnull(strstr(trace_source_event_name(subject->source, &subject->events[0]), "321"));
}

/* A u64 of the header is changed: where, to what. */
typedef struct HeaderCase {
    const char *path;
    gsize at;
    guint64 value;
    gsize want_n;
    const char *problem;
} HeaderCase;

static const HeaderCase header_cases[] = {
    {"/perf/header/perf-was-killed", 48, 0, 5, "did not finish"},
    {"/perf/header/copy-was-cut", 48, 1 << 20, 5, "cut short"},
    {"/perf/header/no-attr-size", 16, 0, 0, "attributes are damaged"},
    {"/perf/header/attr-size-of-a-section", 16, 16, 0, "attributes are damaged"},
    {"/perf/header/huge-attr-size", 16, G_MAXUINT64 - 7, 0, "attributes are damaged"},
    {"/perf/header/attrs-beyond-the-file", 24, G_MAXUINT64 - 100, 0, "attributes are damaged"},
    {"/perf/header/records-beyond-the-file", 40, G_MAXUINT64 - 100, 0, "cut short"},
    {"/perf/header/features-that-are-not-there", 96, G_MAXUINT64, 5, "feature"},
};

static void test_header(gconstpointer data)
{
    const HeaderCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(Subject) subject = NULL;

    add_usual(build);
    file = perf_build_finish(build);
    perf_build_put(build, file->data + row->at, row->value, 8);
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(problem_count(subject, row->problem), >=, 1);
    /* Without its features the file still has the events, but not their formats; what follows the
       records is then taken for one. */
    g_assert_cmpuint(subject->n, ==, row->want_n);
}

typedef struct RefusedCase {
    const char *path;
    const char *bytes;
    gsize len;
    TraceError code;
    const char *message;
} RefusedCase;

static const RefusedCase refused_cases[] = {
    {"/perf/refused/magic-alone", "PERFILE2", 8, TRACE_ERROR_CORRUPT, "header is damaged"},
    {"/perf/refused/torn-pipe-header", "PERFILE2\20\0\0", 11, TRACE_ERROR_CORRUPT,
     "header is damaged"},
    {"/perf/refused/version-1", "PERFFILE\150\0\0\0\0\0\0\0", 16, TRACE_ERROR_UNSUPPORTED,
     "version 1"},
};

static void test_refused(gconstpointer data)
{
    const RefusedCase *row = data;
    g_autoptr(Subject) subject = subject_new((const guint8 *)row->bytes, row->len);

    g_assert_error(subject->error, TRACE_ERROR, row->code);
    g_assert_nonnull(strstr(subject->error->message, row->message));
    g_assert_nonnull(strstr(subject->error->message, subject->path));
}

/* perf record --threads makes a directory: the message says what to do. */
static void test_directory(void)
{
    g_autofree char *path = g_dir_make_tmp("perf-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;

    g_assert_null(trace_source_open(path, NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED);
    g_assert_nonnull(strstr(error->message, "--threads"));
    g_rmdir(path);
}

/* Formats that are damaged in the middle: the events before are named, the others are numbers. */
static void test_damaged_formats(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(Subject) subject = NULL;
    guint8 *irq;

    add_usual(build);
    file = perf_build_finish(build);
    irq = memmem(file->data, file->len, "irq\0", 4);
    memset(irq + 4, 0xff, 4); /* the number of formats, then their size */
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(subject->n, ==, 5);
    assert_xmit(subject, &subject->events[0]);
    g_assert_cmpuint(problem_count(subject, "formats are damaged"), ==, 1);
    g_assert_cmpint(subject->events[1].kind, ==, EVENT_IRQ_ENTRY);
}

static GByteArray *compressed_file(guint n_events)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});

    perf_build_compress(build, RECORD_COMPRESSED, 200);
    for (guint i = 0; i < n_events; i++) {
        perf_build_xmit(build, 0, 1000 + i, 812, skb, 98);
    }
    return perf_build_finish(build);
}

/* A compressed file cut anywhere gives the first events, and what is missing is said. */
static void test_compressed_cut(void)
{
    g_autoptr(GByteArray) file = compressed_file(20);
    gsize last_n = 0;

    for (gsize len = 1600; len < file->len; len += 5) {
        g_autoptr(Subject) subject = subject_new(file->data, len);

        g_assert_cmpuint(subject->n, >=, last_n);
        g_assert_cmpuint(subject->n, <=, 20);
        for (gsize i = 0; i < subject->n; i++) {
            g_assert_cmpint(subject->events[i].time, ==, 1000 + i);
        }
        last_n = subject->n;
    }
    g_assert_cmpuint(last_n, >=, 18);
}

/* Damage in the zstd stream: the events before it are kept. */
static void test_compressed_damage(void)
{
    g_autoptr(GByteArray) file = compressed_file(200);
    g_autoptr(Subject) subject = NULL;

    memset(file->data + file->len - 100, 0xff, 8);
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(subject->n, >, 100);
    g_assert_cmpuint(subject->n, <, 200);
    g_assert_cmpint(subject->events[0].time, ==, 1000);
    g_assert_cmpuint(info_of(subject)->problems->len, ==, 1);
}

/* A small file that expands to a thousand times its size is cut off. */
static void test_compressed_bomb(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});
    g_autoptr(Subject) subject = NULL;
    g_autofree guint8 *zeros = g_malloc0(8184);

    perf_build_compress(build, RECORD_COMPRESSED, 4 << 20);
    for (guint i = 0; i < 2000; i++) {
        perf_build_values(build, 200, 0, (guint64 *)zeros, 1023);
    }
    subject = subject_of(build);
    g_assert_cmpuint(problem_count(subject, "without end"), ==, 1);
}

/* A pipe's data cut at any byte gives the first events; a file with any byte changed, no crash. */
static void test_cut_anywhere(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});
    g_autoptr(GByteArray) file = NULL;
    gsize last_n = 0;

    for (guint i = 0; i < 5; i++) {
        perf_build_xmit(build, 0, 1000 + i, 812, skb, 98);
    }
    file = perf_build_finish(build);
    for (gsize len = 16; len <= file->len; len++) {
        g_autoptr(Subject) subject = subject_new(file->data, len);

        g_assert_cmpuint(subject->n, >=, last_n);
        last_n = subject->n;
    }
    g_assert_cmpuint(last_n, ==, 5);
}

static void test_change_anywhere(gconstpointer data)
{
    g_autoptr(PerfBuild) build = perf_build_new(data);
    g_autoptr(GByteArray) file = NULL;

    perf_build_compress(build, perf_build_layout(build)->is_pipe ? RECORD_COMPRESSED : 0, 100);
    add_usual(build);
    file = perf_build_finish(build);
    for (gsize at = 8; at < file->len; at += 3) {
        for (guint bit = 0; bit < 8; bit += 7) {
            g_autoptr(Subject) subject = NULL;

            file->data[at] ^= 1 << bit;
            subject = subject_new(file->data, file->len);
            file->data[at] ^= 1 << bit;
            g_assert_cmpuint(subject->n, <=, 64);
        }
    }
}

int main(int argc, char **argv)
{
    static const PerfLayout usual;
    static const PerfLayout pipe = {.is_pipe = TRUE};
    static const PerfLayout big_endian = {.big_endian = TRUE};

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(layout_cases); i++) {
        g_test_add_data_func(layout_cases[i].path, &layout_cases[i], test_layout);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(clock_cases); i++) {
        g_test_add_data_func(clock_cases[i].path, &clock_cases[i], test_clock);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(counter_cases); i++) {
        g_test_add_data_func(counter_cases[i].path, &counter_cases[i], test_counter);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(damage_cases); i++) {
        g_test_add_data_func(damage_cases[i].path, &damage_cases[i], test_damage);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(header_cases); i++) {
        g_test_add_data_func(header_cases[i].path, &header_cases[i], test_header);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(refused_cases); i++) {
        g_test_add_data_func(refused_cases[i].path, &refused_cases[i], test_refused);
    }
    g_test_add_func("/perf/clock/features", test_clock_features);
    g_test_add_func("/perf/clock/bad-conversion", test_time_conv_damage);
    g_test_add_data_func("/perf/loss/lost", &usual, test_lost);
    g_test_add_data_func("/perf/loss/lost-big-endian", &big_endian, test_lost);
    g_test_add_func("/perf/loss/lost-without-time", test_lost_without_time);
    g_test_add_func("/perf/order/late", test_late);
    g_test_add_func("/perf/order/no-rounds", test_no_rounds);
    g_test_add_func("/perf/damage/unknown-type", test_unknown_type);
    g_test_add_func("/perf/damage/formats", test_damaged_formats);
    g_test_add_func("/perf/damage/cut-anywhere", test_cut_anywhere);
    g_test_add_data_func("/perf/damage/change-anywhere-in-a-file", &usual, test_change_anywhere);
    g_test_add_data_func("/perf/damage/change-anywhere-in-a-compressed-pipe", &pipe,
                         test_change_anywhere);
    g_test_add_func("/perf/compressed/cut", test_compressed_cut);
    g_test_add_func("/perf/compressed/damage", test_compressed_damage);
    g_test_add_func("/perf/compressed/bomb", test_compressed_bomb);
    g_test_add_func("/perf/refused/directory", test_directory);
    return g_test_run();
}
