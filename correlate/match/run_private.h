/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of a run share: sources, both sides, links and clock.
 */
#ifndef VIRTCORR_MATCH_RUN_PRIVATE_H
#define VIRTCORR_MATCH_RUN_PRIVATE_H

#include "align.h"
#include "feed.h"
#include "guest.h"
#include "host.h"
#include "join.h"
#include "match/run.h"

/* What an Edge says, for messages. */
const char *edge_name(guint32 edge);

/**
 * Link: a queue of the guest and the host's queue that is the same one.
 * @is_aligned: @alignment has been found and its pairs are known
 * @guest_queue, @host_queue: GUEST_NONE, HOST_NONE when only the other side was seen
 */
typedef struct Link {
    guint guest_queue;
    guint host_queue;
    Queue queue;
    Alignment alignment;
    gboolean is_aligned;
    Join *join;
} Link;

/**
 * Run:
 * @guest_source: index of the guest's source, or @n
 * @host_source: of the one that gives the host's line, or @n
 * @host_streams, @guest_streams: a Stream a queue, made in the first pass, then freed
 * @links: of Link; @host_links, @guest_links: queue → link
 * @solver: collects the pairs of the second pass
 * @map: the clock as far as it is known, NULL if the guest cannot be placed
 */
typedef struct Run {
    const MatchOptions *options;
    const RunListener *listener;
    RunTotals *totals;
    FeedSource sources[FEED_MAX_SOURCES];
    guint n;
    guint guest_source;
    guint host_source;
    Host *host;
    Guest *guest;
    GPtrArray *host_streams;
    GPtrArray *guest_streams;
    GPtrArray *links;
    ClockPrior prior;
    ClockRate nominal; /* what the clock's unit stands for; den 0: not known before it is solved */
    gboolean has_prior;
    GArray *fixed; /* pairs that metadata gives (of ClockPair) */
    GArray *pairs; /* of the second pass, not yet in @solver */
    ClockSolver *solver;
    ClockMap *map;
    ClockMap *newest_map; /* of the pairs that the second pass has seen, if it needed one */
    guint64 map_pairs;    /* pairs in @solver when it was made */
    guint64 n_pairs;
    gint64 step_ns;
    guint64 work_done;
    guint64 work_total;
} Run;

/* Tell the listener a line for the user. */
void run_note(const Run *run, const char *kind, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* sides.c: tell sides, choose clocks; FALSE when nothing can be done with these files. */
gboolean run_choose_sides(Run *run, const MatchInput *inputs, GError **error);
const char *run_source_path(const Run *run, guint source);

/* pairing.c: which queue of the guest is which of the host; makes run->links. */
void run_pair_queues(Run *run);

/* tsc.c: what the user's TSC offset says of the clock, or a note why it cannot be used. */
void run_use_tsc_offset(Run *run);

/* emit.c: journeys. */
void run_emit_pair(Run *run, const Link *link, const Half *guest, const Half *host, Grade grade);
void run_emit_orphan(Run *run, const Link *link, const Half *guest, const Half *host,
                     OrphanReason reason);

/* tell.c: sources, clocks and losses for the listener. */
void run_tell_sources(const Run *run);
void run_tell_clock(Run *run);
void run_tell_losses(const Run *run);

#endif
