/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One queue of a guest's netdev: its packets in order, until they have learned all they can.
 */
#include "guest_private.h"

/* How many later packets one is kept open for, when its end is not traced. */
static const guint64 horizons[] = {
    [GUEST_TX] = 4096,
    [GUEST_RX] = 1024,
    [GUEST_RX_STACK] = 1024,
};

static GuestDeviceState *device_get(Guest *guest, const char *netdev, guint *ret_id)
{
    gpointer id = g_hash_table_lookup(guest->device_ids, netdev);
    GuestDeviceState *state;

    if (id != NULL) {
        *ret_id = GPOINTER_TO_UINT(id) - 1;
        return g_ptr_array_index(guest->devices, *ret_id);
    }
    if (guest->devices->len >= MAX_GUEST_DEVICES || netdev[0] == '\0') {
        return NULL;
    }
    state = g_new0(GuestDeviceState, 1);
    state->device.name = g_strdup(netdev);
    state->device.virtio = GUEST_NONE;
    state->virtio_votes = g_hash_table_new(g_direct_hash, g_direct_equal);
    *ret_id = guest->devices->len;
    g_ptr_array_add(guest->devices, state);
    g_hash_table_insert(guest->device_ids, state->device.name, GUINT_TO_POINTER(*ret_id + 1));
    return state;
}

static GuestQueue *find_queue(Guest *guest, const char *netdev, GuestStream stream, guint index)
{
    guint device;
    GuestDeviceState *state = device_get(guest, netdev, &device);
    GuestQueue *queue;
    guint id;

    if (state == NULL) {
        return NULL;
    }
    id = guest_find_queue(guest, device, stream, index);
    if (id != GUEST_NONE) {
        return g_ptr_array_index(guest->queues, id);
    }
    if (guest->queues->len >= MAX_GUEST_QUEUES) {
        return NULL;
    }
    queue = g_new0(GuestQueue, 1);
    queue->id = guest->queues->len;
    queue->info = (GuestQueueInfo){.device = device, .index = index, .stream = stream};
    g_ptr_array_add(guest->queues, queue);
    return queue;
}

GuestQueue *guest_queue_get(Guest *guest, const char *netdev, GuestStream stream, guint index)
{
    RecentQueue *recent = &guest->recent[(index * 4 + stream) % GUEST_RECENT];

    if (recent->queue == NULL || recent->netdev != netdev || recent->stream != stream ||
        recent->index != index) {
        *recent = (RecentQueue){netdev, stream, index, find_queue(guest, netdev, stream, index)};
    }
    return recent->queue;
}

/* The packet that held this skb before has gone, whether its end was traced or not. */
static void forget_packet(Guest *guest, guint64 skb)
{
    SkbEntry *entry = skb_map_find(guest->packets, skb);
    GuestQueue *queue;
    Half *half;

    if (entry == NULL) {
        return;
    }
    queue = g_ptr_array_index(guest->queues, entry->a);
    half = half_ring_get(&queue->ring, entry->value);
    if (half != NULL) {
        half->times.flags |= HALF_DONE;
        if (queue->info.stream == GUEST_TX) {
            queue->held--;
        }
        guest_queue_emit_closed(guest, queue);
    }
}

Half *guest_queue_push(Guest *guest, GuestQueue *queue, const Event *event)
{
    GuestDeviceState *state = g_ptr_array_index(guest->devices, queue->info.device);
    guint64 skb = event->ptr[0];
    SkbEntry *entry;
    Half *half;

    forget_packet(guest, skb);
    if (half_ring_len(&queue->ring) >= horizons[queue->info.stream]) {
        half_ring_get(&queue->ring, queue->ring.head)->times.flags |= HALF_DONE;
        half_ring_get(&queue->ring, queue->ring.head)->times.flags &= ~HALF_IN_POLL;
        guest_queue_emit_closed(guest, queue);
    }
    half = half_ring_push(&queue->ring);
    half->seq = queue->next_seq++;
    half->times.made = event->time;
    half->object = skb;
    half->len = event->num[0];
    half->times.flags = guest->suspect ? HALF_SUSPECT : 0;
    if (queue->losses != guest->losses && !guest->suspect) {
        queue->losses = guest->losses;
        half->times.flags |= HALF_AFTER_LOSS;
    }
    queue->info.halves++;
    state->device.packets++;
    if (guest->suspect) { /* later records may be of another packet at the same address */
        half->times.flags |= HALF_DONE;
        return half;
    }
    entry = skb_map_put(guest->packets, skb);
    entry->value = queue->ring.tail - 1;
    entry->a = queue->id;
    return half;
}

void guest_queue_set_border(const GuestQueue *queue, Half *half)
{
    if (queue->has_drained) {
        half->times.border = queue->drained;
        half->times.flags |= HALF_HAS_BORDER;
    }
}

void guest_queue_add_missing(Guest *guest, GuestQueue *queue, guint64 first, guint missing,
                             const Event *event)
{
    guint64 serial = first;

    for (guint i = 0; i < missing; i++) {
        Half *half;

        if (half_ring_len(&queue->ring) >= HALF_RING_MAX) {
            return;
        }
        half = half_ring_push(&queue->ring);
        half->seq = queue->next_seq++;
        half->times.made = event->time;
        half->times.flags = HALF_DONE | (guest->suspect ? HALF_SUSPECT : 0);
    }
    for (; serial < queue->ring.tail; serial++) {
        Half *half = half_ring_get(&queue->ring, serial);

        if (half != NULL) {
            half->times.flags |= HALF_UNSURE;
            half->group = queue->ring.tail - serial;
        }
    }
}

gboolean guest_queue_take_back(Guest *guest, GuestQueue *queue, guint64 serial)
{
    Half *half = half_ring_get(&queue->ring, serial);
    SkbEntry *entry;

    if (half == NULL || serial + 1 != queue->ring.tail) {
        return FALSE;
    }
    entry = skb_map_find(guest->packets, half->object);
    if (entry != NULL) {
        skb_map_remove(guest->packets, entry);
    }
    queue->ring.tail--;
    queue->next_seq--;
    queue->info.halves--;
    queue->held--;
    return TRUE;
}

void guest_queue_emit_closed(Guest *guest, GuestQueue *queue)
{
    while (half_ring_len(&queue->ring) > 0) {
        Half *half = half_ring_get(&queue->ring, queue->ring.head);

        if ((half->times.flags & (HALF_DONE | HALF_IN_POLL)) != HALF_DONE) {
            break;
        }
        guest->func(queue->id, half, guest->user_data);
        queue->ring.head++;
    }
}

void guest_queue_end(Guest *guest, GuestQueue *queue)
{
    for (guint64 serial = queue->ring.head; serial < queue->ring.tail; serial++) {
        Half *half = half_ring_get(&queue->ring, serial);

        half->times.flags = (half->times.flags | HALF_DONE) & ~HALF_IN_POLL;
    }
    guest_queue_emit_closed(guest, queue);
}

static void forget_context(GuestQueue *queue)
{
    queue->held = 0;
    queue->has_drained = FALSE;
    queue->last_batch = 0;
}

void guest_queue_begin(GuestQueue *queue)
{
    queue->ring.head = queue->ring.tail = 0;
    queue->next_seq = 0;
    queue->info.halves = 0;
    queue->losses = 0;
    forget_context(queue);
}

void guest_queue_forget(Guest *guest, GuestQueue *queue)
{
    forget_context(queue);
    guest_queue_end(guest, queue);
}
