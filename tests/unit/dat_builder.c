/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Builds trace.dat files, for tests and as seeds for fuzzing.
 */
#include "dat_builder.h"

#include <string.h>
#include <zstd.h>

enum { XMIT_SIZE = 36, IRQ_SIZE = 40, MAX_OUT = 64 << 10 };

#define COMMON                                                                                     \
    "format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                 \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char xmit_format[] =
    "name: net_dev_xmit\nID: 1500\n" COMMON
    "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
    "\tfield:unsigned int len;\toffset:16;\tsize:4;\tsigned:0;\n"
    "\tfield:int rc;\toffset:20;\tsize:4;\tsigned:1;\n"
    "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"
    "\nprint fmt: \"len=%u\", REC->len\n";

static const char irq_format[] =
    "name: irq_handler_entry\nID: 77\n" COMMON "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
    "\nprint fmt: \"irq=%d\", REC->irq\n";

static const char print_format[] =
    "name: print\nID: 5\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
    "\nprint fmt: \"%s\", REC->buf\n";

static void set_number(gboolean big_endian, guint8 *at, guint64 value, gsize size)
{
    for (gsize i = 0; i < size; i++) {
        at[big_endian ? size - 1 - i : i] = value >> (8 * i);
    }
}

static void put(GByteArray *out, const DatVariant *variant, guint64 value, gsize size)
{
    g_byte_array_set_size(out, out->len + size);
    set_number(variant->big_endian, out->data + out->len - size, value, size);
}

static void put_text(GByteArray *out, const char *text)
{
    g_byte_array_append(out, (const guint8 *)text, strlen(text) + 1);
}

static gsize data_offset(const DatPages *pages)
{
    return 8 + pages->variant->long_size;
}

static guint8 *page_at(DatPages *pages, gsize offset)
{
    return pages->bytes->data + pages->bytes->len - DAT_PAGE_SIZE + offset;
}

void dat_pages_init(DatPages *pages, const DatVariant *variant)
{
    *pages = (DatPages){.variant = variant, .bytes = g_byte_array_new()};
}

void dat_pages_clear(DatPages *pages)
{
    g_byte_array_unref(pages->bytes);
}

void dat_pages_commit(DatPages *pages, guint64 commit)
{
    set_number(pages->variant->big_endian, page_at(pages, 8), commit, pages->variant->long_size);
}

void dat_pages_begin(DatPages *pages, guint64 time)
{
    gsize len = pages->bytes->len;

    g_byte_array_set_size(pages->bytes, len + DAT_PAGE_SIZE);
    memset(pages->bytes->data + len, 0, DAT_PAGE_SIZE);
    set_number(pages->variant->big_endian, page_at(pages, 0), time, 8);
    pages->used = 0;
}

void dat_pages_missed(DatPages *pages, guint64 n_missed, gboolean is_stored)
{
    dat_pages_commit(pages, pages->used | 1u << 31 | (is_stored ? 1u << 30 : 0));
    if (is_stored) {
        set_number(pages->variant->big_endian, page_at(pages, data_offset(pages) + pages->used),
                   n_missed, pages->variant->long_size);
    }
}

void dat_pages_word(DatPages *pages, guint32 word)
{
    set_number(pages->variant->big_endian, page_at(pages, data_offset(pages) + pages->used), word,
               4);
    pages->used += 4;
    dat_pages_commit(pages, pages->used);
}

void dat_pages_head(DatPages *pages, guint32 type, guint32 delta)
{
    dat_pages_word(pages, pages->variant->big_endian ? type << 27 | delta : type | delta << 5);
}

static guint8 *add_record(DatPages *pages, guint32 delta, guint16 id, gsize size)
{
    guint8 *at;

    dat_pages_head(pages, size / 4, delta);
    at = page_at(pages, data_offset(pages) + pages->used);
    pages->used += size;
    dat_pages_commit(pages, pages->used);
    set_number(pages->variant->big_endian, at, id, 2);
    set_number(pages->variant->big_endian, at + 4, 812, 4);
    return at;
}

/* The word that locates a string, and the string. */
static void set_string(const DatPages *pages, guint8 *record, gsize at, gsize to, const char *text)
{
    gsize len = strlen(text) + 1;

    set_number(pages->variant->big_endian, record + at, len << 16 | to, 4);
    memcpy(record + to, text, len);
}

void dat_pages_xmit(DatPages *pages, guint32 delta, guint64 skb, const char *device)
{
    guint8 *record = add_record(pages, delta, DAT_XMIT_ID, XMIT_SIZE);

    set_number(pages->variant->big_endian, record + 8, skb, 8);
    set_number(pages->variant->big_endian, record + 16, 98, 4);
    set_string(pages, record, 24, 28, device);
}

void dat_pages_irq(DatPages *pages, guint32 delta, guint32 irq, const char *action)
{
    guint8 *record = add_record(pages, delta, DAT_IRQ_ID, IRQ_SIZE);

    set_number(pages->variant->big_endian, record + 8, irq, 4);
    set_string(pages, record, 12, 16, action);
}

static void put_sized(GByteArray *out, const DatVariant *variant, const char *text)
{
    put(out, variant, strlen(text), 8);
    g_byte_array_append(out, (const guint8 *)text, strlen(text));
}

static void put_header_info(GByteArray *out, const DatVariant *variant)
{
    g_autofree char *page = g_strdup_printf(
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
        "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
        "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
        "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
        variant->long_size, 8 + variant->long_size, DAT_PAGE_SIZE - 8 - variant->long_size);

    put_text(out, "header_page");
    put_sized(out, variant, page);
    put_text(out, "header_event");
    put_sized(out, variant, "# compressed entry header\n");
}

static void put_ftrace_events(GByteArray *out, const DatVariant *variant)
{
    put(out, variant, 1, 4);
    put_sized(out, variant, print_format);
}

static void put_event_formats(GByteArray *out, const DatVariant *variant)
{
    put(out, variant, 2, 4);
    put_text(out, "net");
    put(out, variant, 1, 4);
    put_sized(out, variant, xmit_format);
    put_text(out, "irq");
    put(out, variant, 1, 4);
    put_sized(out, variant, irq_format);
}

static void put_option_text(GByteArray *out, const DatVariant *variant, guint16 id,
                            const char *text)
{
    put(out, variant, id, 2);
    put(out, variant, strlen(text) + 1, 4);
    put_text(out, text);
}

static void put_options(GByteArray *out, const DatVariant *variant)
{
    g_autofree char *clock =
        g_strdup_printf("global [%s] counter", variant->clock ? variant->clock : "local");

    put_option_text(out, variant, 4, clock);
    put_option_text(out, variant, 5, "Linux vm1 6.12.0-test x86_64");
    put_option_text(out, variant, 99, "an option of tomorrow");
    put(out, variant, 14, 2);
    put(out, variant, 16, 4);
    put(out, variant, 878169879, 4);
    put(out, variant, 31, 4);
    put(out, variant, 0, 8);
}

static void align_page(GByteArray *out)
{
    gsize len = out->len;

    g_byte_array_set_size(out, (len + DAT_PAGE_SIZE - 1) & ~(DAT_PAGE_SIZE - 1));
    memset(out->data + len, 0, out->len - len);
}

/* Offsets that are not known yet are put as 0 and set when they are. */
static void set_here(GByteArray *out, const DatVariant *variant, gsize at)
{
    set_number(variant->big_endian, out->data + at, out->len, 8);
}

static void put_v6_table(GByteArray *out, const DatVariant *variant, const DatInstance *instance)
{
    gsize table;

    put_text(out, "flyrecord");
    table = out->len;
    for (guint i = 0; i < instance->n_cpus; i++) {
        put(out, variant, 0, 8);
        put(out, variant, instance->cpus[i].bytes->len, 8);
    }
    for (guint i = 0; i < instance->n_cpus; i++) {
        align_page(out);
        set_here(out, variant, table + 16 * i);
        g_byte_array_append(out, instance->cpus[i].bytes->data, instance->cpus[i].bytes->len);
    }
}

static void build_v6(GByteArray *out, const DatVariant *variant, const DatInstance *instances,
                     guint n)
{
    g_autofree gsize *offsets = g_new0(gsize, n);

    put_header_info(out, variant);
    put_ftrace_events(out, variant);
    put_event_formats(out, variant);
    put(out, variant, 0, 4);
    put(out, variant, 0, 4);
    put(out, variant, 0, 8);
    put(out, variant, instances[0].n_cpus, 4);
    put_text(out, "options  ");
    put_options(out, variant);
    for (guint i = 1; i < n; i++) {
        put(out, variant, 3, 2);
        put(out, variant, 8 + strlen(instances[i].name) + 1, 4);
        offsets[i] = out->len;
        put(out, variant, 0, 8);
        put_text(out, instances[i].name);
    }
    put(out, variant, 0, 2);
    for (guint i = 0; i < n; i++) {
        if (i > 0) {
            set_here(out, variant, offsets[i]);
        }
        put_v6_table(out, variant, &instances[i]);
    }
}

static void put_compressed(GByteArray *out, const DatVariant *variant, const GByteArray *content)
{
    guint8 packed[MAX_OUT];
    gsize len = ZSTD_compress(packed, sizeof(packed), content->data, content->len, 3);

    g_assert_false(ZSTD_isError(len));
    put(out, variant, len, 4);
    put(out, variant, content->len, 4);
    g_byte_array_append(out, packed, len);
}

static void put_section_header(GByteArray *out, const DatVariant *variant, guint16 id, guint64 size)
{
    put(out, variant, id, 2);
    put(out, variant, variant->zstd, 2);
    put(out, variant, 0, 4);
    put(out, variant, size, 8);
}

/* Returns its offset. */
static gsize put_section(GByteArray *out, const DatVariant *variant, guint16 id,
                         void (*put_content)(GByteArray *, const DatVariant *))
{
    g_autoptr(GByteArray) content = g_byte_array_new();
    g_autoptr(GByteArray) packed = g_byte_array_new();
    gsize offset = out->len;

    put_content(content, variant);
    if (variant->zstd) {
        put_compressed(packed, variant, content);
    } else {
        g_byte_array_append(packed, content->data, content->len);
    }
    put_section_header(out, variant, id, packed->len);
    g_byte_array_append(out, packed->data, packed->len);
    return offset;
}

static void put_offset_option(GByteArray *out, const DatVariant *variant, guint16 id, gsize offset)
{
    put(out, variant, id, 2);
    put(out, variant, 8, 4);
    put(out, variant, offset, 8);
}

/* The chunks of a CPU, one a page. */
static void put_chunks(GByteArray *out, const DatVariant *variant, const GByteArray *pages)
{
    put(out, variant, pages->len / DAT_PAGE_SIZE, 4);
    for (gsize at = 0; at < pages->len; at += DAT_PAGE_SIZE) {
        GByteArray page = {pages->data + at, DAT_PAGE_SIZE};

        put_compressed(out, variant, &page);
    }
}

/* The events of an instance, and the BUFFER option for it in @options. */
static void put_instance(GByteArray *out, GByteArray *options, const DatVariant *variant,
                         const DatInstance *instance)
{
    gsize option = options->len;
    gsize header = out->len;

    put(options, variant, 3, 2);
    put(options, variant, 0, 4);
    put(options, variant, out->len, 8);
    put_text(options, instance->name);
    put_text(options, instance->clock  ? instance->clock
                      : variant->clock ? variant->clock
                                       : "local");
    put(options, variant, DAT_PAGE_SIZE, 4);
    put(options, variant, instance->n_cpus, 4);
    put_section_header(out, variant, 3, 0);
    for (guint i = 0; i < instance->n_cpus; i++) {
        gsize begin;

        if (!variant->zstd) {
            align_page(out);
        }
        begin = out->len;
        if (variant->zstd) {
            put_chunks(out, variant, instance->cpus[i].bytes);
        } else {
            g_byte_array_append(out, instance->cpus[i].bytes->data, instance->cpus[i].bytes->len);
        }
        put(options, variant, i, 4);
        put(options, variant, begin, 8);
        put(options, variant, out->len - begin, 8);
    }
    set_number(variant->big_endian, out->data + header + 8, out->len - header - 16, 8);
    set_number(variant->big_endian, options->data + option + 2, options->len - option - 6, 4);
}

/* The options come in two sections: what trace-cmd knows first, and where the events are. */
static void build_v7(GByteArray *out, const DatVariant *variant, const DatInstance *instances,
                     guint n)
{
    DatVariant plain = *variant;
    g_autoptr(GByteArray) first = g_byte_array_new();
    g_autoptr(GByteArray) second = g_byte_array_new();
    gsize first_offset, next;

    plain.zstd = FALSE;
    put_text(out, variant->algorithm ? variant->algorithm : variant->zstd ? "zstd" : "none");
    put_text(out, "1.0");
    first_offset = out->len;
    put(out, variant, 0, 8);
    put_offset_option(first, variant, 16, put_section(out, variant, 16, put_header_info));
    put_offset_option(first, variant, 17, put_section(out, variant, 17, put_ftrace_events));
    put_offset_option(first, variant, 18, put_section(out, variant, 18, put_event_formats));
    put_options(first, variant);
    put_offset_option(first, variant, 0, 0);
    set_here(out, variant, first_offset);
    put_section_header(out, &plain, 0, first->len);
    g_byte_array_append(out, first->data, first->len);
    next = out->len - 8;
    for (guint i = 0; i < n; i++) {
        put_instance(out, second, variant, &instances[i]);
    }
    put_offset_option(second, variant, 0, 0);
    set_here(out, variant, next);
    put_section_header(out, &plain, 0, second->len);
    g_byte_array_append(out, second->data, second->len);
}

GByteArray *dat_build(const DatVariant *variant, const DatInstance *instances, guint n)
{
    static const guint8 magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
    GByteArray *out = g_byte_array_new();
    g_autofree char *version = g_strdup_printf("%u", variant->version);

    g_byte_array_append(out, magic, sizeof(magic));
    put_text(out, version);
    put(out, variant, variant->big_endian, 1);
    put(out, variant, variant->long_size, 1);
    put(out, variant, DAT_PAGE_SIZE, 4);
    if (variant->version == 6) {
        build_v6(out, variant, instances, n);
    } else {
        build_v7(out, variant, instances, n);
    }
    return out;
}
