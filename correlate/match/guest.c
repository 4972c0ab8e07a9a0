/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's side: netdev, napi, irq and skb tracepoints become halves.
 */
#include "guest_private.h"

#include <string.h>

static void queue_free(gpointer data)
{
    half_ring_clear(&((GuestQueue *)data)->ring);
    g_free(data);
}

static void device_free(gpointer data)
{
    GuestDeviceState *state = data;

    g_free(state->device.name);
    g_hash_table_unref(state->virtio_votes);
    g_free(state);
}

Guest *guest_new(void)
{
    Guest *guest = g_new0(Guest, 1);

    guest->queues = g_ptr_array_new_with_free_func(queue_free);
    guest->devices = g_ptr_array_new_with_free_func(device_free);
    guest->device_ids = g_hash_table_new(g_str_hash, g_str_equal);
    guest->cpus = g_ptr_array_new_with_free_func(guest_cpu_free);
    guest->queued = skb_map_new();
    guest->packets = skb_map_new();
    return guest;
}

void guest_free(Guest *guest)
{
    if (guest == NULL) {
        return;
    }
    g_ptr_array_unref(guest->queues);
    g_hash_table_unref(guest->device_ids);
    g_ptr_array_unref(guest->devices);
    g_ptr_array_unref(guest->cpus);
    skb_map_free(guest->queued);
    skb_map_free(guest->packets);
    g_free(guest);
}

static void queue_packet(Guest *guest, const Event *event)
{
    SkbEntry *entry = skb_map_put(guest->queued, event->ptr[0]);

    entry->value = event->time;
    entry->a = event->tid;
    entry->b = event->cpu;
}

static void stamp_queued(Guest *guest, Half *half)
{
    SkbEntry *entry = skb_map_find(guest->queued, half->object);

    if (entry == NULL || guest->suspect) {
        return;
    }
    half_stamp(half,
               (Stamp){.time = entry->value, .tid = entry->a, .cpu = entry->b, .step = STEP_QUEUE});
    skb_map_remove(guest->queued, entry);
}

static GuestQueue *new_tx(Guest *guest, const Event *event, const char *name, guint index)
{
    GuestQueue *queue = guest_queue_get(guest, name, GUEST_TX, index);
    Half *half;

    if (queue == NULL) {
        return NULL;
    }
    half = guest_queue_push(guest, queue, event);
    half->held = ++queue->held;
    stamp_queued(guest, half);
    return queue;
}

static void start_xmit(Guest *guest, const Event *event, const char *name)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);
    GuestQueue *queue = new_tx(guest, event, name, event->num[1] & 0xffff);
    Half *half;

    cpu->xmit_skb = 0;
    if (queue == NULL) {
        return;
    }
    cpu->xmit_skb = event->ptr[0];
    cpu->xmit_dropped = FALSE;
    cpu->xmit_queue = queue->id;
    cpu->xmit_serial = queue->ring.tail - 1;
    half = half_ring_get(&queue->ring, cpu->xmit_serial);
    half->times.cause = event->time;
    half->times.flags |= HALF_HAS_CAUSE;
    half_stamp(half, stamp_of(STEP_XMIT, event));
}

/*
 * The driver has returned. Without a net_dev_start_xmit for the packet (not recorded, or lost) the
 * time at which it was queued is the only stamp that is surely before the device's pop.
 */
static void xmit_done(Guest *guest, const Event *event, const char *name)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);

    if (cpu->xmit_skb == event->ptr[0] && cpu->xmit_skb != 0) {
        if (event->num[1] != 0 && !cpu->xmit_dropped) { /* the packet will come again */
            guest_queue_take_back(guest, g_ptr_array_index(guest->queues, cpu->xmit_queue),
                                  cpu->xmit_serial);
        }
    } else if (event->num[1] == 0) {
        GuestQueue *queue = new_tx(guest, event, name, 0);
        Half *half = queue ? half_ring_get(&queue->ring, queue->ring.tail - 1) : NULL;
        const Stamp *queued = half ? half_find(half, STEP_QUEUE) : NULL;

        if (queued != NULL) {
            half->times.cause = queued->time;
            half->times.flags |= HALF_HAS_CAUSE;
        }
    }
    cpu->xmit_skb = 0;
}

static guint rx_index(const Event *event)
{
    guint mapping = event->num[1] & 0xffff;

    return mapping > 0 ? mapping - 1 : 0; /* skb_record_rx_queue() stores index + 1 */
}

static void new_rx(Guest *guest, const Event *event, const char *name, GuestStream stream)
{
    GuestQueue *queue =
        guest_queue_get(guest, name, stream, stream == GUEST_RX ? rx_index(event) : 0);
    GuestCpu *cpu = guest_cpu(guest, event->cpu);
    Half *half;

    if (queue == NULL) {
        return;
    }
    half = guest_queue_push(guest, queue, event);
    half->times.effect = event->time;
    half->times.flags |= HALF_HAS_EFFECT;
    guest_queue_set_border(queue, half);
    guest_cpu_touch(guest, queue, queue->ring.tail - 1, event);
    half_stamp(half, stamp_of(stream == GUEST_RX ? STEP_RECEIVE : STEP_STACK, event));
    if (stream == GUEST_RX) {
        if (cpu->last_rx == GUEST_NONE) {
            cpu->first_rx = queue->ring.tail - 1;
        }
        cpu->last_rx = queue->id;
        cpu->last_rx_time = event->time;
    }
}

static Half *half_of(Guest *guest, const SkbEntry *entry, GuestQueue **ret_queue)
{
    if (entry == NULL) {
        return NULL;
    }
    *ret_queue = g_ptr_array_index(guest->queues, entry->a);
    return half_ring_get(&(*ret_queue)->ring, entry->value);
}

static void stack(Guest *guest, const Event *event, const char *name)
{
    GuestQueue *queue;
    Half *half = half_of(guest, skb_map_find(guest->packets, event->ptr[0]), &queue);

    if (half != NULL && queue->info.stream == GUEST_RX) {
        half_stamp(half, stamp_of(STEP_STACK, event));
    } else if (strcmp(name, "lo") != 0) {
        new_rx(guest, event, name, GUEST_RX_STACK);
    }
}

static void copy(Guest *guest, const Event *event)
{
    GuestQueue *queue;
    Half *half = half_of(guest, skb_map_find(guest->packets, event->ptr[0]), &queue);

    if (half != NULL && queue->info.stream != GUEST_TX) {
        half_stamp(half, stamp_of(STEP_COPY, event));
    }
}

/*
 * free_old_xmit() returns every buffer that is used. So a buffer that it did not return was not
 * used yet when it freed its last one: that is known when the next softirq frees more.
 */
static void note_tx_border(Guest *guest, GuestQueue *queue, Half *half, const Event *event)
{
    guint64 batch = guest_cpu(guest, event->cpu)->in_softirq ? half->batch : 0;

    if (batch != queue->last_batch && queue->last_batch != 0 && batch != 0) {
        queue->drained = queue->last_free;
        queue->has_drained = TRUE;
    }
    queue->last_batch = batch;
    queue->last_free = event->time;
    guest_queue_set_border(queue, half);
}

static void free_tx(Guest *guest, GuestQueue *queue, guint64 serial, const Event *event)
{
    Half *half = half_ring_get(&queue->ring, serial);

    queue->held--;
    guest_cpu_touch(guest, queue, serial, event);
    if (event->kind == EVENT_SKB_CONSUME) {
        half->times.effect = event->time;
        half->times.flags |= HALF_HAS_EFFECT;
        note_tx_border(guest, queue, half, event);
    }
}

/* Freed inside ndo_start_xmit: the driver dropped the packet, it never was a buffer. */
static void drop_in_driver(Guest *guest, GuestQueue *queue, const Half *half, const Event *event)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);
    Half dropped = *half;

    if (cpu->xmit_dropped || !guest_queue_take_back(guest, queue, cpu->xmit_serial)) {
        return;
    }
    cpu->xmit_dropped = TRUE;
    dropped.reason = ORPHAN_DROPPED;
    half_stamp(&dropped, stamp_of(STEP_FREE, event));
    guest->func(queue->id, &dropped, guest->user_data);
}

static void free_skb(Guest *guest, const Event *event)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);
    SkbEntry *entry = skb_map_find(guest->packets, event->ptr[0]);
    GuestQueue *queue;
    Half *half = half_of(guest, entry, &queue);

    if (half == NULL) {
        return;
    }
    if (event->kind == EVENT_SKB_KFREE && cpu->xmit_skb == event->ptr[0]) {
        drop_in_driver(guest, queue, half, event);
        return;
    }
    if (queue->info.stream == GUEST_TX) {
        free_tx(guest, queue, entry->value, event);
    }
    half_stamp(half, stamp_of(STEP_FREE, event));
    half->times.flags |= HALF_DONE;
    skb_map_remove(guest->packets, entry);
    guest_queue_emit_closed(guest, queue);
}

void guest_event(Guest *guest, const Event *event, const char *name)
{
    switch (event->kind) {
    case EVENT_NET_QUEUE:
        queue_packet(guest, event);
        break;
    case EVENT_NET_START_XMIT:
        start_xmit(guest, event, name);
        break;
    case EVENT_NET_XMIT:
        xmit_done(guest, event, name);
        break;
    case EVENT_NAPI_RECEIVE:
        new_rx(guest, event, name, GUEST_RX);
        break;
    case EVENT_NETIF_RECEIVE:
        stack(guest, event, name);
        break;
    case EVENT_NAPI_POLL:
        guest_cpu_poll_end(guest, event, TRUE);
        break;
    case EVENT_IRQ_ENTRY:
        guest_cpu_irq(guest, event, name);
        break;
    case EVENT_SOFTIRQ_ENTRY:
        guest_cpu_softirq_entry(guest, event);
        break;
    case EVENT_SOFTIRQ_EXIT:
        guest_cpu_softirq_exit(guest, event);
        break;
    case EVENT_SKB_COPY:
        copy(guest, event);
        break;
    case EVENT_SKB_CONSUME:
    case EVENT_SKB_KFREE:
        free_skb(guest, event);
        break;
    default:
        break;
    }
}

static void reset_cpus(Guest *guest)
{
    for (guint i = 0; i < guest->cpus->len; i++) {
        if (guest->cpus->pdata[i] != NULL) {
            guest_cpu_reset(guest->cpus->pdata[i]);
        }
    }
}

void guest_begin(Guest *guest, HalfFunc func, gpointer user_data)
{
    guest->func = func;
    guest->user_data = user_data;
    guest->suspect = FALSE;
    guest->losses = 0;
    guest->batches = 0;
    skb_map_reset(guest->queued);
    skb_map_reset(guest->packets);
    for (guint i = 0; i < guest->queues->len; i++) {
        guest_queue_begin(g_ptr_array_index(guest->queues, i));
    }
    reset_cpus(guest);
}

/* The virtioN that interrupted most often before the netdev's packets. */
static void elect_virtio(GuestDeviceState *state)
{
    GHashTableIter iter;
    gpointer key;
    gpointer value;
    guint most = 0;

    g_hash_table_iter_init(&iter, state->virtio_votes);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        guint votes = GPOINTER_TO_UINT(value);
        guint virtio = GPOINTER_TO_UINT(key);

        if (votes > most || (votes == most && virtio < state->device.virtio)) {
            most = votes;
            state->device.virtio = virtio;
        }
    }
}

void guest_end(Guest *guest)
{
    for (guint i = 0; i < guest->queues->len; i++) {
        guest_queue_end(guest, g_ptr_array_index(guest->queues, i));
    }
    for (guint i = 0; i < guest->devices->len; i++) {
        elect_virtio(g_ptr_array_index(guest->devices, i));
    }
}

/* What was going on cannot be told across a loss: an skb may be another packet's by now. */
static void forget_context(Guest *guest)
{
    reset_cpus(guest);
    skb_map_reset(guest->queued);
    skb_map_reset(guest->packets);
    for (guint i = 0; i < guest->queues->len; i++) {
        guest_queue_forget(guest, g_ptr_array_index(guest->queues, i));
    }
}

void guest_set_suspect(Guest *guest, gboolean suspect)
{
    guest->losses += guest->suspect && !suspect;
    guest->suspect = suspect;
    forget_context(guest);
}

guint guest_n_queues(const Guest *guest)
{
    return guest->queues->len;
}

const GuestQueueInfo *guest_queue(const Guest *guest, guint queue)
{
    return &((GuestQueue *)g_ptr_array_index(guest->queues, queue))->info;
}

guint guest_n_devices(const Guest *guest)
{
    return guest->devices->len;
}

const GuestDevice *guest_device(const Guest *guest, guint device)
{
    return &((GuestDeviceState *)g_ptr_array_index(guest->devices, device))->device;
}

guint guest_find_queue(const Guest *guest, guint device, GuestStream stream, guint index)
{
    for (guint i = 0; i < guest->queues->len; i++) {
        const GuestQueueInfo *info = guest_queue(guest, i);

        if (info->device == device && info->stream == stream && info->index == index) {
            return i;
        }
    }
    return GUEST_NONE;
}
