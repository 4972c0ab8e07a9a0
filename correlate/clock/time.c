/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Times as types, so that the compiler refuses to mix clocks.
 */
#include "clock/time.h"

/* @a - @b; unbounded when either is, or when the difference does not fit. */
static gint64 difference(gint64 a, gint64 b, gint64 unbounded)
{
    gint64 result;

    if (a == G_MININT64 || a == G_MAXINT64 || b == G_MININT64 || b == G_MAXINT64 ||
        __builtin_sub_overflow(a, b, &result)) {
        return unbounded;
    }
    return result;
}

Latency host_span_latency(HostSpan from, HostSpan to)
{
    return (Latency){
        .lo = difference(to.lo.ns, from.hi.ns, G_MININT64),
        .ns = difference(to.at.ns, from.at.ns, 0),
        .hi = difference(to.hi.ns, from.lo.ns, G_MAXINT64),
    };
}
