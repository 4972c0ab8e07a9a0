/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest sends: qdisc, driver, and freeing what was sent. The order of events is that of real
 * recordings of Linux 6.12 with TX NAPI: sent skbs are freed under the queue's lock, so never
 * before their own net_dev_xmit.
 */
#include "model.h"

enum {
    VEC_NET_TX = 2,
    REASON_QDISC_DROP = 57,
    NETDEV_TX_BUSY = 16,
    MAX_FRAGS = 19, /* MAX_SKB_FRAGS + 2: with fewer free slots the driver stops the queue */
    MAX_QDISC = 64,
    EXIT_REASON_IO = 49,
};

static guint64 free_slots(const Model *model, const Ring *ring)
{
    return model->config->ring - (ring->avail - ring->reaped);
}

static gboolean has_room(const Model *model, const Ring *ring)
{
    return free_slots(model, ring) >= MIN(MAX_FRAGS, model->config->ring / 2);
}

void guest_send(Model *model, guint cpu, Packet *packet)
{
    Ring *ring = &model->rings[packet->queue];

    model->n_sent++;
    packet->skb = cpu_alloc_skb(model, cpu);
    packet->guest[STEP_QUEUE] =
        record_guest(model, cpu, TP_NET_QUEUE, packet->skb, packet->len, 0);
    if (random_chance(&model->random, model->config->drop_ppm / 2)) {
        packet->is_dropped = TRUE;
        record_guest(model, cpu, TP_SKB_KFREE, packet->skb, REASON_QDISC_DROP, 0);
        cpu_free_skb(&model->cpus[cpu], packet->skb);
        packet_finish(model, packet);
        return;
    }
    packet_queue_push(&ring->qdisc, packet);
    guest_run_qdisc(model, cpu, packet->queue);
}

/* Hand the next packet to the driver, unless another CPU does or the ring is full. */
void guest_run_qdisc(Model *model, guint index, guint queue)
{
    Cpu *cpu = &model->cpus[index];
    Ring *ring = &model->rings[queue];

    if (ring->is_sending || ring->is_cleaning || ring->is_stopped || model->is_down ||
        ring->qdisc.n == 0) {
        return;
    }
    Packet *packet = packet_queue_pop(&ring->qdisc);

    ring->is_sending = TRUE;
    cpu->xmit_queue = queue;
    packet->guest[STEP_XMIT] =
        record_guest(model, index, TP_NET_START_XMIT, packet->skb, packet->len, queue / 2);
    cpu_spend(model, index, 100, 200);
    model_push(model, cpu->now, ACT_PUBLISH, index, packet);
}

static void publish(Model *model, guint cpu, Packet *packet)
{
    Ring *ring = &model->rings[packet->queue];

    packet->life = ring->life;
    packet->parts[0].seq = ring->avail++;
    packet_queue_push(&ring->flying, packet);
    ring->is_kick_owed = TRUE;
    if (ring->qdisc.n > 0 && has_room(model, ring)) {
        return; /* xmit_more: one kick for all */
    }
    ring->is_kick_owed = FALSE;
    if (ring->wants_kick) {
        ring->wants_kick = FALSE;
        vmm_kick(model, model->now, packet->queue);
        cpu_exit_to_host(model, cpu, EXIT_REASON_IO);
    }
}

void act_publish(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];
    Packet *packet = act->packet;
    guint rc = 0;

    cpu->now = MAX(cpu->now, act->time);
    if (random_chance(&model->random, model->config->drop_ppm / 2)) {
        rc = NETDEV_TX_BUSY;
        packet->n_refused += packet->guest[STEP_XMIT].fate == FATE_RECORDED;
        packet_queue_push_front(&model->rings[packet->queue].qdisc, packet);
    } else {
        publish(model, act->where, packet);
    }
    cpu_spend(model, act->where, 100, 400);
    record_guest(model, act->where, TP_NET_XMIT, packet->skb, packet->len, rc);
    model_push(model, cpu->now, ACT_SENT, act->where, NULL);
}

/* The driver asks for an irq for sent packets, at once or after three quarters of them. */
static void want_tx_irq(Model *model, guint cpu, guint queue)
{
    Ring *ring = &model->rings[queue];
    guint64 delay = model->config->coalesce ? (ring->avail - ring->reaped) * 3 / 4 : 0;

    if (ring->is_napi_scheduled) {
        return;
    }
    ring->wants_irq = TRUE;
    ring->used_event = ring->reaped + delay;
    if (ring->used > ring->used_event) {
        napi_schedule(model, cpu, queue);
    }
}

void act_sent(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];
    guint queue = cpu->xmit_queue;
    Ring *ring = &model->rings[queue];

    if (cpu->now > act->time) { /* an irq came between */
        model_push(model, cpu->now, ACT_SENT, act->where, NULL);
        return;
    }
    cpu->now = act->time;
    cpu->xmit_queue = -1;
    ring->is_sending = FALSE;
    ring->is_stopped = !has_room(model, ring);
    want_tx_irq(model, act->where, queue);
    guest_run_qdisc(model, act->where, queue);
    if (cpu->xmit_queue >= 0) {
        return;
    }
    if (ring->is_kick_owed && ring->wants_kick) {
        ring->is_kick_owed = ring->wants_kick = FALSE;
        vmm_kick(model, act->time, queue);
    }
    if (cpu->in_softirq) {
        guest_end_softirq(model, act->where);
    } else {
        cpu_release(model, act->where);
    }
}

/* Free one skb that the device is done with; FALSE if there is none. Nobody sends meanwhile. */
gboolean guest_clean_one(Model *model, guint index, guint queue)
{
    Ring *ring = &model->rings[queue];
    Packet *packet = packet_queue_pop(&ring->done);

    ring->is_cleaning = packet != NULL;
    ring->cleaner = index;
    if (!packet) {
        return FALSE;
    }
    packet->guest[STEP_FREE] = record_guest(model, index, TP_SKB_CONSUME, packet->skb, 0, 0);
    cpu_free_skb(&model->cpus[index], packet->skb);
    ring->reaped++;
    packet_finish(model, packet);
    return TRUE;
}

/* Let those send who could not. */
void guest_end_clean(Model *model, guint index, guint queue)
{
    Ring *ring = &model->rings[queue];
    gboolean is_woken = ring->is_stopped && has_room(model, ring);

    if (is_woken) {
        ring->is_stopped = FALSE;
    }
    if (is_woken || (ring->qdisc.n > 0 && !ring->is_stopped && !ring->is_sending)) {
        cpu_raise(model, index, VEC_NET_TX);
    }
}

void act_send_burst(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];
    guint queue = 2 * (act->where % model->config->pairs) + 1;
    Packet *packet;

    if (!traffic_may_send(model)) {
        return;
    }
    if (model->is_down || model->rings[queue].qdisc.n > MAX_QDISC) {
        model_push(model, act->time + 50000, ACT_SEND_BURST, act->where, NULL);
        return;
    }
    if (!cpu_enter(model, act, CONTEXT_PROCESS)) {
        return;
    }
    packet = packet_new(model, queue, traffic_len(model, TRUE));
    packet->wants_answer = model->config->pattern == PATTERN_PINGPONG;
    guest_send(model, act->where, packet);
    model_push(model, cpu->now + traffic_gap(model, &cpu->burst_left), ACT_SEND_BURST, act->where,
               NULL);
    cpu_release(model, act->where);
}
