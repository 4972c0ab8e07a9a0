/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's virtio-net device in its main thread: hw/net/virtio-net.c and hw/virtio/virtio.c as seen
 * through their trace events.
 */
#include "model.h"

enum {
    RX_BUFFER = 4096,
};

static TrueStep trace(Model *model, QemuEventId id, guint64 time, guint64 a, guint64 b, guint64 c,
                      guint64 d)
{
    QemuRecord record = {time, time, id, {a, b, c, d}};

    return record_host(model, &record);
}

static void spend(Model *model, guint64 min, guint64 typical)
{
    model->vmm_now += random_latency(&model->random, min, typical);
}

/* Whether the main thread is free; if not the act comes again when it is. */
static gboolean enter(Model *model, const Act *act)
{
    if (model->vmm_now > act->time) {
        model_push(model, model->vmm_now, act->kind, act->where, act->packet);
        return FALSE;
    }
    model->vmm_now = act->time;
    return TRUE;
}

static TrueStep pop_element(Model *model, guint queue, guint element, gboolean is_tx)
{
    guint64 address = element_address(element);

    spend(model, 200, 300);
    trace(model, QEMU_ALLOC_ELEMENT, model->vmm_now, address, 0x38, !is_tx, is_tx);
    spend(model, 150, 200);
    return trace(model, QEMU_POP, model->vmm_now, queue_address(queue), address, !is_tx, is_tx);
}

static void count_pop(Ring *ring, TruePart *part)
{
    if (part->pop.fate == FATE_RECORDED) {
        part->k = ring->file_pops++;
    }
}

/* The device tells the driver of used buffers @from to @ring->used if the driver wants that. */
static void notify(Model *model, guint queue, guint64 from)
{
    Ring *ring = &model->rings[queue];
    gboolean is_passed = ring->used_event >= from && ring->used_event < ring->used;

    if (!ring->wants_irq || (model->config->coalesce && !is_passed)) {
        return;
    }
    spend(model, 150, 250);
    trace(model, QEMU_NOTIFY, model->vmm_now, device_address(), queue_address(queue), 0, 0);
    model_push(model, model->vmm_now + random_latency(&model->random, 2500, 4000), ACT_IRQ, queue,
               NULL);
}

void vmm_kick(Model *model, guint64 time, guint queue)
{
    model_push(model, time + random_latency(&model->random, 4000, 8000), ACT_VMM_WAKE, queue,
               NULL);
}

void act_vmm_wake(Model *model, const Act *act)
{
    Ring *ring = &model->rings[act->where];

    if (!enter(model, act)) {
        return;
    }
    spend(model, 100, 100);
    trace(model, QEMU_QUEUE_NOTIFY, model->vmm_now, device_address(), act->where,
          queue_address(act->where), 0);
    if (ring->is_vmm_active) {
        return;
    }
    ring->is_vmm_active = TRUE;
    ring->is_starved = FALSE;
    spend(model, 300, 900);
    model_push(model, model->vmm_now, ring->is_tx ? ACT_VMM_POP : ACT_VMM_READ, act->where, NULL);
}

void act_vmm_pop(Model *model, const Act *act)
{
    Ring *ring = &model->rings[act->where];
    KernelRecord out = {TP_NETIF_RECEIVE, .tid = 2718, .ptr = 0xff11000012345600};
    Packet *packet;

    if (!enter(model, act)) {
        return;
    }
    packet = packet_queue_pop(&ring->flying);
    if (!packet) {
        ring->wants_kick = TRUE;
        ring->is_vmm_active = FALSE;
        return;
    }
    packet->parts[0].pop = pop_element(model, act->where, 0, TRUE);
    count_pop(ring, &packet->parts[0]);
    ring->popped++;
    packet_queue_push(&ring->in_device, packet);
    spend(model, 800, 1200);
    out.num[0] = packet->len - ETHERNET_HEADER;
    packet->tap = record_tap(model, TAP_CPU_VMM, model->vmm_now, out);
    spend(model, 500, 500);
    model_push(model, model->vmm_now, ACT_VMM_USED, act->where, NULL);
}

/* fill and flush are traced before the used index is written. */
void act_vmm_used(Model *model, const Act *act)
{
    enum { FILL_BEFORE = 230, FLUSH_BEFORE = 90 };
    Ring *ring = &model->rings[act->where];
    Packet *packet = packet_queue_pop(&ring->in_device);
    TruePart *part = &packet->parts[0];

    model->vmm_now = MAX(model->vmm_now, act->time);
    part->fill = trace(model, QEMU_FILL, act->time - FILL_BEFORE, queue_address(act->where),
                       element_address(0), 0, 0);
    part->push = trace(model, QEMU_FLUSH, act->time - FLUSH_BEFORE, queue_address(act->where), 1,
                       0, 0);
    ring->used++;
    packet_queue_push(&ring->done, packet);
    notify(model, act->where, ring->used - 1);
    if (packet->wants_answer) {
        traffic_answer(model, packet);
    }
    model_push(model, model->vmm_now, ACT_VMM_POP, act->where, NULL);
}

static void pop_parts(Model *model, guint queue, Packet *packet)
{
    Ring *ring = &model->rings[queue];

    for (guint i = 0; i < packet->n_parts; i++) {
        packet->parts[i].seq = ring->popped++;
        packet->parts[i].pop = pop_element(model, queue, i, FALSE);
        count_pop(ring, &packet->parts[i]);
    }
}

static void fill_parts(Model *model, guint queue, Packet *packet)
{
    guint32 left = NET_HEADER + packet->len;
    TrueStep flush;

    for (guint i = 0; i < packet->n_parts; i++) {
        TruePart *part = &packet->parts[i];

        part->fill_len = i + 1 < packet->n_parts ? RX_BUFFER : left;
        left -= part->fill_len;
        spend(model, 100, 150);
        part->fill = trace(model, QEMU_FILL, model->vmm_now, queue_address(queue),
                           element_address(i), part->fill_len, i);
    }
    spend(model, 60, 90);
    flush = trace(model, QEMU_FLUSH, model->vmm_now, queue_address(queue), packet->n_parts, 0, 0);
    for (guint i = 0; i < packet->n_parts; i++) {
        packet->parts[i].push = flush;
    }
}

void act_vmm_read(Model *model, const Act *act)
{
    Ring *ring = &model->rings[act->where];
    Packet *packet = ring->flying.first;

    if (!enter(model, act)) {
        return;
    }
    if (!packet) {
        ring->is_vmm_active = FALSE;
        return;
    }
    packet->n_parts = model->config->mergeable
                          ? (NET_HEADER + packet->len + RX_BUFFER - 1) / RX_BUFFER
                          : 1;
    if (ring->avail - ring->popped < packet->n_parts) {
        ring->is_vmm_active = FALSE;
        ring->is_starved = TRUE;
        ring->wants_kick = TRUE;
        return;
    }
    packet_queue_pop(&ring->flying);
    packet->life = ring->life;
    pop_parts(model, act->where, packet);
    fill_parts(model, act->where, packet);
    packet_queue_push(&ring->in_device, packet);
    spend(model, 60, 60);
    model_push(model, model->vmm_now, ACT_VMM_FILLED, act->where, NULL);
}

void act_vmm_filled(Model *model, const Act *act)
{
    Ring *ring = &model->rings[act->where];
    Packet *packet = packet_queue_pop(&ring->in_device);
    guint64 old = ring->used;

    model->vmm_now = MAX(model->vmm_now, act->time);
    ring->used += packet->n_parts;
    packet_queue_push(&ring->done, packet);
    notify(model, act->where, old);
    model_push(model, model->vmm_now, ACT_VMM_READ, act->where, NULL);
}
