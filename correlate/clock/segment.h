/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One affine stretch of a clock while it is solved.
 *
 * A change of the clock shows only at the first pair that the old line cannot take: at once when
 * the clock steps, after thousands of pairs when its rate bends a little. Pairs between the change
 * and that one went into the old segment, though they belong to the next. Therefore the pairs are
 * also kept by age, and when the next segment is known it is extended backward as far as one line
 * fits. The pair that stops this proves that the clock had not changed yet; only the pairs up to it
 * are used for the old segment.
 */
#ifndef VIRTCORR_CLOCK_SEGMENT_H
#define VIRTCORR_CLOCK_SEGMENT_H

#include "polygon.h"

enum {
    SEGMENT_RECENT = 256, /* pairs that are kept singly */
    SEGMENT_BLOCKS = 20,  /* enough for 128·2²⁰ pairs; the oldest two are merged beyond that */
};

/* What a run of pairs says by itself; @level doublings long, @end is its last time. */
typedef struct Block {
    Polygon polygon;
    gint64 end;
    guint level;
} Block;

/**
 * Segment: times are relative to the solver's anchor.
 * @polygon: of all pairs
 * @blocks: of all but the recent ones, oldest first; the older, the longer. NULL while there are
 *          none: a search makes many short segments
 * @recent: the last pairs, by rising x
 * @first: the first pair
 */
typedef struct Segment {
    Polygon polygon;
    Block *blocks;
    guint n_blocks;
    Point recent[SEGMENT_RECENT];
    guint n_recent;
    Point first;
    Slope lo;
    Slope hi;
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

/* Owned by the caller. Slopes lie in [@lo, @hi]; @point is the first pair. */
Segment *segment_new(Slope lo, Slope hi, const Point *point);
void segment_free(Segment *segment);

/* Add a pair that fits segment->polygon. */
void segment_take(Segment *segment, const Point *point);

/* Whether the clock may have changed just before @point: no recent pair after it denies that. */
gboolean segment_may_end_before(const Segment *segment, const Point *point);

/* What is sure of @segment when @next follows it, which begins at @next_begin. */
void segment_settle(const Segment *segment, const Polygon *next, gint64 next_begin,
                    Stretch *ret_stretch);

#endif
