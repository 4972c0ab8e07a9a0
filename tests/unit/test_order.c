/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Order gives what a stable sort gives, whatever the order of the input.
 */
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum { N_EVENTS = 5000 };

static int compare(const void *a, const void *b)
{
    const Event *x = a;
    const Event *y = b;

    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static gint64 time_ascending(guint i, GRand *rand)
{
    return i;
}

static gint64 time_all_equal(guint i, GRand *rand)
{
    return 7;
}

static gint64 time_descending(guint i, GRand *rand)
{
    return -(gint64)i;
}

static gint64 time_of_four_threads(guint i, GRand *rand)
{
    return i * 10 - (i % 4) * 35;
}

static gint64 time_of_cpus_one_by_one(guint i, GRand *rand)
{
    return i % 50 * 1000 + i / 50;
}

static gint64 time_random(guint i, GRand *rand)
{
    return g_rand_int_range(rand, -100, 100);
}

static gint64 time_extreme(guint i, GRand *rand)
{
    return g_rand_boolean(rand) ? G_MININT64 : G_MAXINT64;
}

typedef struct Row {
    const char *name;
    const char *what;
    gint64 (*time)(guint i, GRand *rand);
} Row;

static const Row rows[] = {
    {"ascending", "input in order passes unchanged", time_ascending},
    {"equal", "events of one time keep the order of their offsets", time_all_equal},
    {"descending", "more runs than are kept go to the heap", time_descending},
    {"threads", "neighbours of a few threads are swapped", time_of_four_threads},
    {"cpus", "one CPU's events after the other's", time_of_cpus_one_by_one},
    {"random", "no order at all, with many equal times", time_random},
    {"extreme", "the earliest and the latest time there is", time_extreme},
};

static Event *make_events(const Row *row)
{
    Event *events = g_new0(Event, N_EVENTS);
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (guint i = 0; i < N_EVENTS; i++) {
        events[i].time = row->time(i, rand);
        events[i].offset = i;
    }
    return events;
}

static void assert_same(const Event *got, const Event *want, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_assert_cmpint(got[i].time, ==, want[i].time);
        g_assert_cmpuint(got[i].offset, ==, want[i].offset);
    }
}

/* All in, all out, in blocks of several sizes. */
static void test_sorts(gconstpointer data)
{
    const Row *row = data;
    g_autofree Event *events = make_events(row);
    g_autofree Event *got = g_new0(Event, N_EVENTS);
    g_autoptr(Order) order = order_new();
    gsize n = 0;

    for (guint i = 0; i < N_EVENTS; i++) {
        order_push(order, &events[i]);
    }
    qsort(events, N_EVENTS, sizeof(Event), compare);
    while (n < N_EVENTS) {
        gsize taken = order_pop(order, got + n, MIN(1 + n % 97, N_EVENTS - n), G_MAXINT64);

        g_assert_cmpuint(taken, >, 0);
        n += taken;
        g_assert_cmpuint(order_held(order), ==, N_EVENTS - n);
    }
    assert_same(got, events, N_EVENTS);
    g_assert_cmpuint(order_late(order), ==, 0);
}

/* Nothing later than the limit comes out, and everything up to it does. */
static void test_until(gconstpointer data)
{
    const Row *row = data;
    g_autofree Event *events = make_events(row);
    g_autofree Event *got = g_new0(Event, N_EVENTS);
    g_autoptr(Order) order = order_new();
    const gint64 until = 20;
    gsize want = 0;
    gsize n;

    for (guint i = 0; i < N_EVENTS; i++) {
        order_push(order, &events[i]);
        want += events[i].time <= until;
    }
    qsort(events, N_EVENTS, sizeof(Event), compare);
    n = order_pop(order, got, N_EVENTS, until);
    g_assert_cmpuint(n, ==, want);
    assert_same(got, events, n);
}

/*
 * With a window of events held back the output is what a simple model gives: the earliest of those
 * held, again and again.
 */
static void test_window(gconstpointer data)
{
    enum { HELD = 40 };
    const Row *row = data;
    g_autofree Event *events = make_events(row);
    g_autoptr(Order) order = order_new();
    Event model[HELD + 1];
    guint64 late = 0;
    gint64 popped = G_MININT64;
    gsize n_model = 0;

    for (guint i = 0; i < N_EVENTS; i++) {
        Event got;

        late += events[i].time < popped;
        order_push(order, &events[i]);
        model[n_model++] = events[i];
        if (n_model <= HELD) {
            continue;
        }
        qsort(model, n_model, sizeof(Event), compare);
        g_assert_cmpuint(order_pop(order, &got, 1, G_MAXINT64), ==, 1);
        assert_same(&got, model, 1);
        popped = MAX(popped, got.time);
        memmove(model, model + 1, --n_model * sizeof(Event));
    }
    g_assert_cmpuint(order_late(order), ==, late);
}

static void test_equal_offsets(void)
{
    g_autoptr(Order) order = order_new();
    const gint64 times[] = {5, 4, 5, 4, 5};
    Event got[G_N_ELEMENTS(times)];

    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        Event event = {.time = times[i]};

        order_push(order, &event);
    }
    g_assert_cmpuint(order_pop(order, got, G_N_ELEMENTS(got), G_MAXINT64), ==, 5);
    g_assert_cmpint(got[1].time, ==, 4);
    g_assert_cmpint(got[2].time, ==, 5);
}

static void test_reset(void)
{
    g_autoptr(Order) order = order_new();
    Event event = {.time = 5};
    Event got;

    order_push(order, &event);
    g_assert_cmpuint(order_pop(order, &got, 1, G_MAXINT64), ==, 1);
    event.time = 4;
    order_push(order, &event);
    g_assert_cmpuint(order_late(order), ==, 1);

    order_reset(order);
    g_assert_cmpuint(order_held(order), ==, 0);
    g_assert_cmpuint(order_pop(order, &got, 1, G_MAXINT64), ==, 0);
    order_push(order, &event);
    g_assert_cmpuint(order_late(order), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *sorts = g_strdup_printf("/order/sorts/%s", rows[i].name);
        g_autofree char *until = g_strdup_printf("/order/until/%s", rows[i].name);
        g_autofree char *window = g_strdup_printf("/order/window/%s", rows[i].name);

        g_test_add_data_func(sorts, &rows[i], test_sorts);
        g_test_add_data_func(until, &rows[i], test_until);
        g_test_add_data_func(window, &rows[i], test_window);
    }
    g_test_add_func("/order/equal-offsets", test_equal_offsets);
    g_test_add_func("/order/reset", test_reset);
    return g_test_run();
}
