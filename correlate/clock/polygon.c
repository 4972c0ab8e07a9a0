/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The set of lines that fit the pairs of one segment, kept as two half hulls.
 */
#include "polygon.h"

#include <string.h>

void polygon_init(Polygon *polygon, Slope lo, Slope hi)
{
    polygon->chains[CLOCK_GUEST_FIRST].n = 0;
    polygon->chains[CLOCK_HOST_FIRST].n = 0;
    polygon->lo = (Extreme){.slope = lo};
    polygon->hi = (Extreme){.slope = hi};
}

/* @y in the coordinates of @side's chain. */
static inline gint64 mirror(ClockSideOf side, gint64 y)
{
    return side == CLOCK_HOST_FIRST ? -y : y;
}

static inline ClockSideOf other_side(ClockSideOf side)
{
    return side == CLOCK_HOST_FIRST ? CLOCK_GUEST_FIRST : CLOCK_HOST_FIRST;
}

/* The range of slopes in the coordinates of @side's chain. */
static inline Slope least_slope(const Polygon *polygon, ClockSideOf side)
{
    return side == CLOCK_HOST_FIRST ? slope_negate(polygon->hi.slope) : polygon->lo.slope;
}

static inline Slope greatest_slope(const Polygon *polygon, ClockSideOf side)
{
    return side == CLOCK_HOST_FIRST ? slope_negate(polygon->lo.slope) : polygon->hi.slope;
}

/* Where (@x, @y) lies from the line through @point: positive above, negative below. */
static inline int side_of_line(const Point *point, Slope slope, gint64 x, gint64 y)
{
    Wide distance = (Wide)(y - point->y) * slope.den - (Wide)slope.num * (x - point->x);

    return (distance > 0) - (distance < 0);
}

static inline Slope slope_between(const Point *a, const Point *b)
{
    return (Slope){b->y - a->y, b->x - a->x};
}

/* Index of the first point at or right of @x; mostly that is past the end. */
static guint chain_find(const Chain *chain, gint64 x)
{
    guint first = 0;
    guint n = chain->n;

    if (n == 0 || chain->points[n - 1].x < x) {
        return n;
    }
    while (n > 0) {
        guint half = n / 2;

        if (chain->points[first + half].x < x) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}

/* Where (@x, @y), in the chain's coordinates, lies from the envelope; the chain is not empty. */
static int side_of_envelope(const Polygon *polygon, ClockSideOf side, gint64 x, gint64 y)
{
    const Chain *chain = &polygon->chains[side];
    guint at = chain_find(chain, x);

    if (at == chain->n) {
        return side_of_line(&chain->points[at - 1], greatest_slope(polygon, side), x, y);
    }
    if (at == 0) {
        return side_of_line(&chain->points[0], least_slope(polygon, side), x, y);
    }
    return side_of_line(&chain->points[at - 1],
                        slope_between(&chain->points[at - 1], &chain->points[at]), x, y);
}

gboolean polygon_fits(const Polygon *polygon, const Point *point)
{
    ClockSideOf side = other_side(point->pair.order);

    return polygon->chains[side].n == 0 ||
           side_of_envelope(polygon, side, point->x, mirror(side, point->y)) <= 0;
}

static void chain_remove(Chain *chain, guint i)
{
    chain->n--;
    memmove(&chain->points[i], &chain->points[i + 1], (chain->n - i) * sizeof(Point));
}

/* Whether point @i lies on or above the chord of its neighbours, so that it bounds nothing. */
static gboolean is_idle(const Chain *chain, guint i)
{
    const Point *left = &chain->points[i - 1];

    return side_of_line(left, slope_between(left, &chain->points[i + 1]), chain->points[i].x,
                        chain->points[i].y) >= 0;
}

/* Insert a point that lies below the envelope, and drop the neighbours that it makes idle. */
static void chain_insert(Chain *chain, const Point *point)
{
    guint at = chain_find(chain, point->x);

    if (at == chain->n || chain->points[at].x != point->x) {
        memmove(&chain->points[at + 1], &chain->points[at], (chain->n - at) * sizeof(Point));
        chain->n++;
    }
    chain->points[at] = *point;
    while (at + 2 < chain->n && is_idle(chain, at + 1)) {
        chain_remove(chain, at + 1);
    }
    while (at >= 2 && is_idle(chain, at - 1)) {
        chain_remove(chain, at - 1);
        at--;
    }
}

/* Drop the points at either end that only lines outside of the range of slopes touch. */
static void chain_prune(Chain *chain, Slope least, Slope greatest)
{
    guint skip = 0;

    while (chain->n >= 2 &&
           slope_compare(slope_between(&chain->points[chain->n - 2], &chain->points[chain->n - 1]),
                         greatest) > 0) {
        chain->n--;
    }
    while (skip + 2 <= chain->n &&
           slope_compare(slope_between(&chain->points[skip], &chain->points[skip + 1]), least) <
               0) {
        skip++;
    }
    chain->n -= skip;
    memmove(chain->points, chain->points + skip, chain->n * sizeof(Point));
}

/*
 * A full chain gives up the inner point that spans the smallest triangle with its neighbours. The
 * chord that replaces it lies above it, so the envelope only widens.
 */
static void chain_simplify(Chain *chain)
{
    guint least = 0;
    Wide least_area = 0;

    if (chain->n <= CHAIN_MAX) {
        return;
    }
    for (guint i = 1; i + 1 < chain->n; i++) {
        Slope chord = slope_between(&chain->points[i - 1], &chain->points[i + 1]);
        Slope edge = slope_between(&chain->points[i - 1], &chain->points[i]);
        Wide area = (Wide)chord.num * edge.den - (Wide)edge.num * chord.den;

        if (least == 0 || area < least_area) {
            least = i;
            least_area = area;
        }
    }
    chain_remove(chain, least);
}

/* Narrow the range of slopes by what @upper and @lower say together. */
static void narrow(Polygon *polygon, const Point *upper, const Point *lower)
{
    gint64 dx = upper->x - lower->x;
    gint64 dy = upper->y - lower->y;
    Slope slope = dx < 0 ? (Slope){-dy, -dx} : (Slope){dy, dx};
    Extreme extreme = {.slope = slope, .by = {lower->pair, upper->pair}, .n_by = 2};

    if (dx > 0 && slope_compare(slope, polygon->hi.slope) < 0) {
        polygon->hi = extreme;
    } else if (dx < 0 && slope_compare(slope, polygon->lo.slope) > 0) {
        polygon->lo = extreme;
    }
}

/* Narrow by @point with every point of the other side. */
static void narrow_by(Polygon *polygon, const Point *point)
{
    ClockSideOf side = other_side(point->pair.order);
    const Chain *chain = &polygon->chains[side];

    for (guint i = 0; i < chain->n; i++) {
        Point other = chain->points[i];

        other.y = mirror(side, other.y);
        if (side == CLOCK_HOST_FIRST) {
            narrow(polygon, point, &other);
        } else {
            narrow(polygon, &other, point);
        }
    }
}

gboolean polygon_cut(Polygon *polygon, const Point *point)
{
    ClockSideOf side = point->pair.order;
    Chain *chain = &polygon->chains[side];
    Point own = *point;

    own.y = mirror(side, point->y);
    if (chain->n > 0 && side_of_envelope(polygon, side, own.x, own.y) >= 0) {
        return FALSE;
    }
    narrow_by(polygon, point);
    chain_insert(chain, &own);
    for (ClockSideOf i = CLOCK_GUEST_FIRST; i <= CLOCK_HOST_FIRST; i++) {
        chain_prune(&polygon->chains[i], least_slope(polygon, i), greatest_slope(polygon, i));
    }
    chain_simplify(chain);
    return TRUE;
}

guint polygon_points(const Polygon *polygon, Point *ret_points)
{
    guint n = 0;

    for (ClockSideOf side = CLOCK_GUEST_FIRST; side <= CLOCK_HOST_FIRST; side++) {
        const Chain *chain = &polygon->chains[side];

        for (guint i = 0; i < chain->n; i++) {
            ret_points[n] = chain->points[i];
            ret_points[n++].y = mirror(side, chain->points[i].y);
        }
    }
    return n;
}

static guint copy_pairs(ClockPair *ret_pairs, const ClockPair *first, const ClockPair *second)
{
    ret_pairs[0] = *first;
    if (second == NULL) {
        return 1;
    }
    ret_pairs[1] = *second;
    return 2;
}

guint polygon_witnesses(const Polygon *polygon, const Point *point, ClockPair ret_pairs[3])
{
    ClockSideOf side = other_side(point->pair.order);
    const Chain *chain = &polygon->chains[side];
    guint at = chain_find(chain, point->x);
    gboolean is_right = at == chain->n;
    gboolean is_exact = !is_right && chain->points[at].x == point->x;
    /* Right of the upper side goes the greatest slope, right of the lower the least. */
    const Extreme *extreme = is_right == (side == CLOCK_GUEST_FIRST) ? &polygon->hi : &polygon->lo;

    ret_pairs[0] = point->pair;
    if (is_exact) {
        return 1 + copy_pairs(ret_pairs + 1, &chain->points[at].pair, NULL);
    }
    if (at > 0 && !is_right) {
        return 1 + copy_pairs(ret_pairs + 1, &chain->points[at - 1].pair, &chain->points[at].pair);
    }
    if (extreme->n_by == 0) {
        return 1 + copy_pairs(ret_pairs + 1, &chain->points[is_right ? at - 1 : 0].pair, NULL);
    }
    return 1 + copy_pairs(ret_pairs + 1, &extreme->by[0], &extreme->by[1]);
}

guint polygon_pieces(const Polygon *polygon, ClockSideOf side, Piece *ret_pieces)
{
    const Chain *chain = &polygon->chains[side];
    Slope slope = least_slope(polygon, side);

    if (chain->n == 0) {
        return 0;
    }
    ret_pieces[0] = (Piece){G_MININT64, chain->points[0].x, chain->points[0].y, slope};
    for (guint i = 0; i < chain->n; i++) {
        const Point *point = &chain->points[i];

        slope = i + 1 < chain->n ? slope_between(point, point + 1) : greatest_slope(polygon, side);
        ret_pieces[i + 1] = (Piece){point->x, point->x, point->y, slope_reduce(slope)};
    }
    return chain->n + 1;
}

/* The point of the chain that a line of @slope, in the chain's coordinates, touches. */
static const Point *chain_tangent(const Chain *chain, Slope slope)
{
    const Point *point = &chain->points[0];

    while (point + 1 < chain->points + chain->n &&
           slope_compare(slope_between(point, point + 1), slope) < 0) {
        point++;
    }
    return point;
}

Piece polygon_middle(const Polygon *polygon)
{
    const Chain *upper = &polygon->chains[CLOCK_GUEST_FIRST];
    const Chain *lower = &polygon->chains[CLOCK_HOST_FIRST];
    Slope slope = slope_middle(polygon->lo.slope, polygon->hi.slope);
    const Point *low = lower->n > 0 ? chain_tangent(lower, slope_negate(slope)) : NULL;
    const Point *high = upper->n > 0 ? chain_tangent(upper, slope) : NULL;
    Wide gap;

    if (high == NULL) {
        return (Piece){G_MININT64, low->x, -low->y, slope};
    }
    if (low == NULL) {
        return (Piece){G_MININT64, high->x, high->y, slope};
    }
    gap = (Wide)high->y + low->y - wide_ceil_div((Wide)slope.num * (high->x - low->x), slope.den);
    return (Piece){G_MININT64, high->x, (gint64)(high->y - (gap + 1) / 2), slope};
}
