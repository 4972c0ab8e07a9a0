/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What host.c (which queue is whose) and host_queue.c (one queue's buffers) share.
 */
#ifndef VIRTCORR_MATCH_HOST_PRIVATE_H
#define VIRTCORR_MATCH_HOST_PRIVATE_H

#include "host.h"

/* A buffer between its pop and its push; bits say which stamps are there. */
typedef struct HostBuffer {
    guint64 elem;
    guint64 seq;
    guint32 len;
    unsigned device_writes : 1;
    unsigned has_pop : 1;
    unsigned has_wake : 1;
    unsigned has_tap_out : 1;
    Stamp pop;
    Stamp wake;
    Stamp tap_out;
    Stamp fill;
} HostBuffer;

/* A packet that arrived at the tap for the guest. */
typedef struct HostArrival {
    Stamp stamp;
    guint32 len;
} HostArrival;

/* When a packet for the guest came to the tap: net_dev_xmit is traced after the tap has it. */
typedef struct HostSend {
    guint64 skb;
    gint64 time;
} HostSend;

enum { HOST_SENDS = 64 };

/**
 * HostQueue:
 * @pending: buffers popped and not filled, in the order of their pops
 * @filled: buffers filled and not flushed, in that order
 * @arrivals: packets at the attached tap that no push has claimed
 * @ring: pushed buffers that may still learn their irq and border
 * @no_irq, @no_border: serials in @ring from which on these are missing
 * @sends, @n_sends: of a tap's queue: the latest net_dev_start_xmit or net_dev_queue events
 * @attached: of a tap's queue: the virtqueue that its packets belong to
 * @header: bytes of the virtio-net header, for an attached tap
 * @used: it has popped since the device's last reset
 */
typedef struct HostQueue {
    guint id;
    HostQueueInfo info;
    GArray *pending;
    GArray *filled;
    GArray *arrivals;
    HalfRing ring;
    guint64 no_irq;
    guint64 no_border;
    guint64 next_seq;
    Stamp wake;
    gboolean has_wake;
    gboolean used;
    gboolean flushes; /* stays over passes: this ring emits flush events */
    HostSend sends[HOST_SENDS];
    guint n_sends;
    guint attached;
    guint32 header;
    guint losses; /* of the source's losses, how many were before the last half */
    guint8 after; /* flags for the next half */
} HostQueue;

enum { HOST_RECENT = 16 };

struct Host {
    HalfFunc func;
    gpointer user_data;
    gint64 step_ns;
    GPtrArray *queues;
    GArray *devices;
    GHashTable *by_vq;
    GHashTable *by_vdev;            /* vdev → index of the device + 1 */
    GHashTable *taps;               /* name → index of the device + 1 */
    HostQueue *recent[HOST_RECENT]; /* the last queue of each slot: neighbours never share one */
    gboolean suspect[HOST_MAX_SOURCES];
    guint losses[HOST_MAX_SOURCES]; /* how many losses have ended */
    guint64 vhost_starts;
};

void host_queue_begin(HostQueue *queue);
void host_queue_end(Host *host, HostQueue *queue);
void host_queue_pop(Host *host, HostQueue *queue, const Event *event);
void host_queue_fill(Host *host, HostQueue *queue, const Event *event);
void host_queue_flush(Host *host, HostQueue *queue, const Event *event);
void host_queue_irq(Host *host, HostQueue *queue, const Event *event);
/* Records were lost: an elem may be another buffer's by now. */
void host_queue_forget(Host *host, HostQueue *queue);
void host_queue_reset(Host *host, HostQueue *queue);
/* A packet is about to be given to the tap. */
void host_queue_send(HostQueue *queue, const Event *event);
void host_queue_tap(Host *host, HostQueue *queue, const Event *event);

#endif
