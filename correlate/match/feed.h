/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sources of a run as one stream of events in the order of host time.
 */
#ifndef VIRTCORR_MATCH_FEED_H
#define VIRTCORR_MATCH_FEED_H

#include "clock/map.h"
#include "match/run.h"

/* Records lost in [begin, end], times as feed_run() tells them. */
typedef struct Loss {
    gint64 begin;
    gint64 end;
    guint64 records;
} Loss;

/* How the readings of a host source become ns. */
typedef struct HostClock {
    gboolean is_tsc; /* ns = zero + (cycles × mult >> shift) */
    guint32 mult;
    guint32 shift;
    guint64 zero;
    gint64 step_ns;
} HostClock;

/**
 * FeedSource: one file of a run.
 * @side: host or guest
 * @use: FALSE: left out, for instance because its clock cannot be aligned
 * @losses: of Loss, by begin, not overlapping; filled in the first pass
 * @base: of a guest's clock: what its times are counted from, so that they do not wrap
 * @first, @last: of its events, as feed_run() tells them; valid when it has any
 */
typedef struct FeedSource {
    TraceSource *source;
    TraceSide side;
    gboolean use;
    HostClock clock;
    GArray *losses;
    gint64 base;
    gint64 first;
    gint64 last;
    gboolean has_events;
} FeedSource;

enum { FEED_MAX_SOURCES = 16, FEED_MAX_LOSSES = 4096 };

/* Host ns of reading @raw. */
gint64 host_clock_ns(const HostClock *clock, gint64 raw);

/* Note a loss; the list stays sorted, and short by joining neighbours when it is full. */
void feed_source_add_loss(FeedSource *source, const Event *event);

/**
 * FeedFuncs:
 * @event: an event; of kind EVENT_LOSS only when there is no @suspect
 * @suspect: the source's next event comes inside a loss, or again after it; may be NULL
 * @progress: bytes read so far; may be NULL
 */
typedef struct FeedFuncs {
    void (*event)(guint source, const Event *event, gpointer user_data);
    void (*suspect)(guint source, gboolean suspect, gpointer user_data);
    void (*progress)(guint64 done, gpointer user_data);
    gpointer user_data;
} FeedFuncs;

/**
 * feed_run: read all used sources once and tell @funcs each event, merged by host time.
 * @map: of the guest's clock, for the order only; NULL: one source after the other, guests last
 *
 * Events of host sources come with their time in host ns, those of guests with it counted from
 * FeedSource.base, modulo 2⁶⁴.
 */
void feed_run(FeedSource *sources, guint n, const ClockMap *map, const FeedFuncs *funcs);

#endif
