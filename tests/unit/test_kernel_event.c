/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel records: what is taken from them, and what damaged ones do.
 */
#include <string.h>

#include "kernel_event.h"

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                 \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char xmit_text[] =
    "name: net_dev_xmit\nID: 1500\nformat:\n" COMMON
    "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
    "\tfield:unsigned int len;\toffset:16;\tsize:4;\tsigned:0;\n"
    "\tfield:int rc;\toffset:20;\tsize:4;\tsigned:1;\n"
    "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n\n"
    "print fmt: \"dev=%s len=%u\", ((((((((((((((((((REC->len\n";

static const char irq_text[] =
    "name: irq_handler_entry\nID: 77\nformat:\n" COMMON
    "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:__rel_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

static const char kvm_text[] = "name: kvm_entry\nID: 9\nformat:\n" COMMON
                               "\tfield:unsigned int vcpu_id;\toffset:8;\tsize:4;\tsigned:0;\n"
                               "\tfield:unsigned long rip;\toffset:16;\tsize:8;\tsigned:0;\n";

static const char sched_text[] = "name: sched_wakeup\nID: 12\nformat:\n" COMMON
                                 "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
                                 "\tfield:short prio;\toffset:24;\tsize:2;\tsigned:1;\n"
                                 "\tfield:u8 mac[6];\toffset:26;\tsize:6;\tsigned:0;\n";

typedef struct Fixture {
    Reader reader;
    KernelEvents *events;
    gboolean big_endian;
} Fixture;

static const TraceFormat test_format = {.name = "test"};

static void add(Fixture *fixture, const char *system, const char *text)
{
    g_assert_true(kernel_events_add(fixture->events, system, text, strlen(text), 0));
}

static void set_up(Fixture *fixture, gconstpointer data)
{
    fixture->big_endian = data != NULL;
    reader_init(&fixture->reader, &test_format, input_new_spool("test", NULL));
    fixture->events = kernel_events_new(&fixture->reader, fixture->big_endian, 8);
    add(fixture, "net", xmit_text);
    add(fixture, "irq", irq_text);
    add(fixture, "sched", sched_text);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    kernel_events_free(fixture->events);
    g_free(fixture->reader.info.path);
    g_array_unref(fixture->reader.info.problems);
    g_hash_table_unref(fixture->reader.name_ids);
    g_ptr_array_unref(fixture->reader.names);
    input_free(fixture->reader.input);
}

static void put(const Fixture *fixture, guint8 *at, guint64 value, gsize size)
{
    for (gsize i = 0; i < size; i++) {
        at[fixture->big_endian ? size - 1 - i : i] = value >> (8 * i);
    }
}

enum { XMIT_SIZE = 33 };

static void make_xmit(const Fixture *fixture, guint8 raw[XMIT_SIZE])
{
    memset(raw, 0, XMIT_SIZE);
    put(fixture, raw, 1500, 2);
    put(fixture, raw + 4, 812, 4);
    put(fixture, raw + 8, 0xffff888012345678, 8);
    put(fixture, raw + 16, 98, 4);
    put(fixture, raw + 20, -5, 4);
    put(fixture, raw + 24, 5 << 16 | 28, 4);
    memcpy(raw + 28, "eth0", 5);
}

static const char *name_of(Fixture *fixture, const Event *event)
{
    return g_ptr_array_index(fixture->reader.names, event->name);
}

/* Every wanted field comes to its slot, in either byte order. */
static void test_decode(Fixture *fixture, gconstpointer data)
{
    guint8 raw[XMIT_SIZE];
    Event event = {0};

    make_xmit(fixture, raw);
    g_assert_true(kernel_events_decode(fixture->events, raw, sizeof(raw), &event));
    g_assert_cmpint(event.kind, ==, EVENT_NET_XMIT);
    g_assert_cmpuint(event.type, ==, 1500);
    g_assert_cmpuint(event.tid, ==, 812);
    g_assert_cmphex(event.ptr[0], ==, 0xffff888012345678);
    g_assert_cmpuint(event.num[0], ==, 98);
    g_assert_cmpint((gint32)event.num[1], ==, -5);
    g_assert_cmpstr(name_of(fixture, &event), ==, "eth0");
    g_assert_cmpstr(kernel_events_name(fixture->events, 1500), ==, "net:net_dev_xmit");
}

/* Names that alternate are told apart although the last one is cached. */
static void test_names(Fixture *fixture, gconstpointer data)
{
    static const char *const devices[] = {"eth0", "eth1", "eth1", "eth0", "lo"};
    guint8 raw[XMIT_SIZE];

    make_xmit(fixture, raw);
    for (gsize i = 0; i < G_N_ELEMENTS(devices); i++) {
        Event event = {0};

        memcpy(raw + 28, devices[i], strlen(devices[i]) + 1);
        kernel_events_decode(fixture->events, raw, sizeof(raw), &event);
        g_assert_cmpstr(name_of(fixture, &event), ==, devices[i]);
    }
    g_assert_cmpuint(fixture->reader.names->len, ==, 4);
}

/* A record that is too short gives the fields that are whole, at every length. */
static void test_short(Fixture *fixture, gconstpointer data)
{
    guint8 raw[XMIT_SIZE];

    make_xmit(fixture, raw);
    for (gsize len = 0; len <= sizeof(raw); len++) {
        g_autofree guint8 *exact = g_memdup2(raw, len);
        Event event = {0};
        gboolean known = kernel_events_decode(fixture->events, exact, len, &event);

        g_assert_cmpint(known, ==, len >= 2);
        g_assert_cmpuint(event.tid, ==, len >= 8 ? 812 : 0);
        g_assert_cmpuint(event.num[0], ==, len >= 20 ? 98 : 0);
        g_assert_cmpint(event.name != NO_NAME, ==, len >= 33);
    }
}

/* Where a string's location points outside the record there is no name. */
static void test_wild_string(Fixture *fixture, gconstpointer data)
{
    static const guint32 words[] = {5u << 16 | 29, 0xffffffff, 0xffffu << 16, 34, 1u << 16 | 33};
    guint8 raw[XMIT_SIZE];

    make_xmit(fixture, raw);
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        Event event = {0};

        put(fixture, raw + 24, words[i], 4);
        kernel_events_decode(fixture->events, raw, sizeof(raw), &event);
        g_assert_cmpuint(event.name, ==, NO_NAME);
        g_assert_cmpuint(event.num[0], ==, 98);
    }
}

/* A virtio interrupt's action makes the trace a guest's, KVM's entries make it a host's. */
static void test_side(Fixture *fixture, gconstpointer data)
{
    guint8 irq[16 + 18] = {0};
    guint8 entry[24] = {0};
    Event event = {0};

    put(fixture, irq, 77, 2);
    put(fixture, irq + 8, 26, 4);
    put(fixture, irq + 12, 6 << 16, 4);
    memcpy(irq + 16, "timer", 6);
    kernel_events_decode(fixture->events, irq, sizeof(irq), &event);
    g_assert_cmpint(kernel_events_side(fixture->events), ==, TRACE_SIDE_UNKNOWN);

    put(fixture, irq + 12, 18 << 16, 4);
    memcpy(irq + 16, "virtio11-input.0", 17);
    kernel_events_decode(fixture->events, irq, sizeof(irq), &event);
    g_assert_cmpstr(name_of(fixture, &event), ==, "virtio11-input.0");
    g_assert_cmpuint(event.num[0], ==, 26);
    g_assert_cmpint(kernel_events_side(fixture->events), ==, TRACE_SIDE_GUEST);

    add(fixture, "kvm", kvm_text);
    g_assert_cmpint(kernel_events_side(fixture->events), ==, TRACE_SIDE_GUEST);
    put(fixture, entry, 9, 2);
    kernel_events_decode(fixture->events, entry, sizeof(entry), &event);
    g_assert_cmpint(kernel_events_side(fixture->events), ==, TRACE_SIDE_HOST);
    g_assert_true(kernel_events_has_system(fixture->events, "kvm"));
    g_assert_false(kernel_events_has_system(fixture->events, "virtio"));
}

static void append_field(const char *name, const char *value, gboolean is_number, gpointer data)
{
    g_string_append_printf(data, "%s=%s%s ", name, value, is_number ? "" : "'");
}

static void assert_described(Fixture *fixture, const guint8 *raw, gsize size, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);

    kernel_events_describe(fixture->events, raw, size, append_field, text);
    g_assert_cmpstr(text->str, ==, expected);
}

/* Numbers, addresses, strings and bytes as text; fields outside the record are left out. */
static void test_describe(Fixture *fixture, gconstpointer data)
{
    guint8 xmit[XMIT_SIZE];
    guint8 wakeup[32] = {0};

    make_xmit(fixture, xmit);
    assert_described(fixture, xmit, sizeof(xmit),
                     "skbaddr=0xffff888012345678' len=98 rc=-5 name=eth0' ");
    assert_described(fixture, xmit, 20, "skbaddr=0xffff888012345678' len=98 ");

    put(fixture, wakeup, 12, 2);
    memset(wakeup + 8, 'x', 16);
    put(fixture, wakeup + 24, -1, 2);
    memcpy(wakeup + 26, "\x52\x54\x00\x12\x34\x56", 6);
    assert_described(fixture, wakeup, sizeof(wakeup),
                     "comm=xxxxxxxxxxxxxxxx' prio=-1 mac=525400123456' ");
}

/* A type without a format is an event all the same. */
static void test_unknown(Fixture *fixture, gconstpointer data)
{
    guint8 raw[8] = {0};
    Event event = {.ptr = {1, 2}, .num = {3}};

    put(fixture, raw, 4711, 2);
    g_assert_false(kernel_events_decode(fixture->events, raw, sizeof(raw), &event));
    g_assert_cmpint(event.kind, ==, EVENT_OTHER);
    g_assert_cmpuint(event.type, ==, 4711);
    g_assert_cmpuint(event.ptr[1] + event.num[0], ==, 0);
    g_assert_cmpstr(kernel_events_name(fixture->events, 4711), ==, "type 4711");
}

/* Names may begin with a digit, as those of the 9p file system do. */
static void test_digit(Fixture *fixture, gconstpointer data)
{
    add(fixture, "9p",
        "name: 9p_fid_ref\nID: 1525\nformat:\n" COMMON
        "\tfield:int fid;\toffset:8;\tsize:4;\tsigned:1;\n");
    g_assert_cmpstr(kernel_events_name(fixture->events, 1525), ==, "9p:9p_fid_ref");
}

/* Texts that are no formats are refused with a problem, and nothing else. */
static void test_bad_formats(Fixture *fixture, gconstpointer data)
{
    static const char *const texts[] = {
        "",
        "name: x",
        "name: x\nID: 70000\nformat:\n" COMMON,
        "name: x\nID: -4\nformat:\n" COMMON,
        "name: x\nID: 5\nformat:\n\tfield:int a;\toffset:;",
        "name: again\nID: 1500\nformat:\n" COMMON,
    };
    g_autofree char *large = g_strnfill(70000, 'x');

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_false(
            kernel_events_add(fixture->events, "net", texts[i], strlen(texts[i]), 100 + i));
    }
    g_assert_false(kernel_events_add(fixture->events, "net", large, strlen(large), 1));
    g_assert_cmpuint(fixture->reader.info.problems->len, ==, 3);
    g_assert_cmpuint(g_array_index(fixture->reader.info.problems, TraceProblem, 0).count, ==, 5);
}

/* A field that is no plain declaration is left out; the others are read. */
static void test_bad_fields(Fixture *fixture, gconstpointer data)
{
    static const char *const lines[] = {
        "field:int;\toffset:12;\tsize:4;\tsigned:1;",
        "field:int x[[4]];\toffset:12;\tsize:4;\tsigned:1;",
        "field:int x[4;\toffset:12;\tsize:4;\tsigned:1;",
        "field:int \"x\";\toffset:12;\tsize:4;\tsigned:1;",
        "field:__data_loc mask_t x;\toffset:12;\tsize:4;\tsigned:1;",
        "field:int x;\toffset:-12;\tsize:4;\tsigned:1;",
        "field:int x;\toffset:12;\tsize:99999999999999999999;\tsigned:1;",
        "field:int x;\toffset:12;",
        "field:int x",
        "rubbish ((((",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
        guint8 raw[20] = {0};
        g_autofree char *text = g_strdup_printf(
            "name: bad%zu\nID: %zu\nformat:\n" COMMON "\tfield:u32 a;\toffset:8;\tsize:4;\n\t%s\n"
            "\tfield:s8 b;\toffset:16;\tsize:1;\tsigned:1;\n\nprint fmt: \"\"\n",
            i, 200 + i, lines[i]);

        add(fixture, "test", text);
        put(fixture, raw, 200 + i, 2);
        put(fixture, raw + 8, 7, 4);
        raw[16] = 0xff;
        assert_described(fixture, raw, sizeof(raw), "a=7 b=-1 ");
    }
}

static void add_both(const char *path, void (*test)(Fixture *, gconstpointer))
{
    g_autofree char *little = g_strconcat("/kernel-event/", path, "/little-endian", NULL);
    g_autofree char *big = g_strconcat("/kernel-event/", path, "/big-endian", NULL);

    g_test_add(little, Fixture, NULL, set_up, test, tear_down);
    g_test_add(big, Fixture, "big", set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_both("decode", test_decode);
    add_both("names", test_names);
    add_both("short", test_short);
    add_both("wild-string", test_wild_string);
    add_both("side", test_side);
    add_both("describe", test_describe);
    add_both("unknown", test_unknown);
    add_both("bad-formats", test_bad_formats);
    add_both("digit", test_digit);
    add_both("bad-fields", test_bad_fields);
    return g_test_run();
}
