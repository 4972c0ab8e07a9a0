/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nearly ordered events in, ordered events out, with bounded memory.
 */
#include "order.h"

#include <string.h>

/*
 * Events go to one of a few runs, each a ring that ascends; what fits none of them goes to a heap,
 * so that no input costs more than the logarithm of what is held.
 */
enum { MAX_RUNS = 64, MIN_CAPACITY = 256 };

typedef struct Run {
    Event *events; /* ring of @mask + 1 events */
    gsize mask;
    gsize head; /* counts on, as tail does; the index is taken by @mask */
    gsize tail;
} Run;

struct Order {
    Run runs[MAX_RUNS];
    guint n_runs;
    guint last;  /* the run that took the last event: the next one mostly fits there too */
    Event *heap; /* a binary heap, the earliest first */
    gsize heap_len;
    gsize heap_capacity;
    gsize held;
    gint64 popped;
    guint64 late;
};

Order *order_new(void)
{
    Order *order = g_new0(Order, 1);

    order_reset(order);
    return order;
}

void order_free(Order *order)
{
    if (order == NULL) {
        return;
    }
    for (guint i = 0; i < MAX_RUNS; i++) {
        g_free(order->runs[i].events);
    }
    g_free(order->heap);
    g_free(order);
}

void order_reset(Order *order)
{
    for (guint i = 0; i < order->n_runs; i++) {
        order->runs[i].head = order->runs[i].tail = 0;
    }
    order->n_runs = order->last = 0;
    order->heap_len = 0;
    order->held = 0;
    order->popped = G_MININT64;
    order->late = 0;
}

static inline gboolean is_before(const Event *a, const Event *b)
{
    return a->time < b->time || (a->time == b->time && a->offset < b->offset);
}

static inline const Event *run_head(const Run *run)
{
    return &run->events[run->head & run->mask];
}

static inline const Event *run_last(const Run *run)
{
    return &run->events[(run->tail - 1) & run->mask];
}

static inline gboolean run_takes(const Run *run, const Event *event)
{
    return run->head == run->tail || !is_before(event, run_last(run));
}

/* Make room in a run that is full. */
static void run_grow(Run *run)
{
    gsize old = run->events ? run->mask + 1 : 0;
    gsize capacity = MAX(MIN_CAPACITY, old * 2);
    Event *events = g_new(Event, capacity);
    gsize wrapped = run->head & run->mask;

    if (old > 0) {
        memcpy(events, run->events + wrapped, (old - wrapped) * sizeof(Event));
        memcpy(events + old - wrapped, run->events, wrapped * sizeof(Event));
    }
    g_free(run->events);
    run->events = events;
    run->mask = capacity - 1;
    run->head = 0;
    run->tail = old;
}

static inline void run_append(Run *run, const Event *event)
{
    if (G_UNLIKELY(run->events == NULL || run->tail - run->head > run->mask)) {
        run_grow(run);
    }
    run->events[run->tail++ & run->mask] = *event;
}

static void heap_append(Order *order, const Event *event)
{
    gsize at = order->heap_len++;

    if (order->heap_len > order->heap_capacity) {
        order->heap_capacity = MAX(MIN_CAPACITY, order->heap_capacity * 2);
        order->heap = g_renew(Event, order->heap, order->heap_capacity);
    }
    while (at > 0 && is_before(event, &order->heap[(at - 1) / 2])) {
        order->heap[at] = order->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    order->heap[at] = *event;
}

/* Take the earliest event of the heap unless it is after @until; returns how many, 1 or 0. */
static gsize heap_take(Order *order, Event *ret_event, gint64 until)
{
    const Event *moved;
    gsize at = 0;

    if (order->heap_len == 0 || order->heap[0].time > until) {
        return 0;
    }
    *ret_event = order->heap[0];
    moved = &order->heap[--order->heap_len];
    for (;;) {
        gsize child = 2 * at + 1;

        if (child >= order->heap_len) {
            break;
        }
        if (child + 1 < order->heap_len &&
            is_before(&order->heap[child + 1], &order->heap[child])) {
            child++;
        }
        if (!is_before(&order->heap[child], moved)) {
            break;
        }
        order->heap[at] = order->heap[child];
        at = child;
    }
    order->heap[at] = *moved;
    return 1;
}

/* A run that takes @event, or NULL when there are as many as can be. */
static Run *find_run(Order *order, const Event *event)
{
    for (guint i = 0; i < order->n_runs; i++) {
        if (run_takes(&order->runs[i], event)) {
            order->last = i;
            return &order->runs[i];
        }
    }
    if (order->n_runs == MAX_RUNS) {
        return NULL;
    }
    order->last = order->n_runs++;
    return &order->runs[order->last];
}

void order_push(Order *order, const Event *event)
{
    Run *run = &order->runs[order->last];

    order->late += event->time < order->popped;
    order->held++;
    if (G_UNLIKELY(order->n_runs == 0 || !run_takes(run, event))) {
        run = find_run(order, event);
    }
    if (G_LIKELY(run != NULL)) {
        run_append(run, event);
    } else {
        heap_append(order, event);
    }
}

/*
 * The run with the earliest head, NULL when the heap has an earlier one or nothing is held;
 * @ret_second is the earliest of all others, NULL if there are none.
 */
static Run *earliest_run(Order *order, const Event **ret_second)
{
    const Event *second = order->heap_len > 0 ? order->heap : NULL;
    Run *first = NULL;

    for (guint i = 0; i < order->n_runs; i++) {
        Run *run = &order->runs[i];

        if (run->head == run->tail) {
            continue;
        }
        if (first == NULL || is_before(run_head(run), run_head(first))) {
            if (first != NULL && (second == NULL || is_before(run_head(first), second))) {
                second = run_head(first);
            }
            first = run;
        } else if (second == NULL || is_before(run_head(run), second)) {
            second = run_head(run);
        }
    }
    *ret_second = second;
    return first != NULL && (order->heap_len == 0 || is_before(run_head(first), order->heap))
               ? first
               : NULL;
}

/*
 * Take at most @max events of @run that are not after @until: the first, and those that are before
 * @second, the earliest event elsewhere, if there is one.
 */
static gsize run_take(Run *run, Event *ret_events, gsize max, gint64 until, const Event *second)
{
    const Event *head = run_head(run);
    gsize to_wrap = run->mask + 1 - (run->head & run->mask);
    gsize all = MIN(MIN(max, run->tail - run->head), to_wrap);
    gsize n = all;

    if (head->time > until) {
        return 0;
    }
    if (second != NULL || run_last(run)->time > until) {
        n = 1;
        while (n < all && head[n].time <= until &&
               (second == NULL || is_before(&head[n], second))) {
            n++;
        }
    }
    memcpy(ret_events, head, n * sizeof(Event));
    run->head += n;
    return n;
}

gsize order_pop(Order *order, Event *ret_events, gsize max, gint64 until)
{
    gsize n = 0;

    while (n < max) {
        const Event *second;
        Run *run = earliest_run(order, &second);
        gsize taken;

        if (run != NULL) {
            taken = run_take(run, ret_events + n, max - n, until, second);
        } else {
            taken = heap_take(order, ret_events + n, until);
        }
        if (taken == 0) {
            break;
        }
        n += taken;
    }
    order->held -= n;
    if (n > 0) {
        order->popped = MAX(order->popped, ret_events[n - 1].time);
    }
    return n;
}

gsize order_held(const Order *order)
{
    return order->held;
}

guint64 order_late(const Order *order)
{
    return order->late;
}
