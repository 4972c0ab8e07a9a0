/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What guest.c (events), guest_cpu.c (interrupt context) and guest_queue.c share.
 */
#ifndef VIRTCORR_MATCH_GUEST_PRIVATE_H
#define VIRTCORR_MATCH_GUEST_PRIVATE_H

#include "guest.h"
#include "skb_map.h"

enum {
    MAX_CPUS = 4096,
    MAX_GUEST_QUEUES = 4096,
    MAX_GUEST_DEVICES = 1024,
    MAX_ISRS = 16,
    MAX_POLLED = 4096,
};

typedef enum IrqKind {
    IRQ_NOT_VIRTIO,
    IRQ_INPUT,
    IRQ_OUTPUT,
    IRQ_SHARED, /* one vector for several queues, or no MSI-X */
    IRQ_OTHER,
} IrqKind;

/* What an irq action's name says: "virtio2-input.0". */
typedef struct IrqName {
    IrqKind kind;
    guint virtio;
    guint index;
} IrqName;

IrqName irq_name_parse(const char *name);

/* An interrupt handler that ran. */
typedef struct Isr {
    IrqName name;
    Stamp stamp;
} Isr;

/* A half that the running poll has touched. */
typedef struct Polled {
    guint queue;
    guint64 serial;
} Polled;

/**
 * GuestCpu: what one CPU is doing.
 * @isrs: handlers since the last NET_RX softirq began: they will have raised the next one
 * @run: the handlers that raised the softirq that runs now
 * @xmit_queue, @xmit_serial, @xmit_skb: the packet inside ndo_start_xmit; skb 0 if none
 * @xmit_dropped: the driver has dropped it there
 * @polled: halves touched since the last napi_poll event
 * @last_rx: queue of the last received packet since then, GUEST_NONE if none; @last_rx_time
 * @first_rx: serial of the first one
 */
typedef struct GuestCpu {
    Isr isrs[MAX_ISRS];
    guint n_isrs;
    Isr run[MAX_ISRS];
    guint n_run;
    gboolean in_softirq;
    Stamp softirq;
    guint64 batch;
    guint xmit_queue;
    guint64 xmit_serial;
    guint64 xmit_skb;
    gboolean xmit_dropped;
    GArray *polled;
    guint last_rx;
    gint64 last_rx_time;
    guint64 first_rx;
} GuestCpu;

/**
 * GuestQueue:
 * @held: packets the driver holds (TX)
 * @drained: when the last poll that found no more used buffers returned its last one; valid if
 *           @has_drained
 * @last_batch, @last_free: softirq run and time of the last free (TX), 0 if it was in none
 */
typedef struct GuestQueue {
    guint id;
    GuestQueueInfo info;
    HalfRing ring;
    guint64 next_seq;
    gint32 held;
    gboolean has_drained;
    gint64 drained;
    guint64 last_batch;
    gint64 last_free;
    guint losses; /* of Guest.losses, how many were before the last half */
} GuestQueue;

/* Counts of which virtioN interrupts before the packets of a netdev. */
typedef struct GuestDeviceState {
    GuestDevice device;
    GHashTable *virtio_votes;
} GuestDeviceState;

/* The queue of a netdev's name, which trace_source_name() always gives at the same address. */
typedef struct RecentQueue {
    const char *netdev;
    GuestStream stream;
    guint index;
    GuestQueue *queue;
} RecentQueue;

enum { GUEST_RECENT = 16 };

struct Guest {
    RecentQueue recent[GUEST_RECENT];
    HalfFunc func;
    gpointer user_data;
    GPtrArray *queues;
    GPtrArray *devices;
    GHashTable *device_ids; /* name → index + 1 */
    GPtrArray *cpus;
    SkbMap *queued;  /* skb → stamp of its net_dev_queue */
    SkbMap *packets; /* skb → queue and serial of its half */
    guint64 batches;
    gboolean suspect;
    guint losses;      /* how many losses have ended */
    gboolean softirqs; /* softirq events are traced */
};

GuestCpu *guest_cpu(Guest *guest, guint16 cpu);
void guest_cpu_free(gpointer data);
void guest_cpu_reset(GuestCpu *cpu);
void guest_cpu_irq(Guest *guest, const Event *event, const char *name);
void guest_cpu_softirq_entry(Guest *guest, const Event *event);
void guest_cpu_softirq_exit(Guest *guest, const Event *event);

/* The poll on @event's CPU ended: its halves get STEP_POLL (@is_poll) and may close. */
void guest_cpu_poll_end(Guest *guest, const Event *event, gboolean is_poll);

/* Note that @half was touched on @event's CPU, and stamp it with that CPU's isr and softirq. */
void guest_cpu_touch(Guest *guest, GuestQueue *queue, guint64 serial, const Event *event);

GuestQueue *guest_queue_get(Guest *guest, const char *netdev, GuestStream stream, guint index);

/* A new half at the tail of @queue for @event's skb. */
Half *guest_queue_push(Guest *guest, GuestQueue *queue, const Event *event);

/* What the polls before say of @half: it was not used yet when they returned their last buffer. */
void guest_queue_set_border(const GuestQueue *queue, Half *half);

/* @missing packets of the poll that began with @first have no record: make it a group. */
void guest_queue_add_missing(Guest *guest, GuestQueue *queue, guint64 first, guint missing,
                             const Event *event);

/* Take back the last half: the driver refused the packet. FALSE if it is not the last. */
gboolean guest_queue_take_back(Guest *guest, GuestQueue *queue, guint64 serial);

void guest_queue_emit_closed(Guest *guest, GuestQueue *queue);

/* Forget everything but which queue it is, for another pass. */
void guest_queue_begin(GuestQueue *queue);

/* Hand on all halves: nothing more can be told of them across a loss. */
void guest_queue_forget(Guest *guest, GuestQueue *queue);

/* Hand on all halves at the end of a pass. */
void guest_queue_end(Guest *guest, GuestQueue *queue);

#endif
