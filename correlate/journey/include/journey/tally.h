/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is counted of each queue while journeys go by.
 */
#ifndef VIRTCORR_JOURNEY_TALLY_H
#define VIRTCORR_JOURNEY_TALLY_H

#include "journey/hops.h"
#include "journey/occupancy.h"
#include "journey/sink.h"

/**
 * QueueTally: one queue.
 * @joined: buffers of any grade but orphan
 * @packets: packets joined, one of several buffers counted once
 * @grades, @reasons: buffers by grade, orphans by reason
 * @hops: of joined buffers that are not ambiguous; see tally_add_source()
 * @timed: how many buffers are in @hops
 * @in_device: buffers between pop and push
 * @held: packets that the driver held, with the one that came
 * @stamps: how many different stamps each step has: one irq serves many buffers
 */
typedef struct QueueTally {
    const Queue *queue;
    guint64 joined;
    guint64 packets;
    guint64 grades[N_GRADES];
    guint64 reasons[N_ORPHAN_REASONS];
    HopTable *hops;
    guint64 timed;
    Occupancy *in_device;
    Histogram *held;
    guint64 stamps[N_STEPS];
    gint64 last_stamp[N_STEPS];
} QueueTally;

/* All queues of a run. */
typedef struct Tally Tally;

/* Hops are those of @detail. */
Tally *tally_new(HopDetail detail);
void tally_free(Tally *tally);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tally, tally_free)

/* Know the sides before the first journey: with one of them alone, orphans have hops too. */
void tally_add_source(Tally *tally, const RunSource *source);

/* Know @queue, in the order in which queues are to be listed. */
void tally_add_queue(Tally *tally, const Queue *queue);

void tally_add(Tally *tally, const Journey *journey);

/* Queue @i; NULL after the last. */
QueueTally *tally_at(const Tally *tally, guint i);

#endif
