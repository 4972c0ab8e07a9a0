/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Integers of either byte order out of unaligned bytes.
 */
#ifndef VIRTCORR_TRACE_BYTES_H
#define VIRTCORR_TRACE_BYTES_H

#include <glib.h>
#include <string.h>

static inline guint16 bytes_u16(const guint8 *at, gboolean swapped)
{
    guint16 v;

    memcpy(&v, at, sizeof(v));
    return swapped ? GUINT16_SWAP_LE_BE(v) : v;
}

static inline guint32 bytes_u32(const guint8 *at, gboolean swapped)
{
    guint32 v;

    memcpy(&v, at, sizeof(v));
    return swapped ? GUINT32_SWAP_LE_BE(v) : v;
}

static inline guint64 bytes_u64(const guint8 *at, gboolean swapped)
{
    guint64 v;

    memcpy(&v, at, sizeof(v));
    return swapped ? GUINT64_SWAP_LE_BE(v) : v;
}

#endif
