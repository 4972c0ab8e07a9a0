/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From a guest trace's clock to the host's time line, with a proven bound.
 */
#ifndef VIRTCORR_CLOCK_MAP_H
#define VIRTCORR_CLOCK_MAP_H

#include "clock/time.h"

/* Host ns per unit of the guest's clock: num / den, both positive. */
typedef struct ClockRate {
    gint64 num;
    gint64 den;
} ClockRate;

/**
 * ClockPrior: what is known of the rate before any pair is seen.
 * Equal bounds mean that the rate is known (R0), else it is solved for within them (R1).
 */
typedef struct ClockPrior {
    ClockRate lo;
    ClockRate hi;
} ClockPrior;

/* Known exactly. */
ClockPrior clock_prior_exact(ClockRate rate);

/* @rate within ±@ppm millionths. */
ClockPrior clock_prior_within(ClockRate rate, gint64 ppm);

typedef enum ClockSideOf {
    CLOCK_GUEST_FIRST, /* the guest reading was taken not later than the host's: h(g) ≤ h */
    CLOCK_HOST_FIRST,  /* the host's was taken not later than the guest's: h(g) ≥ h */
} ClockSideOf;

/**
 * ClockPair: one causal edge between the two machines.
 * @order: who came first
 * @edge: which kind of edge, an index for the caller's own table of names
 * @tag: the caller's name for the pair, for messages (a buffer's sequence number)
 */
typedef struct ClockPair {
    GuestTime guest;
    HostTime host;
    ClockSideOf order;
    guint32 edge;
    guint64 tag;
} ClockPair;

typedef struct ClockMap ClockMap;

/**
 * ClockSolver: collects pairs and keeps of them only two half hulls a segment.
 *
 * A segment is an affine map h(g) = k·g + b with k inside the prior. Of all pairs only those on the
 * convex hulls bound it: the upper pairs' lower hull and the lower pairs' upper hull (Duda et al.
 * 1987; Poirier, Roy, Dagenais 2010). All arithmetic is exact: 128-bit products of anchored
 * differences, rounded outward.
 */
typedef struct ClockSolver ClockSolver;

/**
 * clock_solver_new:
 * @prior: of the rate
 * @may_cut: when a pair fits no line: TRUE starts a new segment there (the clock changed);
 *           FALSE counts a contradiction and keeps the line (the map is given by metadata)
 */
ClockSolver *clock_solver_new(const ClockPrior *prior, gboolean may_cut);
void clock_solver_free(ClockSolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ClockSolver, clock_solver_free)

/* Add a pair; pairs come roughly in the order of their guest times. O(1) amortised. */
void clock_solver_add(ClockSolver *solver, const ClockPair *pair);

/* Whether one line fits all pairs so far (no cut, no contradiction). */
gboolean clock_solver_feasible(const ClockSolver *solver);

/* The map of what was added. The solver can go on afterwards. */
ClockMap *clock_solver_finish(const ClockSolver *solver);

void clock_map_free(ClockMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ClockMap, clock_map_free)

/**
 * clock_map_place: where @guest lies on the host's time line.
 *
 * Inside a segment: the envelope of all feasible lines. Between two segments, where the change
 * point may be anywhere: the hull of both envelopes. Sound: the true time is inside whenever the
 * pairs are and the clock is affine within each segment. The best values of one segment lie on one
 * line, rounded; between two segments it is the earlier one's.
 */
HostSpan clock_map_place(const ClockMap *map, GuestTime guest);

/**
 * ClockSegment: one affine stretch, for reports.
 * @begin, @end: guest times of its first pair, and of the last that is surely its own
 * @rate_lo, @rate_hi: feasible rates
 * @half_width: bound at the middle of the stretch, ns, rounded up; -1 if unbounded
 * @worst_half_width: largest bound inside the stretch; -1 if unbounded
 * @n_pairs, @n_hull: pairs seen and pairs kept
 * @bounded_below, @bounded_above: whether pairs of either order were there
 * @cut_by: the two or three pairs that forced this segment to begin (n_cut_by 0 for the first)
 */
typedef struct ClockSegment {
    GuestTime begin;
    GuestTime end;
    ClockRate rate_lo;
    ClockRate rate_hi;
    gint64 half_width;
    gint64 worst_half_width;
    guint64 n_pairs;
    guint n_hull;
    gboolean bounded_below;
    gboolean bounded_above;
    ClockPair cut_by[3];
    guint n_cut_by;
} ClockSegment;

guint clock_map_n_segments(const ClockMap *map);
ClockSegment clock_map_segment(const ClockMap *map, guint i);

/* Contradictions when segments may not be cut: how many, and the first one's witnesses. */
guint64 clock_map_n_contradictions(const ClockMap *map);
guint clock_map_witnesses(const ClockMap *map, ClockPair ret_pairs[3]);

#endif
