/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes perf.data files in memory, for tests.
 */
#include "perf_build_private.h"

#include <string.h>
#include <zstd.h>

enum {
    HEADER_SIZE = 104,
    PIPE_HEADER_SIZE = 16,
    N_FEATURES = 256,
    N_CPUS = 4,
    N_ATTRS = 3,

    RECORD_HEADER_ATTR = 64,
    RECORD_HEADER_TRACING_DATA = 66,
    RECORD_FINISHED_ROUND = 68,
    RECORD_HEADER_FEATURE = 80,
    RECORD_COMPRESSED2 = 83,
    FEATURE_TRACING_DATA = 1,
};

struct PerfBuild {
    PerfLayout layout;
    GByteArray *records;
    GByteArray *features[N_FEATURES];
    ZSTD_CCtx *zstd;
    guint32 compressed_type; /* 0: not compressing */
    gsize chunk;
    GByteArray *plain; /* what is to be compressed */
};

void perf_build_put(const PerfBuild *build, guint8 *at, guint64 value, gsize size)
{
    for (gsize i = 0; i < size; i++) {
        at[build->layout.big_endian ? size - 1 - i : i] = value >> (8 * i);
    }
}

void build_add(const PerfBuild *build, GByteArray *bytes, guint64 value, gsize size)
{
    guint8 at[8];

    perf_build_put(build, at, value, size);
    g_byte_array_append(bytes, at, size);
}

void build_add_text(GByteArray *bytes, const char *text)
{
    g_byte_array_append(bytes, (const guint8 *)text, strlen(text) + 1);
}

void build_pad(GByteArray *bytes, gsize to)
{
    static const guint8 zeros[16];

    g_byte_array_append(bytes, zeros, (to - bytes->len % to) % to);
}

/* C bit fields begin at the other end of a byte on big-endian machines. */
static void set_flag(const PerfBuild *build, guint8 *attr, guint bit)
{
    attr[40 + bit / 8] |= 1 << (build->layout.big_endian ? 7 - bit % 8 : bit % 8);
}

static void add_attr(const PerfBuild *build, GByteArray *bytes, PerfBuildAttr number)
{
    static const guint64 config[] = {TYPE_XMIT, TYPE_IRQ, 0};
    const PerfLayout *layout = &build->layout;
    g_autofree guint8 *attr = g_malloc0(layout->attr_size);

    perf_build_put(build, attr, number == ATTR_CYCLES ? 0 : 2, 4);
    perf_build_put(build, attr + 4, layout->attr_size, 4);
    perf_build_put(build, attr + 8, config[number], 8);
    perf_build_put(build, attr + 24, layout->sample_type, 8);
    perf_build_put(build, attr + 32, layout->read_group ? 4 | 8 | 16 : 1 | 4, 8);
    set_flag(build, attr, 18); /* sample_id_all */
    if (layout->use_clockid && layout->attr_size >= 96) {
        set_flag(build, attr, 25); /* use_clockid */
        perf_build_put(build, attr + 92, layout->clockid, 4);
    }
    g_byte_array_append(bytes, attr, layout->attr_size);
}

static void add_ids(const PerfBuild *build, GByteArray *bytes, PerfBuildAttr number)
{
    for (int cpu = 0; cpu < N_CPUS; cpu++) {
        build_add(build, bytes, 10 * (number + 1) + cpu, 8);
    }
}

static void add_record_header(const PerfBuild *build, GByteArray *bytes, guint32 type, guint16 misc,
                              gsize size)
{
    g_assert_cmpuint(size, <=, G_MAXUINT16);
    build_add(build, bytes, type, 4);
    build_add(build, bytes, misc, 2);
    build_add(build, bytes, size, 2);
}

static void flush_compressed(PerfBuild *build)
{
    gsize room = ZSTD_compressBound(build->chunk) + 64;
    g_autofree guint8 *block = g_malloc(room);

    while (build->plain->len > 0) {
        gsize n = MIN(build->chunk, build->plain->len);
        ZSTD_inBuffer in = {build->plain->data, n, 0};
        ZSTD_outBuffer out = {block, room, 0};
        gboolean is_new = build->compressed_type == RECORD_COMPRESSED2;
        gsize padding;

        g_assert_cmpuint(ZSTD_compressStream2(build->zstd, &out, &in, ZSTD_e_flush), ==, 0);
        padding = is_new ? (8 - out.pos % 8) % 8 : 0;
        add_record_header(build, build->records, build->compressed_type, 0,
                          8 + (is_new ? 8 : 0) + out.pos + padding);
        if (is_new) {
            build_add(build, build->records, out.pos, 8);
        }
        g_byte_array_append(build->records, block, out.pos);
        g_byte_array_append(build->records, (const guint8 *)"\0\0\0\0\0\0\0", padding);
        g_byte_array_remove_range(build->plain, 0, n);
    }
}

void perf_build_bytes(PerfBuild *build, const void *bytes, gsize len)
{
    g_byte_array_append(build->compressed_type ? build->plain : build->records, bytes, len);
}

void build_add_record(PerfBuild *build, guint32 type, guint16 misc, const GByteArray *body)
{
    g_autoptr(GByteArray) record = g_byte_array_new();

    add_record_header(build, record, type, misc, 8 + body->len);
    g_byte_array_append(record, body->data, body->len);
    perf_build_bytes(build, record->data, record->len);
}

void perf_build_compress(PerfBuild *build, guint32 type, gsize chunk)
{
    if (build->compressed_type != 0) {
        flush_compressed(build);
    }
    build->compressed_type = type;
    build->chunk = chunk;
}

static void begin_pipe(PerfBuild *build)
{
    g_autoptr(GByteArray) formats = build_tracing_data(build);

    for (int i = 0; i < build->layout.n_attrs; i++) {
        g_autoptr(GByteArray) body = g_byte_array_new();

        add_attr(build, body, i);
        add_ids(build, body, i);
        build_add_record(build, RECORD_HEADER_ATTR, 0, body);
    }
    add_record_header(build, build->records, RECORD_HEADER_TRACING_DATA, 0, 12);
    build_add(build, build->records, formats->len, 4);
    build_pad(formats, 8);
    g_byte_array_append(build->records, formats->data, formats->len);
}

PerfBuild *perf_build_new(const PerfLayout *layout)
{
    PerfBuild *build = g_new0(PerfBuild, 1);

    build->layout = *layout;
    build->layout.long_size = layout->long_size ? layout->long_size : 8;
    build->layout.attr_size = layout->attr_size ? layout->attr_size : 136;
    build->layout.sample_type = layout->sample_type ? layout->sample_type : SAMPLE_USUAL;
    build->layout.n_attrs = layout->n_attrs ? layout->n_attrs : N_ATTRS;
    build->records = g_byte_array_new();
    build->plain = g_byte_array_new();
    build->zstd = ZSTD_createCCtx();
    if (layout->is_pipe) {
        begin_pipe(build);
    } else {
        build->features[FEATURE_TRACING_DATA] = build_tracing_data(build);
    }
    return build;
}

const PerfLayout *perf_build_layout(const PerfBuild *build)
{
    return &build->layout;
}

void perf_build_free(PerfBuild *build)
{
    g_byte_array_unref(build->records);
    g_byte_array_unref(build->plain);
    for (int i = 0; i < N_FEATURES; i++) {
        g_clear_pointer(&build->features[i], g_byte_array_unref);
    }
    ZSTD_freeCCtx(build->zstd);
    g_free(build);
}

void perf_build_feature(PerfBuild *build, guint number, const void *bytes, gsize len)
{
    g_autoptr(GByteArray) body = g_byte_array_new();

    if (build->layout.is_pipe) {
        build_add(build, body, number, 8);
        g_byte_array_append(body, bytes, len);
        build_add_record(build, RECORD_HEADER_FEATURE, 0, body);
        return;
    }
    g_byte_array_append(body, bytes, len);
    g_clear_pointer(&build->features[number], g_byte_array_unref);
    build->features[number] = g_steal_pointer(&body);
}

void perf_build_string_feature(PerfBuild *build, guint number, const char *text)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    build_add(build, bytes, strlen(text) + 1 + 3, 4);
    build_add_text(bytes, text);
    g_byte_array_append(bytes, (const guint8 *)"\0\0", 3);
    perf_build_feature(build, number, bytes->data, bytes->len);
}

void perf_build_values(PerfBuild *build, guint32 type, guint16 misc, const guint64 *values,
                       gsize n_values)
{
    g_autoptr(GByteArray) body = g_byte_array_new();

    for (gsize i = 0; i < n_values; i++) {
        build_add(build, body, values[i], 8);
    }
    build_add_record(build, type, misc, body);
}

void perf_build_with_trailer(PerfBuild *build, guint32 type, guint16 misc, const guint64 *values,
                             gsize n_values, guint cpu, guint64 time)
{
    g_autoptr(GByteArray) body = g_byte_array_new();

    for (gsize i = 0; i < n_values; i++) {
        build_add(build, body, values[i], 8);
    }
    build_add(build, body, 0, 8); /* pid, tid */
    build_add(build, body, time, 8);
    build_add(build, body, cpu, 4);
    build_add(build, body, 0, 4);
    build_add(build, body, 10 * (ATTR_XMIT + 1) + cpu, 8); /* the identifier */
    build_add_record(build, type, misc, body);
}

void perf_build_round(PerfBuild *build)
{
    flush_compressed(build); /* perf writes its own records plainly */
    add_record_header(build, build->records, RECORD_FINISHED_ROUND, 0, 8);
}

static void add_magic(const PerfBuild *build, GByteArray *file)
{
    build_add(build, file, G_GUINT64_CONSTANT(0x32454c4946524550), 8);
}

/* Feature bits: an array of longs of the machine that wrote the file. */
static void add_feature_bits(const PerfBuild *build, GByteArray *file)
{
    gsize size = build->layout.long_size;

    for (gsize at = 0; at < N_FEATURES; at += 8 * size) {
        guint64 word = 0;

        for (gsize bit = 0; bit < 8 * size; bit++) {
            word |= (guint64)(build->features[at + bit] != NULL) << bit;
        }
        build_add(build, file, word, size);
    }
}

static void add_feature_sections(const PerfBuild *build, GByteArray *file)
{
    guint64 n = 0;
    guint64 at;

    for (int i = 0; i < N_FEATURES; i++) {
        n += build->features[i] != NULL;
    }
    at = file->len + 16 * n;
    for (int i = 0; i < N_FEATURES; i++) {
        if (build->features[i] != NULL) {
            build_add(build, file, at, 8);
            build_add(build, file, build->features[i]->len, 8);
            at += build->features[i]->len;
        }
    }
    for (int i = 0; i < N_FEATURES; i++) {
        if (build->features[i] != NULL) {
            g_byte_array_append(file, build->features[i]->data, build->features[i]->len);
        }
    }
}

static GByteArray *finish_pipe(PerfBuild *build)
{
    GByteArray *file = g_byte_array_new();

    add_magic(build, file);
    build_add(build, file, PIPE_HEADER_SIZE, 8);
    g_byte_array_append(file, build->records->data, build->records->len);
    return file;
}

/* Header, ids of all attributes, attributes, records, features. */
GByteArray *perf_build_finish(PerfBuild *build)
{
    const PerfLayout *layout = &build->layout;
    gsize ids_size = N_CPUS * 8;
    gsize attrs_at = HEADER_SIZE + layout->n_attrs * ids_size;
    gsize attrs_size = (layout->attr_size + 16) * layout->n_attrs;
    GByteArray *file;

    perf_build_compress(build, 0, 0);
    if (layout->is_pipe) {
        return finish_pipe(build);
    }
    file = g_byte_array_new();
    add_magic(build, file);
    build_add(build, file, HEADER_SIZE, 8);
    build_add(build, file, layout->attr_size + 16, 8);
    build_add(build, file, attrs_at, 8);
    build_add(build, file, attrs_size, 8);
    build_add(build, file, attrs_at + attrs_size, 8);
    build_add(build, file, build->records->len, 8);
    build_add(build, file, 0, 8); /* event types: not used any more */
    build_add(build, file, 0, 8);
    add_feature_bits(build, file);
    for (int i = 0; i < layout->n_attrs; i++) {
        add_ids(build, file, i);
    }
    for (int i = 0; i < layout->n_attrs; i++) {
        add_attr(build, file, i);
        build_add(build, file, HEADER_SIZE + i * ids_size, 8);
        build_add(build, file, ids_size, 8);
    }
    g_byte_array_append(file, build->records->data, build->records->len);
    add_feature_sections(build, file);
    return file;
}
