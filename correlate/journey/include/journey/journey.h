/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The journey: the steps of one buffer across guest and host, on one time line.
 */
#ifndef VIRTCORR_JOURNEY_JOURNEY_H
#define VIRTCORR_JOURNEY_JOURNEY_H

#include <glib.h>

#include "clock/time.h"
#include "common/step.h"

typedef enum QueueDirection {
    QUEUE_RX,
    QUEUE_TX,
    QUEUE_CONTROL,
    QUEUE_OTHER,
} QueueDirection;

/* "rx", "tx", "control", "other". */
const char *queue_direction_name(QueueDirection direction);

/**
 * Queue: one virtqueue. All texts may come from the guest: escape before printing.
 * @id: its number in this run; printed "q<id>"
 * @device: the guest's name of the device ("virtio8"), or NULL if not known
 * @host_device: the host's name of it ("vdev 0x5606f2875c50"), or NULL if not known
 * @driver: "virtio-net", or NULL if not known
 * @ifname: the guest's netdev, or NULL
 * @tap: the host's tap, or NULL
 * @index: queue index in the device
 * @evidence: why host and guest device are taken for the same, or NULL
 */
typedef struct Queue {
    guint id;
    char *device;
    char *host_device;
    char *driver;
    char *ifname;
    char *tap;
    guint index;
    QueueDirection direction;
    char *evidence;
} Queue;

/* How the two sides of a buffer were joined. */
typedef enum Grade {
    GRADE_EXACT,     /* ring position on both sides */
    GRADE_ORDERED,   /* k-th with k-th, verified by content or by time from both ends */
    GRADE_AMBIGUOUS, /* more than one join fits: shown, never counted in statistics */
    GRADE_ORPHAN,    /* seen on one side only */
} Grade;

enum { N_GRADES = GRADE_ORPHAN + 1 };

const char *grade_name(Grade grade);

/* Why a buffer is an orphan. */
typedef enum OrphanReason {
    ORPHAN_NONE,
    ORPHAN_OTHER_SIDE_BEGINS, /* before the other side's trace begins */
    ORPHAN_OTHER_SIDE_ENDS,   /* after the other side's trace ends */
    ORPHAN_IN_FLIGHT,         /* its journey had not ended when the trace did */
    ORPHAN_LOST_RECORDS,      /* the other half may be among lost records */
    ORPHAN_RESET,             /* the device was reset */
    ORPHAN_DROPPED,           /* the driver or the queueing discipline refused it */
    ORPHAN_NOT_TRACED,        /* the other side's trace has no event that names it */
    ORPHAN_UNMATCHED,         /* no join fits */
} OrphanReason;

enum { N_ORPHAN_REASONS = ORPHAN_UNMATCHED + 1 };

/* "capture-begin", "capture-end", "in-flight", "lost-records", "reset", … */
const char *orphan_reason_name(OrphanReason reason);

/**
 * Step: one step of a journey.
 * @step: a StepId
 * @cpu: G_MAXUINT16 if unknown
 * @tid: 0 if unknown
 * @raw: the stamp in its source
 * @when: where on the host's time line
 */
typedef struct Step {
    guint8 step;
    guint16 cpu;
    guint32 tid;
    gint64 raw;
    HostSpan when;
} Step;

enum { JOURNEY_MAX_STEPS = N_STEPS };

/**
 * Journey: one buffer.
 * @queue: owned by the roster, valid while the run lasts
 * @seq: number of the buffer in its queue
 * @len: bytes of the packet with its Ethernet header, 0 if not known
 * @part, @n_parts: this is buffer @part (from 0) of the @n_parts buffers that hold the packet
 * @skb: the guest's skb address, 0 if not known
 * @batch: number of the softirq run that handled the packet in the guest, 0 if not known
 * @held: how many packets the driver held when this one came to it, with it; -1 if not known
 *
 * Invariant: steps are in the order of their times; a step stands at most once. Steps of one side
 * are in true order; across sides the order is certain only where the spans do not overlap.
 */
typedef struct Journey {
    const Queue *queue;
    guint64 seq;
    Grade grade;
    OrphanReason reason;
    guint32 len;
    guint32 part;
    guint32 n_parts;
    guint64 skb;
    guint64 batch;
    gint32 held;
    guint n_steps;
    Step steps[JOURNEY_MAX_STEPS];
} Journey;

/* The step @step of @journey, or NULL. */
const Step *journey_step(const Journey *journey, StepId step);

/* Put the steps in order: by time, equal or overlapping times in the order of StepId. */
void journey_sort(Journey *journey);

/**
 * Hop: the stretch between two neighbouring steps.
 * @crosses: whether it lies between guest and host, so that the bound of the clock applies
 * @is_known: whether the order of its ends is certain: @latency.lo ≥ 0, or both on one side
 */
typedef struct Hop {
    StepId from;
    StepId to;
    Party whose;
    Latency latency;
    gboolean crosses;
    gboolean is_known;
} Hop;

/* Between which steps hops are taken. Marks (StepInfo.is_mark) are never an end of a hop. */
typedef enum HopDetail {
    HOPS_ALL,  /* all steps */
    HOPS_MAIN, /* the main steps of the journey's direction (StepInfo.main) */
} HopDetail;

/* The hops of @journey in order; returns how many, less than JOURNEY_MAX_STEPS. */
guint journey_hops(const Journey *journey, HopDetail detail, Hop ret_hops[JOURNEY_MAX_STEPS]);

/* From the first of these steps to the last; FALSE if there are not two. */
gboolean journey_whole(const Journey *journey, HopDetail detail, Hop *ret_hop);

#endif
