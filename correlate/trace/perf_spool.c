/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decompresses the records of a perf.data file into a temporary file.
 *
 * perf record -z puts what it reads from the kernel into records of type 81 (83 in newer perf). All
 * of them together are one zstd stream, whose content is plain records that may span two of them.
 * Its own records, such as FINISHED_ROUND, stand plainly between.
 */
#include "perf_spool.h"

#include "perf_stream.h"

#include <zstd.h>

enum {
    OUT_CAPACITY = 256 << 10,
    PART_CAPACITY = 256 << 10,
    WINDOW_LOG_MAX = 27, /* 128 MiB, what zstd's highest level uses */
    MAX_RATIO = 1000,    /* perf's own records never shrink as much */
};

/**
 * Spooler:
 * @out: what is to be appended to the spool
 * @part: decompressed bytes that are not a whole record yet
 * @rest: how many bytes the spool may still take
 */
typedef struct Spooler {
    PerfSpool *spool;
    gboolean swapped;
    ZSTD_DCtx *zstd;
    guint8 *out;
    gsize out_len;
    guint8 *part;
    gsize part_len;
    guint64 rest;
} Spooler;

static gboolean flush(Spooler *spooler, GError **error)
{
    gsize len = spooler->out_len;

    spooler->out_len = 0;
    return input_append(spooler->spool->input, spooler->out, len, error);
}

static gboolean put(Spooler *spooler, const guint8 *bytes, gsize len, GError **error)
{
    while (len > 0) {
        gsize n = MIN(len, OUT_CAPACITY - spooler->out_len);

        memcpy(spooler->out + spooler->out_len, bytes, n);
        spooler->out_len += n;
        bytes += n;
        len -= n;
        if (spooler->out_len == OUT_CAPACITY && !flush(spooler, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static void damaged(Spooler *spooler, guint64 offset, const char *damage)
{
    spooler->spool->damage = damage;
    spooler->spool->damage_offset = offset;
}

/* Pass on the whole records of @part. */
static gboolean put_whole_records(Spooler *spooler, guint64 offset, GError **error)
{
    gsize at = 0;

    while (spooler->part_len - at >= PERF_RECORD_HEADER_SIZE) {
        guint16 size = bytes_u16(spooler->part + at + 6, spooler->swapped);

        if (size < PERF_RECORD_HEADER_SIZE) {
            damaged(spooler, offset, "a compressed record has an impossible size");
            break;
        }
        if (size > spooler->part_len - at) {
            break;
        }
        at += size;
    }
    if (at > spooler->rest) {
        damaged(spooler, offset, "compressed records expand without end");
        return TRUE;
    }
    spooler->rest -= at;
    if (!put(spooler, spooler->part, at, error)) {
        return FALSE;
    }
    spooler->part_len -= at;
    memmove(spooler->part, spooler->part + at, spooler->part_len);
    return TRUE;
}

static gboolean expand(Spooler *spooler, const guint8 *bytes, gsize len, guint64 offset,
                       GError **error)
{
    ZSTD_inBuffer in = {bytes, len, 0};
    gboolean is_full = FALSE;

    while (in.pos < in.size || is_full) {
        ZSTD_outBuffer out = {spooler->part, PART_CAPACITY, spooler->part_len};
        gsize before = in.pos;
        gsize result = ZSTD_decompressStream(spooler->zstd, &out, &in);

        if (ZSTD_isError(result)) {
            damaged(spooler, offset, "compressed records are damaged; what follows is lost");
            return TRUE;
        }
        if (in.pos == before && out.pos == spooler->part_len && !is_full) {
            damaged(spooler, offset, "compressed records are damaged; what follows is lost");
            return TRUE;
        }
        is_full = out.pos == out.size;
        spooler->part_len = out.pos;
        if (!put_whole_records(spooler, offset, error)) {
            return FALSE;
        }
        if (spooler->spool->damage != NULL) {
            return TRUE;
        }
    }
    return TRUE;
}

/* Copy the payload that follows a record and is not in its size. */
static gboolean put_tail(Spooler *spooler, Input *input, const PerfRecord *record, GError **error)
{
    guint8 block[4096];
    guint64 at = record->offset + record->size;
    guint64 end = at + record->tail;

    while (at < end) {
        gsize n = input_read(input, at, block, MIN(sizeof(block), end - at));

        if (n == 0) {
            return TRUE; /* an I/O error: the stream meets it again and says so */
        }
        if (!put(spooler, block, n, error)) {
            return FALSE;
        }
        at += n;
    }
    return TRUE;
}

static gboolean is_compressed(const PerfRecord *record)
{
    return record->type == PERF_RECORD_COMPRESSED || record->type == PERF_RECORD_COMPRESSED2;
}

/* COMPRESSED: the data to the record's end; COMPRESSED2: u64 size, data, padding. */
static gboolean take_compressed(Spooler *spooler, const PerfRecord *record, GError **error)
{
    gsize head = PERF_RECORD_HEADER_SIZE;
    guint64 len = record->size - head;

    if (record->type == PERF_RECORD_COMPRESSED2) {
        head += 8;
        len = record->size >= head ? bytes_u64(record->at + 8, spooler->swapped) : G_MAXUINT64;
        if (record->size < head || len > record->size - head) {
            damaged(spooler, record->offset, "a compressed record's size is wrong");
            return TRUE;
        }
    }
    return expand(spooler, record->at + head, len, record->offset, error);
}

static gboolean take_all(Spooler *spooler, PerfStream *stream, GError **error)
{
    PerfRecord record;

    while (spooler->spool->damage == NULL && perf_stream_next(stream, &record)) {
        gboolean ok = is_compressed(&record)
                          ? take_compressed(spooler, &record, error)
                          : put(spooler, record.at, record.size, error) &&
                                put_tail(spooler, stream->window.input, &record, error);

        if (!ok) {
            return FALSE;
        }
    }
    if (spooler->spool->damage == NULL && stream->damage != NULL) {
        damaged(spooler, stream->window.offset, stream->damage);
    } else if (spooler->spool->damage == NULL && spooler->part_len > 0) {
        damaged(spooler, stream->window.offset, "the compressed records end in the middle of one");
    }
    return flush(spooler, error);
}

/* perf compresses all samples or none: what comes first tells. */
static gboolean has_compressed(PerfStream *stream)
{
    PerfRecord record;

    while (perf_stream_next(stream, &record) && record.type != PERF_RECORD_SAMPLE) {
        if (is_compressed(&record)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean spool_stream(PerfStream *stream, PerfSpool *spool, GError **error)
{
    Input *input = stream->window.input;
    Spooler spooler = {
        .spool = spool,
        .swapped = stream->swapped,
        .rest = MIN(input_size(input), G_MAXUINT64 / MAX_RATIO) * MAX_RATIO,
    };
    gboolean ok;

    spool->input = input_new_spool(input_path(input), error);
    if (spool->input == NULL) {
        return FALSE;
    }
    spooler.zstd = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(spooler.zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    spooler.out = g_malloc(OUT_CAPACITY);
    spooler.part = g_malloc(PART_CAPACITY);
    ok = take_all(&spooler, stream, error);
    g_free(spooler.part);
    g_free(spooler.out);
    ZSTD_freeDCtx(spooler.zstd);
    if (!ok) {
        g_clear_pointer(&spool->input, input_free);
    }
    return ok;
}

gboolean perf_spool_make(Input *input, guint64 begin, guint64 end, gboolean swapped,
                         PerfSpool *ret_spool, GError **error)
{
    PerfStream stream;
    gboolean ok = TRUE;

    *ret_spool = (PerfSpool){0};
    perf_stream_init(&stream, input, begin, end, swapped);
    if (has_compressed(&stream)) {
        perf_stream_rewind(&stream);
        ok = spool_stream(&stream, ret_spool, error);
    }
    perf_stream_clear(&stream);
    return ok;
}
