/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The set of lines that fit the pairs of one segment, kept as two half hulls.
 *
 * A line is k·x + b. An upper pair says k·x + b ≤ y, a lower pair k·x + b ≥ y, so the set is a
 * convex polygon in (k, b). A pair whose line in that plane does not touch the polygon never will,
 * because the polygon only shrinks: only the pairs on its border are kept.
 */
#ifndef VIRTCORR_CLOCK_POLYGON_H
#define VIRTCORR_CLOCK_POLYGON_H

#include "rate.h"

/* Kept of each side; when more are needed the border is simplified, outward. */
enum { CHAIN_MAX = 48, POLYGON_MAX = 2 * CHAIN_MAX };

/* A pair with its times relative to the solver's anchor. */
typedef struct Point {
    gint64 x;
    gint64 y;
    ClockPair pair;
} Point;

/**
 * Chain: one side's half hull, points by rising x, edges by strictly rising slope.
 *
 * The lower side is stored mirrored (y negated), which turns "≥" into "≤" and a slope k into -k:
 * one code serves both. Left of the first point the envelope goes on with the least slope that is
 * feasible, right of the last with the greatest.
 */
typedef struct Chain {
    Point points[CHAIN_MAX + 1];
    guint n;
} Chain;

/* An end of the range of slopes, and the pairs that set it; n_by is 0 where the prior does. */
typedef struct Extreme {
    Slope slope;
    ClockPair by[2];
    guint n_by;
} Extreme;

/* @chains is indexed by ClockSideOf: guest first is the upper side. */
typedef struct Polygon {
    Chain chains[2];
    Extreme lo;
    Extreme hi;
} Polygon;

/* A piece of an envelope: from @from on it is the line through (@x, @y), mirrored for the lower. */
typedef struct Piece {
    gint64 from;
    gint64 x;
    gint64 y;
    Slope slope;
} Piece;

void polygon_init(Polygon *polygon, Slope lo, Slope hi);

/* Whether a line through @point's allowed side remains. */
gboolean polygon_fits(const Polygon *polygon, const Point *point);

/* Take away the lines that break @point; it must fit. Returns whether there were any. */
gboolean polygon_cut(Polygon *polygon, const Point *point);

/* All points that are kept, as they were added. Returns how many; at most POLYGON_MAX. */
guint polygon_points(const Polygon *polygon, Point *ret_points);

/* The pairs that together with @point, which does not fit, allow no line. Returns how many. */
guint polygon_witnesses(const Polygon *polygon, const Point *point, ClockPair ret_pairs[3]);

/* The envelope of one side as at most CHAIN_MAX + 1 pieces; none if the side is unbounded. */
guint polygon_pieces(const Polygon *polygon, ClockSideOf side, Piece *ret_pieces);

/* One line inside the polygon, near its middle; the polygon must have had a point. */
Piece polygon_middle(const Polygon *polygon);

#endif
