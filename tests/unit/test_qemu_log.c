/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reader of QEMU's log: the three forms of a line, and what is no trace event.
 */
#include "trace_text.h"

#include <string.h>

#define SKIPPED  "a line is no trace event; skipped"
#define NO_TIMES "@0 x1 the log has no times, only an order; run QEMU with -msg timestamp=on\n"

typedef struct Row {
    const char *name;
    const char *what;
    const char *log;
    const char *events;
    const char *info;
} Row;

static const Row rows[] = {
    {"kinds", "each argument goes to its slot, with the thread of the line",
     "7@1796079278.000001:virtio_queue_notify vdev 0xd0 n 1 vq 0xa0\n"
     "7@1796079278.000002:virtqueue_pop vq 0xa0 elem 0xe0 in_num 1 out_num 2\n"
     "7@1796079278.000003:virtqueue_fill vq 0xa0 elem 0xe0 len 60 idx 3\n"
     "7@1796079278.000004:virtqueue_flush vq 0xa0 count 4\n"
     "8@1796079278.000005:virtio_notify vdev 0xd0 vq 0xa0\n"
     "8@1796079278.000006:virtio_set_status vdev 0xd0 val 15\n"
     "8@1796079278.000007:vhost_dev_start 0xd1:virtio-net vrings:1\n",
     "1796079278000001000 virtio_queue_notify 5 ptr a0 d0 num 1 tid 7\n"
     "1796079278000002000 virtqueue_pop 2 ptr a0 e0 num 1 2 tid 7\n"
     "1796079278000003000 virtqueue_fill 3 ptr a0 e0 num 60 3 tid 7\n"
     "1796079278000004000 virtqueue_flush 4 ptr a0 num 4 tid 7\n"
     "1796079278000005000 virtio_notify 6 ptr a0 d0 tid 8\n"
     "1796079278000006000 virtio_set_status 7 ptr 0 d0 num 15 tid 8\n"
     "1796079278000007000 vhost_dev_start 8 ptr 0 d1 name virtio-net tid 8\n",
     "7 events, 0 lost\n"},
    {"iso", "an ISO time has no fraction when its microseconds are 0",
     "2026-11-30T22:54:38.250001Z virtqueue_flush vq 0xa0 count 1\n"
     "2026-11-30T22:54:39Z virtqueue_flush vq 0xa0 count 2\n"
     "2028-02-29T23:59:59.000001Z virtqueue_flush vq 0xa0 count 3\n",
     "1796079278250001000 virtqueue_flush 4 ptr a0 num 1\n"
     "1796079279000000000 virtqueue_flush 4 ptr a0 num 2\n"
     "1835481599000001000 virtqueue_flush 4 ptr a0 num 3\n",
     "3 events, 0 lost\n"},
    {"thread", "a thread's name may hold spaces and signs, and a guest's name may stand before",
     "2026-11-30T22:54:38Z qemu-kvm: (12:CPU 0/KVM): virtqueue_flush vq 0xa0 count 1\n"
     "2026-11-30T22:54:38Z vm1 qemu-kvm: (13:IO (x) y:z): virtqueue_flush vq 0xa0 count 2\n"
     "2026-11-30T22:54:38Z qemu-kvm: virtqueue_flush vq 0xa0 count 3\n",
     "1796079278000000000 virtqueue_flush 4 ptr a0 num 1 tid 12\n"
     "1796079278000000000 virtqueue_flush 4 ptr a0 num 2 tid 13\n"
     "1796079278000000000 virtqueue_flush 4 ptr a0 num 3\n",
     "3 events, 0 lost\n"},
    {"no-times", "without stamps times are an order, and the user is told what to do",
     "virtqueue_flush vq 0xa0 count 1\n"
     "qemu-kvm: (12:main): virtqueue_flush vq 0xa0 count 2\n",
     "0 virtqueue_flush 4 ptr a0 num 1\n1 virtqueue_flush 4 ptr a0 num 2 tid 12\n",
     "2 events, 0 lost\n" NO_TIMES},
    {"mixed", "in a log with stamps a line without one is not believed: a guest could print it",
     "7@1.000001:virtqueue_flush vq 0xa0 count 1\n"
     "virtqueue_flush vq 0xa0 count 2\n"
     "7@1.000003:virtqueue_flush vq 0xa0 count 3\n",
     "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 7\n"
     "1000003000 virtqueue_flush 4 ptr a0 num 3 tid 7\n",
     "2 events, 0 lost\n@43 x1 " SKIPPED "\n"},
    {"foreign", "other output is skipped and counted once a kind",
     "[    0.000000] Linux version 6.12\n"
     "7@1.000001:virtqueue_flush vq 0xa0 count 1\n"
     "\n"
     "\033[2J7@1.000002:virtqueue_flush vq 0xa0 count 2\n"
     "7@1.000003:virtqueue_flush vq 0xa0 count 3\r\n",
     "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 7\n"
     "1000003000 virtqueue_flush 4 ptr a0 num 3 tid 7\n",
     "2 events, 0 lost\n@0 x3 " SKIPPED "\n"},
    {"unknown", "a marked line is an event even when its name is not known",
     "7@1.000001:my_event a 1\n7@1.000002:kvm_cpu_exec \n",
     "1000001000 my_event tid 7\n"
     "1000002000 kvm_cpu_exec tid 7\n",
     "2 events, 0 lost\n"},
    {"no-args", "a known event whose arguments are not there is not joined",
     "7@1.000001:virtqueue_flush vq 0xa0\n"
     "7@1.000002:virtqueue_flush vq 0xa0 count x2\n"
     "7@1.000003:virtqueue_flush vq 0x count 2\n",
     "1000001000 virtqueue_flush tid 7\n"
     "1000002000 virtqueue_flush tid 7\n"
     "1000003000 virtqueue_flush tid 7\n",
     "3 events, 0 lost\n@0 x3 an event's arguments cannot be read\n"},
    {"nil", "printf writes a null pointer as (nil), and ints can be negative",
     "7@1.000001:virtio_queue_notify vdev (nil) n -1 vq 0xffffffffffffffff\n",
     "1000001000 virtio_queue_notify 5 ptr ffffffffffffffff num 4294967295 tid 7\n",
     "1 events, 0 lost\n"},
    {"torn", "a last line without its end could hold half a number: it is left out",
     "7@1.000001:virtqueue_flush vq 0xa0 count 1\n7@1.000002:virtqueue_flush vq 0xa0 count 1",
     "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 7\n",
     "1 events, 0 lost\n@43 x1 the last line is cut off; QEMU was killed or still runs\n"},
    {"swapped", "threads stamp a line before they write it",
     "7@1.000002:virtqueue_flush vq 0xa0 count 2\n"
     "8@1.000001:virtqueue_flush vq 0xa0 count 1\n",
     "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 8\n"
     "1000002000 virtqueue_flush 4 ptr a0 num 2 tid 7\n",
     "2 events, 0 lost\n"},
};

static TraceSource *open_text(const char *log)
{
    g_autoptr(GError) error = NULL;
    TraceSource *source = trace_text_open(log, strlen(log), NULL, &error);

    g_assert_no_error(error);
    return source;
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    g_autoptr(TraceSource) source = open_text(row->log);

    trace_text_check(source, row->events, row->info);
}

/* Text that must not be taken for a trace. */
static const char *const no_traces[] = {
    "hello\n",
    "virtqueue_flush\n",
    "virtqueue_flush vq 0xa0 count 1", /* no end of line */
    "virtqueue_flush: see vq and count\n",
    "the virtqueue_flush vq 0xa0 count 1\n",
    "my_event a 1\n",
    "2026-11-30T22:54:38Z my_event a 1\n",
    "2026-13-30T22:54:38Z virtqueue_flush vq 0xa0 count 1\n",
    "2026-11-30T24:54:38Z virtqueue_flush vq 0xa0 count 1\n",
    "2026-11-30T22:54:38+01:00 virtqueue_flush vq 0xa0 count 1\n",
    "7@1.001:virtqueue_flush vq 0xa0 count 1\n",
    "7@99999999999.000001:virtqueue_flush vq 0xa0 count 1\n",
    "7@1.000001: virtqueue_flush vq 0xa0 count 1\n",
    "root@1.000001:virtqueue_flush vq 0xa0 count 1\n",
};

static void test_no_trace(gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(trace_text_open(data, strlen(data), NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT);
}

static void test_nul(void)
{
    static const char log[] = "7@1.000001:virtqueue_flush vq 0xa0 count 1\n\0\n";
    g_autoptr(GError) error = NULL;

    g_assert_null(trace_text_open(log, sizeof(log), NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT);
}

static void test_facts(void)
{
    g_autoptr(TraceSource) timed = open_text("7@1.000001:virtqueue_flush vq 0xa0 count 1\n");
    g_autoptr(TraceSource) untimed = open_text("virtqueue_flush vq 0xa0 count 1\n");
    const TraceInfo *info = trace_source_info(timed);

    g_assert_cmpstr(info->format, ==, "qemu-log");
    g_assert_cmpint(info->side, ==, TRACE_SIDE_HOST);
    g_assert_cmpint(info->clock.kind, ==, TRACE_CLOCK_REALTIME);
    g_assert_cmpint(info->clock.step_ns, ==, 1000);
    g_assert_cmpint(trace_source_info(untimed)->clock.kind, ==, TRACE_CLOCK_UNKNOWN);
}

/* Lines of 4095 bytes with their end are read, longer ones are not, wherever they stand. */
static void test_long_lines(void)
{
    static const char event[] = "7@1.000001:virtqueue_flush vq 0xa0 count 1";
    g_autoptr(GString) log = g_string_new(event);
    g_autoptr(TraceSource) source = NULL;
    g_autofree char *events = NULL;
    g_autofree char *info = NULL;

    g_string_append_printf(log, "%*s\n", (int)(4095 - strlen(event)), "");
    g_string_append_printf(log, "%s%*s\n", event, (int)(4096 - strlen(event)), "");
    g_string_append_printf(log, "%100000s\n", "");
    g_string_append_printf(log, "%s\n%10000s", event, "");
    source = open_text(log->str);
    events = trace_text_read(source, 10);
    info = trace_text_info(source);
    g_assert_cmpstr(events, ==,
                    "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 7\n"
                    "1000001000 virtqueue_flush 4 ptr a0 num 1 tid 7\n");
    g_assert_cmpstr(info, ==, "2 events, 0 lost\n@4096 x3 a line is too long; skipped\n");
}

static void test_describe(void)
{
    static const char log[] =
        "7@1.000001:virtqueue_pop vq 0xa0 elem 0xe0 in_num 1 out_num 2\n"
        "7@1.000002:vhost_dev_start 0xd1:virtio-net vrings:1\n"
        "7@1.000003:kvm_set_ioeventfd_mmio fd: 14 @0xfebfb000 val=0x1 assign: 1 size: 2 match: 0\n"
        "7@1.000004:virtqueue_alloc_element elem 0xe0 size 56 in_num 1 out_num 2\n"
        "7@1.000005:virtio_blk_rw_complete vdev 0xd0 req 0xe0 ret -5\n"
        "7@1.000006:my_event a 1 \033b\n";
    static const char *const want[] = {
        "vq='0xa0' elem='0xe0' in_num=1 out_num=2",
        "dev='0xd1' name='virtio-net' vrings=1",
        "fd=14 addr=4273975296 val=1 assign=1 size=2 datamatch=0",
        "elem='0xe0' sz=56 in_num=1 out_num=2",
        "vdev='0xd0' req='0xe0' ret=-5",
        "text='a 1 \033b'",
    };
    g_autoptr(TraceSource) source = open_text(log);

    for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
        g_autofree char *got = trace_text_describe(source, i);

        g_assert_cmpstr(got, ==, want[i]);
    }
}

/* The clock of the host is set back by an hour in the middle. */
static void test_clock_set_back(void)
{
    g_autoptr(GString) log = g_string_new(NULL);
    g_autoptr(TraceSource) source = NULL;
    g_autofree char *events = NULL;
    g_autofree char *info = NULL;

    for (guint i = 0; i < 4000; i++) {
        g_string_append_printf(log, "7@%u.000000:virtqueue_flush vq 0xa0 count 1\n",
                               i < 2000 ? 10000 + i : 6400 + i);
    }
    source = open_text(log->str);
    events = trace_text_read(source, 100);
    info = trace_text_info(source);
    g_assert_cmpstr(info, ==,
                    "4000 events, 0 lost\n@0 x1 times go back; was the host's clock set?\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/qemu-log/%s", rows[i].name);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(no_traces); i++) {
        g_autofree char *path = g_strdup_printf("/qemu-log/no-trace/%zu", i);

        g_test_add_data_func(path, no_traces[i], test_no_trace);
    }
    g_test_add_func("/qemu-log/nul", test_nul);
    g_test_add_func("/qemu-log/facts", test_facts);
    g_test_add_func("/qemu-log/long-lines", test_long_lines);
    g_test_add_func("/qemu-log/describe", test_describe);
    g_test_add_func("/qemu-log/clock-set-back", test_clock_set_back);
    return g_test_run();
}
