/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.dat: versions, byte orders, compression, and files that are cut or damaged.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "dat_builder.h"
#include "trace/source.h"

static const DatVariant variants[] = {
    {.version = 6, .long_size = 8},
    {.version = 6, .long_size = 4},
    {.version = 6, .long_size = 8, .big_endian = TRUE},
    {.version = 6, .long_size = 4, .big_endian = TRUE},
    {.version = 7, .long_size = 8},
    {.version = 7, .long_size = 4, .big_endian = TRUE},
    {.version = 7, .long_size = 8, .zstd = TRUE},
    {.version = 7, .long_size = 8, .zstd = TRUE, .big_endian = TRUE},
};

static TraceSource *open_bytes(const guint8 *bytes, gsize len, GError **error)
{
    g_autofree char *path = NULL;
    TraceSource *source;
    int fd = g_file_open_tmp("virtcorr-test-XXXXXX", &path, NULL);

    g_assert_cmpint(fd, >=, 0);
    g_close(fd, NULL);
    g_assert_true(g_file_set_contents(path, (const char *)bytes, len, NULL));
    source = trace_source_open(path, NULL, error);
    g_unlink(path);
    return source;
}

static TraceSource *open_instances(const DatVariant *variant, const DatInstance *instances, guint n)
{
    g_autoptr(GByteArray) file = dat_build(variant, instances, n);
    g_autoptr(GError) error = NULL;
    TraceSource *source = open_bytes(file->data, file->len, &error);

    g_assert_no_error(error);
    return source;
}

/* All events as "time/cpu name" words; a loss shows its count and where it begins. */
static char *read_all(TraceSource *source)
{
    GString *text = g_string_new(NULL);
    Event events[3];
    gsize n;

    while ((n = trace_source_read(source, events, G_N_ELEMENTS(events))) > 0) {
        for (gsize i = 0; i < n; i++) {
            const char *name = trace_source_name(source, events[i].name);

            g_string_append_printf(text, "%s%" G_GINT64_FORMAT "/%u ", text->len ? " " : "",
                                   events[i].time, events[i].cpu);
            if (events[i].kind == EVENT_LOSS) {
                g_string_append_printf(text, "lost:%u>%" G_GUINT64_FORMAT, events[i].num[0],
                                       events[i].ptr[0]);
            } else {
                g_string_append(text, *name ? name : trace_source_event_name(source, &events[i]));
            }
        }
    }
    return g_string_free(text, FALSE);
}

static void assert_reads(TraceSource *source, const char *expected)
{
    g_autofree char *text = read_all(source);

    g_assert_cmpstr(text, ==, expected);
}

static guint n_problems(TraceSource *source)
{
    return trace_source_info(source)->problems->len;
}

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
    g_autoptr(TraceSource) source = open_bytes(file->data, file->len, &error);

    g_assert_no_error(error);
    assert_reads(source, two_text);
    assert_info(source, variant);
    g_assert_cmpuint(trace_source_position(source), ==, file->len);
    trace_source_rewind(source);
    g_assert_cmpuint(trace_source_position(source), <, file->len);
    assert_reads(source, two_text);
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
    g_autoptr(TraceSource) source = open_bytes(file->data, file->len, NULL);
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
        g_autoptr(TraceSource) source = open_bytes(file->data, len, &error);
        g_autofree char *text = NULL;

        if (source == NULL) {
            g_assert_nonnull(strstr(error->message, "virtcorr-test-"));
            continue;
        }
        text = read_all(source);
        g_assert_true(is_part(text, two_text));
        g_assert_true(strcmp(text, two_text) == 0 || n_problems(source) > 0);
    }
}

/* All pages that are whole are read, of every CPU. */
static void test_cut_pages(void)
{
    static const DatVariant variant = {.version = 6, .long_size = 8};
    g_autoptr(GByteArray) file = build_two(&variant);
    g_autoptr(TraceSource) last = open_bytes(file->data, file->len - 1, NULL);
    g_autoptr(TraceSource) both =
        open_bytes(file->data, file->len - DAT_PAGE_SIZE - 1, NULL);

    assert_reads(last, "1000/0 eth0 1500/0 eth1 3007/0 eth0");
    g_assert_cmpuint(n_problems(last), ==, 1);
    assert_reads(both, "1000/0 eth0 1500/0 eth1");
}

typedef struct PageRow {
    const char *path;
    void (*fill)(DatPages *pages);
    const char *expected;
    guint n_problems;
} PageRow;

static void fill_extend(DatPages *pages)
{
    dat_pages_head(pages, 30, 5);
    dat_pages_word(pages, 2);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_stamp(DatPages *pages)
{
    dat_pages_head(pages, 31, 9);
    dat_pages_word(pages, 100);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_discarded(DatPages *pages)
{
    dat_pages_head(pages, 29, 40);
    dat_pages_word(pages, 12);
    dat_pages_word(pages, 0);
    dat_pages_word(pages, 0);
    dat_pages_xmit(pages, 2, 1, "eth0");
}

static void fill_rest_padding(DatPages *pages)
{
    dat_pages_xmit(pages, 0, 1, "eth0");
    dat_pages_head(pages, 29, 0);
    dat_pages_xmit(pages, 0, 1, "eth1");
}

static void fill_long(DatPages *pages)
{
    dat_pages_head(pages, 0, 3);
    dat_pages_word(pages, 4 + 10);
    dat_pages_word(pages, pages->variant->big_endian ? 4711u << 16 : 4711);
    dat_pages_word(pages, 0);
    dat_pages_word(pages, 0);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_too_long(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_head(pages, 28, 1);
    dat_pages_word(pages, 0);
}

static void fill_long_wild(DatPages *pages)
{
    dat_pages_head(pages, 0, 1);
    dat_pages_word(pages, G_MAXUINT32);
}

static void fill_long_zero(DatPages *pages)
{
    dat_pages_head(pages, 0, 1);
    dat_pages_word(pages, 0);
}

static void fill_padding_zero(DatPages *pages)
{
    dat_pages_head(pages, 29, 1);
    dat_pages_word(pages, 0);
}

static void fill_half_time(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_head(pages, 30, 1);
}

static void fill_wild_commit(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_commit(pages, DAT_PAGE_SIZE);
}

static void fill_odd_commit(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_commit(pages, pages->used + 3);
}

static void fill_missed(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_begin(pages, 6000);
    dat_pages_xmit(pages, 2, 1, "eth1");
    dat_pages_missed(pages, 0, FALSE);
}

static void fill_missed_count(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_begin(pages, 6000);
    dat_pages_xmit(pages, 2, 1, "eth1");
    dat_pages_missed(pages, 70001, TRUE);
}

/* The page's own time is 5000. */
static const PageRow page_rows[] = {
    {"time-extend", fill_extend, "268440462/0 eth0", 0},
    {"time-stamp", fill_stamp, "13421772810/0 eth0", 0},
    {"discarded-record-counts-its-time", fill_discarded, "5042/0 eth0", 0},
    {"padding-to-the-end", fill_rest_padding, "5000/0 eth0", 0},
    {"length-in-first-word", fill_long, "5003/0 type 4711 5004/0 eth0", 0},
    {"record-past-the-commit", fill_too_long, "5001/0 eth0", 1},
    {"wild-length", fill_long_wild, "", 1},
    {"zero-length", fill_long_zero, "", 1},
    {"padding-without-length", fill_padding_zero, "", 1},
    {"half-a-time", fill_half_time, "5001/0 eth0", 1},
    {"commit-past-the-page", fill_wild_commit, "", 1},
    {"commit-of-odd-size", fill_odd_commit, "5001/0 eth0", 1},
    {"missed-unknown", fill_missed, "5001/0 eth0 6002/0 lost:0>5001 6002/0 eth1", 0},
    {"missed-counted", fill_missed_count, "5001/0 eth0 6002/0 lost:70001>5001 6002/0 eth1", 0},
};

static void check_page(const PageRow *row, const DatVariant *variant)
{
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, variant);
    dat_pages_begin(&pages, 5000);
    row->fill(&pages);
    source = open_instances(variant, &instance, 1);
    assert_reads(source, row->expected);
    g_assert_cmpuint(n_problems(source), ==, row->n_problems);
    dat_pages_clear(&pages);
}

static void test_page(gconstpointer data)
{
    for (gsize i = 0; i < G_N_ELEMENTS(variants); i++) {
        check_page(data, &variants[i]);
    }
}

/* A stamp holds 59 bits: the upper ones come from the page, and carry when it wraps. */
static void test_stamp_wrap(void)
{
    static const DatVariant variant = {.version = 6, .long_size = 8};
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, &variant);
    dat_pages_begin(&pages, ((guint64)3 << 59) - 1);
    dat_pages_head(&pages, 31, 8);
    dat_pages_word(&pages, 0);
    dat_pages_xmit(&pages, 0, 1, "eth0");
    source = open_instances(&variant, &instance, 1);
    assert_reads(source, "1729382256910270472/0 eth0");
    dat_pages_clear(&pages);
}

/* Lost records are counted once, an unknown number as one. */
static void test_loss_count(void)
{
    static const DatVariant variant = {.version = 7, .long_size = 8};
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, &variant);
    dat_pages_begin(&pages, 1);
    fill_missed(&pages);
    dat_pages_begin(&pages, 9000);
    fill_missed_count(&pages);
    source = open_instances(&variant, &instance, 1);
    for (int pass = 0; pass < 2; pass++) {
        g_autofree char *text = read_all(source);

        g_assert_cmpuint(trace_source_info(source)->lost, ==, 70002);
        trace_source_rewind(source);
    }
    dat_pages_clear(&pages);
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
    same = open_instances(variant, instances, 2);
    assert_reads(same, "1000/0 eth0 1100/0 tap0 1200/1 virtio3-input.0 1500/0 eth1 3007/0 eth0 "
                       "3200/1 timer");
    g_assert_cmpuint(n_problems(same), ==, 0);
    if (variant->version == 7) {
        g_autoptr(TraceSource) different = NULL;

        instances[1].clock = "mono";
        different = open_instances(variant, instances, 2);
        assert_reads(different, two_text);
        g_assert_cmpuint(n_problems(different), ==, 1);
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
        {"local", TRACE_CLOCK_SCHED},        {"global", TRACE_CLOCK_SCHED},
        {"perf", TRACE_CLOCK_SCHED},         {"x86-tsc", TRACE_CLOCK_TSC},
        {"tsc2nsec", TRACE_CLOCK_TSC},       {"mono", TRACE_CLOCK_MONOTONIC},
        {"mono_raw", TRACE_CLOCK_MONOTONIC_RAW}, {"boot", TRACE_CLOCK_BOOTTIME},
        {"tai", TRACE_CLOCK_TAI},            {"counter", TRACE_CLOCK_COUNTER},
        {"uptime", TRACE_CLOCK_UPTIME},      {"ppc-tb", TRACE_CLOCK_UNKNOWN},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (guint version = 6; version <= 7; version++) {
            DatVariant variant = {.version = version, .long_size = 8, .clock = rows[i].name};
            g_autoptr(GByteArray) file = build_two(&variant);
            g_autoptr(TraceSource) source = open_bytes(file->data, file->len, NULL);

            g_assert_cmpint(trace_source_info(source)->clock.kind, ==, rows[i].kind);
        }
    }
}

static void assert_refused(const guint8 *bytes, gsize len, TraceError code, const char *word)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(open_bytes(bytes, len, &error));
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

    assert_refused(zlib->data, zlib->len, TRACE_ERROR_UNSUPPORTED, "trace-cmd convert");
    replace(latency, "flyrecord", "latency  ");
    assert_refused(latency->data, latency->len, TRACE_ERROR_UNSUPPORTED, "latency tracer");
    replace(future, "6", "8");
    assert_refused(future->data, future->len, TRACE_ERROR_UNSUPPORTED, "version 8");
    assert_refused(future->data, 10, TRACE_ERROR_CORRUPT, "cut off");
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
    source = open_bytes(file->data, file->len, NULL);
    g_free(read_all(source));
    g_assert_cmpuint(n_problems(source), >=, 1);
}

static void add_variants(const char *path, GTestDataFunc test)
{
    for (gsize i = 0; i < G_N_ELEMENTS(variants); i++) {
        const DatVariant *v = &variants[i];
        g_autofree char *name = g_strdup_printf(
            "/trace-dat/%s/v%u-%s-%u%s", path, v->version, v->big_endian ? "big" : "little",
            v->long_size * 8, v->zstd ? "-zstd" : "");

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
    for (gsize i = 0; i < G_N_ELEMENTS(page_rows); i++) {
        g_autofree char *name = g_strconcat("/trace-dat/page/", page_rows[i].path, NULL);

        g_test_add_data_func(name, &page_rows[i], test_page);
    }
    g_test_add_func("/trace-dat/cut-pages", test_cut_pages);
    g_test_add_func("/trace-dat/stamp-wrap", test_stamp_wrap);
    g_test_add_func("/trace-dat/loss-count", test_loss_count);
    g_test_add_func("/trace-dat/clocks", test_clocks);
    g_test_add_func("/trace-dat/refused", test_refused);
    g_test_add_func("/trace-dat/overlap", test_overlap);
    return g_test_run();
}
