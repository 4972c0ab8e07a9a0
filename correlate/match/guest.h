/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's side: netdev, napi, irq and skb tracepoints become halves.
 */
#ifndef VIRTCORR_MATCH_GUEST_H
#define VIRTCORR_MATCH_GUEST_H

#include "half.h"

typedef struct Guest Guest;

enum { GUEST_NONE = G_MAXUINT };

/* Which packets a guest queue counts. */
typedef enum GuestStream {
    GUEST_TX,
    GUEST_RX,       /* packets that the driver hands to GRO, one by one */
    GUEST_RX_STACK, /* packets after GRO, for traces without the former */
} GuestStream;

typedef struct GuestQueueInfo {
    guint device;
    guint index;
    GuestStream stream;
    guint64 halves;
} GuestQueueInfo;

/**
 * GuestDevice: a netdev.
 * @virtio: number N of its virtioN, told from which irqs come before its packets; GUEST_NONE if
 *          not known
 */
typedef struct GuestDevice {
    char *name;
    guint virtio;
    guint64 packets;
} GuestDevice;

Guest *guest_new(void);
void guest_free(Guest *guest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Guest, guest_free)

/* Begin a pass; devices and queues of an earlier pass keep their numbers. */
void guest_begin(Guest *guest, HalfFunc func, gpointer user_data);

/* Take @event, times as they are; @name is its netdev's or irq action's name or "". */
void guest_event(Guest *guest, const Event *event, const char *name);

void guest_end(Guest *guest);

/* See host_set_suspect(). */
void guest_set_suspect(Guest *guest, gboolean suspect);

guint guest_n_queues(const Guest *guest);
const GuestQueueInfo *guest_queue(const Guest *guest, guint queue);
guint guest_n_devices(const Guest *guest);
const GuestDevice *guest_device(const Guest *guest, guint device);
guint guest_find_queue(const Guest *guest, guint device, GuestStream stream, guint index);

#endif
