/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's irqs, softirqs and NAPI.
 */
#include "model.h"

enum {
    VEC_TIMER = 1,
    VEC_NET_TX = 2,
    VEC_NET_RX = 3,
    VEC_RCU = 9,
    TICK = 4000000,
    FIRST_IRQ = 25,
    EXIT_REASON_INTR = 1,
    ACK_LEN = 66,
};

static const char *irq_name(guint queue)
{
    static const char *const names[MAX_QUEUES] = {
        "virtio0-input.0", "virtio0-output.0", "virtio0-input.1", "virtio0-output.1",
        "virtio0-input.2", "virtio0-output.2", "virtio0-input.3", "virtio0-output.3",
        "virtio0-input.4", "virtio0-output.4", "virtio0-input.5", "virtio0-output.5",
        "virtio0-input.6", "virtio0-output.6", "virtio0-input.7", "virtio0-output.7",
    };

    return names[queue];
}

void act_irq(Model *model, const Act *act)
{
    guint cpu = queue_cpu(model, act->where);

    if (cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        cpu_exit_to_host(model, cpu, EXIT_REASON_INTR);
        model_push(model, model->cpus[cpu].now, ACT_ISR, act->where, NULL);
    }
}

void act_isr(Model *model, const Act *act)
{
    guint cpu = queue_cpu(model, act->where);
    guint irq = FIRST_IRQ + act->where;
    gboolean is_handled = model->rings[act->where].done.n > 0;

    if (!cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        return;
    }
    record_guest_named(model, cpu, TP_IRQ_ENTRY, irq_name(act->where), irq, 0);
    if (is_handled) {
        napi_schedule(model, cpu, act->where);
    }
    record_guest(model, cpu, TP_IRQ_EXIT, 0, irq, is_handled);
    cpu_release(model, cpu);
}

static gboolean start_net_tx(Model *model, guint index)
{
    Cpu *cpu = &model->cpus[index];

    for (guint queue = 1; queue < 2 * model->config->pairs && cpu->xmit_queue < 0; queue += 2) {
        guest_run_qdisc(model, index, queue);
    }
    return cpu->xmit_queue >= 0;
}

void act_softirq(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];

    if (cpu->pending_vecs == 0 || !cpu_enter(model, act, CONTEXT_SOFTIRQ)) {
        return;
    }
    cpu->softirq_vec = __builtin_ctz(cpu->pending_vecs);
    cpu->pending_vecs &= cpu->pending_vecs - 1;
    cpu->in_softirq = TRUE;
    record_guest(model, act->where, TP_SOFTIRQ_ENTRY, 0, cpu->softirq_vec, 0);
    if (cpu->softirq_vec == VEC_NET_RX) {
        model_push(model, cpu->now, ACT_NAPI_POLL, act->where, NULL);
        return;
    }
    if (cpu->softirq_vec == VEC_NET_TX && start_net_tx(model, act->where)) {
        return;
    }
    guest_end_softirq(model, act->where);
}

/* The packets that the softirq sent are with the driver: go on with what it was doing. */
void guest_end_softirq(Model *model, guint index)
{
    Cpu *cpu = &model->cpus[index];

    if (cpu->softirq_vec == VEC_NET_RX && cpu->poll_list->len > 0) {
        model_push(model, cpu->now, ACT_NAPI_DONE, index, NULL);
        return;
    }
    record_guest(model, index, TP_SOFTIRQ_EXIT, 0, cpu->softirq_vec, 0);
    cpu->in_softirq = FALSE;
    cpu_release(model, index);
}

static gboolean is_ack_due(Model *model, guint cpu)
{
    const GenConfig *config = model->config;

    return config->pattern == PATTERN_BULK && !config->no_tx && model->cpus[cpu].poll_work > 0 &&
           !model->is_down && !traffic_is_over(model) && random_chance(&model->random, 500000);
}

/* An act of its own: another CPU may send what this one queues. */
void act_acknowledge(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];
    guint queue;

    if (!cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        return;
    }
    queue = g_array_index(cpu->poll_list, guint, 0);
    guest_send(model, act->where, packet_new(model, queue + 1, ACK_LEN));
    if (cpu->xmit_queue < 0) {
        model_push(model, cpu->now, ACT_NAPI_DONE, act->where, NULL);
    }
}

/* Whether another CPU has the queue's lock. */
static gboolean is_locked(const Ring *ring, guint cpu)
{
    return ring->is_sending || (ring->is_cleaning && ring->cleaner != cpu);
}

/* One step of freeing what was sent on @queue; FALSE when there is nothing more, or no lock. */
static gboolean clean_step(Model *model, guint cpu, guint queue)
{
    Ring *ring = &model->rings[queue];
    gboolean was_cleaning = ring->is_cleaning;

    if (is_locked(ring, cpu)) {
        return FALSE;
    }

    if (guest_clean_one(model, cpu, queue)) {
        return TRUE;
    }
    if (was_cleaning) {
        guest_end_clean(model, cpu, queue);
    }
    return FALSE;
}

/* An act a packet: the driver sees the ring empty no earlier than its last packet. */
void act_napi_poll(Model *model, const Act *act)
{
    Cpu *cpu = &model->cpus[act->where];
    guint queue;
    gboolean is_tx;

    if (!cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        return;
    }
    queue = g_array_index(cpu->poll_list, guint, 0);
    is_tx = model->rings[queue].is_tx;
    if (is_tx && is_locked(&model->rings[queue], act->where)) {
        model_push(model, cpu->now + 200, ACT_NAPI_POLL, act->where, NULL); /* waits for the lock */
        return;
    }
    if (clean_step(model, act->where, queue | 1) ||
        (!is_tx && guest_receive_one(model, act->where, queue))) {
        model_push(model, cpu->now, ACT_NAPI_POLL, act->where, NULL);
        return;
    }
    guest_flush_merge(model, act->where);
    model_push(model, cpu->now, is_ack_due(model, act->where) ? ACT_ACKNOWLEDGE : ACT_NAPI_DONE,
               act->where, NULL);
}

static void complete(Model *model, guint index, guint queue)
{
    Ring *ring = &model->rings[queue];

    ring->is_napi_scheduled = FALSE;
    ring->wants_irq = TRUE;
    ring->used_event = ring->reaped;
    if (ring->done.n > 0) {
        napi_schedule(model, index, queue);
    }
}

void act_napi_done(Model *model, const Act *act)
{
    const guint64 first_napi = 0xff26a933827dd000;
    Cpu *cpu = &model->cpus[act->where];
    guint queue;

    if (!cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        return;
    }
    queue = g_array_index(cpu->poll_list, guint, 0);
    if (!model->rings[queue].is_tx) {
        guest_fill_rx(model, act->where, queue);
    }
    g_array_remove_index(cpu->poll_list, 0);
    if (cpu->poll_work < NAPI_BUDGET) {
        complete(model, act->where, queue);
    } else {
        g_array_append_val(cpu->poll_list, queue);
    }
    record_guest(model, act->where, TP_NAPI_POLL, first_napi + queue * 0x800, cpu->poll_work, 0);
    cpu->poll_work = 0;
    if (cpu->poll_list->len > 0) {
        model_push(model, cpu->now, ACT_NAPI_POLL, act->where, NULL);
    } else {
        guest_end_softirq(model, act->where);
    }
}

void act_tick(Model *model, const Act *act)
{
    guint cpu = act->where;

    if (traffic_is_over(model) || !cpu_enter(model, act, CONTEXT_HARDIRQ)) {
        return;
    }
    if (random_chance(&model->random, 250000)) {
        record_guest_named(model, cpu, TP_IRQ_ENTRY, "virtio1-requests", FIRST_IRQ - 1, 0);
        record_guest(model, cpu, TP_IRQ_EXIT, 0, FIRST_IRQ - 1, 1);
    }
    cpu_raise(model, cpu, VEC_TIMER);
    cpu_raise(model, cpu, VEC_RCU);
    model_push(model, model->cpus[cpu].now + TICK, ACT_TICK, cpu, NULL);
    cpu_release(model, cpu);
}
