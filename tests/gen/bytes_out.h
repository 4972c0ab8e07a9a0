/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Building the headers of trace files in memory, in the byte order of this machine.
 */
#ifndef VIRTCORR_GEN_BYTES_OUT_H
#define VIRTCORR_GEN_BYTES_OUT_H

#include <glib.h>
#include <string.h>

static inline void bytes_append(GByteArray *out, gconstpointer data, gsize size)
{
    g_byte_array_append(out, data, size);
}

static inline void bytes_append_u16(GByteArray *out, guint16 value)
{
    bytes_append(out, &value, sizeof(value));
}

static inline void bytes_append_u32(GByteArray *out, guint32 value)
{
    bytes_append(out, &value, sizeof(value));
}

static inline void bytes_append_u64(GByteArray *out, guint64 value)
{
    bytes_append(out, &value, sizeof(value));
}

/* A text after its length as u64, without its NUL. */
static inline void bytes_append_text64(GByteArray *out, const char *text)
{
    bytes_append_u64(out, strlen(text));
    bytes_append(out, text, strlen(text));
}

/* Zeros up to the next multiple of @unit. */
static inline void bytes_pad(GByteArray *out, guint unit)
{
    static const guint8 zeros[4096];

    bytes_append(out, zeros, (unit - out->len % unit) % unit);
}

#endif
