/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of journeys: histogram, occupancy, hops and tally.
 */
#include "journey/tally.h"
#include "report_made.h"

typedef struct ExactRow {
    const char *sentence;
    guint n;
    gint64 values[6];
    guint per_10000;
    gint64 expected;
} ExactRow;

static const ExactRow exact_rows[] = {
    {"the median of one value is the value", 1, {7}, 5000, 7},
    {"the median of an even number is the lower one", 4, {4, 1, 3, 2}, 5000, 2},
    {"p99 of few values is the largest", 5, {5, 1, 4, 2, 3}, 9900, 5},
    {"quantile 0 is the smallest", 3, {9, 3, 6}, 0, 3},
    {"quantile 1 is the largest", 3, {9, 3, 6}, 10000, 9},
    {"a negative value counts as 0", 1, {-5}, 5000, 0},
    {"of no value there is no quantile", 0, {0}, 5000, 0},
};

static void test_exact(gconstpointer data)
{
    const ExactRow *row = data;
    g_autoptr(Histogram) histogram = histogram_new();

    for (guint i = 0; i < row->n; i++) {
        histogram_add(histogram, row->values[i]);
    }
    HistogramRange range = histogram_quantile(histogram, row->per_10000);

    g_assert_cmpint(range.lo, ==, row->expected);
    g_assert_cmpint(range.hi, ==, row->expected);
}

/* Many values: the range holds the true quantile and is less than 1 % wide. */
static void test_many(void)
{
    enum { N = 100000 };
    g_autoptr(Histogram) histogram = histogram_new();

    for (guint i = 1; i <= N; i++) {
        histogram_add(histogram, (gint64)i * i);
    }
    for (guint per_10000 = 1; per_10000 <= 10000; per_10000 += 333) {
        gint64 rank = ((gint64)N * per_10000 + 9999) / 10000;
        gint64 truth = rank * rank;
        HistogramRange range = histogram_quantile(histogram, per_10000);

        g_assert_cmpint(range.lo, <=, truth);
        g_assert_cmpint(range.hi, >=, truth);
        g_assert_cmpint((range.hi - range.lo) * 100, <=, truth);
    }
    g_assert_cmpint(histogram_min(histogram), ==, 1);
    g_assert_cmpint(histogram_max(histogram), ==, (gint64)N * N);
}

/* Octaves are the same whether values are exact or in buckets. */
static void test_octaves(void)
{
    g_autoptr(Histogram) histogram = histogram_new();
    const gint64 values[] = {0, 1, 2, 3, 4, 127, 128, 255, 256, G_MAXINT64};
    const guint64 expected[] = {2, 2, 1, 0, 0, 0, 1, 2, 1};

    for (guint round = 1; round <= 1000; round++) {
        for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
            histogram_add(histogram, values[i]);
        }
        if (round == 1 || round == 1000) {
            for (guint octave = 0; octave < G_N_ELEMENTS(expected); octave++) {
                g_assert_cmpuint(histogram_octave(histogram, octave), ==,
                                 expected[octave] * round);
            }
            g_assert_cmpuint(histogram_octave(histogram, 62), ==, round);
        }
    }
    g_assert_cmpint(histogram_quantile(histogram, 10000).hi, ==, G_MAXINT64);
}

static void test_occupancy(void)
{
    g_autoptr(Occupancy) occupancy = occupancy_new();

    /* Twenty thousand triples that overlap, told in the order of their ends. */
    for (gint64 i = 0; i < 20000; i++) {
        occupancy_add(occupancy, i * 100 + 20, i * 100 + 50);
        occupancy_add(occupancy, i * 100 + 10, i * 100 + 60);
        occupancy_add(occupancy, i * 100, i * 100 + 70);
    }
    Histogram *levels = occupancy_finish(occupancy);

    g_assert_cmpuint(histogram_count(levels), ==, 60000);
    g_assert_cmpint(histogram_min(levels), ==, 1);
    g_assert_cmpint(histogram_max(levels), ==, 3);
    g_assert_cmpint(histogram_quantile(levels, 5000).hi, ==, 2);
}

static void test_touching(void)
{
    g_autoptr(Occupancy) occupancy = occupancy_new();

    occupancy_add(occupancy, 0, 10);
    occupancy_add(occupancy, 10, 20);
    g_assert_cmpint(histogram_max(occupancy_finish(occupancy)), ==, 1);
}

static void test_tally(void)
{
    Queue queue = {.id = 1, .direction = QUEUE_TX};
    g_autoptr(Tally) tally = tally_new(HOPS_ALL);
    Journey orphan = made_tx(&queue, 3, 9000000);
    Journey doubtful = made_tx(&queue, 4, 10000000);

    tally_add_source(tally, &(RunSource){.side = "host"});
    tally_add_source(tally, &(RunSource){.side = "guest"});
    orphan.grade = GRADE_ORPHAN;
    orphan.reason = ORPHAN_IN_FLIGHT;
    doubtful.grade = GRADE_AMBIGUOUS;
    for (guint i = 0; i < 3; i++) {
        Journey journey = made_tx(&queue, i, i * 1000000);

        tally_add(tally, &journey);
    }
    tally_add(tally, &orphan);
    tally_add(tally, &doubtful);

    const QueueTally *counted = tally_at(tally, 0);
    const HopStats *hop = hop_table_at(counted->hops, 1);

    g_assert_null(tally_at(tally, 1));
    g_assert_cmpuint(counted->joined, ==, 4);
    g_assert_cmpuint(counted->timed, ==, 3);
    g_assert_cmpuint(counted->grades[GRADE_AMBIGUOUS], ==, 1);
    g_assert_cmpuint(counted->reasons[ORPHAN_IN_FLIGHT], ==, 1);
    g_assert_cmpuint(histogram_count(hop->ns), ==, 3);
    g_assert_cmpint(hop->from, ==, STEP_XMIT);
    g_assert_cmpint(hop->to, ==, STEP_POP);
    Latency latency = hop_stats_quantile(hop, 5000);

    g_assert_cmpint(latency.lo, ==, 60000 - MADE_ERROR);
    g_assert_cmpint(latency.ns, ==, 60000);
    g_assert_cmpint(latency.hi, ==, 60000 + MADE_ERROR);
}

/* Two buffers that share an irq count it once; alone on one side, orphans count too. */
static void test_shared_irq(void)
{
    Queue queue = {.id = 0, .direction = QUEUE_RX};
    g_autoptr(Tally) tally = tally_new(HOPS_ALL);
    Journey first = made_rx(&queue, 0, 0);
    Journey second = made_rx(&queue, 1, 0);

    tally_add_source(tally, &(RunSource){.side = "guest"});
    second.grade = GRADE_ORPHAN;
    second.reason = ORPHAN_NOT_TRACED;
    tally_add(tally, &first);
    tally_add(tally, &second);
    g_assert_cmpuint(tally_at(tally, 0)->stamps[STEP_IRQ], ==, 1);
    g_assert_cmpuint(tally_at(tally, 0)->timed, ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(exact_rows); i++) {
        g_autofree char *path = g_strdup_printf("/histogram/%s", exact_rows[i].sentence);

        g_test_add_data_func(path, &exact_rows[i], test_exact);
    }
    g_test_add_func("/histogram/many values are bounded within 1 %", test_many);
    g_test_add_func("/histogram/octaves stay the same in buckets", test_octaves);
    g_test_add_func("/occupancy/stays are put in order", test_occupancy);
    g_test_add_func("/occupancy/who goes makes room", test_touching);
    g_test_add_func("/tally/ambiguous and orphans are not timed", test_tally);
    g_test_add_func("/tally/a shared irq counts once", test_shared_irq);
    return g_test_run();
}
