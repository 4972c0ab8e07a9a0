/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event: what every trace format is turned into.
 */
#ifndef VIRTCORR_TRACE_EVENT_H
#define VIRTCORR_TRACE_EVENT_H

#include <glib.h>

/* What happened. event_kind_info() says which trace event gives each kind and fills which member. */
typedef enum EventKind {
    EVENT_OTHER, /* not needed for the join; counted and listed only */
    EVENT_LOSS,  /* records were lost: num[0] is the count, 0 if unknown; they were lost in
                    [ptr[0], time] of the source's clock, on @cpu or, with NO_CPU, anywhere */
    /* QEMU */
    EVENT_VQ_POP,
    EVENT_VQ_FILL,
    EVENT_VQ_FLUSH,
    EVENT_VQ_HANDLE,     /* virtio_queue_notify: the device's handler starts */
    EVENT_VQ_IRQ,        /* virtio_notify, virtio_notify_irqfd */
    EVENT_VIRTIO_STATUS, /* virtio_set_status */
    EVENT_VHOST_START,
    EVENT_VHOST_STOP,
    /* network stack, of either machine */
    EVENT_NET_QUEUE,
    EVENT_NET_START_XMIT,
    EVENT_NET_XMIT,
    EVENT_NAPI_RECEIVE, /* napi_gro_receive_entry, napi_gro_frags_entry */
    EVENT_NETIF_RECEIVE,
    EVENT_NAPI_POLL,
    EVENT_IRQ_ENTRY,
    EVENT_IRQ_EXIT,
    EVENT_SOFTIRQ_RAISE,
    EVENT_SOFTIRQ_ENTRY,
    EVENT_SOFTIRQ_EXIT,
    EVENT_SKB_CONSUME,
    EVENT_SKB_KFREE,
    EVENT_SKB_COPY,
    /* KVM, of the host */
    EVENT_KVM_ENTRY,
    EVENT_KVM_EXIT,
    EVENT_KVM_MSI,
} EventKind;

enum { N_EVENT_KINDS = EVENT_KVM_MSI + 1 };

enum { NO_CPU = G_MAXUINT16, NO_NAME = 0 };

/**
 * Event:
 * @time: reading of the source's clock, in its unit (see TraceClock); never host time
 * @ptr: the object and, for events with two, the second object; a meaning a kind
 * @num: numbers; a meaning a kind
 * @offset: where the record's payload lies in the source, for trace_source_describe()
 * @name: the netdev's or the irq action's name, an index for trace_source_name(); NO_NAME if none
 * @tid: thread that was running, 0 if unknown
 * @type: the source's own number of the event's type
 * @cpu: NO_CPU if unknown
 * @kind: an EventKind
 * @source: number of the source, set by who opened it
 *
 * A plain value of 64 bytes; nothing in it is owned.
 */
typedef struct Event {
    gint64 time;
    guint64 ptr[2];
    guint32 num[4];
    guint64 offset;
    guint32 name;
    guint32 tid;
    guint32 type;
    guint16 cpu;
    guint8 kind;
    guint8 source;
} Event;

G_STATIC_ASSERT(sizeof(Event) == 64);

/* Members of Event that a trace event's argument can fill. */
typedef enum EventSlot {
    SLOT_PTR0,
    SLOT_PTR1,
    SLOT_NUM0,
    SLOT_NUM1,
    SLOT_NUM2,
    SLOT_NUM3,
    SLOT_NAME,
} EventSlot;

/**
 * EventField: one argument of a trace event, found by its name.
 * @name: the argument's name; NULL ends a list
 * @slot: the member of Event it fills
 */
typedef struct EventField {
    const char *name;
    EventSlot slot;
} EventField;

enum { MAX_EVENT_FIELDS = 6 };

/**
 * EventKindInfo: a trace event that the join needs.
 * @system: the kernel's event system ("net"), or "qemu"
 * @name: the trace event
 * @kind: what it becomes
 * @fields: what is taken from it; fields that a version of the event lacks stay 0
 */
typedef struct EventKindInfo {
    const char *system;
    const char *name;
    EventKind kind;
    EventField fields[MAX_EVENT_FIELDS + 1];
} EventKindInfo;

/* The row for trace event @system:@name, or NULL. */
const EventKindInfo *event_kind_find(const char *system, const char *name);

/* The rows one by one, for docs and doctor: NULL after the last. */
const EventKindInfo *event_kind_at(guint i);

#endif
