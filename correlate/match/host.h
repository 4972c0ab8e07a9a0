/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host's side: QEMU's virtqueue events and the tap's packets become halves.
 */
#ifndef VIRTCORR_MATCH_HOST_H
#define VIRTCORR_MATCH_HOST_H

#include "half.h"

typedef struct Host Host;

enum { HOST_NONE = G_MAXUINT, HOST_MAX_QUEUES = 1 << 14, HOST_MAX_SOURCES = 16 };

/* A device of QEMU, or a tap of the host's kernel. */
typedef struct HostDevice {
    guint64 vdev;  /* 0 for a tap */
    char *name;    /* of the tap; NULL for a device of QEMU */
    guint64 array; /* address of the device's first VirtQueue, 0 if not known */
} HostDevice;

/* A virtqueue; of a tap, queue 0 is what arrives for the guest and queue 1 what leaves it. */
typedef struct HostQueueInfo {
    guint device; /* index of the HostDevice, HOST_NONE if not known */
    guint index;  /* in the device, HOST_NONE if not known */
    guint64 vq;
    guint source; /* Event.source of its last event */
    guint64 pushes;
    guint64 flushes;
    guint64 in_buffers; /* pushes of buffers that the device writes */
    guint64 irqs;
    guint64 handles;
    guint64 resets;
} HostQueueInfo;

Host *host_new(void);
void host_free(Host *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Host, host_free)

/**
 * host_begin: begin a pass. What was learned of devices and queues in an earlier pass stays.
 * @step_ns: a stamp t of this pass means [t, t + step_ns)
 * @func: takes each half that will not change any more, in the order of pushes of its queue
 */
void host_begin(Host *host, gint64 step_ns, HalfFunc func, gpointer user_data);

/* Take @event, whose time is on the host's line; @name is its netdev's name or "". */
void host_event(Host *host, const Event *event, const char *name);

/* End the pass: everything that is still open is closed. */
void host_end(Host *host);

/* While set, what is made of @source's events (Event.source) cannot be counted on: records were
   lost around here. Each queue's first half after it was unset is marked. */
void host_set_suspect(Host *host, guint source, gboolean suspect);

/* After the first pass: put queues that never named themselves where the array's stride says. */
void host_place_queues(Host *host);

guint host_n_queues(const Host *host);
const HostQueueInfo *host_queue(const Host *host, guint queue);
guint host_n_devices(const Host *host);
const HostDevice *host_device(const Host *host, guint device);

/* How often a vhost backend was started. */
guint64 host_vhost_starts(const Host *host);

/* Whether @queue is a tap's whose packets belong to a virtqueue. */
gboolean host_queue_is_attached(const Host *host, guint queue);

/* The queue @index of @device, or HOST_NONE. */
guint host_find_queue(const Host *host, guint device, guint index);

/**
 * host_attach_tap: @tap (a device) is the backend of @device: its packets become steps of the
 * device's buffers and no halves of their own.
 * @header: bytes that a buffer holds more than the tap's packet (the virtio-net header)
 */
void host_attach_tap(Host *host, guint tap, guint device, guint32 header);

#endif
