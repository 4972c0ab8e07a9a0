/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Collects causal pairs into segments: the longest prefix that one line fits, then the next.
 */
#include "solver.h"

/* Each costs up to 130 kB. A trace with more change points than this has no usable clock. */
enum { MAX_SEGMENTS = 512 };

ClockSolver *clock_solver_new(const ClockPrior *prior, gboolean may_cut)
{
    ClockSolver *solver = g_new0(ClockSolver, 1);

    solver->lo = slope_from_rate(prior->lo, FALSE);
    solver->hi = slope_from_rate(prior->hi, TRUE);
    if (slope_compare(solver->lo, solver->hi) > 0) {
        solver->hi = solver->lo; /* or no line would fit, not even the first pair */
    }
    solver->may_cut = may_cut;
    solver->segments = g_ptr_array_new_with_free_func((GDestroyNotify)segment_free);
    return solver;
}

void clock_solver_free(ClockSolver *solver)
{
    if (solver == NULL) {
        return;
    }
    g_ptr_array_unref(solver->segments);
    g_free(solver);
}

static inline Segment *segment_at(const ClockSolver *solver, guint i)
{
    return g_ptr_array_index(solver->segments, i);
}

/* FALSE if the pair is further from the anchor than exact arithmetic reaches (centuries of ns). */
static gboolean point_of_pair(const ClockSolver *solver, const ClockPair *pair, Point *ret_point)
{
    gint64 x = guest_since(pair->guest, solver->anchor.guest);
    Wide y = (Wide)pair->host.ns - solver->anchor.host.ns;

    if (x <= -COORDINATE_LIMIT || x >= COORDINATE_LIMIT || y <= -COORDINATE_LIMIT ||
        y >= COORDINATE_LIMIT) {
        return FALSE;
    }
    *ret_point = (Point){.x = x, .y = (gint64)y, .pair = *pair};
    return TRUE;
}

static void contradict(ClockSolver *solver, const Polygon *polygon, const Point *point)
{
    Contradictions *all = &solver->contradictions;

    if (all->n++ == 0) {
        all->n_witnesses = polygon_witnesses(polygon, point, all->witnesses);
    }
}

static void contradict_by_distance(ClockSolver *solver, const ClockPair *pair)
{
    Contradictions *all = &solver->contradictions;

    if (all->n++ == 0) {
        all->witnesses[0] = *pair;
        all->witnesses[1] = solver->anchor;
        all->n_witnesses = 2;
    }
}

/* Index of the segment that a late pair at @x belongs to: the last that begins not later. */
static guint segment_before(const ClockSolver *solver, gint64 x)
{
    guint first = 0;
    guint n = solver->segments->len;

    while (n > 1) {
        guint half = n / 2;

        if (segment_at(solver, first + half)->begin <= x) {
            first += half;
            n -= half;
        } else {
            n = half;
        }
    }
    return first;
}

/* Start a new segment at a pair that the last one cannot take. */
static void cut(ClockSolver *solver, const Segment *last, const Point *point)
{
    Segment *next = segment_new(solver->lo, solver->hi, point);

    next->n_cut_by = polygon_witnesses(&last->polygon, point, next->cut_by);
    g_ptr_array_add(solver->segments, next);
}

/* A pair from before the last segment began. It never cuts. */
static void add_late(ClockSolver *solver, const Point *point)
{
    guint i = segment_before(solver, point->x);
    Segment *segment = segment_at(solver, i);

    if (polygon_fits(&segment->polygon, point)) {
        segment_take(segment, point);
        return;
    }
    /* Between two segments, what is not of the old line is of the new one. */
    if (point->x > segment->end && polygon_fits(&segment_at(solver, i + 1)->polygon, point)) {
        segment_take(segment_at(solver, i + 1), point);
        return;
    }
    contradict(solver, &segment->polygon, point);
}

static void add_point(ClockSolver *solver, const Point *point)
{
    guint n = solver->segments->len;
    Segment *last = segment_at(solver, n - 1);

    if (n > 1 && point->x < last->begin) {
        add_late(solver, point);
    } else if (polygon_fits(&last->polygon, point)) {
        segment_take(last, point);
    } else if (solver->may_cut && n < MAX_SEGMENTS && segment_may_end_before(last, point)) {
        cut(solver, last, point);
    } else {
        contradict(solver, &last->polygon, point);
    }
}

void clock_solver_add(ClockSolver *solver, const ClockPair *pair)
{
    Point point = {.pair = *pair};

    if (solver->segments->len == 0) {
        solver->anchor = *pair;
        g_ptr_array_add(solver->segments, segment_new(solver->lo, solver->hi, &point));
        return;
    }
    if (point_of_pair(solver, pair, &point)) {
        add_point(solver, &point);
    } else {
        contradict_by_distance(solver, pair);
    }
}

gboolean clock_solver_feasible(const ClockSolver *solver)
{
    return solver->segments->len <= 1 && solver->contradictions.n == 0;
}
