/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Integers and texts out of a stretch of a trace.dat, one after another.
 */
#ifndef VIRTCORR_TRACE_DAT_STREAM_H
#define VIRTCORR_TRACE_DAT_STREAM_H

#include "bytes.h"
#include "input.h"

/* Every function that reads returns FALSE, and moves nowhere, when there are not enough bytes. */
typedef struct DatStream {
    Window window;
    gboolean swapped;
} DatStream;

/* From @offset up to @limit of @input. */
void dat_stream_init(DatStream *stream, Input *input, guint64 offset, guint64 limit,
                     gboolean swapped);
void dat_stream_clear(DatStream *stream);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DatStream, dat_stream_clear)

/* The next @len bytes, which are valid until the next read; NULL if there are not so many. */
const guint8 *dat_stream_bytes(DatStream *stream, gsize len);

gboolean dat_stream_u8(DatStream *stream, guint8 *ret_value);
gboolean dat_stream_u16(DatStream *stream, guint16 *ret_value);
gboolean dat_stream_u32(DatStream *stream, guint32 *ret_value);
gboolean dat_stream_u64(DatStream *stream, guint64 *ret_value);

/* A text that ends with a NUL, at most @max bytes with it; NULL if there is none. */
char *dat_stream_text(DatStream *stream, gsize max);

/* Whether the text @expected and its NUL come next; goes past them. */
gboolean dat_stream_expect(DatStream *stream, const char *expected);

gboolean dat_stream_skip(DatStream *stream, guint64 len);

#endif
