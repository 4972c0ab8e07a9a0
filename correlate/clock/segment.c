/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One affine stretch of a clock while it is solved.
 */
#include "segment.h"

#include <string.h>

Segment *segment_new(Slope lo, Slope hi, const Point *point)
{
    Segment *segment = g_new0(Segment, 1);

    polygon_init(&segment->polygon, lo, hi);
    polygon_init(&segment->settled, lo, hi);
    segment->begin = segment->end = point->x;
    segment_take(segment, point);
    return segment;
}

/* Polygons are simplified at different moments, so one may refuse what the other took. */
static void cut_if_fits(Polygon *polygon, const Point *point)
{
    if (polygon_fits(polygon, point)) {
        polygon_cut(polygon, point);
    }
}

static void settle_older_half(Segment *segment)
{
    const guint half = SEGMENT_RECENT / 2;

    for (guint i = 0; i < half; i++) {
        cut_if_fits(&segment->settled, &segment->recent[i]);
    }
    segment->n_settled += half;
    segment->settled_end = segment->recent[half - 1].x;
    segment->n_recent -= half;
    memmove(segment->recent, segment->recent + half, segment->n_recent * sizeof(Point));
}

/* Insert by x; pairs come nearly in order, so the search starts at the end. */
static void remember(Segment *segment, const Point *point)
{
    guint at = segment->n_recent;

    if (segment->n_settled > 0 && point->x < segment->settled_end) {
        cut_if_fits(&segment->settled, point);
        segment->n_settled++;
        return;
    }
    while (at > 0 && segment->recent[at - 1].x > point->x) {
        segment->recent[at] = segment->recent[at - 1];
        at--;
    }
    segment->recent[at] = *point;
    segment->n_recent++;
    if (segment->n_recent == SEGMENT_RECENT) {
        settle_older_half(segment);
    }
}

void segment_take(Segment *segment, const Point *point)
{
    polygon_cut(&segment->polygon, point);
    remember(segment, point);
    segment->begin = MIN(segment->begin, point->x);
    segment->end = MAX(segment->end, point->x);
    segment->n_pairs++;
}

gboolean segment_may_end_before(const Segment *segment, const Point *point)
{
    Polygon next;

    if (point->x >= segment->end) {
        return TRUE;
    }
    if (point->x <= segment->begin ||
        (segment->n_settled > 0 && point->x <= segment->settled_end)) {
        return FALSE;
    }
    polygon_init(&next, segment->settled.lo.slope, segment->settled.hi.slope);
    polygon_cut(&next, point);
    for (guint i = segment->n_recent; i > 0 && segment->recent[i - 1].x >= point->x; i--) {
        if (!polygon_fits(&next, &segment->recent[i - 1])) {
            return FALSE;
        }
    }
    return TRUE;
}

/* How many of the recent pairs lie before the change. */
static guint count_sure(const Segment *segment, const Polygon *next, gint64 next_begin)
{
    guint n = segment->n_recent;

    while (n > 0 && (segment->recent[n - 1].x >= next_begin ||
                     polygon_fits(next, &segment->recent[n - 1]))) {
        n--;
    }
    /* The first pair of a segment is taken as its own, or there would be no segment. */
    return n == 0 && segment->n_settled == 0 ? 1 : n;
}

void segment_settle(const Segment *segment, const Polygon *next, gint64 next_begin,
                    Stretch *ret_stretch)
{
    guint n = count_sure(segment, next, next_begin);

    ret_stretch->polygon = segment->settled;
    ret_stretch->end = n > 0 ? segment->recent[n - 1].x : segment->settled_end;
    for (guint i = 0; i < n; i++) {
        cut_if_fits(&ret_stretch->polygon, &segment->recent[i]);
    }
}
