/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of the hops of many journeys.
 */
#include "journey/hops.h"

struct HopTable {
    HopDetail detail;
    GPtrArray *rows; /* HopStats, in the order of a packet's way */
    HopStats *cells[N_STEPS][N_STEPS];
    HopStats *whole;
};

static void hop_stats_free(HopStats *stats)
{
    if (stats == NULL) {
        return;
    }
    histogram_free(stats->ns);
    histogram_free(stats->lo);
    histogram_free(stats->hi);
    g_free(stats);
}

static HopStats *hop_stats_new(const Hop *hop, gboolean with_bounds)
{
    HopStats *stats = g_new0(HopStats, 1);

    stats->from = hop->from;
    stats->to = hop->to;
    stats->whose = hop->whose;
    stats->ns = histogram_new();
    if (with_bounds) {
        stats->lo = histogram_new();
        stats->hi = histogram_new();
    }
    return stats;
}

static void hop_stats_add(HopStats *stats, const Hop *hop)
{
    stats->crosses = stats->crosses || hop->crosses;
    histogram_add(stats->ns, hop->latency.ns);
    if (stats->lo != NULL) {
        histogram_add(stats->lo, hop->latency.lo);
        histogram_add(stats->hi, hop->latency.hi);
    }
}

static gint64 middle(HistogramRange range)
{
    return range.lo + (range.hi - range.lo) / 2;
}

Latency hop_stats_quantile(const HopStats *stats, guint per_10000)
{
    gint64 ns = middle(histogram_quantile(stats->ns, per_10000));

    if (!stats->crosses) {
        return (Latency){ns, ns, ns};
    }
    gint64 lo = histogram_quantile(stats->lo, per_10000).lo;
    gint64 hi = histogram_quantile(stats->hi, per_10000).hi;

    /* A bucket's middle may lie outside by less than the bucket's width. */
    return (Latency){lo, CLAMP(ns, lo, MAX(lo, hi)), hi};
}

Latency hop_stats_max(const HopStats *stats)
{
    gint64 ns = histogram_max(stats->ns);

    if (!stats->crosses) {
        return (Latency){ns, ns, ns};
    }
    return (Latency){histogram_max(stats->lo), ns, histogram_max(stats->hi)};
}

HopTable *hop_table_new(HopDetail detail)
{
    HopTable *table = g_new0(HopTable, 1);

    table->detail = detail;
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)hop_stats_free);
    return table;
}

void hop_table_free(HopTable *table)
{
    if (table == NULL) {
        return;
    }
    g_ptr_array_unref(table->rows);
    hop_stats_free(table->whole);
    g_free(table);
}

/* The order of a packet's way: unlike in the step table, what a poll takes comes before its end. */
static guint rank(StepId step)
{
    return step == STEP_POLL ? 2 * STEP_STACK + 1 : 2 * step;
}

static gboolean comes_before(const Hop *hop, const HopStats *row)
{
    if (hop->from != row->from) {
        return rank(hop->from) < rank(row->from);
    }
    return rank(hop->to) < rank(row->to);
}

/* Where in the rows @hop belongs. */
static guint place_of(const HopTable *table, const Hop *hop)
{
    guint i = 0;

    while (i < table->rows->len && !comes_before(hop, g_ptr_array_index(table->rows, i))) {
        i++;
    }
    return i;
}

static HopStats *cell(HopTable *table, const Hop *hop)
{
    HopStats **stats = &table->cells[hop->from][hop->to];

    if (*stats == NULL) {
        *stats = hop_stats_new(hop, hop->crosses);
        g_ptr_array_insert(table->rows, place_of(table, hop), *stats);
    }
    return *stats;
}

void hop_table_add(HopTable *table, const Journey *journey)
{
    Hop hops[JOURNEY_MAX_STEPS];
    guint n = journey_hops(journey, table->detail, hops);
    Hop whole;

    for (guint i = 0; i < n; i++) {
        hop_stats_add(cell(table, &hops[i]), &hops[i]);
    }
    if (!journey_whole(journey, table->detail, &whole)) {
        return;
    }
    if (table->whole == NULL) {
        /* Some journeys may begin and end on one side, others not. */
        table->whole = hop_stats_new(&whole, TRUE);
    }
    hop_stats_add(table->whole, &whole);
}

const HopStats *hop_table_at(const HopTable *table, guint i)
{
    return i < table->rows->len ? g_ptr_array_index(table->rows, i) : NULL;
}

const HopStats *hop_table_whole(const HopTable *table)
{
    return table->whole;
}
