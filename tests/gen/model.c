/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The queue of acts and the loop that performs them.
 */
#include "model.h"

typedef void (*ActFunc)(Model *model, const Act *act);

/**
 * ActInfo:
 * @is_of_ring: @where is a queue, and the act is void once that ring was reset
 */
typedef struct ActInfo {
    ActFunc perform;
    gboolean is_of_ring;
} ActInfo;

static const ActInfo acts[N_ACTS] = {
    [ACT_SEND_BURST] = {act_send_burst, FALSE},
    [ACT_ARRIVE] = {act_arrive, FALSE},
    [ACT_PUBLISH] = {act_publish, FALSE},
    [ACT_SENT] = {act_sent, FALSE},
    [ACT_VMM_WAKE] = {act_vmm_wake, TRUE},
    [ACT_VMM_POP] = {act_vmm_pop, TRUE},
    [ACT_VMM_USED] = {act_vmm_used, TRUE},
    [ACT_VMM_READ] = {act_vmm_read, TRUE},
    [ACT_VMM_FILLED] = {act_vmm_filled, TRUE},
    [ACT_IRQ] = {act_irq, TRUE},
    [ACT_ISR] = {act_isr, TRUE},
    [ACT_SOFTIRQ] = {act_softirq, FALSE},
    [ACT_NAPI_POLL] = {act_napi_poll, FALSE},
    [ACT_ACKNOWLEDGE] = {act_acknowledge, FALSE},
    [ACT_NAPI_DONE] = {act_napi_done, FALSE},
    [ACT_APP_READ] = {act_app_read, FALSE},
    [ACT_TICK] = {act_tick, FALSE},
    [ACT_NOISE] = {act_noise, FALSE},
    [ACT_RESET] = {act_reset, FALSE},
    [ACT_RESTART] = {act_restart, FALSE},
    [ACT_STEP] = {act_step, FALSE},
};

static gboolean is_before(const Act *a, const Act *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void model_push(Model *model, guint64 time, ActKind kind, guint where, Packet *packet)
{
    Act act = {time, model->n_acts++, kind, where, 0, packet};
    GArray *heap = model->heap;
    guint at = heap->len;

    if (acts[kind].is_of_ring) {
        act.life = model->rings[where].life;
    }
    g_array_append_val(heap, act);
    Act *items = (Act *)heap->data;

    while (at > 0 && is_before(&act, &items[(at - 1) / 2])) {
        items[at] = items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    items[at] = act;
}

static Act pop(GArray *heap)
{
    Act *items = (Act *)heap->data;
    Act first = items[0];
    Act last = items[heap->len - 1];
    guint n = heap->len - 1, at = 0;

    g_array_set_size(heap, n);
    for (guint child = 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && is_before(&items[child + 1], &items[child])) {
            child++;
        }
        if (!is_before(&items[child], &last)) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    if (n > 0) {
        items[at] = last;
    }
    return first;
}

guint model_progress(const Model *model)
{
    const GenConfig *config = model->config;
    guint64 done = model->n_sent + model->n_arrived, all = model->target;

    if (config->events) {
        done = MIN(model->n_host_records, model->n_guest_records);
        all = config->events;
    }
    return all ? MIN(done * 1000 / all, 1000) : 1000;
}

void model_init(Model *model, const GenConfig *config)
{
    enum { FIRST_TID = 400 };
    const guint64 begin = 106486110371, guest_uptime = 83303307000;

    *model = (Model){.config = config, .random = {config->seed}, .now = begin};
    model->heap = g_array_new(FALSE, FALSE, sizeof(Act));
    model->next_skb = 0xff26a93381900000;
    model->target = config->packets * (!config->no_tx + !config->no_rx);
    guest_clock_init(&model->clock, config->clock, begin,
                     config->has_offset ? config->offset : guest_uptime, config->seed);
    for (guint i = 0; i < config->cpus; i++) {
        Cpu *cpu = &model->cpus[i];

        cpu->now = begin;
        cpu->tid = FIRST_TID + i;
        cpu->xmit_queue = -1;
        cpu->parked = g_array_new(FALSE, FALSE, sizeof(Act));
        cpu->poll_list = g_array_new(FALSE, FALSE, sizeof(guint));
        cpu->skbs = g_array_new(FALSE, FALSE, sizeof(guint64));
    }
    for (guint i = 0; i < 2 * config->pairs; i++) {
        model->rings[i].is_tx = i % 2;
    }
    loss_plan_init(&model->resets, &model->random, config->resets);
    loss_plan_init(&model->host_losses, &model->random, config->host_losses);
    loss_plan_init(&model->guest_losses, &model->random, config->guest_losses);
    loss_plan_init(&model->clock_steps, &model->random, config->clock == CLOCK_MODEL_STEP);
}

static void push_due(Model *model)
{
    guint progress = model_progress(model);

    if (loss_plan_due(&model->resets, progress)) {
        model_push(model, model->now, ACT_RESET, 0, NULL);
    }
    if (loss_plan_due(&model->clock_steps, progress)) {
        model_push(model, model->now, ACT_STEP, 0, NULL);
    }
}

void model_run(Model *model)
{
    device_start(model);
    traffic_start(model);
    while (model->heap->len > 0) {
        Act act = pop(model->heap);

        model->now = act.time;
        if (!acts[act.kind].is_of_ring || act.life == model->rings[act.where].life) {
            acts[act.kind].perform(model, &act);
        }
        push_due(model);
    }
    record_end(model);
}

static void finish_all(Model *model, PacketQueue *queue)
{
    for (Packet *packet; (packet = packet_queue_pop(queue));) {
        packet_finish(model, packet);
    }
}

void model_clear(Model *model)
{
    for (guint i = 0; i < MAX_QUEUES; i++) {
        finish_all(model, &model->rings[i].qdisc);
        finish_all(model, &model->rings[i].flying);
        finish_all(model, &model->rings[i].in_device);
        finish_all(model, &model->rings[i].done);
    }
    truth_end(model);
    for (Packet *packet = model->free_packets; packet;) {
        Packet *next = packet->next;

        g_free(packet);
        packet = next;
    }
    for (guint i = 0; i < model->config->cpus; i++) {
        g_array_free(model->cpus[i].parked, TRUE);
        g_array_free(model->cpus[i].poll_list, TRUE);
        g_array_free(model->cpus[i].skbs, TRUE);
    }
    g_array_free(model->heap, TRUE);
    guest_clock_clear(&model->clock);
}
