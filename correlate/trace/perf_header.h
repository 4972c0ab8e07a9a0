/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The header of a perf.data file and the sections it names.
 */
#ifndef VIRTCORR_TRACE_PERF_HEADER_H
#define VIRTCORR_TRACE_PERF_HEADER_H

#include "input.h"
#include "perf_meta.h"

typedef struct PerfSection {
    guint64 offset;
    guint64 size;
} PerfSection;

/**
 * PerfHeader:
 * @is_pipe: written to a pipe: no sections, everything is in records
 * @attr_size: bytes of an entry of @attrs
 * @data: the records; clipped to the file
 * @damage: why what follows @data is not in the file, NULL when it is
 */
typedef struct PerfHeader {
    gboolean swapped;
    gboolean big_endian;
    gboolean is_pipe;
    const char *damage;
    guint64 attr_size;
    PerfSection attrs;
    PerfSection data;
    guint8 features[32];
} PerfHeader;

enum { PERF_MAGIC_SIZE = 8 };

/* Whether @bytes begin a perf.data file, of any version and byte order. */
gboolean perf_header_probe(const guint8 *bytes, gsize len);

gboolean perf_header_read(Input *input, PerfHeader *ret_header, GError **error);

/* Take what the sections of the file hold. */
void perf_header_load(const PerfHeader *header, Input *input, PerfMeta *meta);

#endif
