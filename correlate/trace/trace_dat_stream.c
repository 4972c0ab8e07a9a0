/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Integers and texts out of a stretch of a trace.dat, one after another.
 */
#include "trace_dat_stream.h"

enum { STREAM_BUFFER = 64 << 10 };

void dat_stream_init(DatStream *stream, Input *input, guint64 offset, guint64 limit,
                     gboolean swapped)
{
    window_init(&stream->window, input, offset, limit, STREAM_BUFFER);
    stream->swapped = swapped;
}

void dat_stream_clear(DatStream *stream)
{
    window_clear(&stream->window);
}

const guint8 *dat_stream_bytes(DatStream *stream, gsize len)
{
    const guint8 *at;

    if (!window_need(&stream->window, len)) {
        return NULL;
    }
    at = stream->window.at;
    window_skip(&stream->window, len);
    return at;
}

gboolean dat_stream_u8(DatStream *stream, guint8 *ret_value)
{
    const guint8 *at = dat_stream_bytes(stream, sizeof(*ret_value));

    *ret_value = at ? *at : 0;
    return at != NULL;
}

gboolean dat_stream_u16(DatStream *stream, guint16 *ret_value)
{
    const guint8 *at = dat_stream_bytes(stream, sizeof(*ret_value));

    *ret_value = at ? bytes_u16(at, stream->swapped) : 0;
    return at != NULL;
}

gboolean dat_stream_u32(DatStream *stream, guint32 *ret_value)
{
    const guint8 *at = dat_stream_bytes(stream, sizeof(*ret_value));

    *ret_value = at ? bytes_u32(at, stream->swapped) : 0;
    return at != NULL;
}

gboolean dat_stream_u64(DatStream *stream, guint64 *ret_value)
{
    const guint8 *at = dat_stream_bytes(stream, sizeof(*ret_value));

    *ret_value = at ? bytes_u64(at, stream->swapped) : 0;
    return at != NULL;
}

char *dat_stream_text(DatStream *stream, gsize max)
{
    Window *window = &stream->window;

    for (gsize len = 1; len <= max && window_need(window, len); len++) {
        if (window->at[len - 1] == '\0') {
            return g_strdup((const char *)dat_stream_bytes(stream, len));
        }
    }
    return NULL;
}

gboolean dat_stream_expect(DatStream *stream, const char *expected)
{
    gsize len = strlen(expected) + 1;

    if (!window_need(&stream->window, len) || memcmp(stream->window.at, expected, len) != 0) {
        return FALSE;
    }
    window_skip(&stream->window, len);
    return TRUE;
}

gboolean dat_stream_skip(DatStream *stream, guint64 len)
{
    Window *window = &stream->window;

    if (window->offset > window->limit || len > window->limit - window->offset) {
        return FALSE;
    }
    if (len <= (guint64)(window->end - window->at)) {
        window_skip(window, len);
    } else {
        window_seek(window, window->offset + len);
    }
    return TRUE;
}
