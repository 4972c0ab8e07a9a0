/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which journeys pass a filter, and how times are written.
 */
#include "journey/filter.h"
#include "report_made.h"

typedef struct DurationRow {
    const char *sentence;
    const char *text;
    gboolean is_valid;
    gint64 ns;
} DurationRow;

static const DurationRow duration_rows[] = {
    {"without a unit it is ns", "1500", TRUE, 1500},
    {"µs with u", "250us", TRUE, 250000},
    {"µs with µ", "250µs", TRUE, 250000},
    {"ms", "2ms", TRUE, 2000000},
    {"a fraction", "1.5s", TRUE, 1500000000},
    {"what is below a ns is dropped", "1.0000000019s", TRUE, 1000000001},
    {"an unknown unit", "2min", FALSE, 0},
    {"nothing", "", FALSE, 0},
    {"only a unit", "ms", FALSE, 0},
    {"two points", "1.2.3s", FALSE, 0},
    {"a sign", "-1ms", FALSE, 0},
    {"too much for 64 bits", "9999999999999s", FALSE, 0},
};

static void test_duration(gconstpointer data)
{
    const DurationRow *row = data;
    gint64 ns = 0;

    g_assert_cmpint(journey_filter_parse_duration(row->text, &ns), ==, row->is_valid);
    g_assert_cmpint(ns, ==, row->ns);
}

static const Queue rx = {.id = 4, .direction = QUEUE_RX, .ifname = (char *)"eth0",
                         .device = (char *)"virtio1"};
static const Queue tx = {.id = 5, .direction = QUEUE_TX, .ifname = (char *)"eth0",
                         .device = (char *)"virtio1"};
static const Queue other = {.id = 6, .direction = QUEUE_OTHER, .device = (char *)"virtio2"};

typedef struct QueueRow {
    const char *sentence;
    JourneyFilter filter;
    gboolean passes_rx;
    gboolean passes_tx;
    gboolean passes_other;
} QueueRow;

static const QueueRow queue_rows[] = {
    {"no filter", {0}, TRUE, TRUE, TRUE},
    {"tx", {.tx = TRUE}, FALSE, TRUE, FALSE},
    {"rx", {.rx = TRUE}, TRUE, FALSE, FALSE},
    {"tx and rx", {.tx = TRUE, .rx = TRUE}, TRUE, TRUE, FALSE},
    {"the netdev, for both directions", {.device = "eth0"}, TRUE, TRUE, FALSE},
    {"the netdev's name whole", {.device = "eth"}, FALSE, FALSE, FALSE},
    {"a device", {.device = "virtio2"}, FALSE, FALSE, TRUE},
    {"a queue", {.has_queue = TRUE, .queue = 4}, TRUE, FALSE, FALSE},
};

static void test_queue(gconstpointer data)
{
    const QueueRow *row = data;

    g_assert_cmpint(journey_filter_queue(&row->filter, &rx), ==, row->passes_rx);
    g_assert_cmpint(journey_filter_queue(&row->filter, &tx), ==, row->passes_tx);
    g_assert_cmpint(journey_filter_queue(&row->filter, &other), ==, row->passes_other);
}

typedef struct PassRow {
    const char *sentence;
    JourneyFilter filter;
    const char *passed; /* of journeys that begin at 0, 1, 2 and 3 ms after 100 s: 640 µs each */
} PassRow;

static const PassRow pass_rows[] = {
    {"all", {0}, "0123"},
    {"at most two", {.limit = 2}, "01"},
    {"as slow as they are", {.slower_than = 640000}, "0123"},
    {"slower than they are", {.slower_than = 640001}, ""},
    {"from a time inside of one", {.from = {TRUE, TRUE, 1500000}}, "123"},
    {"from a time after one", {.from = {TRUE, TRUE, 1700000}}, "23"},
    {"up to a time", {.to = {TRUE, TRUE, 1500000}}, "01"},
    {"an absolute time", {.to = {TRUE, FALSE, G_GINT64_CONSTANT(100001500000)}}, "01"},
    {"a relative time beyond all", {.from = {TRUE, TRUE, G_MAXINT64}}, ""},
};

static void test_pass(gconstpointer data)
{
    const PassRow *row = data;
    JourneyFilter filter = row->filter;
    g_autoptr(GString) passed = g_string_new(NULL);

    for (guint i = 0; i < 4; i++) {
        Journey journey = made_tx(&tx, i, i * 1000000);

        if (journey_filter_pass(&filter, &journey)) {
            g_string_append_printf(passed, "%u", i);
        }
    }
    g_assert_cmpstr(passed->str, ==, row->passed);
}

static void test_time(void)
{
    FilterTime time;

    g_assert_true(journey_filter_parse_time("79044.5", &time));
    g_assert_false(time.is_relative);
    g_assert_cmpint(time.ns, ==, G_GINT64_CONSTANT(79044500000000));
    g_assert_true(journey_filter_parse_time("+0.25s", &time));
    g_assert_true(time.is_relative);
    g_assert_cmpint(time.ns, ==, 250000000);
    g_assert_false(journey_filter_parse_time("+", &time));
    g_assert_false(journey_filter_parse_time("1ms", &time));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(duration_rows); i++) {
        g_autofree char *path = g_strdup_printf("/duration/%s", duration_rows[i].sentence);

        g_test_add_data_func(path, &duration_rows[i], test_duration);
    }
    for (guint i = 0; i < G_N_ELEMENTS(queue_rows); i++) {
        g_autofree char *path = g_strdup_printf("/queue/%s", queue_rows[i].sentence);

        g_test_add_data_func(path, &queue_rows[i], test_queue);
    }
    for (guint i = 0; i < G_N_ELEMENTS(pass_rows); i++) {
        g_autofree char *path = g_strdup_printf("/journey/%s", pass_rows[i].sentence);

        g_test_add_data_func(path, &pass_rows[i], test_pass);
    }
    g_test_add_func("/time/seconds, and seconds after the first", test_time);
    return g_test_run();
}
