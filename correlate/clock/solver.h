/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the solver collected, as the map reads it.
 */
#ifndef VIRTCORR_CLOCK_SOLVER_H
#define VIRTCORR_CLOCK_SOLVER_H

#include "segment.h"

/* Pairs that fit nowhere, and why the first of them does not. */
typedef struct Contradictions {
    guint64 n;
    ClockPair witnesses[3];
    guint n_witnesses;
} Contradictions;

/* @anchor is the first pair; all coordinates are relative to it. @segments holds Segment by time.
 */
struct ClockSolver {
    Slope lo;
    Slope hi;
    gboolean may_cut;
    ClockPair anchor;
    GPtrArray *segments;
    Contradictions contradictions;
};

/* @guest relative to @anchor, modulo 2⁶⁴. */
static inline gint64 guest_since(GuestTime guest, GuestTime anchor)
{
    return (gint64)((guint64)guest.raw - (guint64)anchor.raw);
}

static inline GuestTime guest_after(GuestTime anchor, gint64 x)
{
    return (GuestTime){(gint64)((guint64)anchor.raw + (guint64)x)};
}

#endif
