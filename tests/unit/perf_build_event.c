/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes perf.data files in memory: formats and samples of events.
 */
#include "perf_build_private.h"

#include <string.h>

enum { IP = 0x1000, RECORD_SAMPLE = 9 };

static void add_sized_text(const PerfBuild *build, GByteArray *bytes, const char *text)
{
    build_add(build, bytes, strlen(text), 8);
    g_byte_array_append(bytes, (const guint8 *)text, strlen(text));
}

static const char common_fields[] =
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static char *xmit_format(const PerfBuild *build)
{
    int ptr = perf_build_layout(build)->long_size;

    return g_strdup_printf("name: net_dev_xmit\nID: %d\nformat:\n%s"
                           "\tfield:void * skbaddr;\toffset:8;\tsize:%d;\tsigned:0;\n"
                           "\tfield:unsigned int len;\toffset:%d;\tsize:4;\tsigned:0;\n"
                           "\tfield:int rc;\toffset:%d;\tsize:4;\tsigned:1;\n"
                           "\tfield:__data_loc char[] name;\toffset:%d;\tsize:4;\tsigned:0;\n"
                           "\nprint fmt: \"\"\n",
                           TYPE_XMIT, common_fields, ptr, 8 + ptr, 12 + ptr, 16 + ptr);
}

static char *irq_format(void)
{
    return g_strdup_printf("name: irq_handler_entry\nID: %d\nformat:\n%s"
                           "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
                           "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
                           "\nprint fmt: \"\"\n",
                           TYPE_IRQ, common_fields);
}

GByteArray *build_tracing_data(const PerfBuild *build)
{
    static const guint8 magic[] = {0x17, 0x08, 0x44};
    g_autofree char *xmit = xmit_format(build);
    g_autofree char *irq = irq_format();
    GByteArray *bytes = g_byte_array_new();

    g_byte_array_append(bytes, magic, sizeof(magic));
    g_byte_array_append(bytes, (const guint8 *)"tracing", 7);
    build_add_text(bytes, "0.6");
    build_add(build, bytes, perf_build_layout(build)->big_endian, 1);
    build_add(build, bytes, perf_build_layout(build)->long_size, 1);
    build_add(build, bytes, 4096, 4);
    build_add_text(bytes, "header_page");
    add_sized_text(build, bytes, "page");
    build_add_text(bytes, "header_event");
    add_sized_text(build, bytes, "event");
    build_add(build, bytes, 0, 4); /* formats of ftrace */
    build_add(build, bytes, 2, 4); /* systems */
    build_add_text(bytes, "net");
    build_add(build, bytes, 1, 4);
    add_sized_text(build, bytes, xmit);
    build_add_text(bytes, "irq");
    build_add(build, bytes, 1, 4);
    add_sized_text(build, bytes, irq);
    build_add(build, bytes, 0, 4); /* kallsyms */
    build_add(build, bytes, 0, 4); /* printk formats */
    build_add(build, bytes, 0, 8); /* saved cmdlines */
    return bytes;
}

/* A group of two values with their ids and losses, or value, enabled time and id. */
static void add_read(const PerfBuild *build, GByteArray *body)
{
    gsize n = perf_build_layout(build)->read_group ? 7 : 3;

    for (gsize i = 0; i < n; i++) {
        build_add(build, body, i == 0 && perf_build_layout(build)->read_group ? 2 : 5000 + i, 8);
    }
}

static void add_callchain(const PerfBuild *build, GByteArray *body)
{
    enum { DEPTH = 3 };

    build_add(build, body, DEPTH, 8);
    for (int i = 0; i < DEPTH; i++) {
        build_add(build, body, 6000 + i, 8);
    }
}

static void add_raw(const PerfBuild *build, GByteArray *body, const GByteArray *raw)
{
    build_add(build, body, (4 + raw->len + 7) / 8 * 8 - 4, 4);
    g_byte_array_append(body, raw->data, raw->len);
    build_pad(body, 8);
}

/* The members in the order of the format. */
static void add_sample(PerfBuild *build, PerfBuildAttr attr, guint cpu, guint64 time, guint32 tid,
                       const GByteArray *raw)
{
    const guint64 id = 10 * (attr + 1) + cpu;
    const struct {
        guint64 bit;
        guint64 value;
        guint32 second; /* of a pair of u32 */
        gsize size;
    } members[] = {
        {SAMPLE_IDENTIFIER, id, 0, 8}, {SAMPLE_IP, IP, 0, 8}, {SAMPLE_TID, tid + 1000, tid, 4},
        {SAMPLE_TIME, time, 0, 8},     {SAMPLE_ID, id, 0, 8}, {SAMPLE_CPU, cpu, 0xdead, 4},
        {SAMPLE_PERIOD, 1, 0, 8},
    };
    g_autoptr(GByteArray) body = g_byte_array_new();

    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        if (perf_build_layout(build)->sample_type & members[i].bit) {
            build_add(build, body, members[i].value, members[i].size);
            build_add(build, body, members[i].second, 8 - members[i].size);
        }
    }
    if (perf_build_layout(build)->sample_type & SAMPLE_READ) {
        add_read(build, body);
    }
    if (perf_build_layout(build)->sample_type & SAMPLE_CALLCHAIN) {
        add_callchain(build, body);
    }
    if (perf_build_layout(build)->sample_type & SAMPLE_RAW) {
        add_raw(build, body, raw);
    }
    build_add_record(build, RECORD_SAMPLE, 0, body);
}

static GByteArray *raw_new(const PerfBuild *build, guint16 type, guint32 pid)
{
    GByteArray *raw = g_byte_array_new();

    build_add(build, raw, type, 2);
    build_add(build, raw, 0, 2);
    build_add(build, raw, pid, 4);
    return raw;
}

static void add_name(const PerfBuild *build, GByteArray *raw, const char *name)
{
    gsize len = strlen(name) + 1;

    build_add(build, raw, len << 16 | (raw->len + 4), 4); /* __data_loc */
    build_add_text(raw, name);
}

void perf_build_xmit(PerfBuild *build, guint cpu, guint64 time, guint32 tid, guint64 skb,
                     guint32 len)
{
    g_autoptr(GByteArray) raw = raw_new(build, TYPE_XMIT, 99);

    build_add(build, raw, skb, perf_build_layout(build)->long_size);
    build_add(build, raw, len, 4);
    build_add(build, raw, 0, 4);
    add_name(build, raw, "eth0");
    add_sample(build, ATTR_XMIT, cpu, time, tid, raw);
}

void perf_build_irq(PerfBuild *build, guint cpu, guint64 time, guint32 irq)
{
    g_autoptr(GByteArray) raw = raw_new(build, TYPE_IRQ, 0);

    build_add(build, raw, irq, 4);
    add_name(build, raw, "virtio0-input.0");
    add_sample(build, ATTR_IRQ, cpu, time, 0, raw);
}

void perf_build_cycles(PerfBuild *build, guint cpu, guint64 time)
{
    g_autoptr(GByteArray) raw = raw_new(build, TYPE_XMIT, 0);

    add_sample(build, ATTR_CYCLES, cpu, time, 0, raw);
}
