/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One affine stretch of a clock while it is solved.
 */
#include "segment.h"

#include <stdlib.h>
#include <string.h>

Segment *segment_new(Slope lo, Slope hi, const Point *point)
{
    Segment *segment = g_new(Segment, 1);

    segment->blocks = NULL;
    segment->n_blocks = segment->n_recent = segment->n_cut_by = 0;
    segment->n_pairs = 0;
    polygon_init(&segment->polygon, lo, hi);
    segment->lo = lo;
    segment->hi = hi;
    segment->first = *point;
    segment->begin = segment->end = point->x;
    segment_take(segment, point);
    return segment;
}

void segment_free(Segment *segment)
{
    g_free(segment->blocks);
    g_free(segment);
}

/* Polygons are simplified at different moments, so one may refuse what the other took. */
static void cut_if_fits(Polygon *polygon, const Point *point)
{
    if (polygon_fits(polygon, point)) {
        polygon_cut(polygon, point);
    }
}

/* Add the points of @from that are not later than @end. */
static void cut_by_polygon(Polygon *polygon, const Polygon *from, gint64 end)
{
    Point points[POLYGON_MAX];
    guint n = polygon_points(from, points);

    for (guint i = 0; i < n; i++) {
        if (points[i].x <= end) {
            cut_if_fits(polygon, &points[i]);
        }
    }
}

/* Merge block @i with the one after it. */
static void merge_blocks(Segment *segment, guint i)
{
    Block *block = &segment->blocks[i];
    const Block *next = block + 1;

    cut_by_polygon(&block->polygon, &next->polygon, next->end);
    block->end = next->end;
    block->level = MAX(block->level, next->level) + 1;
    segment->n_blocks--;
    memmove(block + 1, block + 2, (segment->n_blocks - i - 1) * sizeof(Block));
}

/* Equal neighbours merge like the carries of a binary counter. */
static void append_block(Segment *segment, const Block *block)
{
    if (segment->blocks == NULL) {
        segment->blocks = g_new(Block, SEGMENT_BLOCKS);
    }
    if (segment->n_blocks == SEGMENT_BLOCKS) {
        merge_blocks(segment, 0);
    }
    segment->blocks[segment->n_blocks++] = *block;
    while (segment->n_blocks >= 2 && segment->blocks[segment->n_blocks - 2].level ==
                                         segment->blocks[segment->n_blocks - 1].level) {
        merge_blocks(segment, segment->n_blocks - 2);
    }
}

static void settle_older_half(Segment *segment)
{
    const guint half = SEGMENT_RECENT / 2;
    Block block = {.end = segment->recent[half - 1].x};

    polygon_init(&block.polygon, segment->lo, segment->hi);
    for (guint i = 0; i < half; i++) {
        cut_if_fits(&block.polygon, &segment->recent[i]);
    }
    append_block(segment, &block);
    segment->n_recent -= half;
    memmove(segment->recent, segment->recent + half, segment->n_recent * sizeof(Point));
}

/* The block that a late pair at @x belongs to, NULL if it is among the recent ones. */
static Block *find_block(Segment *segment, gint64 x)
{
    Block *found = NULL;

    for (guint i = segment->n_blocks; i > 0 && x < segment->blocks[i - 1].end; i--) {
        found = &segment->blocks[i - 1];
    }
    return found;
}

/* Insert by x; pairs come nearly in order, so the search starts at the end. */
static void remember(Segment *segment, const Point *point)
{
    Block *block = find_block(segment, point->x);
    guint at = segment->n_recent;

    if (block != NULL) {
        cut_if_fits(&block->polygon, point);
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
        (segment->n_blocks > 0 && point->x <= segment->blocks[segment->n_blocks - 1].end)) {
        return FALSE;
    }
    polygon_init(&next, segment->lo, segment->hi);
    polygon_cut(&next, point);
    for (guint i = segment->n_recent; i > 0 && segment->recent[i - 1].x >= point->x; i--) {
        if (!polygon_fits(&next, &segment->recent[i - 1])) {
            return FALSE;
        }
    }
    return TRUE;
}

/*
 * Walks back from the change: @polygon holds the lines that fit the next segment and all pairs
 * since @point. When @point leaves none, the clock cannot have changed before it.
 */
static gboolean is_sure(Polygon *polygon, const Point *point, gint64 next_begin)
{
    if (point->x >= next_begin) {
        return FALSE;
    }
    if (!polygon_fits(polygon, point)) {
        return TRUE;
    }
    polygon_cut(polygon, point);
    return FALSE;
}

static int compare_x(const void *a, const void *b)
{
    gint64 left = ((const Point *)a)->x;
    gint64 right = ((const Point *)b)->x;

    return (left > right) - (left < right);
}

/* The last of @block's points that is sure; FALSE if none is. */
static gboolean block_sure_end(const Block *block, Polygon *polygon, gint64 next_begin,
                               gint64 *ret_end)
{
    Point points[POLYGON_MAX];
    guint n = polygon_points(&block->polygon, points);

    qsort(points, n, sizeof(Point), compare_x);
    while (n > 0) {
        n--;
        if (is_sure(polygon, &points[n], next_begin)) {
            *ret_end = points[n].x;
            return TRUE;
        }
    }
    return FALSE;
}

/*
 * The last time of @segment that is surely before the change: the longest suffix that still fits
 * the next segment begins right after it. A block tells only by its corners, so this may come out
 * too early; then less is used, which is sound.
 */
static gint64 sure_end(const Segment *segment, const Polygon *next, gint64 next_begin)
{
    Polygon polygon = *next;
    gint64 end;

    for (guint i = segment->n_recent; i > 0; i--) {
        if (is_sure(&polygon, &segment->recent[i - 1], next_begin)) {
            return segment->recent[i - 1].x;
        }
    }
    for (guint i = segment->n_blocks; i > 0; i--) {
        if (block_sure_end(&segment->blocks[i - 1], &polygon, next_begin, &end)) {
            return end;
        }
    }
    /* The first pair of a segment is taken as its own, or there would be no segment. */
    return segment->first.x;
}

void segment_settle(const Segment *segment, const Polygon *next, gint64 next_begin,
                    Stretch *ret_stretch)
{
    Polygon *polygon = &ret_stretch->polygon;
    gint64 end = sure_end(segment, next, next_begin);

    ret_stretch->end = end;
    polygon_init(polygon, segment->lo, segment->hi);
    polygon_cut(polygon, &segment->first);
    for (guint i = 0; i < segment->n_blocks; i++) {
        cut_by_polygon(polygon, &segment->blocks[i].polygon, end);
    }
    for (guint i = 0; i < segment->n_recent && segment->recent[i].x <= end; i++) {
        cut_if_fits(polygon, &segment->recent[i]);
    }
}
