/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sources of a run as one stream of events in the order of host time.
 */
#include "feed.h"

enum { BLOCK = 512 };

/**
 * Cursor: where the reading of one source is.
 * @anchor_raw, @anchor_ns, @slope: a straight line for the guest's clock over the block, host ns
 *         a unit times 2³²: good enough to choose which event comes next
 * @loss: the next loss to begin, or the one that is going on
 */
typedef struct Cursor {
    FeedSource *source;
    Event *events;
    gsize at;
    gsize len;
    gint64 next_ns;
    gint64 anchor_raw;
    gint64 anchor_ns;
    gint64 slope;
    guint loss;
    gboolean in_loss;
} Cursor;

gint64 host_clock_ns(const HostClock *clock, gint64 raw)
{
    if (!clock->is_tsc) {
        return raw;
    }
    return (gint64)(clock->zero +
                    (guint64)(((unsigned __int128)(guint64)raw * clock->mult) >> clock->shift));
}

static void join_nearest(GArray *losses)
{
    guint nearest = 1;

    for (guint i = 2; i < losses->len; i++) {
        const Loss *loss = &g_array_index(losses, Loss, i);
        const Loss *best = &g_array_index(losses, Loss, nearest);

        if (loss->begin - loss[-1].end < best->begin - best[-1].end) {
            nearest = i;
        }
    }
    g_array_index(losses, Loss, nearest - 1).end = g_array_index(losses, Loss, nearest).end;
    g_array_index(losses, Loss, nearest - 1).records +=
        g_array_index(losses, Loss, nearest).records;
    g_array_remove_index(losses, nearest);
}

void feed_source_add_loss(FeedSource *source, const Event *event)
{
    Loss loss = {.begin = MIN((gint64)event->ptr[0], event->time),
                 .end = event->time,
                 .records = event->num[0]};
    GArray *losses = source->losses;
    guint i = losses->len;

    while (i > 0 && g_array_index(losses, Loss, i - 1).end >= loss.begin) {
        const Loss *before = &g_array_index(losses, Loss, i - 1);

        if (before->begin <= loss.end) { /* overlap: one loss */
            loss.begin = MIN(loss.begin, before->begin);
            loss.end = MAX(loss.end, before->end);
            loss.records += before->records;
            g_array_remove_index(losses, i - 1);
        }
        i--;
    }
    g_array_insert_val(losses, MIN(i, losses->len), loss);
    if (losses->len > FEED_MAX_LOSSES) {
        join_nearest(losses);
    }
}

static gint64 told_time(const FeedSource *source, gint64 raw)
{
    return source->side == TRACE_SIDE_HOST ? host_clock_ns(&source->clock, raw)
                                           : (gint64)((guint64)raw - (guint64)source->base);
}

/* Where an event with @time, as told_time() has it, comes among those of all sources. */
static gint64 order_ns(const Cursor *cursor, gint64 time)
{
    if (cursor->source->side == TRACE_SIDE_HOST) {
        return time;
    }
    return cursor->anchor_ns +
           (gint64)(((__int128)(time - cursor->anchor_raw) * cursor->slope) >> 32);
}

static void fit_line(Cursor *cursor, const ClockMap *map)
{
    gint64 first = told_time(cursor->source, cursor->events[0].time);
    gint64 last = told_time(cursor->source, cursor->events[cursor->len - 1].time);

    cursor->anchor_raw = first;
    cursor->anchor_ns = map ? clock_map_place(map, (GuestTime){first}).at.ns : G_MAXINT64 / 2;
    cursor->slope = 0;
    if (map != NULL && last > first) {
        gint64 ns = clock_map_place(map, (GuestTime){last}).at.ns - cursor->anchor_ns;

        cursor->slope = (gint64)(((__int128)ns << 32) / (last - first));
    }
}

/* Make the next event current; FALSE at the end of the source. */
static gboolean cursor_next(Cursor *cursor, const ClockMap *map)
{
    Event *event;

    if (++cursor->at >= cursor->len) {
        cursor->at = 0;
        cursor->len = trace_source_read(cursor->source->source, cursor->events, BLOCK);
        if (cursor->len == 0) {
            return FALSE;
        }
        if (cursor->source->side == TRACE_SIDE_GUEST) {
            fit_line(cursor, map);
        }
    }
    event = &cursor->events[cursor->at];
    event->time = told_time(cursor->source, event->time);
    cursor->next_ns = order_ns(cursor, event->time);
    return TRUE;
}

/* Tell where the losses of the source begin and end, up to @time. */
static void pass_losses(Cursor *cursor, guint index, gint64 time, const FeedFuncs *funcs)
{
    const GArray *losses = cursor->source->losses;

    while (cursor->loss < losses->len) {
        const Loss *loss = &g_array_index(losses, Loss, cursor->loss);

        if (!cursor->in_loss && time < loss->begin) {
            return;
        }
        if (!cursor->in_loss) {
            cursor->in_loss = TRUE;
            funcs->suspect(index, TRUE, funcs->user_data);
        }
        if (time <= loss->end) {
            return;
        }
        cursor->in_loss = FALSE;
        cursor->loss++;
        funcs->suspect(index, FALSE, funcs->user_data);
    }
}

static void tell(Cursor *cursor, guint index, const FeedFuncs *funcs)
{
    Event *event = &cursor->events[cursor->at];

    event->source = index;
    if (event->kind == EVENT_LOSS) {
        /* A loss at the very beginning of a CPU's records has no known beginning. */
        event->ptr[0] = event->ptr[0] == 0 ? (guint64)G_MININT64
                                           : (guint64)told_time(cursor->source, event->ptr[0]);
    }
    if (funcs->suspect != NULL) {
        pass_losses(cursor, index, event->time, funcs);
    }
    if (event->kind != EVENT_LOSS || funcs->suspect == NULL) {
        funcs->event(index, event, funcs->user_data);
    }
}

static Cursor *earliest(Cursor *cursors, guint n)
{
    Cursor *first = NULL;

    for (guint i = 0; i < n; i++) {
        if (cursors[i].len > 0 && (first == NULL || cursors[i].next_ns < first->next_ns)) {
            first = &cursors[i];
        }
    }
    return first;
}

static guint64 position(const Cursor *cursors, guint n)
{
    guint64 done = 0;

    for (guint i = 0; i < n; i++) {
        if (cursors[i].source->use) {
            done += trace_source_position(cursors[i].source->source);
        }
    }
    return done;
}

void feed_run(FeedSource *sources, guint n, const ClockMap *map, const FeedFuncs *funcs)
{
    Cursor cursors[FEED_MAX_SOURCES] = {0};
    Cursor *cursor;
    guint64 told = 0;

    for (guint i = 0; i < n; i++) {
        cursors[i].source = &sources[i];
        if (sources[i].use) {
            cursors[i].events = g_new(Event, BLOCK);
            trace_source_rewind(sources[i].source);
            cursor_next(&cursors[i], map);
        }
    }
    while ((cursor = earliest(cursors, n)) != NULL) {
        tell(cursor, cursor - cursors, funcs);
        cursor_next(cursor, map);
        if (++told % (1 << 16) == 0 && funcs->progress != NULL) {
            funcs->progress(position(cursors, n), funcs->user_data);
        }
    }
    for (guint i = 0; i < n; i++) {
        g_free(cursors[i].events);
    }
}
