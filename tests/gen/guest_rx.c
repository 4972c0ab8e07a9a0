/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest receives: from the ring to the application.
 */
#include "model.h"

enum {
    MAX_MERGED = 65000,
    FULL_SEGMENT = 1514,
    REASON_NO_SOCKET = 3,
    EXIT_REASON_IO = 49,
};

static void free_received(Model *model, guint cpu, Packet *packet, TracepointId id)
{
    packet->guest[STEP_FREE] = record_guest(model, cpu, id, packet->skb, REASON_NO_SOCKET, 0);
    cpu_free_skb(&model->cpus[cpu], packet->skb);
    packet_finish(model, packet);
}

/* Most packets go to an application, some end in the softirq, some without any trace. */
static void deliver(Model *model, guint cpu, Packet *packet)
{
    guint64 dice = random_below(&model->random, 10);

    if (dice < 6) {
        guint reader = random_below(&model->random, model->config->cpus);

        model_push(model, model->cpus[cpu].now + random_latency(&model->random, 3000, 9000),
                   ACT_APP_READ, reader, packet);
    } else if (dice < 8) {
        free_received(model, cpu, packet, TP_SKB_KFREE);
    } else {
        cpu_free_skb(&model->cpus[cpu], packet->skb);
        packet_finish(model, packet);
    }
}

/* The stack gets what GRO has collected. */
void guest_flush_merge(Model *model, guint index)
{
    Cpu *cpu = &model->cpus[index];
    Packet *packet = cpu->merge_head;

    if (packet) {
        cpu->merge_head = NULL;
        packet->guest[STEP_STACK] =
            record_guest(model, index, TP_NETIF_RECEIVE, packet->skb, cpu->merge_len, 0);
        deliver(model, index, packet);
    }
}

static gboolean can_merge(const Model *model, const Cpu *cpu, const Packet *packet)
{
    return model->config->pattern == PATTERN_BULK && cpu->merge_head &&
           packet->len == FULL_SEGMENT && cpu->merge_len + packet->len < MAX_MERGED;
}

static void receive_packet(Model *model, guint index, Packet *packet)
{
    Cpu *cpu = &model->cpus[index];
    guint32 len = packet->len - ETHERNET_HEADER;

    packet->skb = cpu_alloc_skb(model, index);
    packet->guest[STEP_RECEIVE] =
        record_guest(model, index, TP_NAPI_RECEIVE, packet->skb, len, packet->queue / 2 + 1);
    if (can_merge(model, cpu, packet)) {
        cpu->merge_len += len;
        packet->merged_into = cpu->merge_head->number;
        cpu_free_skb(cpu, packet->skb);
        packet_finish(model, packet);
        return;
    }
    guest_flush_merge(model, index);
    cpu->merge_head = packet;
    cpu->merge_len = len;
    if (model->config->pattern != PATTERN_BULK || packet->len != FULL_SEGMENT) {
        guest_flush_merge(model, index);
    }
}

/* The driver takes one packet from the ring; FALSE if there is none or the budget is used up. */
gboolean guest_receive_one(Model *model, guint index, guint queue)
{
    Cpu *cpu = &model->cpus[index];
    Ring *ring = &model->rings[queue];
    Packet *packet;

    if (cpu->poll_work == NAPI_BUDGET || ring->done.n == 0) {
        return FALSE;
    }
    packet = packet_queue_pop(&ring->done);
    ring->reaped += packet->n_parts;
    cpu->poll_work++;
    if (random_chance(&model->random, model->config->rx_drop_ppm)) {
        packet->is_dropped = TRUE;
        packet_finish(model, packet);
    } else {
        receive_packet(model, index, packet);
    }
    return TRUE;
}

/* The driver adds buffers when half of the ring, or of what one poll may take, is free. */
void guest_fill_rx(Model *model, guint cpu, guint queue)
{
    Ring *ring = &model->rings[queue];
    guint64 size = model->config->ring;

    if (size - (ring->avail - ring->reaped) <= MIN(NAPI_BUDGET, size) / 2) {
        return;
    }
    ring->avail = ring->reaped + size;
    if (ring->wants_kick) {
        ring->wants_kick = FALSE;
        vmm_kick(model, model->now, queue);
        cpu_exit_to_host(model, cpu, EXIT_REASON_IO);
    }
}

void act_app_read(Model *model, const Act *act)
{
    Packet *packet = act->packet;

    if (!cpu_enter(model, act, CONTEXT_PROCESS)) {
        return;
    }
    packet->guest[STEP_COPY] = record_guest(model, act->where, TP_SKB_COPY, packet->skb,
                                            packet->len - ETHERNET_HEADER, 0);
    cpu_spend(model, act->where, 200, 400);
    free_received(model, act->where, packet, TP_SKB_CONSUME);
    cpu_release(model, act->where);
}
