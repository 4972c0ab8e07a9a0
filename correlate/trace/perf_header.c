/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The header of a perf.data file and the sections it names.
 *
 * Layout: tools/perf/Documentation/perf.data-file-format.txt and tools/perf/util/header.c.
 */
#include "perf_header.h"

#include "trace/source.h"

enum {
    HEADER_SIZE = 104,
    HEADER_SIZE_NO_FEATURES = 72,
    PIPE_HEADER_SIZE = 16,
    SECTION_SIZE = 16,
    FEATURES_AT = 72,
    MIN_ATTR_SIZE = 64,
    IDS_BLOCK = 4096,
};

/* The magic number of version 2 is a u64, so that it also tells the byte order. */
static const char magic_little[] = "PERFILE2";
static const char magic_big[] = "2ELIFREP";
static const char magic_v1[] = "PERFFILE";
static const char magic_v1_big[] = "ELIFFREP";

static gboolean has_magic(const guint8 *bytes, const char *magic)
{
    return memcmp(bytes, magic, PERF_MAGIC_SIZE) == 0;
}

gboolean perf_header_probe(const guint8 *bytes, gsize len)
{
    return len >= PERF_MAGIC_SIZE &&
           (has_magic(bytes, magic_little) || has_magic(bytes, magic_big) ||
            has_magic(bytes, magic_v1) || has_magic(bytes, magic_v1_big));
}

static PerfSection take_section(const guint8 *bytes, gboolean swapped)
{
    return (PerfSection){
        .offset = bytes_u64(bytes, swapped),
        .size = bytes_u64(bytes + 8, swapped),
    };
}

static gboolean feature_test(const guint8 features[32], guint number)
{
    return (features[number / 8] >> (number % 8)) & 1;
}

static void order_bits(guint8 ret_features[32], const guint8 *bytes, gsize long_size)
{
    for (gsize at = 0; at < 32; at++) {
        ret_features[at] = bytes[at ^ (long_size - 1)];
    }
}

/*
 * The bits are an array of unsigned long of the machine that wrote it: bytes in memory order are
 * right for little-endian ones. Big-endian ones differ by the size of a long, which the file does
 * not say; perf always sets HOSTNAME, so that shows which one is right.
 */
static void take_features(PerfHeader *header, const guint8 *bytes)
{
    guint8 of_32_bit[32];

    if (!header->big_endian) {
        memcpy(header->features, bytes, sizeof(header->features));
        return;
    }
    order_bits(header->features, bytes, 8);
    order_bits(of_32_bit, bytes, 4);
    if (!feature_test(header->features, PERF_FEATURE_HOSTNAME) &&
        feature_test(of_32_bit, PERF_FEATURE_HOSTNAME)) {
        memcpy(header->features, of_32_bit, sizeof(header->features));
    }
}

/* Bring the section of records into the file: perf that was killed leaves its size 0. */
static void clip_data(PerfHeader *header, guint64 file_size)
{
    guint64 rest = header->data.offset < file_size ? file_size - header->data.offset : 0;

    if (header->data.size == 0) {
        header->damage = "perf did not finish the file, so that event formats are missing: stop "
                         "it with SIGINT, or record to a pipe (-o -)";
    } else if (header->data.size > rest) {
        header->damage = "the file is cut short, so that event formats are missing: copy it again";
    }
    if (header->damage != NULL) {
        header->data.size = rest;
    }
}

static gboolean take_file_header(PerfHeader *header, const guint8 *bytes, gsize len, Input *input,
                                 GError **error)
{
    guint64 size = bytes_u64(bytes + 8, header->swapped);

    if (len < HEADER_SIZE || size < HEADER_SIZE_NO_FEATURES) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_CORRUPT,
                    "%s: the perf.data header is damaged; record again", input_path(input));
        return FALSE;
    }
    header->attr_size = bytes_u64(bytes + 16, header->swapped);
    header->attrs = take_section(bytes + 24, header->swapped);
    header->data = take_section(bytes + 40, header->swapped);
    if (size >= HEADER_SIZE) {
        take_features(header, bytes + FEATURES_AT);
    }
    clip_data(header, input_size(input));
    return TRUE;
}

gboolean perf_header_read(Input *input, PerfHeader *ret_header, GError **error)
{
    guint8 bytes[HEADER_SIZE] = {0};
    gsize len = input_read(input, 0, bytes, sizeof(bytes));

    *ret_header = (PerfHeader){.big_endian = has_magic(bytes, magic_big)};
    ret_header->swapped = ret_header->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
    if (has_magic(bytes, magic_v1) || has_magic(bytes, magic_v1_big)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                    "%s: perf.data of version 1, which only very old perf writes; record with a "
                    "newer one",
                    input_path(input));
        return FALSE;
    }
    if (len >= PIPE_HEADER_SIZE && bytes_u64(bytes + 8, ret_header->swapped) == PIPE_HEADER_SIZE) {
        ret_header->is_pipe = TRUE;
        ret_header->data = (PerfSection){PIPE_HEADER_SIZE, input_size(input) - PIPE_HEADER_SIZE};
        return TRUE;
    }
    return take_file_header(ret_header, bytes, len, input, error);
}

/* Whether @section lies in the file. */
static gboolean section_fits(const PerfSection *section, Input *input)
{
    guint64 size = input_size(input);

    return section->offset <= size && section->size <= size - section->offset;
}

static void load_ids(const PerfSection *ids, Input *input, PerfMeta *meta)
{
    guint8 block[IDS_BLOCK];
    guint64 end = ids->offset + MIN(ids->size, PERF_MAX_IDS * 8);

    for (guint64 at = ids->offset; at < end; at += sizeof(block)) {
        gsize len = input_read(input, at, block, MIN(sizeof(block), end - at));

        perf_meta_ids(meta, block, len, at);
    }
}

/* An entry is a perf_event_attr, of whatever size the writer's has, and the section of its ids. */
static void load_attr(const PerfHeader *header, guint64 offset, Input *input, PerfMeta *meta)
{
    guint8 entry[PERF_MAX_ATTR_SIZE];
    gsize attr_size = header->attr_size - SECTION_SIZE;
    gsize size;
    PerfSection ids;

    if (input_read(input, offset, entry, header->attr_size) < header->attr_size) {
        reader_problem(meta->reader, offset, "the event attributes are cut short");
        return;
    }
    size = perf_attr_size(entry, attr_size, header->swapped);
    perf_meta_attr(meta, entry, size ? size : attr_size, offset);
    ids = take_section(entry + attr_size, header->swapped);
    if (!section_fits(&ids, input)) {
        reader_problem(meta->reader, offset + attr_size, "the ids of an event are not in the file");
        return;
    }
    load_ids(&ids, input, meta);
}

static void load_attrs(const PerfHeader *header, Input *input, PerfMeta *meta)
{
    guint64 n;

    if (header->attr_size < MIN_ATTR_SIZE + SECTION_SIZE ||
        header->attr_size > PERF_MAX_ATTR_SIZE || !section_fits(&header->attrs, input)) {
        reader_problem(meta->reader, header->attrs.offset, "the event attributes are damaged");
        return;
    }
    n = MIN(header->attrs.size / header->attr_size, PERF_MAX_ATTRS);
    for (guint64 i = 0; i < n; i++) {
        load_attr(header, header->attrs.offset + i * header->attr_size, input, meta);
    }
}

/* After the records: one section for each feature bit that is set, in the bits' order. */
static void load_features(const PerfHeader *header, Input *input, PerfMeta *meta)
{
    guint64 at = header->data.offset + header->data.size;

    for (guint number = 0; number < PERF_FEATURES; number++) {
        guint8 bytes[SECTION_SIZE];
        PerfSection section;

        if (!feature_test(header->features, number)) {
            continue;
        }
        if (input_read(input, at, bytes, sizeof(bytes)) < sizeof(bytes)) {
            reader_problem(meta->reader, at, "the header features are cut short");
            return;
        }
        section = take_section(bytes, header->swapped);
        if (section_fits(&section, input)) {
            perf_meta_feature(meta, number, input, section.offset, section.size);
        } else {
            reader_problem(meta->reader, at, "a header feature is damaged; it is left out");
        }
        at += sizeof(bytes);
    }
}

void perf_header_load(const PerfHeader *header, Input *input, PerfMeta *meta)
{
    if (header->is_pipe) {
        return;
    }
    load_attrs(header, input, meta);
    if (header->damage != NULL) {
        reader_problem(meta->reader, header->data.offset, header->damage);
        return;
    }
    load_features(header, input, meta);
}
