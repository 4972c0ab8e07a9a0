/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The finished map: every segment's envelopes as arrays of straight pieces, for fast look-ups.
 */
#include "solver.h"

/* A part of ClockMap.pieces. */
typedef struct PieceRange {
    guint first;
    guint n;
} PieceRange;

/* @begin and @end are relative to the anchor. */
typedef struct MapSegment {
    gint64 begin;
    gint64 end;
    PieceRange upper;
    PieceRange lower;
    Piece middle;
} MapSegment;

/* @segments holds MapSegment, @pieces Piece, @infos ClockSegment; they are in order of time. */
struct ClockMap {
    GuestTime guest_anchor;
    gint64 host_anchor;
    GArray *segments;
    GArray *pieces;
    GArray *infos;
    Contradictions contradictions;
};

/* A placement relative to the anchor, not yet cut to 64 bits. */
typedef struct WideSpan {
    Wide lo;
    Wide at;
    Wide hi;
    gboolean has_lo;
    gboolean has_hi;
} WideSpan;

/* Everything that is not known. */
static const HostSpan nowhere = {{G_MININT64}, {0}, {G_MAXINT64}};

static inline Wide piece_rise(const Piece *piece, gint64 x)
{
    return (Wide)piece->slope.num * ((Wide)x - piece->x);
}

static inline Wide piece_ceil(const Piece *piece, gint64 x)
{
    return piece->y + wide_ceil_div(piece_rise(piece, x), piece->slope.den);
}

static inline Wide piece_nearest(const Piece *piece, gint64 x)
{
    Wide rise = piece_rise(piece, x);
    Wide down = wide_floor_div(rise, piece->slope.den);
    Wide rest = rise - down * piece->slope.den;

    return piece->y + down + (rest * 2 >= piece->slope.den);
}

/* The last piece that begins not later than @x; the first begins at minus infinity. */
static const Piece *piece_at(const ClockMap *map, PieceRange range, gint64 x)
{
    const Piece *piece = &g_array_index(map->pieces, Piece, range.first);
    guint n = range.n;

    while (n > 1) {
        guint half = n / 2;

        piece = piece[half].from <= x ? piece + half : piece;
        n -= half;
    }
    return piece;
}

static WideSpan segment_place(const ClockMap *map, const MapSegment *segment, gint64 x)
{
    WideSpan span = {.at = piece_nearest(&segment->middle, x)};

    if (segment->lower.n > 0) {
        span.has_lo = TRUE;
        span.lo = -piece_ceil(piece_at(map, segment->lower, x), x);
        span.at = MAX(span.at, span.lo);
    }
    if (segment->upper.n > 0) {
        span.has_hi = TRUE;
        span.hi = piece_ceil(piece_at(map, segment->upper, x), x);
        span.at = MIN(span.at, span.hi);
    }
    return span;
}

/* Both spans and all between; the best value stays @a's. */
static WideSpan span_hull(WideSpan a, WideSpan b)
{
    return (WideSpan){
        .lo = MIN(a.lo, b.lo),
        .at = a.at,
        .hi = MAX(a.hi, b.hi),
        .has_lo = a.has_lo && b.has_lo,
        .has_hi = a.has_hi && b.has_hi,
    };
}

static HostSpan span_to_host(const ClockMap *map, WideSpan span)
{
    return (HostSpan){
        .lo.ns = span.has_lo ? wide_saturate(span.lo + map->host_anchor) : G_MININT64,
        .at.ns = wide_saturate(span.at + map->host_anchor),
        .hi.ns = span.has_hi ? wide_saturate(span.hi + map->host_anchor) : G_MAXINT64,
    };
}

/* The last segment that begins not later than @x, or the first. */
static guint segment_find(const ClockMap *map, gint64 x)
{
    const MapSegment *segments = &g_array_index(map->segments, MapSegment, 0);
    guint first = 0;
    guint n = map->segments->len;

    while (n > 1) {
        guint half = n / 2;

        first = segments[first + half].begin <= x ? first + half : first;
        n -= half;
    }
    return first;
}

HostSpan clock_map_place(const ClockMap *map, GuestTime guest)
{
    gint64 x = guest_since(guest, map->guest_anchor);
    const MapSegment *segment;
    WideSpan span;
    guint i;

    if (map->segments->len == 0) {
        return nowhere;
    }
    i = segment_find(map, x);
    segment = &g_array_index(map->segments, MapSegment, i);
    span = segment_place(map, segment, x);
    if (x > segment->end && i + 1 < map->segments->len) {
        span = span_hull(span, segment_place(map, segment + 1, x));
    }
    return span_to_host(map, span);
}

static PieceRange append_pieces(ClockMap *map, const Polygon *polygon, ClockSideOf side)
{
    Piece pieces[CHAIN_MAX + 1];
    PieceRange range = {map->pieces->len, polygon_pieces(polygon, side, pieces)};

    g_array_append_vals(map->pieces, pieces, range.n);
    return range;
}

/* Half of the width at @x, rounded up; -1 if that is unbounded. */
static gint64 half_width(const ClockMap *map, const MapSegment *segment, gint64 x)
{
    WideSpan span = segment_place(map, segment, x);

    return span.has_lo && span.has_hi ? wide_saturate((span.hi - span.lo + 1) / 2) : -1;
}

static ClockSegment describe(const ClockMap *map, const MapSegment *done, const Segment *segment,
                             const Polygon *polygon)
{
    Slope lo = slope_reduce(polygon->lo.slope);
    Slope hi = slope_reduce(polygon->hi.slope);
    gint64 at_begin = half_width(map, done, done->begin);
    gint64 at_end = half_width(map, done, done->end);
    ClockSegment info = {
        .begin = guest_after(map->guest_anchor, done->begin),
        .end = guest_after(map->guest_anchor, done->end),
        .rate_lo = {lo.num, lo.den},
        .rate_hi = {hi.num, hi.den},
        .half_width = half_width(map, done, done->begin + (done->end - done->begin) / 2),
        /* The upper envelope is convex and the lower concave, so the width peaks at an end. */
        .worst_half_width = MAX(at_begin, at_end),
        .n_pairs = segment->n_pairs,
        .n_hull = polygon->chains[0].n + polygon->chains[1].n,
        .bounded_below = done->lower.n > 0,
        .bounded_above = done->upper.n > 0,
        .n_cut_by = segment->n_cut_by,
    };

    for (guint i = 0; i < segment->n_cut_by; i++) {
        info.cut_by[i] = segment->cut_by[i];
    }
    return info;
}

static void append_segment(ClockMap *map, const Segment *segment, const Stretch *sure)
{
    MapSegment done = {
        .begin = segment->begin,
        .end = sure->end,
        .upper = append_pieces(map, &sure->polygon, CLOCK_GUEST_FIRST),
        .lower = append_pieces(map, &sure->polygon, CLOCK_HOST_FIRST),
        .middle = polygon_middle(&sure->polygon),
    };
    ClockSegment info = describe(map, &done, segment, &sure->polygon);

    g_array_append_val(map->segments, done);
    g_array_append_val(map->infos, info);
}

/* What is sure of each segment; that depends on the next one, so from the last to the first. */
static Stretch *settle_all(const GPtrArray *segments)
{
    Stretch *sure = g_new(Stretch, segments->len);

    for (guint i = segments->len; i > 0; i--) {
        const Segment *segment = g_ptr_array_index(segments, i - 1);
        const Segment *next = i < segments->len ? g_ptr_array_index(segments, i) : NULL;

        if (next != NULL) {
            segment_settle(segment, &sure[i].polygon, next->begin, &sure[i - 1]);
        } else {
            sure[i - 1] = (Stretch){.polygon = segment->polygon, .end = segment->end};
        }
    }
    return sure;
}

ClockMap *clock_solver_finish(const ClockSolver *solver)
{
    ClockMap *map = g_new0(ClockMap, 1);
    g_autofree Stretch *sure = settle_all(solver->segments);

    map->guest_anchor = solver->anchor.guest;
    map->host_anchor = solver->anchor.host.ns;
    map->segments = g_array_new(FALSE, FALSE, sizeof(MapSegment));
    map->pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
    map->infos = g_array_new(FALSE, FALSE, sizeof(ClockSegment));
    map->contradictions = solver->contradictions;
    for (guint i = 0; i < solver->segments->len; i++) {
        append_segment(map, g_ptr_array_index(solver->segments, i), &sure[i]);
    }
    return map;
}

void clock_map_free(ClockMap *map)
{
    if (map == NULL) {
        return;
    }
    g_array_unref(map->segments);
    g_array_unref(map->pieces);
    g_array_unref(map->infos);
    g_free(map);
}

guint clock_map_n_segments(const ClockMap *map)
{
    return map->infos->len;
}

ClockSegment clock_map_segment(const ClockMap *map, guint i)
{
    return g_array_index(map->infos, ClockSegment, i);
}

guint64 clock_map_n_contradictions(const ClockMap *map)
{
    return map->contradictions.n;
}

guint clock_map_witnesses(const ClockMap *map, ClockPair ret_pairs[3])
{
    for (guint i = 0; i < map->contradictions.n_witnesses; i++) {
        ret_pairs[i] = map->contradictions.witnesses[i];
    }
    return map->contradictions.n_witnesses;
}
