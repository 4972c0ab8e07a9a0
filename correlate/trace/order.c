/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nearly ordered events in, ordered events out, with bounded memory.
 */
#include "order.h"

#include <string.h>

typedef struct Run {
    Event *events;
    gsize head;
    gsize len;
    gsize capacity;
} Run;

struct Order {
    GArray *runs;
    guint last; /* the run that took the last event: the next one mostly fits there too */
    gsize held;
    gint64 popped;
    guint64 late;
};

enum { RUN_CAPACITY = 256 };

static void run_clear(gpointer data)
{
    g_free(((Run *)data)->events);
}

Order *order_new(void)
{
    Order *order = g_new0(Order, 1);

    order->runs = g_array_new(FALSE, TRUE, sizeof(Run));
    g_array_set_clear_func(order->runs, run_clear);
    order_reset(order);
    return order;
}

void order_free(Order *order)
{
    if (order == NULL) {
        return;
    }
    g_array_unref(order->runs);
    g_free(order);
}

void order_reset(Order *order)
{
    g_array_set_size(order->runs, 0);
    order->last = 0;
    order->held = 0;
    order->popped = G_MININT64;
    order->late = 0;
}

static inline gboolean is_before(const Event *a, const Event *b)
{
    return a->time < b->time || (a->time == b->time && a->offset < b->offset);
}

static inline gboolean run_takes(const Run *run, const Event *event)
{
    return run->head == run->len || !is_before(event, &run->events[run->len - 1]);
}

static void run_append(Run *run, const Event *event)
{
    if (run->head == run->len) {
        run->head = run->len = 0;
    }
    if (run->len == run->capacity && run->head >= run->capacity / 2 && run->head > 0) {
        memmove(run->events, run->events + run->head, (run->len - run->head) * sizeof(Event));
        run->len -= run->head;
        run->head = 0;
    }
    if (run->len == run->capacity) {
        run->capacity = MAX(RUN_CAPACITY, run->capacity * 2);
        run->events = g_renew(Event, run->events, run->capacity);
    }
    run->events[run->len++] = *event;
}

static Run *find_run(Order *order, const Event *event)
{
    Run *runs = (Run *)order->runs->data;

    if (order->last < order->runs->len && run_takes(&runs[order->last], event)) {
        return &runs[order->last];
    }
    for (guint i = 0; i < order->runs->len; i++) {
        if (run_takes(&runs[i], event)) {
            order->last = i;
            return &runs[i];
        }
    }
    order->last = order->runs->len;
    g_array_set_size(order->runs, order->last + 1);
    return &g_array_index(order->runs, Run, order->last);
}

void order_push(Order *order, const Event *event)
{
    if (event->time < order->popped) {
        order->late++;
    }
    run_append(find_run(order, event), event);
    order->held++;
}

/* The run with the earliest head; @ret_second is the earliest head of all others, or NULL. */
static Run *earliest_run(Order *order, const Event **ret_second)
{
    Run *first = NULL;

    *ret_second = NULL;
    for (guint i = 0; i < order->runs->len; i++) {
        Run *run = &g_array_index(order->runs, Run, i);

        if (run->head == run->len) {
            continue;
        }
        if (first == NULL || is_before(&run->events[run->head], &first->events[first->head])) {
            *ret_second = first ? &first->events[first->head] : NULL;
            first = run;
        } else if (*ret_second == NULL || is_before(&run->events[run->head], *ret_second)) {
            *ret_second = &run->events[run->head];
        }
    }
    return first;
}

gsize order_pop(Order *order, Event *ret_events, gsize max, gint64 until)
{
    gsize n = 0;

    while (n < max) {
        const Event *second;
        Run *run = earliest_run(order, &second);

        if (run == NULL || run->events[run->head].time > until) {
            break;
        }
        do {
            ret_events[n++] = run->events[run->head++];
        } while (n < max && run->head < run->len && run->events[run->head].time <= until &&
                 (second == NULL || is_before(&run->events[run->head], second)));
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
