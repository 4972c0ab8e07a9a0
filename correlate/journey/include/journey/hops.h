/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Statistics of the hops of many journeys.
 */
#ifndef VIRTCORR_JOURNEY_HOPS_H
#define VIRTCORR_JOURNEY_HOPS_H

#include "journey/histogram.h"
#include "journey/journey.h"

/**
 * HopStats: one kind of hop.
 * @from, @to: its ends
 * @whose: whose time it is
 * @crosses: whether any of them lies between guest and host
 * @ns: best single values
 * @lo, @hi: ends of the bounds, NULL unless @crosses. The quantile of all lower ends is never above
 *           the true quantile, and that of all upper ends never below it. G_MAXINT64 in @hi stands
 *           for unbounded.
 *
 * A buffer cannot reach a step before the one that causes it, so that negative values count as 0.
 */
typedef struct HopStats {
    StepId from;
    StepId to;
    Party whose;
    gboolean crosses;
    Histogram *ns;
    Histogram *lo;
    Histogram *hi;
} HopStats;

/* A quantile of a hop with its bound; lo = ns = hi when the hop stays on one side. */
Latency hop_stats_quantile(const HopStats *stats, guint per_10000);

/* The largest value of the hop with its bound. */
Latency hop_stats_max(const HopStats *stats);

/* The hops of one queue. */
typedef struct HopTable HopTable;

HopTable *hop_table_new(HopDetail detail);
void hop_table_free(HopTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HopTable, hop_table_free)

/* Count the hops of @journey and its whole length. */
void hop_table_add(HopTable *table, const Journey *journey);

/* Hop @i in the order of a packet's way; NULL after the last. */
const HopStats *hop_table_at(const HopTable *table, guint i);

/* From each journey's first step to its last; NULL before the first journey. */
const HopStats *hop_table_whole(const HopTable *table);

#endif
