/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The join of one queue: the k-th packet of the guest with the k-th of the host.
 */
#ifndef VIRTCORR_MATCH_JOIN_H
#define VIRTCORR_MATCH_JOIN_H

#include "align.h"
#include "half.h"

typedef struct Join Join;

/**
 * JoinFuncs: what a join tells.
 * @pair: a packet of the guest is @host's buffer; called for each buffer of the packet, its first
 *        (part 0) first. Grade is ordered or ambiguous.
 * @orphan: a half that has no partner; one of @guest, @host is NULL
 * @map: the clock as it is known now, or NULL
 */
typedef struct JoinFuncs {
    void (*pair)(guint join, const Half *guest, const Half *host, Grade grade, gpointer user_data);
    void (*orphan)(guint join, const Half *guest, const Half *host, OrphanReason reason,
                   gpointer user_data);
    const ClockMap *(*map)(gpointer user_data);
    gpointer user_data;
} JoinFuncs;

/**
 * join_new:
 * @id: passed on to @funcs
 * @alignment: from the first alignment, basis ALIGN_NONE if there is none: then the join waits
 *             until the clock makes one certain
 */
Join *join_new(guint id, const JoinFuncs *funcs, const Alignment *alignment);
void join_free(Join *join);

/* When the traces of the two sides end: what is over before that has its partner in the trace. */
void join_set_ends(Join *join, GuestTime guest_end, HostTime host_end);

/* The next half of either side, in the order of its queue. */
void join_guest(Join *join, const Half *half);
void join_host(Join *join, const Half *half);

/* Nothing more comes: join what can be joined, tell the rest as orphans. */
void join_end(Join *join);

#endif
