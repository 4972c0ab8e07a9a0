/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Halves: what one side's trace says of a buffer, before both sides are joined.
 */
#ifndef VIRTCORR_MATCH_HALF_H
#define VIRTCORR_MATCH_HALF_H

#include <glib.h>

#include "clock/map.h"
#include "journey/journey.h"
#include "trace/event.h"

/* A step as its own side saw it. */
typedef struct Stamp {
    gint64 time; /* in the source's clock */
    guint32 tid;
    guint16 cpu;
    guint8 step;
} Stamp;

enum { HALF_MAX_STAMPS = 7 };

typedef enum HalfFlags {
    HALF_HAS_CAUSE = 1 << 0,
    HALF_HAS_EFFECT = 1 << 1,
    HALF_HAS_BORDER = 1 << 2,
    HALF_DONE = 1 << 3,    /* nothing more will be learned, but for the end of the running poll */
    HALF_IN_POLL = 1 << 4, /* touched by a NAPI poll that has not ended yet */
    HALF_SUSPECT = 1 << 5, /* made inside a loss: counting is not sure here */
    HALF_AFTER_LOSS = 1 << 6,  /* the first of its queue after a loss: counting begins anew */
    HALF_AFTER_RESET = 1 << 7, /* the first after a device reset: likewise */
    HALF_UNSURE = 1 << 8,      /* one of a group of which some have no record: see Half.group */
} HalfFlags;

/**
 * HalfTimes: the stamps of a half that bound the other side's, each valid with its flag.
 * @made: the stamp of the record that made it; in a queue these ascend
 * @cause: not later than the other side can have seen the result: the driver's xmit, the device's
 *         push
 * @effect: not earlier than the other side's act: the device's pop, the driver's free or receive
 * @border: where one poll ends and the next begins. Guest: a stamp at which the driver had not yet
 *          found this buffer used though it looked (the last buffer of the poll before). Host: a
 *          stamp at which it surely was used (the queue's next event after the push)
 * @flags: HalfFlags
 *
 * Invariant of a true pair, for the true clock h: h(guest.cause) ≤ host.effect,
 * host.cause ≤ h(guest.effect) and h(guest.border) ≤ host.border.
 */
typedef struct HalfTimes {
    gint64 made;
    gint64 cause;
    gint64 effect;
    gint64 border;
    guint32 flags;
} HalfTimes;

/* Kinds of causal edges, for messages. */
typedef enum Edge {
    EDGE_XMIT_POP,
    EDGE_PUSH_RETURN, /* the driver's free or receive */
    EDGE_BORDER,
    EDGE_TSC_OFFSET,
} Edge;

enum { HALF_MAX_PAIRS = 3 };

/* The causal pairs that @guest and @host make when they are one buffer; returns how many. */
guint half_pairs(const HalfTimes *guest, const HalfTimes *host, ClockPair ret[HALF_MAX_PAIRS]);

/* Whether @map allows that @guest and @host are one buffer; returns how many pairs it denies. */
guint half_denials(const ClockMap *map, const HalfTimes *guest, const HalfTimes *host);

/**
 * Half: one buffer (host, and guest TX) or one packet (guest RX) as one side saw it.
 * @times: what bounds the other side
 * @seq: its number in its queue on this side
 * @object: skb (guest) or elem (host) address
 * @batch: the softirq run that handled it, 0 if unknown
 * @len: of the packet, in the side's own count; 0 if unknown
 * @held: packets the driver held when this one came; -1 if unknown
 * @part, @n_parts: buffer @part of the @n_parts of one packet
 * @group: of an unsure half: how many packets the group has from here on. Their number is certain,
 *         but some have no record (len 0): which ones is not known
 * @reason: with a value other than ORPHAN_NONE it can have no partner, and why
 */
typedef struct Half {
    HalfTimes times;
    guint64 seq;
    guint64 object;
    guint64 batch;
    guint32 len;
    gint32 held;
    guint16 part;
    guint16 n_parts;
    guint16 group;
    guint8 reason;
    guint8 n_stamps;
    Stamp stamps[HALF_MAX_STAMPS];
} Half;

static inline Stamp stamp_of(StepId step, const Event *event)
{
    return (Stamp){.time = event->time, .tid = event->tid, .cpu = event->cpu, .step = step};
}

/* Add @stamp; a step already there stays. */
void half_stamp(Half *half, Stamp stamp);

const Stamp *half_find(const Half *half, StepId step);

/**
 * HalfRing: the halves of one queue in order, bounded.
 *
 * Invariant: halves have serials head … tail-1; at most HALF_RING_MAX are held.
 */
typedef struct HalfRing {
    Half *halves;
    guint capacity; /* power of two */
    guint64 head;
    guint64 tail;
} HalfRing;

enum { HALF_RING_MAX = 1 << 13 };

void half_ring_clear(HalfRing *ring);

static inline guint64 half_ring_len(const HalfRing *ring)
{
    return ring->tail - ring->head;
}

/* The half with @serial, or NULL when it has been taken. */
static inline Half *half_ring_get(const HalfRing *ring, guint64 serial)
{
    if (serial < ring->head || serial >= ring->tail) {
        return NULL;
    }
    return &ring->halves[serial & (ring->capacity - 1)];
}

/* A new zeroed half at the tail. The ring must hold less than HALF_RING_MAX. */
Half *half_ring_push(HalfRing *ring);

/* Where closed halves go, in the order of their queue. */
typedef void (*HalfFunc)(guint queue, const Half *half, gpointer user_data);

#endif
