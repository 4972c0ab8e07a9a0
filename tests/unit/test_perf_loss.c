/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loss in perf.data: how much, when, on which CPU, and never counted twice.
 */
#include "perf_subject.h"

static void assert_loss(const Event *event, guint16 cpu, gint64 from, gint64 to, guint32 n)
{
    g_assert_cmpint(event->kind, ==, EVENT_LOSS);
    g_assert_cmpint(event->cpu, ==, cpu);
    g_assert_cmpint(event->ptr[0], ==, from);
    g_assert_cmpint(event->time, ==, to);
    g_assert_cmpuint(event->num[0], ==, n);
}

/* LOST stands between the CPU's last sample and its own time; it is no event. */
static void test_lost(gconstpointer data)
{
    g_autoptr(PerfBuild) build = perf_build_new(data);
    g_autoptr(Subject) subject = NULL;
    const guint64 lost[] = {11, 5};
    const guint64 lost_samples[] = {3};

    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    perf_build_xmit(build, 0, 1500, 1, skb, 1);
    perf_build_with_trailer(build, RECORD_LOST, 0, lost, 2, 1, 2000);
    perf_build_with_trailer(build, RECORD_LOST_SAMPLES, 0, lost_samples, 1, 0, 2500);
    perf_build_with_trailer(build, RECORD_LOST_SAMPLES, MISC_FILTERED, lost_samples, 1, 0, 2600);
    perf_build_xmit(build, 1, 3000, 1, skb, 1);
    subject = subject_of(build);
    subject_assert_no_problems(subject);
    g_assert_cmpuint(subject->n, ==, 5);
    assert_loss(&subject->events[2], 1, 1000, 2000, 5);
    assert_loss(&subject->events[3], 0, 1500, 2500, 3);
    g_assert_cmpuint(subject_info(subject)->events, ==, 3);
    g_assert_cmpuint(subject_info(subject)->lost, ==, 8);
    g_assert_cmpstr(trace_source_event_name(subject->source, &subject->events[2]), ==, "lost");

    subject_reread(subject);
    assert_loss(&subject->events[2], 1, 1000, 2000, 5);
    g_assert_cmpuint(subject_info(subject)->lost, ==, 8);
}

/* LOST without a trailer: the sample that follows it came from the same buffer. */
static void test_lost_without_time(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;
    const guint64 lost[] = {11, 5};

    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST, 0, lost, 2);
    perf_build_xmit(build, 1, 3000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST, 0, lost, 2);
    subject = subject_of(build);
    g_assert_cmpuint(subject->n, ==, 4);
    assert_loss(&subject->events[1], 1, 1000, 3000, 5);
    assert_loss(&subject->events[3], NO_CPU, 3000, 3000, 5);
}

typedef struct CounterCase {
    const char *path;
    gboolean has_index; /* ID_INDEX tells the CPU of each id */
    guint64 announced;  /* by LOST on CPU 1 */
    guint64 counted;    /* by the counter of an id of CPU 1, in the end */
    guint64 want_rest;  /* lost after the last LOST */
    guint16 want_cpu;
} CounterCase;

static const CounterCase counter_cases[] = {
    {"/perf/loss/counter-says-the-same-again", TRUE, 5, 5, 0, 0},
    {"/perf/loss/counter-knows-of-more", TRUE, 5, 9, 4, 1},
    {"/perf/loss/counter-alone", TRUE, 0, 9, 9, 1},
    {"/perf/loss/counter-without-index-says-the-same-again", FALSE, 5, 5, 0, 0},
    {"/perf/loss/counter-without-index-knows-of-more", FALSE, 5, 9, 4, NO_CPU},
};

/* Counters that perf reads in the end are not counted on top of the LOST records. */
static void test_counter(gconstpointer data)
{
    const CounterCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;
    const guint64 index[] = {1, 11, 0, 1, 0};
    const guint64 lost[] = {11, row->announced};
    /* perf leaves pid, time and CPU 0 and fills in the id only. */
    const guint64 counter[] = {row->counted, 0, 0, 0, 11};

    if (row->has_index) {
        perf_build_values(build, RECORD_ID_INDEX, 0, index, G_N_ELEMENTS(index));
    }
    perf_build_xmit(build, 1, 1000, 1, skb, 1);
    if (row->announced > 0) {
        perf_build_with_trailer(build, RECORD_LOST, 0, lost, 2, 1, 2000);
    }
    perf_build_xmit(build, 1, 2000, 1, skb, 1);
    perf_build_xmit(build, 0, 3000, 1, skb, 1);
    perf_build_values(build, RECORD_LOST_SAMPLES, 0, counter, G_N_ELEMENTS(counter));
    subject = subject_of(build);
    subject_assert_no_problems(subject);
    g_assert_cmpuint(subject_info(subject)->lost, ==, row->announced + row->want_rest);
    if (row->want_rest > 0) {
        assert_loss(&subject->events[subject->n - 1], row->want_cpu, 2000, 3000, row->want_rest);
    }
}

int main(int argc, char **argv)
{
    static const PerfLayout usual;
    static const PerfLayout big_endian = {.big_endian = TRUE};

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(counter_cases); i++) {
        g_test_add_data_func(counter_cases[i].path, &counter_cases[i], test_counter);
    }
    g_test_add_data_func("/perf/loss/lost", &usual, test_lost);
    g_test_add_data_func("/perf/loss/lost-big-endian", &big_endian, test_lost);
    g_test_add_func("/perf/loss/lost-without-time", test_lost_without_time);
    return g_test_run();
}
