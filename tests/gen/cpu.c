/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A vCPU: which context it is in, how time passes on it, its softirqs and free skbs.
 */
#include "model.h"

enum {
    VEC_NET_RX = 3,
    SKB_SIZE = 0x100,
    MAX_FREE_SKBS = 64,
};

static gboolean is_blocked(const Cpu *cpu, Context context)
{
    return context != CONTEXT_HARDIRQ && (cpu->in_softirq || cpu->xmit_queue >= 0);
}

/* Whether @act can run on its CPU now; if not it comes again when it can. */
gboolean cpu_enter(Model *model, const Act *act, Context context)
{
    gboolean is_of_queue = act->kind == ACT_IRQ || act->kind == ACT_ISR;
    guint index = is_of_queue ? queue_cpu(model, act->where) : act->where;
    Cpu *cpu = &model->cpus[index];

    if (is_blocked(cpu, context)) {
        if (context == CONTEXT_PROCESS) {
            g_array_append_val(cpu->parked, *act);
        }
        return FALSE;
    }
    if (cpu->now > act->time) {
        model_push(model, cpu->now, act->kind, act->where, act->packet);
        return FALSE;
    }
    cpu->now = act->time;
    return TRUE;
}

/* Back in process context: softirqs first, then what waited. */
void cpu_release(Model *model, guint index)
{
    Cpu *cpu = &model->cpus[index];

    if (is_blocked(cpu, CONTEXT_SOFTIRQ)) {
        return;
    }
    if (cpu->pending_vecs) {
        model_push(model, cpu->now, ACT_SOFTIRQ, index, NULL);
        return;
    }
    for (guint i = 0; i < cpu->parked->len; i++) {
        Act *act = &g_array_index(cpu->parked, Act, i);

        model_push(model, cpu->now, act->kind, act->where, act->packet);
    }
    g_array_set_size(cpu->parked, 0);
}

void cpu_spend(Model *model, guint cpu, guint64 min, guint64 typical)
{
    model->cpus[cpu].now += random_latency(&model->random, min, typical);
}

void cpu_raise(Model *model, guint index, guint vec)
{
    Cpu *cpu = &model->cpus[index];

    record_guest(model, index, TP_SOFTIRQ_RAISE, 0, vec, 0);
    cpu->pending_vecs |= 1u << vec;
}

void napi_schedule(Model *model, guint index, guint queue)
{
    Cpu *cpu = &model->cpus[index];
    Ring *ring = &model->rings[queue];

    if (ring->is_napi_scheduled) {
        return;
    }
    ring->is_napi_scheduled = TRUE;
    ring->wants_irq = FALSE;
    g_array_append_val(cpu->poll_list, queue);
    if (!(cpu->in_softirq && cpu->softirq_vec == VEC_NET_RX)) {
        cpu_raise(model, index, VEC_NET_RX);
    }
}

void cpu_exit_to_host(Model *model, guint index, guint reason)
{
    Cpu *cpu = &model->cpus[index];
    KernelRecord exit = {TP_KVM_EXIT, .tid = 3000 + index, .ptr = 0xffffffff81000000,
                         .num = {index, reason}};
    KernelRecord entry = {TP_KVM_ENTRY, .tid = 3000 + index, .ptr = 0xffffffff81000000,
                          .num = {index}};

    cpu_spend(model, index, 50, 50);
    record_tap(model, TAP_CPU_VCPU + index, cpu->now, exit);
    cpu_spend(model, index, 700, 800);
    record_tap(model, TAP_CPU_VCPU + index, cpu->now, entry);
    cpu_spend(model, index, 50, 50);
}

guint64 cpu_alloc_skb(Model *model, guint index)
{
    Cpu *cpu = &model->cpus[index];
    guint64 skb;

    if (cpu->skbs->len == 0) {
        return model->next_skb += SKB_SIZE;
    }
    skb = g_array_index(cpu->skbs, guint64, cpu->skbs->len - 1);
    g_array_set_size(cpu->skbs, cpu->skbs->len - 1);
    return skb;
}

/* The next skb on this CPU gets the same address, as the kernel's slab gives it. */
void cpu_free_skb(Cpu *cpu, guint64 skb)
{
    if (cpu->skbs->len < MAX_FREE_SKBS) {
        g_array_append_val(cpu->skbs, skb);
    }
}

/* RX and TX irqs of a pair go to different CPUs if there are more CPUs than pairs. */
guint queue_cpu(const Model *model, guint queue)
{
    guint spread = model->config->cpus > model->config->pairs;

    return (queue / 2 + (spread && queue % 2)) % model->config->cpus;
}
