/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compressed parts of a trace.dat version 7, decompressed to the spool.
 */
#include "trace_dat.h"

#include <zstd.h>

enum {
    INPUT_STEP = 16 << 10,
    MAX_WINDOW_LOG = 25,    /* 32 MiB of memory; trace-cmd's chunks need far less */
    MAX_SECTION = 64 << 20, /* more than the formats of a kernel with all its drivers */
    MAX_RATIO = 64,         /* pages of a ring buffer shrink by about 10 */
};

typedef struct Unzip {
    TraceDat *dat;
    DatStream *stream;
    ZSTD_DStream *zstd;
    guint8 *out;
    gsize out_size;
} Unzip;

static gboolean unzip_init(Unzip *unzip, TraceDat *dat, DatStream *stream)
{
    if (dat->spool == NULL) {
        g_autoptr(GError) error = NULL;

        dat->spool = input_new_spool(dat->reader.info.path, &error);
        if (dat->spool == NULL) {
            reader_problem(&dat->reader, stream->window.offset, error->message);
            return FALSE;
        }
    }
    *unzip = (Unzip){
        .dat = dat,
        .stream = stream,
        .zstd = ZSTD_createDStream(),
        .out_size = ZSTD_DStreamOutSize(),
    };
    unzip->out = g_malloc(unzip->out_size);
    ZSTD_DCtx_setParameter(unzip->zstd, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
    return TRUE;
}

static void unzip_clear(Unzip *unzip)
{
    ZSTD_freeDStream(unzip->zstd);
    g_free(unzip->out);
}

static gboolean append(TraceDat *dat, const void *bytes, gsize len, guint64 offset)
{
    guint64 room = dat->reader.info.size * MAX_RATIO + MAX_SECTION;
    g_autoptr(GError) error = NULL;

    if (input_size(dat->spool) + len > room) {
        reader_problem(&dat->reader, offset, "compressed data grows without end; it is left out");
        return FALSE;
    }
    if (!input_append(dat->spool, bytes, len, &error)) {
        reader_problem(&dat->reader, offset, error->message);
        return FALSE;
    }
    return TRUE;
}

/* Feed one piece of input; FALSE on damage, or when more than *left comes out. */
static gboolean unzip_piece(Unzip *unzip, ZSTD_inBuffer *in, guint64 *left, gsize *ret_hint)
{
    guint64 offset = unzip->stream->window.offset;

    do {
        ZSTD_outBuffer out = {unzip->out, unzip->out_size, 0};

        *ret_hint = ZSTD_decompressStream(unzip->zstd, &out, in);
        if (ZSTD_isError(*ret_hint) || out.pos > *left) {
            return FALSE;
        }
        *left -= out.pos;
        if (out.pos > 0 && !append(unzip->dat, out.dst, out.pos, offset)) {
            return FALSE;
        }
        if (out.pos < out.size && in->pos == in->size) {
            return TRUE;
        }
    } while (*ret_hint != 0);
    return in->pos == in->size;
}

/* Decompress one frame of @len bytes that gives @expected; FALSE when it is not whole. */
static gboolean unzip_frame(Unzip *unzip, guint64 len, guint64 expected)
{
    gsize hint = 1;

    ZSTD_DCtx_reset(unzip->zstd, ZSTD_reset_session_only);
    while (len > 0) {
        Window *window = &unzip->stream->window;
        gsize there = MIN(len, window->limit - MIN(window->limit, window->offset));
        ZSTD_inBuffer in = {.size = MIN(there, INPUT_STEP)};

        in.src = in.size > 0 ? dat_stream_bytes(unzip->stream, in.size) : NULL;
        if (in.src == NULL || !unzip_piece(unzip, &in, &expected, &hint)) {
            return FALSE;
        }
        len -= in.size;
    }
    return hint == 0 && expected == 0;
}

gboolean dat_spool_section(TraceDat *dat, DatStream *stream, guint64 *ret_begin)
{
    guint64 offset = stream->window.offset;
    guint32 len, expected;
    Unzip unzip;

    if (!dat_stream_u32(stream, &len) || !dat_stream_u32(stream, &expected) ||
        expected > MAX_SECTION || !unzip_init(&unzip, dat, stream)) {
        reader_problem(&dat->reader, offset, "a compressed section cannot be read");
        return FALSE;
    }
    *ret_begin = input_size(dat->spool);
    if (!unzip_frame(&unzip, len, expected)) {
        reader_problem(&dat->reader, offset, "a compressed section is damaged or cut short");
    }
    unzip_clear(&unzip);
    return input_size(dat->spool) > *ret_begin;
}

static gboolean unzip_chunk(Unzip *unzip)
{
    guint32 len, expected;

    return dat_stream_u32(unzip->stream, &len) && dat_stream_u32(unzip->stream, &expected) &&
           unzip_frame(unzip, len, expected);
}

/* The size of a CPU's data in the file is not used: trace-cmd has written it wrong. */
gboolean dat_spool_chunks(TraceDat *dat, guint64 offset, guint64 *ret_begin)
{
    g_auto(DatStream) stream = {0};
    guint32 n_chunks = 0;
    Unzip unzip;

    dat_stream_at(dat, &stream, offset);
    if (!unzip_init(&unzip, dat, &stream)) {
        return FALSE;
    }
    *ret_begin = input_size(dat->spool);
    if (!dat_stream_u32(&stream, &n_chunks)) {
        reader_problem(&dat->reader, offset, "the file is cut short: events of a CPU are missing");
    }
    for (guint32 i = 0; i < n_chunks; i++) {
        offset = stream.window.offset;
        if (!unzip_chunk(&unzip)) {
            reader_problem(&dat->reader, offset,
                           "compressed events are damaged or cut short; the rest of a CPU's events "
                           "is missing");
            break;
        }
    }
    unzip_clear(&unzip);
    return input_size(dat->spool) > *ret_begin;
}
