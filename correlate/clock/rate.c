/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exact arithmetic for bounds: slopes as fractions, 128-bit products, directed rounding.
 */
#include "rate.h"

enum { MILLION = 1000000 };

int slope_compare(Slope a, Slope b)
{
    Wide left = (Wide)a.num * b.den;
    Wide right = (Wide)b.num * a.den;

    return (left > right) - (left < right);
}

static Wide wide_gcd(Wide a, Wide b)
{
    while (b != 0) {
        Wide rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

Slope slope_reduce(Slope a)
{
    Wide divisor = wide_gcd(a.num, a.den);

    return (Slope){(gint64)(a.num / divisor), (gint64)(a.den / divisor)};
}

Wide wide_floor_div(Wide num, Wide den)
{
    Wide quotient = num / den;

    return quotient - (num - quotient * den < 0);
}

gint64 wide_saturate(Wide value)
{
    if (value > G_MAXINT64) {
        return G_MAXINT64;
    }
    return value < G_MININT64 ? G_MININT64 : (gint64)value;
}

Slope slope_middle(Slope lo, Slope hi)
{
    gint64 den = G_GINT64_CONSTANT(1) << 61;
    Wide first;
    Wide last;

    while (den > 1 && wide_floor_div((Wide)hi.num * den, hi.den) >= COORDINATE_LIMIT / 2) {
        den /= 2;
    }
    first = wide_floor_div((Wide)lo.num * den, lo.den) + 1;
    last = wide_ceil_div((Wide)hi.num * den, hi.den) - 1;
    if (first > last) {
        return lo;
    }
    return slope_reduce((Slope){(gint64)(first + (last - first) / 2), den});
}

/* Halve both terms until they fit, each rounded so that the fraction moves only one way. */
static Slope slope_fit(Wide num, Wide den, gboolean up)
{
    Wide divisor = wide_gcd(num, den);

    num /= divisor;
    den /= divisor;
    while (num >= COORDINATE_LIMIT || den >= COORDINATE_LIMIT) {
        num = (num + up) / 2;
        den = (den + !up) / 2;
    }
    return (Slope){(gint64)num, MAX((gint64)den, 1)};
}

Slope slope_from_rate(ClockRate rate, gboolean up)
{
    return slope_fit(MAX(rate.num, 0), MAX(rate.den, 1), up);
}

ClockPrior clock_prior_exact(ClockRate rate)
{
    return (ClockPrior){.lo = rate, .hi = rate};
}

ClockPrior clock_prior_within(ClockRate rate, gint64 ppm)
{
    Wide den = (Wide)rate.den * MILLION;
    Slope lo = slope_fit((Wide)rate.num * MAX(MILLION - ppm, 0), den, FALSE);
    Slope hi = slope_fit((Wide)rate.num * (MILLION + (Wide)ppm), den, TRUE);

    return (ClockPrior){.lo = {lo.num, lo.den}, .hi = {hi.num, hi.den}};
}
