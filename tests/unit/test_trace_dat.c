/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.dat: versions, byte orders, compression, and files that are cut or damaged.
 */
#include <string.h>

#include "dat_test.h"

/* Two CPUs, the first with two pages. */
static void make_two(DatPages cpus[2], const DatVariant *variant)
{
    dat_pages_init(&cpus[0], variant);
    dat_pages_begin(&cpus[0], 1000);
    dat_pages_xmit(&cpus[0], 0, 0x10, "eth0");
    dat_pages_xmit(&cpus[0], 500, 0x20, "eth1");
    dat_pages_begin(&cpus[0], 3000);
    dat_pages_xmit(&cpus[0], 7, 0x30, "eth0");
    dat_pages_init(&cpus[1], variant);
    dat_pages_begin(&cpus[1], 1200);
    dat_pages_irq(&cpus[1], 0, 26, "virtio3-input.0");
    dat_pages_irq(&cpus[1], 2000, 27, "timer");
}

static const char two_text[] =
    "1000/0 eth0 1200/1 virtio3-input.0 1500/0 eth1 3007/0 eth0 3200/1 timer";

static GByteArray *build_two(const DatVariant *variant)
{
    DatPages cpus[2];
    DatInstance instance = {.name = "", .cpus = cpus, .n_cpus = 2};
    GByteArray *file;

    make_two(cpus, variant);
    file = dat_build(variant, &instance, 1);
    dat_pages_clear(&cpus[0]);
    dat_pages_clear(&cpus[1]);
    return file;
}

static void assert_info(TraceSource *source, const DatVariant *variant)
{
    const TraceInfo *info = trace_source_info(source);

    g_assert_cmpstr(info->format, ==, "trace.dat");
    g_assert_cmpuint(info->version, ==, variant->version);
    g_assert_cmpint(info->side, ==, TRACE_SIDE_GUEST);
    g_assert_cmpint(info->clock.kind, ==, TRACE_CLOCK_SCHED);
    g_assert_cmpstr(info->clock.name, ==, "local");
    g_assert_true(info->clock.has_tsc);
    g_assert_cmpuint(info->clock.tsc_mult, ==, 878169879);
    g_assert_cmpuint(info->clock.tsc_shift, ==, 31);
    g_assert_false(info->clock.has_offset);
    g_assert_cmpstr(info->machine, ==, "vm1");
    g_assert_cmpstr(info->release, ==, "6.12.0-test");
    g_assert_cmpuint(info->events, ==, 5);
    g_assert_cmpuint(info->lost, ==, 0);
    g_assert_cmpuint(info->problems->len, ==, 0);
}

/* Every variant gives the same events, merged by time, in both passes. */
static void test_variant(gconstpointer data)
{
    const DatVariant *variant = data;
    g_autoptr(GByteArray) file = build_two(variant);
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceSource) source = dat_test_open(file->data, file->len, &error);

    g_assert_no_error(error);
    dat_test_assert_reads(source, two_text);
    assert_info(source, variant);
    g_assert_cmpuint(trace_source_position(source), ==, file->len);
    trace_source_rewind(source);
    g_assert_cmpuint(trace_source_position(source), <, file->len);
    dat_test_assert_reads(source, two_text);
    assert_info(source, variant);
}

static void append_field(const char *name, const char *value, gboolean is_number, gpointer data)
{
    g_string_append_printf(data, "%s=%s ", name, value);
}

/* Any record can be described again, wherever it is kept. */
static void test_describe(gconstpointer data)
{
    const DatVariant *variant = data;
    g_autoptr(GByteArray) file = build_two(variant);
    g_autoptr(TraceSource) source = dat_test_open(file->data, file->len, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    Event events[5];

    g_assert_cmpuint(trace_source_read(source, events, 5), ==, 5);
    trace_source_describe(source, &events[4], append_field, text);
    trace_source_describe(source, &events[2], append_field, text);
    g_assert_cmpstr(text->str, ==, "irq=27 name=timer skbaddr=0x20 len=98 rc=0 name=eth1 ");
    g_assert_cmpuint(events[2].tid, ==, 812);
    g_assert_cmphex(events[2].ptr[0], ==, 0x20);
}

/* Whether @text is what @whole begins with, or has words left out of it. */
static gboolean is_part(const char *text, const char *whole)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);

    for (gsize i = 0; words[i] != NULL; i++) {
        whole = strstr(whole, words[i]);
        if (whole == NULL) {
            return FALSE;
        }
        whole += strlen(words[i]);
    }
    return TRUE;
}

/* Cut anywhere, a file gives an error that names it, or a part of its events and a problem. */
static void test_cut(gconstpointer data)
{
    g_autoptr(GByteArray) file = build_two(data);

    for (gsize len = 1; len < file->len; len += 1 + len / 97) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TraceSource) source = dat_test_open(file->data, len, &error);
        g_autofree char *text = NULL;

        if (source == NULL) {
            g_assert_nonnull(strstr(error->message, "virtcorr-test-"));
            continue;
        }
        text = dat_test_read(source);
        g_assert_true(is_part(text, two_text));
        g_assert_true(strcmp(text, two_text) == 0 || dat_test_n_problems(source) > 0);
    }
}

/* All pages that are whole are read, of every CPU. */
static void test_cut_pages(void)
{
    static const DatVariant variant = {.version = 6, .long_size = 8};
    g_autoptr(GByteArray) file = build_two(&variant);
    g_autoptr(TraceSource) last = dat_test_open(file->data, file->len - 1, NULL);
    g_autoptr(TraceSource) both = dat_test_open(file->data, file->len - DAT_PAGE_SIZE - 1, NULL);

    dat_test_assert_reads(last, "1000/0 eth0 1500/0 eth1 3007/0 eth0");
    g_assert_cmpuint(dat_test_n_problems(last), ==, 1);
    dat_test_assert_reads(both, "1000/0 eth0 1500/0 eth1");
}

/* The last options of a version 7, which say where the events are, are cut off. */
typedef struct Rest {
    gboolean zstd;
    guint pages_cut; /* so many are not whole */
    const char *text;
} Rest;

static const Rest rests[] = {
    {FALSE, 0, two_text},
    {FALSE, 1, "1000/0 eth0 1500/0 eth1 3007/0 eth0"},
    {FALSE, 2, "1000/0 eth0 1500/0 eth1"},
    {TRUE, 0, two_text},
    {TRUE, 1, "1000/0 eth0 1500/0 eth1 3007/0 eth0"},
};

/* Where the last section begins: that of the options behind the events. */
static gsize end_of_events(const GByteArray *file)
{
    /* Of a BUFFER option: offset, "", "local", page size, number of CPUs, two CPUs. */
    const gsize buffer = 6 + 8 + 1 + 6 + 4 + 4 + 2 * 20;
    const gsize done = 6 + 8;

    return file->len - done - buffer - 16;
}

/* The pages that are whole are read as if nothing were missing; the clock is known. */
static void test_no_options(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rests); i++) {
        DatVariant variant = {.version = 7, .long_size = 8, .zstd = rests[i].zstd};
        g_autoptr(GByteArray) file = build_two(&variant);
        gsize end = end_of_events(file);
        gsize page = rests[i].zstd ? 1 : DAT_PAGE_SIZE;
        gsize cut = rests[i].pages_cut > 0 ? (rests[i].pages_cut - 1) * page + 1 : 0;
        g_autoptr(GError) error = NULL;
        g_autoptr(TraceSource) source = dat_test_open(file->data, end - cut, &error);

        g_assert_no_error(error);
        dat_test_assert_reads(source, rests[i].text);
        g_assert_cmpuint(dat_test_n_problems(source), >=, 1);
        g_assert_cmpstr(trace_source_info(source)->clock.name, ==, "local");
        g_assert_cmpint(trace_source_info(source)->clock.kind, ==, TRACE_CLOCK_SCHED);
    }
}

/* Instances are merged; one on another clock is left out, and that is said. */
static void test_instances(gconstpointer data)
{
    const DatVariant *variant = data;
    DatPages cpus[2];
    DatPages other;
    DatInstance instances[] = {
        {.name = "", .cpus = cpus, .n_cpus = 2},
        {.name = "virtio", .cpus = (DatPages[2]){}, .n_cpus = 2},
    };
    g_autoptr(TraceSource) same = NULL;

    make_two(cpus, variant);
    dat_pages_init(&other, variant);
    dat_pages_begin(&other, 1100);
    dat_pages_xmit(&other, 0, 1, "tap0");
    instances[1].cpus[0] = other;
    dat_pages_init(&instances[1].cpus[1], variant);
    same = dat_test_open_instances(variant, instances, 2);
    dat_test_assert_reads(same,
                          "1000/0 eth0 1100/0 tap0 1200/1 virtio3-input.0 1500/0 eth1 3007/0 eth0 "
                          "3200/1 timer");
    g_assert_cmpuint(dat_test_n_problems(same), ==, 0);
    if (variant->version == 7) {
        g_autoptr(TraceSource) different = NULL;

        instances[1].clock = "mono";
        different = dat_test_open_instances(variant, instances, 2);
        dat_test_assert_reads(different, two_text);
        g_assert_cmpuint(dat_test_n_problems(different), ==, 1);
    }
    dat_pages_clear(&cpus[0]);
    dat_pages_clear(&cpus[1]);
    dat_pages_clear(&instances[1].cpus[0]);
    dat_pages_clear(&instances[1].cpus[1]);
}

typedef struct ClockRow {
    const char *name;
    TraceClockKind kind;
} ClockRow;

/* The current clock, as the kernel names it. */
static void test_clocks(void)
{
    static const ClockRow rows[] = {
        {"local", TRACE_CLOCK_SCHED},
        {"global", TRACE_CLOCK_SCHED},
        {"perf", TRACE_CLOCK_SCHED},
        {"x86-tsc", TRACE_CLOCK_TSC},
        {"tsc2nsec", TRACE_CLOCK_TSC},
        {"mono", TRACE_CLOCK_MONOTONIC},
        {"mono_raw", TRACE_CLOCK_MONOTONIC_RAW},
        {"boot", TRACE_CLOCK_BOOTTIME},
        {"tai", TRACE_CLOCK_TAI},
        {"counter", TRACE_CLOCK_COUNTER},
        {"uptime", TRACE_CLOCK_UPTIME},
        {"ppc-tb", TRACE_CLOCK_UNKNOWN},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (guint version = 6; version <= 7; version++) {
            DatVariant variant = {.version = version, .long_size = 8, .clock = rows[i].name};
            g_autoptr(GByteArray) file = build_two(&variant);
            g_autoptr(TraceSource) source = dat_test_open(file->data, file->len, NULL);

            g_assert_cmpint(trace_source_info(source)->clock.kind, ==, rows[i].kind);
        }
    }
}

static void assert_refused(const guint8 *bytes, gsize len, TraceError code, const char *word)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(dat_test_open(bytes, len, &error));
    g_assert_error(error, TRACE_ERROR, code);
    g_assert_nonnull(strstr(error->message, word));
    g_assert_null(strchr(error->message, '\n'));
}

static void replace(GByteArray *file, const char *old, const char *new)
{
    guint8 *at = memmem(file->data, file->len, old, strlen(old) + 1);

    g_assert_nonnull(at);
    memcpy(at, new, strlen(new) + 1);
}

/* What cannot be read is refused by name, with the way out. */
static void test_refused(void)
{
    DatVariant variant = {.version = 7, .long_size = 8, .algorithm = "zlib"};
    DatVariant v6 = {.version = 6, .long_size = 8};
    g_autoptr(GByteArray) zlib = build_two(&variant);
    g_autoptr(GByteArray) latency = build_two(&v6);
    g_autoptr(GByteArray) future = build_two(&v6);
    g_autoptr(GByteArray) v7 = build_two(&(DatVariant){.version = 7, .long_size = 8});

    assert_refused(zlib->data, zlib->len, TRACE_ERROR_UNSUPPORTED, "trace-cmd convert");
    replace(latency, "flyrecord", "latency  ");
    assert_refused(latency->data, latency->len, TRACE_ERROR_UNSUPPORTED, "latency tracer");
    replace(future, "6", "8");
    assert_refused(future->data, future->len, TRACE_ERROR_UNSUPPORTED, "version 8");
    assert_refused(future->data, 10, TRACE_ERROR_CORRUPT, "cut off");
    assert_refused(v7->data, 200, TRACE_ERROR_CORRUPT, "where the events are");
}

/* A CPU whose pages are another's does not make a small file endless. */
static void test_overlap(void)
{
    static const DatVariant variant = {.version = 6, .long_size = 8};
    g_autoptr(GByteArray) file = build_two(&variant);
    guint8 *table = memmem(file->data, file->len, "flyrecord", 10);
    g_autoptr(TraceSource) source = NULL;
    guint64 size = GUINT64_TO_LE(file->len);

    g_assert_nonnull(table);
    for (int i = 0; i < 2; i++) {
        memset(table + 10 + 16 * i, 0, 8);
        memcpy(table + 18 + 16 * i, &size, 8);
    }
    source = dat_test_open(file->data, file->len, NULL);
    g_free(dat_test_read(source));
    g_assert_cmpuint(dat_test_n_problems(source), >=, 1);
}

/* A recording of trace-cmd 3.1.6 in a guest; the figures are those of trace-cmd report. */
static void test_recording(void)
{
    g_autofree char *path =
        g_test_build_filename(G_TEST_DIST, "corpus", "trace_dat", "kvm-guest.dat", NULL);
    g_autoptr(TraceSource) source = trace_source_open(path, NULL, NULL);
    guint n_kinds[N_EVENT_KINDS] = {0};
    gint64 first = G_MAXINT64, last = G_MININT64;
    Event event;

    g_assert_nonnull(source);
    while (trace_source_read(source, &event, 1) == 1) {
        n_kinds[event.kind]++;
        first = MIN(first, event.time);
        g_assert_cmpint(event.time, >=, last);
        last = event.time;
    }
    g_assert_cmpint(first, ==, 13021514597);
    g_assert_cmpint(last, ==, 22017581086);
    g_assert_cmpuint(n_kinds[EVENT_NET_XMIT], ==, 79);
    g_assert_cmpuint(n_kinds[EVENT_NAPI_RECEIVE], ==, 98);
    g_assert_cmpuint(n_kinds[EVENT_IRQ_ENTRY], ==, 84);
    g_assert_cmpuint(trace_source_info(source)->events, ==, 2160);
    g_assert_cmpint(trace_source_info(source)->side, ==, TRACE_SIDE_GUEST);
    g_assert_cmpstr(trace_source_info(source)->release, ==, "6.12.117+deb13-amd64");
    g_assert_cmpuint(dat_test_n_problems(source), ==, 0);
}

static void add_variants(const char *path, GTestDataFunc test)
{
    for (gsize i = 0; i < N_DAT_VARIANTS; i++) {
        const DatVariant *v = &dat_variants[i];
        g_autofree char *name = g_strdup_printf("/trace-dat/%s/v%u-%s-%u%s", path, v->version,
                                                v->big_endian ? "big" : "little", v->long_size * 8,
                                                v->zstd ? "-zstd" : "");

        g_test_add_data_func(name, v, test);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_variants("read", test_variant);
    add_variants("describe", test_describe);
    add_variants("cut", test_cut);
    add_variants("instances", test_instances);
    g_test_add_func("/trace-dat/recording", test_recording);
    g_test_add_func("/trace-dat/cut-pages", test_cut_pages);
    g_test_add_func("/trace-dat/no-options", test_no_options);
    g_test_add_func("/trace-dat/clocks", test_clocks);
    g_test_add_func("/trace-dat/refused", test_refused);
    g_test_add_func("/trace-dat/overlap", test_overlap);
    return g_test_run();
}
