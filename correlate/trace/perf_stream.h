/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records of a perf.data file, one after the other.
 */
#ifndef VIRTCORR_TRACE_PERF_STREAM_H
#define VIRTCORR_TRACE_PERF_STREAM_H

#include "bytes.h"
#include "input.h"

/* Record types: include/uapi/linux/perf_event.h, from 64 on tools/lib/perf/include/perf/event.h. */
typedef enum PerfRecordType {
    PERF_RECORD_LOST = 2,
    PERF_RECORD_SAMPLE = 9,
    PERF_RECORD_LOST_SAMPLES = 13,
    PERF_RECORD_HEADER_ATTR = 64,
    PERF_RECORD_HEADER_TRACING_DATA = 66,
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_ID_INDEX = 69,
    PERF_RECORD_AUXTRACE = 71,
    PERF_RECORD_TIME_CONV = 79,
    PERF_RECORD_HEADER_FEATURE = 80,
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
} PerfRecordType;

enum {
    PERF_RECORD_HEADER_SIZE = 8, /* u32 type, u16 misc, u16 size with this header */
    PERF_RECORD_MAX_SIZE = G_MAXUINT16,
};

/**
 * PerfRecord:
 * @at: the record with its header, @size bytes; valid until the next call
 * @offset: where it lies in the stream's input
 * @tail: bytes of payload that follow the record and are not in @size
 */
typedef struct PerfRecord {
    const guint8 *at;
    guint64 offset;
    guint64 tail;
    guint32 type;
    guint16 misc;
    guint16 size;
} PerfRecord;

/**
 * PerfStream:
 * @begin: offset of the first record
 * @damage: why the stream ended before its limit, NULL when it did not
 */
typedef struct PerfStream {
    Window window;
    guint64 begin;
    gboolean swapped;
    const char *damage;
} PerfStream;

void perf_stream_init(PerfStream *stream, Input *input, guint64 begin, guint64 end,
                      gboolean swapped);
void perf_stream_clear(PerfStream *stream);
void perf_stream_rewind(PerfStream *stream);

/* The rare parts of perf_stream_next(). */
gboolean perf_stream_end(PerfStream *stream, const char *damage);
gboolean perf_stream_take_tail(PerfStream *stream, PerfRecord *record);

/* The next record. At the end, and at the first record that cannot be one, FALSE. */
static inline gboolean perf_stream_next(PerfStream *stream, PerfRecord *ret_record)
{
    Window *window = &stream->window;

    if (!window_need(window, PERF_RECORD_HEADER_SIZE)) {
        return perf_stream_end(stream, "the records end in the middle of one");
    }
    ret_record->offset = window->offset;
    ret_record->type = bytes_u32(window->at, stream->swapped);
    ret_record->misc = bytes_u16(window->at + 4, stream->swapped);
    ret_record->size = bytes_u16(window->at + 6, stream->swapped);
    ret_record->tail = 0;
    if (ret_record->size < PERF_RECORD_HEADER_SIZE) {
        return perf_stream_end(stream, "a record has an impossible size; what follows is lost");
    }
    if (!window_need(window, ret_record->size)) {
        return perf_stream_end(stream, "the records end in the middle of one");
    }
    ret_record->at = window->at;
    window_skip(window, ret_record->size);
    if (ret_record->type == PERF_RECORD_HEADER_TRACING_DATA ||
        ret_record->type == PERF_RECORD_AUXTRACE) {
        return perf_stream_take_tail(stream, ret_record);
    }
    return TRUE;
}

#endif
