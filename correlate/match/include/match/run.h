/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run: traces of host and guest in, journeys out.
 */
#ifndef VIRTCORR_MATCH_RUN_H
#define VIRTCORR_MATCH_RUN_H

#include "journey/sink.h"
#include "trace/source.h"

#define MATCH_ERROR match_error_quark()
GQuark match_error_quark(void);

typedef enum MatchError {
    MATCH_ERROR_SIDE,   /* a file's side cannot be told, or the files do not belong together */
    MATCH_ERROR_NOTHING /* no file has an event that a journey could be made of */
} MatchError;

/**
 * MatchOptions: what the user may tell.
 * @has_tsc_offset: @tsc_offset, @tsc_ratio and @tsc_frac are given:
 *                  guest TSC = (host TSC × ratio >> frac) + offset, modulo 2⁶⁴; 1 and 0 without
 *                  scaling
 * @device_map: "HOSTDEV=GUESTDEV" pairs, NULL-terminated, or NULL
 */
typedef struct MatchOptions {
    gboolean has_tsc_offset;
    gint64 tsc_offset;
    guint64 tsc_ratio;
    guint tsc_frac;
    char **device_map;
} MatchOptions;

/**
 * MatchInput: a source and its side; TRACE_SIDE_UNKNOWN: to be told from its events.
 */
typedef struct MatchInput {
    TraceSource *source;
    TraceSide side;
} MatchInput;

/**
 * match_run: join @n sources and tell @listener.
 *
 * One side alone is fine: its own hops are told. The first host source that is on a usable clock
 * gives the host's time line.
 *
 * Returns: FALSE only if nothing could be told at all; contradictions are in @ret_totals
 */
gboolean match_run(const MatchInput *inputs, guint n, const MatchOptions *options,
                   const RunListener *listener, RunTotals *ret_totals, GError **error);

#endif
