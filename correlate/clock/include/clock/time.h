/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Times as types, so that the compiler refuses to mix clocks.
 */
#ifndef VIRTCORR_CLOCK_TIME_H
#define VIRTCORR_CLOCK_TIME_H

#include <glib.h>

/* A moment on the host's time line: ns of the clock of the first host source. */
typedef struct HostTime {
    gint64 ns;
} HostTime;

/* A reading of a guest trace's clock, in that clock's unit (ns or cycles). Only differences of
   readings mean anything; they are taken modulo 2⁶⁴. */
typedef struct GuestTime {
    gint64 raw;
} GuestTime;

/**
 * HostSpan: where on the host's time line something lies.
 *
 * Invariant: lo ≤ at ≤ hi. The true time is in [lo, hi]; @at is the best single value. For host
 * events all three are equal (up to the step of the source's clock). G_MININT64 and G_MAXINT64
 * stand for an unbounded side.
 */
typedef struct HostSpan {
    HostTime lo;
    HostTime at;
    HostTime hi;
} HostSpan;

/* A latency with its bound, ns. Same invariant and same unbounded values as HostSpan. */
typedef struct Latency {
    gint64 lo;
    gint64 ns;
    gint64 hi;
} Latency;

/* The latency from @from to @to, two placements with independent errors. */
Latency host_span_latency(HostSpan from, HostSpan to);

#endif
