/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The simpletrace reader on whole files: made here, and a cut of a recording.
 */
#include "simpletrace_file.h"

#include <glib/gstdio.h>
#include <string.h>

static void build_all_kinds(File *file)
{
    put_maps(file);
    PUT(file, HANDLE, 1000, 0xd0, 1, 0xa0);
    PUT(file, POP, 1001, 0xa0, 0xe0, 1, 2);
    PUT(file, FILL, 1002, 0xa0, 0xe0, 60, 3);
    PUT(file, FLUSH, 1003, 0xa0, 4);
    PUT(file, IRQ, 1004, 0xd0, 0xa0);
    put_vhost_start(file, 1005, "virtio-net");
    PUT(file, BLK, 1006, 0xd0, 0xe0, 0);
}

static void build_nothing(File *file)
{
    put_header(file, 4);
}

static void build_negative(File *file)
{
    put_maps(file);
    PUT(file, HANDLE, 1000, 0xd0, (guint64)-5, 0xa0);
}

static void build_drops(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    PUT(file, FLUSH, 1100, 0xa0, 2);
    PUT(file, DROPPED_ID, 1200, 12);
    PUT(file, FLUSH, 1150, 0xa0, 3);
    PUT(file, DROPPED_ID, 1300, 1);
}

static void build_drops_first(File *file)
{
    put_maps(file);
    PUT(file, DROPPED_ID, 1200, 7);
}

static void build_unmapped(File *file)
{
    put_maps(file);
    PUT(file, 99, 1000, 1, 2, 3);
    PUT(file, 99, 1001, 1);
    PUT(file, FLUSH, 1002, 0xa0, 1);
}

static void build_late_mapping(File *file)
{
    put_maps(file);
    PUT(file, 99, 1000, 0xa0, 1);
    put_map(file, 99, "virtqueue_flush");
    PUT(file, 99, 1001, 0xa0, 2);
}

static void build_remapped(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_map(file, FLUSH, "virtio_notify");
    PUT(file, FLUSH, 1001, 0xd0, 0xa0);
}

static void build_large_ids(File *file)
{
    put_header(file, 4);
    put_map(file, 70000, "virtqueue_flush");
    put_map(file, G_MAXUINT64 - 2, "virtio_notify");
    PUT(file, 70000, 1000, 0xa0, 1);
    PUT(file, G_MAXUINT64 - 2, 1001, 0xd0, 0xa0);
}

static void build_threads(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1010, 0xa0, 1);
    PUT(file, FLUSH, 1000, 0xa0, 2);
    PUT(file, FLUSH, 1020, 0xa0, 3);
    PUT(file, FLUSH, 1010, 0xa0, 4);
}

static void build_other_count(File *file)
{
    put_maps(file);
    PUT(file, POP, 1000, 0xa0, 0xe0, 1);
    PUT(file, POP, 1001, 0xa0, 0xe0, 1, 2);
}

static void build_empty_string(File *file)
{
    put_maps(file);
    put_vhost_start(file, 1000, "");
}

static const Row rows[] = {
    {"kinds", "each argument goes to its slot", build_all_kinds,
     "1000 virtio_queue_notify 5 ptr a0 d0 num 1\n"
     "1001 virtqueue_pop 2 ptr a0 e0 num 1 2\n"
     "1002 virtqueue_fill 3 ptr a0 e0 num 60 3\n"
     "1003 virtqueue_flush 4 ptr a0 num 4\n"
     "1004 virtio_notify 6 ptr a0 d0\n"
     "1005 vhost_dev_start 8 ptr 0 d0 name virtio-net\n"
     "1006 virtio_blk_rw_complete\n",
     "7 events, 0 lost\n"},
    {"nothing", "a file with a header only has no events and no fault", build_nothing, "",
     "0 events, 0 lost\n"},
    {"negative", "an int is sign-extended in the file; a number keeps its low 32 bits",
     build_negative, "1000 virtio_queue_notify 5 ptr a0 d0 num 4294967291\n", "1 events, 0 lost\n"},
    {"drops", "drops lie between the previous note of drops, or the first record, and their own",
     build_drops,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1100 virtqueue_flush 4 ptr a0 num 2\n"
     "1150 virtqueue_flush 4 ptr a0 num 3\n"
     "1200 lost 12 since 1000\n"
     "1300 lost 1 since 1200\n",
     "3 events, 13 lost\n"},
    {"drops-first", "of drops before any record no beginning is known", build_drops_first,
     "1200 lost 7 since 0\n", "0 events, 7 lost\n"},
    {"unmapped", "an id without a mapping is skipped by its length and named by its number",
     build_unmapped, "1000 event 99\n1001 event 99\n1002 virtqueue_flush 4 ptr a0 num 1\n",
     "3 events, 0 lost\n@275 x2 an event whose id no mapping record names\n"},
    {"late-mapping", "a mapping counts from where it stands", build_late_mapping,
     "1000 event 99\n1001 virtqueue_flush 4 ptr a0 num 2\n",
     "2 events, 0 lost\n@275 x1 an event whose id no mapping record names\n"},
    {"remapped", "an id can get another meaning", build_remapped,
     "1000 virtqueue_flush 4 ptr a0 num 1\n1001 virtio_notify 6 ptr a0 d0\n", "2 events, 0 lost\n"},
    {"large-ids", "ids are any 64 bits", build_large_ids,
     "1000 virtqueue_flush 4 ptr a0 num 1\n1001 virtio_notify 6 ptr a0 d0\n", "2 events, 0 lost\n"},
    {"threads", "records of several threads come out in time order, equal ones as in the file",
     build_threads,
     "1000 virtqueue_flush 4 ptr a0 num 2\n"
     "1010 virtqueue_flush 4 ptr a0 num 1\n"
     "1010 virtqueue_flush 4 ptr a0 num 4\n"
     "1020 virtqueue_flush 4 ptr a0 num 3\n",
     "4 events, 0 lost\n"},
    {"other-count", "an event with other arguments than known is listed, not joined",
     build_other_count, "1000 virtqueue_pop\n1001 virtqueue_pop 2 ptr a0 e0 num 1 2\n",
     "2 events, 0 lost\n@275 x1 an event has other arguments than known; name its QEMU's "
     "trace-events-all with --trace-events\n"},
    {"empty-string", "QEMU writes a NULL string as an empty one", build_empty_string,
     "1000 vhost_dev_start 8 ptr 0 d0\n", "1 events, 0 lost\n"},
};

typedef struct VersionRow {
    guint64 version;
    const char *message;
} VersionRow;

static const VersionRow version_rows[] = {
    {0, "simpletrace version 0 of QEMU 0.14 to 1.1 does not name its events; record with QEMU 2.8 "
        "or later (version 4)"},
    {2, "simpletrace version 2 of QEMU 1.2 to 2.0 does not name its events; record with QEMU 2.8 "
        "or later (version 4)"},
    {3, "simpletrace version 3 of QEMU 2.1 to 2.7 does not name its events; record with QEMU 2.8 "
        "or later (version 4)"},
    {5, "simpletrace version 5 is not known; only version 4 of QEMU 2.8 and later can be read"},
};

static void test_version(gconstpointer data)
{
    const VersionRow *row = data;

    for (guint swapped = 0; swapped < 2; swapped++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        File file = {.bytes = bytes, .swapped = swapped};
        g_autoptr(GError) error = NULL;

        put_header(&file, row->version);
        g_assert_null(trace_text_open(bytes->data, bytes->len, NULL, &error));
        g_assert_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED);
        g_assert_true(g_str_has_prefix(error->message, "/proc/self/fd/"));
        g_assert_true(g_str_has_suffix(error->message, row->message));
    }
}

static void test_short_header(void)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    File file = {.bytes = bytes};
    g_autoptr(GError) error = NULL;

    put_header(&file, 4);
    g_assert_null(trace_text_open(bytes->data, 23, NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_CORRUPT);
}

static void test_facts(void)
{
    g_autoptr(TraceSource) source = open_file(build_all_kinds, FALSE);
    const TraceInfo *info = trace_source_info(source);

    g_assert_cmpstr(info->format, ==, "simpletrace");
    g_assert_cmpuint(info->version, ==, 4);
    g_assert_cmpint(info->side, ==, TRACE_SIDE_HOST);
    g_assert_cmpint(info->clock.kind, ==, TRACE_CLOCK_MONOTONIC);
    g_assert_cmpstr(info->clock.name, ==, "monotonic");
    g_assert_cmpint(info->clock.step_ns, ==, 0);
}

enum { N_MANY = 30000, MAX_DISORDER = 8192 };

static void build_many(File *file)
{
    put_maps(file);
    for (guint i = 0; i < N_MANY; i++) {
        PUT(file, FLUSH, 1000 + i, 0xa0, i);
    }
}

/* More than the window into the file and the events held back. */
static void test_many(void)
{
    for (guint swapped = 0; swapped < 2; swapped++) {
        g_autoptr(TraceSource) source = open_file(build_many, swapped);
        Event events[100];
        guint n_all = 0;
        gsize n;

        while ((n = trace_source_read(source, events, G_N_ELEMENTS(events))) > 0) {
            for (gsize i = 0; i < n; i++, n_all++) {
                g_assert_cmpint(events[i].time, ==, 1000 + n_all);
                g_assert_cmpuint(events[i].num[0], ==, n_all);
            }
        }
        g_assert_cmpuint(n_all, ==, N_MANY);
        g_assert_cmpuint(trace_source_position(source), ==, trace_source_info(source)->size);
    }
}

static void build_late(File *file)
{
    build_many(file);
    PUT(file, FLUSH, 1, 0xa0, 0);
}

static void build_just_in_time(File *file)
{
    put_maps(file);
    for (guint i = 0; i < MAX_DISORDER; i++) {
        PUT(file, FLUSH, 1000 + i, 0xa0, i);
    }
    PUT(file, FLUSH, 1, 0xa0, 0);
}

static void test_disorder(void)
{
    g_autoptr(TraceSource) late = open_file(build_late, FALSE);
    g_autoptr(TraceSource) just = open_file(build_just_in_time, FALSE);
    g_autofree char *late_text = trace_text_read(late, 1000);
    g_autofree char *just_text = trace_text_read(just, 1000);
    g_autofree char *late_info = trace_text_info(late);
    g_autofree char *just_info = trace_text_info(just);

    g_assert_cmpstr(late_info, ==,
                    "30001 events, 0 lost\n"
                    "@0 x1 records are too far out of time order; some come too late\n");
    g_assert_cmpstr(just_info, ==, "8193 events, 0 lost\n");
    g_assert_true(g_str_has_prefix(just_text, "1 virtqueue_flush"));
    g_assert_true(g_str_has_prefix(late_text, "1000 virtqueue_flush"));
}

static void build_for_describe(File *file)
{
    put_maps(file);
    PUT(file, POP, 1000, 0xa0, 0xe0, 1, 2);
    PUT(file, BLK, 1001, 0xd0, 0xe0, (guint64)-5);
    put_vhost_start(file, 1002, "virtio\033net");
    PUT(file, 99, 1003, 7, G_MAXUINT64);
    PUT(file, DROPPED_ID, 1004, 12);
    put_vhost_start(file, 1005, "");
}

static void test_describe(void)
{
    static const char *const want[] = {
        "vq='0xa0' elem='0xe0' in_num=1 out_num=2",
        "vdev='0xd0' req='0xe0' ret=-5",
        "dev='0xd0' name='virtio\033net' vrings=1",
        "arg0='0x7' arg1='0xffffffffffffffff'",
        "count=12 since=1000",
        "dev='0xd0' name='' vrings=1",
    };

    for (guint swapped = 0; swapped < 2; swapped++) {
        g_autoptr(TraceSource) source = open_file(build_for_describe, swapped);

        for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
            g_autofree char *got = trace_text_describe(source, i);

            g_assert_cmpstr(got, ==, want[i]);
        }
    }
}

/* Read build_other_count() with what the user's trace-events file @text says. */
static char *read_with_trace_events(const char *text, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    File file = {.bytes = bytes};
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "virtcorr-test-XXXXXX", NULL);
    char *paths[] = {path, NULL};
    TraceOptions options = {.trace_events = paths};
    g_autoptr(TraceSource) source = NULL;
    int fd = g_mkstemp(path);

    build_other_count(&file);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    source = trace_text_open(bytes->data, bytes->len, &options, error);
    g_close(fd, NULL);
    g_unlink(path);
    return source ? trace_text_read(source, 100) : NULL;
}

static void test_trace_events(void)
{
    g_autofree char *text = read_with_trace_events(
        "# comment\n"
        "\n"
        "disable virtqueue_pop(void *vq, const void * elem, unsigned in_num) \"vq %p (%p)\" \n"
        "vcpu guest_mem(uint64_t a)\n",
        NULL);

    g_assert_cmpstr(text, ==, "1000 virtqueue_pop 2 ptr a0 e0 num 1\n1001 virtqueue_pop\n");
}

static void test_bad_trace_events(gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf("good(void)\n%s\n", (const char *)data);

    g_assert_null(read_with_trace_events(text, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT);
    g_assert_nonnull(strstr(error->message, "line 2 is no trace event"));
}

/* Counted by another program than ours. */
static void test_recording(void)
{
    static const guint want[N_EVENT_KINDS] = {
        [EVENT_OTHER] = 17,    [EVENT_VQ_POP] = 17,    [EVENT_VQ_FILL] = 16,
        [EVENT_VQ_FLUSH] = 16, [EVENT_VQ_HANDLE] = 17, [EVENT_VQ_IRQ] = 17,
    };
    g_autofree char *path =
        g_test_build_filename(G_TEST_DIST, "corpus", "simpletrace", "tcg-stock.trace", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceSource) source = trace_source_open(path, NULL, &error);
    guint n_kinds[N_EVENT_KINDS] = {0};
    Event event;

    g_assert_no_error(error);
    while (trace_source_read(source, &event, 1) > 0) {
        n_kinds[event.kind]++;
    }
    for (guint kind = 0; kind < N_EVENT_KINDS; kind++) {
        g_assert_cmpuint(n_kinds[kind], ==, want[kind]);
    }
    g_assert_cmpuint(trace_source_info(source)->problems->len, ==, 0);
}

int main(int argc, char **argv)
{
    static const char too_many_args[] = "eleven(int a, int b, int c, int d, int e, int f, int g, "
                                        "int h, int i, int j, int k)";
    static const char *const bad_lines[] = {"no_parens", "no_type(x)", "(void)",
                                            "a-b(void)", "open(int a", too_many_args};

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/simpletrace/%s", rows[i].name);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(version_rows); i++) {
        g_autofree char *path =
            g_strdup_printf("/simpletrace/version/%u", (guint)version_rows[i].version);

        g_test_add_data_func(path, &version_rows[i], test_version);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(bad_lines); i++) {
        g_autofree char *path = g_strdup_printf("/simpletrace/bad-trace-events/%zu", i);

        g_test_add_data_func(path, bad_lines[i], test_bad_trace_events);
    }
    g_test_add_func("/simpletrace/short-header", test_short_header);
    g_test_add_func("/simpletrace/facts", test_facts);
    g_test_add_func("/simpletrace/many", test_many);
    g_test_add_func("/simpletrace/disorder", test_disorder);
    g_test_add_func("/simpletrace/describe", test_describe);
    g_test_add_func("/simpletrace/trace-events", test_trace_events);
    g_test_add_func("/simpletrace/recording", test_recording);
    return g_test_run();
}
