/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What join.c (which packet is decided when) and join_search.c (which count fits) share.
 */
#ifndef VIRTCORR_MATCH_JOIN_PRIVATE_H
#define VIRTCORR_MATCH_JOIN_PRIVATE_H

#include "fifo.h"
#include "join.h"

enum {
    FIRST_WINDOW = 32,  /* packets of each side that a new count is looked for in */
    LAST_WINDOW = 4096, /* when it is not certain within so many, it is called ambiguous */
    MIN_CERTAIN = 4,    /* fewer pairs than this make nothing certain */
};

enum {
    HALF_AFTER = HALF_AFTER_LOSS | HALF_AFTER_RESET,
    HALF_BREAKS = HALF_AFTER | HALF_SUSPECT,
};

typedef enum JoinState {
    JOIN_SEARCHING, /* it is not known which packet of the host is the guest's next */
    JOIN_LOCKED,    /* the first of the one is the first of the other */
} JoinState;

/**
 * Join:
 * @window: how many packets of each side the next search waits for
 * @held_guest, @held_host, @holds: while @holds, packets that a search has passed over. One side
 *            has lost records: when as many of the other side are passed over, none of this queue
 *            were among them
 * @lost_by: why the count was lost, for the orphans in between
 * @skips_guest, @skips_host: whether packets of that side may have lost their partner when the
 *                            count was lost: those of the guest when the host lost records
 */
struct Join {
    guint id;
    JoinFuncs funcs;
    Alignment alignment;
    JoinState state;
    Fifo guest;
    Fifo host;
    Fifo held_guest;
    Fifo held_host;
    gboolean holds;
    gsize window;
    OrphanReason lost_by;
    gboolean skips_guest;
    gboolean skips_host;
    gboolean has_ends;
    GuestTime guest_end;
    HostTime host_end;
    gboolean is_last; /* nothing more comes */
};

/* Pass over the first packet of one side, for @reason. */
void join_drop_guest(Join *join, OrphanReason reason);
void join_drop_host(Join *join, OrphanReason reason);

/* The first packets of both sides are a pair. */
void join_take_pair(Join *join, Grade grade);

/* Nothing that was passed over can be joined any more. */
void join_release_held(Join *join);

/* A count is found: as many passed over on both sides are pairs, each if it can be. */
void join_settle_held(Join *join);

/* Whether their lengths, where both are known, are those of one packet. */
gboolean join_lengths_agree(const Join *join, const Half *guest, const Half *host);

/* Whether they have the lengths of one packet, and no effect comes before its cause. */
gboolean join_can_pair(const Join *join, const ClockMap *map, const Half *guest, const Half *host);

/* Whether the first packet of one side was over before anything that waits on the other began. */
gboolean join_host_is_too_early(const ClockMap *map, const Half *guest, const Half *host);
gboolean join_guest_is_too_early(const ClockMap *map, const Half *guest, const Half *host);

/* Packets of @fifo from the front up to where counting breaks off, at most @most. */
gsize join_stretch(const Fifo *fifo, gsize most, gboolean *ret_breaks);

/**
 * join_count_fits: how many shifts fit the first @n_guest and @n_host waiting packets, counted up
 * to two, and the first of them: guest packet i is host packet i + shift.
 */
guint join_count_fits(const Join *join, const ClockMap *map, gsize n_guest, gsize n_host,
                      gssize *ret_shift);

#endif
