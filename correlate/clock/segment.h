/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One affine stretch of a clock while it is solved.
 *
 * A change of the clock shows only at the first pair that the old line cannot take. Pairs between
 * the change and that one went into the old segment, though they belong to the next. Therefore the
 * last pairs stay apart, and when the next segment is known only those up to the last that does
 * not fit it are used: that pair proves that the clock had not changed yet.
 */
#ifndef VIRTCORR_CLOCK_SEGMENT_H
#define VIRTCORR_CLOCK_SEGMENT_H

#include "polygon.h"

/* Pairs that stay apart. A change that shows later than this many pairs is placed too late. */
enum { SEGMENT_RECENT = 256 };

/**
 * Segment: times are relative to the solver's anchor.
 * @polygon: of all pairs
 * @settled: of all but the recent ones
 * @settled_end: last time in @settled, if @n_settled is not 0
 * @recent: the last pairs, by rising x
 */
typedef struct Segment {
    Polygon polygon;
    Polygon settled;
    guint64 n_settled;
    gint64 settled_end;
    Point recent[SEGMENT_RECENT];
    guint n_recent;
    gint64 begin;
    gint64 end;
    guint64 n_pairs;
    ClockPair cut_by[3];
    guint n_cut_by;
} Segment;

/* The part of a segment that surely lies before the clock changed again. */
typedef struct Stretch {
    Polygon polygon;
    gint64 end;
} Stretch;

/* Owned by the caller, g_free(). Slopes lie in [@lo, @hi]; @point is the first pair. */
Segment *segment_new(Slope lo, Slope hi, const Point *point);

/* Add a pair that fits segment->polygon. */
void segment_take(Segment *segment, const Point *point);

/* Whether the clock may have changed just before @point: no recent pair after it denies that. */
gboolean segment_may_end_before(const Segment *segment, const Point *point);

/* What is sure of @segment when @next follows it, which begins at @next_begin. */
void segment_settle(const Segment *segment, const Polygon *next, gint64 next_begin,
                    Stretch *ret_stretch);

#endif
