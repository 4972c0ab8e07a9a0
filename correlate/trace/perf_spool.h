/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decompresses the records of a perf.data file into a temporary file.
 */
#ifndef VIRTCORR_TRACE_PERF_SPOOL_H
#define VIRTCORR_TRACE_PERF_SPOOL_H

#include "input.h"

/**
 * PerfSpool:
 * @input: plain records; NULL when nothing was compressed and the file can be read as it is
 * @damage: why it ends before the file's records do, NULL when it does not
 * @damage_offset: where in the file
 */
typedef struct PerfSpool {
    Input *input;
    const char *damage;
    guint64 damage_offset;
} PerfSpool;

/**
 * perf_spool_make: decompress the records in [@begin, @end) of @input if they are compressed.
 *
 * Returns: FALSE on an error of this machine (no temporary file); damage is no error
 */
gboolean perf_spool_make(Input *input, guint64 begin, guint64 end, gboolean swapped,
                         PerfSpool *ret_spool, GError **error);

#endif
