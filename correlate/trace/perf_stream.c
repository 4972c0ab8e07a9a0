/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records of a perf.data file, one after the other.
 */
#include "perf_stream.h"

enum { MIN_WINDOW = 4 << 10, MAX_WINDOW = 1 << 20 };

void perf_stream_init(PerfStream *stream, Input *input, guint64 begin, guint64 end,
                      gboolean swapped)
{
    *stream = (PerfStream){.begin = begin, .swapped = swapped};
    window_init(&stream->window, input, begin, end, CLAMP(end - begin, MIN_WINDOW, MAX_WINDOW));
}

void perf_stream_clear(PerfStream *stream)
{
    window_clear(&stream->window);
}

void perf_stream_rewind(PerfStream *stream)
{
    stream->damage = NULL;
    window_seek(&stream->window, stream->begin);
}

gboolean perf_stream_end(PerfStream *stream, const char *damage)
{
    if (stream->damage == NULL && stream->window.offset < stream->window.limit) {
        stream->damage = damage;
    }
    return FALSE;
}

/* perf_event__synthesize_tracing_data(): u32 size, payload padded to 8; auxtrace: u64 size. */
gboolean perf_stream_take_tail(PerfStream *stream, PerfRecord *record)
{
    Window *window = &stream->window;
    guint64 rest = window->limit - window->offset;

    if (record->type == PERF_RECORD_HEADER_TRACING_DATA && record->size >= 12) {
        record->tail = bytes_u32(record->at + 8, stream->swapped);
        record->tail = (record->tail + 7) / 8 * 8;
    } else if (record->type == PERF_RECORD_AUXTRACE && record->size >= 16) {
        record->tail = bytes_u64(record->at + 8, stream->swapped);
    }
    if (record->tail > rest) {
        stream->damage = "the payload of a record is cut short";
        record->tail = rest;
    }
    /* Seeking keeps the buffer's bytes, so that record->at stays valid. */
    window_seek(window, window->offset + record->tail);
    return TRUE;
}
