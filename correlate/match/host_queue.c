/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One virtqueue on the host: pop, fill, flush and irq become halves in the order of pushes.
 */
#include "host_private.h"

#include <net/ethernet.h>

enum {
    MAX_PENDING = 1 << 15, /* a ring has at most this many buffers */
    MAX_ARRIVALS = 4096,   /* longer than a tap's queue */
    IRQ_HORIZON = 256,     /* a push waits for an irq until this many pushes came after it */
};

/* Flags of a new half: whether it can be counted, and whether a count begins with it. */
static guint8 new_flags(const Host *host, HostQueue *queue)
{
    guint8 flags = queue->after | (host->suspect[queue->info.source] ? HALF_SUSPECT : 0);

    if (queue->losses != host->losses[queue->info.source] && !host->suspect[queue->info.source]) {
        queue->losses = host->losses[queue->info.source];
        flags |= HALF_AFTER_LOSS;
    }
    queue->after = 0;
    return flags;
}

static void emit_head(Host *host, HostQueue *queue)
{
    Half *half = half_ring_get(&queue->ring, queue->ring.head);

    host->func(queue->id, half, host->user_data);
    queue->ring.head++;
}

/* Hand on the halves at the head that have learned all they can. */
static void emit_closed(Host *host, HostQueue *queue)
{
    while (queue->ring.head < queue->no_border &&
           (queue->ring.head < queue->no_irq || half_ring_len(&queue->ring) > IRQ_HORIZON)) {
        emit_head(host, queue);
    }
    queue->no_irq = MAX(queue->no_irq, queue->ring.head);
}

static void emit_all(Host *host, HostQueue *queue)
{
    while (half_ring_len(&queue->ring) > 0) {
        emit_head(host, queue);
    }
    queue->no_irq = queue->no_border = queue->ring.head;
}

/*
 * virtqueue_flush is traced before the used index is written, so its stamp cannot bound from above
 * when the guest could see the buffer. The queue's next event, from the same thread, can.
 */
static void set_borders(const Host *host, HostQueue *queue, gint64 time)
{
    for (; queue->no_border < queue->ring.tail; queue->no_border++) {
        Half *half = half_ring_get(&queue->ring, queue->no_border);

        half->times.border = time + host->step_ns;
        half->times.flags |= HALF_HAS_BORDER;
    }
}

static HostBuffer *find_pending(HostQueue *queue, guint64 elem, guint *ret_index)
{
    for (guint i = queue->pending->len; i > 0; i--) {
        HostBuffer *buffer = &g_array_index(queue->pending, HostBuffer, i - 1);

        if (buffer->elem == elem) {
            *ret_index = i - 1;
            return buffer;
        }
    }
    return NULL;
}

/*
 * An elem pointer is reused once it was freed. Popped again without a fill it had been detached or
 * unpopped, which no event tells; its ring position is then popped again.
 */
static void forget_unpopped(HostQueue *queue, guint64 elem)
{
    guint index;
    HostBuffer *old = find_pending(queue, elem, &index);

    if (old == NULL) {
        return;
    }
    if (old->seq + 1 == queue->next_seq) {
        queue->next_seq--;
    }
    g_array_remove_index(queue->pending, index);
}

void host_queue_pop(Host *host, HostQueue *queue, const Event *event)
{
    HostBuffer buffer = {.elem = event->ptr[1], .has_pop = TRUE};

    set_borders(host, queue, event->time);
    forget_unpopped(queue, event->ptr[1]);
    if (queue->pending->len >= MAX_PENDING) {
        g_array_remove_index(queue->pending, 0);
    }
    buffer.pop = stamp_of(STEP_POP, event);
    buffer.seq = queue->next_seq++;
    buffer.device_writes = event->num[0] > 0 && event->num[1] == 0;
    buffer.has_wake = queue->has_wake && !buffer.device_writes;
    buffer.wake = queue->wake;
    g_array_append_val(queue->pending, buffer);
    queue->used = TRUE;
    emit_closed(host, queue);
}

static void stamp_buffer(Half *half, const HostBuffer *buffer)
{
    if (buffer->has_wake) {
        half_stamp(half, buffer->wake);
    }
    if (buffer->has_pop) {
        half_stamp(half, buffer->pop);
    }
    if (buffer->has_tap_out) {
        half_stamp(half, buffer->tap_out);
    }
}

/* Claim the arrival of a packet of @len bytes; those before it were dropped by the tap. */
static gboolean claim_arrival(HostQueue *queue, guint32 len, Stamp *ret_stamp)
{
    for (guint i = 0; i < queue->arrivals->len; i++) {
        const HostArrival *arrival = &g_array_index(queue->arrivals, HostArrival, i);

        if (arrival->len + queue->header == len) {
            *ret_stamp = arrival->stamp;
            g_array_remove_range(queue->arrivals, 0, i + 1);
            return TRUE;
        }
    }
    return FALSE;
}

static guint32 packet_len(const HostQueue *queue, guint count)
{
    guint32 len = 0;

    for (guint i = 0; i < count; i++) {
        len += g_array_index(queue->filled, HostBuffer, i).len;
    }
    return len;
}

static Half *push_half(Host *host, HostQueue *queue, const HostBuffer *buffer, Stamp push)
{
    Half *half = half_ring_push(&queue->ring);

    half->seq = buffer->seq;
    half->object = buffer->elem;
    half->times.made = push.time;
    half->times.cause = push.time;
    half->times.flags = HALF_HAS_CAUSE | new_flags(host, queue);
    if (buffer->has_pop && !buffer->device_writes) {
        half->times.effect = buffer->pop.time + host->step_ns;
        half->times.flags |= HALF_HAS_EFFECT;
    }
    stamp_buffer(half, buffer);
    half_stamp(half, push);
    return half;
}

/* The first @count filled buffers become visible to the guest; of a receive ring, as one packet. */
static void publish(Host *host, HostQueue *queue, Stamp push, guint count)
{
    gboolean is_packet = g_array_index(queue->filled, HostBuffer, 0).device_writes;
    guint32 len = is_packet ? packet_len(queue, count) : 0;
    Stamp arrival;
    gboolean has_arrival = is_packet && claim_arrival(queue, len, &arrival);

    push.step = STEP_PUSH;
    for (guint i = 0; i < count; i++) {
        Half *half = push_half(host, queue, &g_array_index(queue->filled, HostBuffer, i), push);

        half->len = len;
        half->part = is_packet ? i : 0;
        half->n_parts = is_packet ? count : 1;
        if (has_arrival) {
            half_stamp(half, arrival);
        }
        if (half_ring_len(&queue->ring) >= HALF_RING_MAX) {
            emit_head(host, queue);
        }
    }
    queue->no_irq = MAX(queue->no_irq, queue->ring.head);
    queue->no_border = MAX(queue->no_border, queue->ring.head);
    queue->info.pushes += count;
    queue->info.in_buffers += is_packet ? count : 0;
    g_array_remove_range(queue->filled, 0, count);
}

static void push_unknown(Host *host, HostQueue *queue, Stamp push, guint count)
{
    HostBuffer buffer = {.seq = queue->next_seq};
    Half *half = push_half(host, queue, &buffer, push);

    half->times.flags |= HALF_UNSURE;
    half->group = 1;
    g_array_remove_range(queue->filled, 0, count);
    if (half_ring_len(&queue->ring) >= HALF_RING_MAX) {
        emit_head(host, queue);
    }
}

/* A batch without its flush event: the ring has none (packed, in order), or it was lost. */
static void publish_unflushed(Host *host, HostQueue *queue)
{
    if (queue->filled->len > 0) {
        publish(host, queue, g_array_index(queue->filled, HostBuffer, queue->filled->len - 1).fill,
                queue->filled->len);
    }
}

void host_queue_fill(Host *host, HostQueue *queue, const Event *event)
{
    guint index;
    HostBuffer *popped =
        host->suspect[queue->info.source] ? NULL : find_pending(queue, event->ptr[1], &index);
    HostBuffer buffer;

    set_borders(host, queue, event->time);
    if (event->num[1] == 0) { /* position 0 begins a batch */
        publish_unflushed(host, queue);
    }
    if (popped != NULL) {
        buffer = *popped;
        g_array_remove_index(queue->pending, index);
    } else { /* popped before the trace began, or its record was lost */
        buffer = (HostBuffer){.elem = event->ptr[1], .seq = queue->next_seq++};
        buffer.device_writes = event->num[0] > 0;
    }
    buffer.len = event->num[0];
    buffer.fill = stamp_of(STEP_PUSH, event);
    if (queue->filled->len < MAX_PENDING) {
        g_array_append_val(queue->filled, buffer);
    }
}

void host_queue_flush(Host *host, HostQueue *queue, const Event *event)
{
    guint count = MIN(event->num[0], queue->filled->len);

    set_borders(host, queue, event->time);
    queue->flushes = TRUE;
    queue->info.flushes++;
    if (count < event->num[0]) { /* fills are missing: it is a packet, but not known which */
        push_unknown(host, queue, stamp_of(STEP_PUSH, event), count);
    } else if (count > 0) {
        publish(host, queue, stamp_of(STEP_PUSH, event), count);
    }
    emit_closed(host, queue);
}

void host_queue_irq(Host *host, HostQueue *queue, const Event *event)
{
    if (!queue->flushes) {
        publish_unflushed(host, queue);
    }
    set_borders(host, queue, event->time);
    for (; queue->no_irq < queue->ring.tail; queue->no_irq++) {
        half_stamp(half_ring_get(&queue->ring, queue->no_irq), stamp_of(STEP_IRQ, event));
    }
    emit_closed(host, queue);
}

/* Buffers that were popped and never pushed: they end here, for @reason. */
static void abandon_pending(Host *host, HostQueue *queue, OrphanReason reason)
{
    for (guint i = 0; i < queue->pending->len; i++) {
        const HostBuffer *buffer = &g_array_index(queue->pending, HostBuffer, i);
        Half half = {.seq = buffer->seq, .object = buffer->elem, .held = -1, .n_parts = 1};

        half.reason = reason;
        stamp_buffer(&half, buffer);
        host->func(queue->id, &half, host->user_data);
    }
    g_array_set_size(queue->pending, 0);
    g_array_set_size(queue->filled, 0);
    g_array_set_size(queue->arrivals, 0);
}

void host_queue_forget(Host *host, HostQueue *queue)
{
    emit_all(host, queue);
    abandon_pending(host, queue, ORPHAN_LOST_RECORDS);
    queue->has_wake = FALSE;
}

void host_queue_reset(Host *host, HostQueue *queue)
{
    publish_unflushed(host, queue);
    emit_all(host, queue);
    abandon_pending(host, queue, ORPHAN_RESET);
    queue->next_seq = 0;
    queue->has_wake = FALSE;
    queue->used = FALSE;
    queue->info.resets++;
    queue->after |= HALF_AFTER_RESET;
}

/* A packet of the tap that is a step of the virtqueue it is attached to. */
static void attach_packet(Host *host, HostQueue *tap, const Event *event)
{
    HostQueue *queue = g_ptr_array_index(host->queues, tap->attached);

    if (tap->info.index == 0) {
        HostArrival arrival = {.stamp = stamp_of(STEP_TAP_IN, event), .len = event->num[0]};

        if (queue->arrivals->len >= MAX_ARRIVALS) {
            g_array_remove_index(queue->arrivals, 0);
        }
        g_array_append_val(queue->arrivals, arrival);
        return;
    }
    for (guint i = 0; i < queue->pending->len; i++) {
        HostBuffer *buffer = &g_array_index(queue->pending, HostBuffer, i);

        if (!buffer->has_tap_out) {
            buffer->tap_out = stamp_of(STEP_TAP_OUT, event);
            buffer->has_tap_out = TRUE;
            return;
        }
    }
}

void host_queue_send(HostQueue *queue, const Event *event)
{
    /* The later of two for one packet is the closer one; it is looked for from the end. */
    queue->sends[queue->n_sends++ % HOST_SENDS] = (HostSend){event->ptr[0], event->time};
}

/* When @skb was given to the tap, as far as that was recorded. */
static gboolean find_send(const HostQueue *queue, guint64 skb, gint64 *ret_time)
{
    guint oldest = queue->n_sends > HOST_SENDS ? queue->n_sends - HOST_SENDS : 0;

    for (guint i = queue->n_sends; i > oldest; i--) {
        const HostSend *send = &queue->sends[(i - 1) % HOST_SENDS];

        if (send->skb == skb) {
            *ret_time = send->time;
            return TRUE;
        }
    }
    return FALSE;
}

static Half tap_half(Host *host, HostQueue *queue, const Event *event)
{
    Half half = {.held = -1, .n_parts = 1};

    half.seq = queue->next_seq++;
    half.times.made = event->time;
    half.times.flags = new_flags(host, queue);
    if (queue->info.index == 0) {
        half.len = event->num[0];
        if (find_send(queue, event->ptr[0], &half.times.cause)) {
            half.times.flags |= HALF_HAS_CAUSE;
        }
        half_stamp(&half, stamp_of(STEP_TAP_IN, event));
    } else {
        half.len = event->num[0] + ETH_HLEN; /* netif_receive_skb counts without the header */
        half.times.effect = event->time + host->step_ns;
        half.times.flags |= HALF_HAS_EFFECT;
        half_stamp(&half, stamp_of(STEP_TAP_OUT, event));
    }
    return half;
}

void host_queue_tap(Host *host, HostQueue *queue, const Event *event)
{
    Half half;

    queue->info.source = event->source;
    queue->info.pushes++;
    if (queue->attached != HOST_NONE) {
        attach_packet(host, queue, event);
        return;
    }
    half = tap_half(host, queue, event);
    host->func(queue->id, &half, host->user_data);
}

void host_queue_begin(HostQueue *queue)
{
    guint device = queue->info.device;
    guint index = queue->info.index;
    guint64 vq = queue->info.vq;

    queue->info = (HostQueueInfo){.device = device, .index = index, .vq = vq};
    g_array_set_size(queue->pending, 0);
    g_array_set_size(queue->filled, 0);
    g_array_set_size(queue->arrivals, 0);
    queue->ring.head = queue->ring.tail = 0;
    queue->no_irq = queue->no_border = 0;
    queue->next_seq = 0;
    queue->n_sends = 0;
    queue->has_wake = FALSE;
    queue->used = FALSE;
    queue->losses = 0;
    queue->after = 0;
}

void host_queue_end(Host *host, HostQueue *queue)
{
    publish_unflushed(host, queue);
    emit_all(host, queue);
    abandon_pending(host, queue, ORPHAN_IN_FLIGHT);
}
