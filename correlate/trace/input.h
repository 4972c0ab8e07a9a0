/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes of a file through bounded windows: the one checked way in for every reader.
 */
#ifndef VIRTCORR_TRACE_INPUT_H
#define VIRTCORR_TRACE_INPUT_H

#include <glib.h>

/**
 * Input: a file that can be read at any offset.
 *
 * Files are read, not mapped: a file that is cut short while it is read must not kill a root user's
 * program with SIGBUS, and the memory in use must not grow with the file.
 */
typedef struct Input Input;

/* Open @path; a pipe or "-" (standard input) is copied to an unlinked temporary file first. */
Input *input_open(const char *path, GError **error);

/* An empty unlinked temporary file to spool decompressed data to. */
Input *input_new_spool(const char *path, GError **error);

/* Append @len bytes to a spool. */
gboolean input_append(Input *input, const void *bytes, gsize len, GError **error);

void input_free(Input *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Input, input_free)

/* The name for messages. */
const char *input_path(const Input *input);

/* Size in bytes when it was opened (or appended to). */
guint64 input_size(const Input *input);

/* Read up to @len bytes at @offset; less at the end of the file or on an I/O error. */
gsize input_read(const Input *input, guint64 offset, void *ret_bytes, gsize len);

/**
 * Window: a moving view into an input.
 * @at, @end: bytes that are there now
 *
 * Invariant: @offset is the file offset of @at.
 */
typedef struct Window {
    const guint8 *at;
    const guint8 *end;
    guint64 offset;
    Input *input;
    guint8 *buffer;
    gsize capacity;
    guint64 limit;
} Window;

/* A view of @input from @offset up to @limit, with a buffer of at least @capacity bytes. */
void window_init(Window *window, Input *input, guint64 offset, guint64 limit, gsize capacity);
void window_clear(Window *window);

/* Move to @offset and drop what is buffered. */
void window_seek(Window *window, guint64 offset);

/* Slow path of window_need(): refill so that @len bytes are there; grows the buffer if it must. */
gboolean window_refill(Window *window, gsize len);

/* Whether @len bytes can be read at window->at. @len must be checked against a limit first. */
static inline gboolean window_need(Window *window, gsize len)
{
    return (gsize)(window->end - window->at) >= len || window_refill(window, len);
}

/* Go @len bytes forward, which window_need() has granted. */
static inline void window_skip(Window *window, gsize len)
{
    window->at += len;
    window->offset += len;
}

#endif
