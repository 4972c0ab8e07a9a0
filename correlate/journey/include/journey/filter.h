/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which journeys the user wants to see.
 */
#ifndef VIRTCORR_JOURNEY_FILTER_H
#define VIRTCORR_JOURNEY_FILTER_H

#include "journey/journey.h"

/**
 * FilterTime: an end of a range of time.
 * @is_set: whether there is one
 * @is_relative: whether @ns counts from the first step of the first journey
 */
typedef struct FilterTime {
    gboolean is_set;
    gboolean is_relative;
    gint64 ns;
} FilterTime;

/**
 * JourneyFilter: what to let through; all zero lets everything through.
 * @tx, @rx: only queues of this direction; both or none: of any
 * @device: only queues whose netdev, tap, or device of either side has this name, or NULL
 * @has_queue, @queue: only the queue "q<queue>"
 * @from, @to: only journeys that touch this time
 * @slower_than: only journeys of at least this many ns from first step to last; 0: any
 * @hide_edges: leave out orphans whose other half was not recorded: the other side's trace did not
 *              run yet or any more, or has no event for them
 * @limit: at most that many journeys; 0: any number
 * @passed, @has_origin, @origin: state of the filter
 */
typedef struct JourneyFilter {
    gboolean tx;
    gboolean rx;
    const char *device;
    gboolean has_queue;
    guint queue;
    FilterTime from;
    FilterTime to;
    gint64 slower_than;
    gboolean hide_edges;
    guint64 limit;
    guint64 passed;
    gboolean has_origin;
    gint64 origin;
} JourneyFilter;

/* Whether journeys of @queue can pass at all. */
gboolean journey_filter_queue(const JourneyFilter *filter, const Queue *queue);

/* Whether @journey passes; to be asked once for each journey, in order. */
gboolean journey_filter_pass(JourneyFilter *filter, const Journey *journey);

/**
 * journey_filter_parse_duration: "1500", "250us", "2ms", "1.5s" as ns; without a unit ns.
 *
 * Returns: FALSE if @text is none, or does not fit
 */
gboolean journey_filter_parse_duration(const char *text, gint64 *ret_ns);

/* "12.5" is a time of the host's clock in s, "+12.5" counts from the first journey. */
gboolean journey_filter_parse_time(const char *text, FilterTime *ret_time);

#endif
