/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exact arithmetic for bounds: slopes as fractions, 128-bit products, directed rounding.
 */
#ifndef VIRTCORR_CLOCK_RATE_H
#define VIRTCORR_CLOCK_RATE_H

#include <glib.h>

#include "clock/map.h"

__extension__ typedef __int128 Wide;

/* Coordinates are kept below 2⁶², so that a difference of two fits gint64 and a cross product,
   the difference of two products of such differences, fits Wide. */
#define COORDINATE_LIMIT (G_GINT64_CONSTANT(1) << 62)

/* num / den with den > 0; num may be negative, both fit the difference of two coordinates. */
typedef struct Slope {
    gint64 num;
    gint64 den;
} Slope;

/* Negative, zero or positive as @a is less than, equal to or greater than @b. */
int slope_compare(Slope a, Slope b);

static inline Slope slope_negate(Slope a)
{
    return (Slope){-a.num, a.den};
}

/* In lowest terms. */
Slope slope_reduce(Slope a);

/* A fraction strictly inside (@lo, @hi) and near their mean; @lo if there is no room for one. */
Slope slope_middle(Slope lo, Slope hi);

/* @num / @den rounded down; @den > 0. */
Wide wide_floor_div(Wide num, Wide den);

static inline Wide wide_ceil_div(Wide num, Wide den)
{
    return -wide_floor_div(-num, den);
}

/* @value, or the nearest end of gint64's range: the ends stand for unbounded. */
gint64 wide_saturate(Wide value);

/* The rate as a slope within the limits, rounded down or up where it does not fit. */
Slope slope_from_rate(ClockRate rate, gboolean up);

#endif
