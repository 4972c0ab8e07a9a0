/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who sends what when.
 */
#include "model.h"

enum { MAX_TAP = 400 };

/* Packets arrive as answers to what is sent: when that ends, they end. */
static gboolean is_answering(const GenConfig *config)
{
    return config->pattern == PATTERN_PINGPONG && !config->no_tx;
}

static gboolean is_sent(const Model *model)
{
    return !model->config->events && model->n_sent >= model->config->packets;
}

static gboolean has_arrived(const Model *model)
{
    return !model->config->events && model->n_arrived >= model->config->packets;
}

gboolean traffic_may_send(Model *model)
{
    return !traffic_is_over(model) && !is_sent(model);
}

gboolean traffic_is_over(Model *model)
{
    const GenConfig *config = model->config;

    if (config->events) {
        return model->n_host_records >= config->events &&
               model->n_guest_records >= config->events;
    }
    return (config->no_tx || is_sent(model)) &&
           (config->no_rx || is_answering(config) || has_arrived(model));
}

/* Time to the next packet of a burst, or to the next burst. */
guint64 traffic_gap(Model *model, guint *burst_left)
{
    static const struct {
        guint max_burst;
        guint64 min;
        guint64 typical;
    } patterns[] = {
        [PATTERN_MIXED] = {16, 40000, 90000},
        [PATTERN_PINGPONG] = {1, 250000, 700000},
        [PATTERN_BULK] = {64, 60000, 120000},
        [PATTERN_CONSTANT] = {6, 30000, 90000},
    };
    Random *random = &model->random;

    if (*burst_left > 0) {
        --*burst_left;
        return random_latency(random, 400, 800);
    }
    *burst_left = random_below(random, patterns[model->config->pattern].max_burst);
    return random_latency(random, patterns[model->config->pattern].min,
                          patterns[model->config->pattern].typical);
}

static guint32 bulk_len(Model *model, gboolean is_tx)
{
    static const guint32 sends[] = {66, 66, 1514, 1514, 2962, 4410, 7306, 14546, 29026, 65226};
    static const guint32 receives[] = {66, 1514, 1514, 1514, 1514, 1514, 1514, 990};
    static const guint32 big_receives[] = {66, 1514, 1514, 2962, 7306, 14546, 28982, 65226};
    Random *random = &model->random;

    if (is_tx) {
        return sends[random_below(random, G_N_ELEMENTS(sends))];
    }
    if (model->config->mergeable) {
        return big_receives[random_below(random, G_N_ELEMENTS(big_receives))];
    }
    return receives[random_below(random, G_N_ELEMENTS(receives))];
}

guint32 traffic_len(Model *model, gboolean is_tx)
{
    enum { MIN_LEN = 60, MAX_LEN = 1514, PING_LEN = 98 };
    Random *random = &model->random;

    switch (model->config->pattern) {
    case PATTERN_CONSTANT:
        return PING_LEN;
    case PATTERN_PINGPONG:
        return PING_LEN + random_below(random, 8) * 64;
    case PATTERN_BULK:
        return bulk_len(model, is_tx);
    case PATTERN_MIXED:
        break;
    }
    return random_chance(random, 400000) ? MAX_LEN : random_between(random, MIN_LEN, MAX_LEN);
}

void traffic_start(Model *model)
{
    const GenConfig *config = model->config;
    const guint64 settle = 5000000;

    for (guint i = 0; i < config->cpus; i++) {
        model_push(model, model->now + settle + i * 1000, ACT_TICK, i, NULL);
        if (!config->no_tx) {
            model_push(model, model->now + settle + i * 7000, ACT_SEND_BURST, i, NULL);
        }
    }
    for (guint i = 0; i < config->pairs && !config->no_rx; i++) {
        if (!is_answering(config)) {
            model_push(model, model->now + settle + i * 5000, ACT_ARRIVE, 2 * i, NULL);
        }
    }
    if (config->noise) {
        model_push(model, model->now + settle, ACT_NOISE, 0, NULL);
    }
}

static void arrive(Model *model, guint64 time, guint queue, guint32 len)
{
    Ring *ring = &model->rings[queue];
    Packet *packet = packet_new(model, queue, len);
    KernelRecord record = {TP_NET_XMIT, .tid = 0, .ptr = 0xff11000012345700, .num = {len, 0}};

    model->n_arrived++;
    packet->tap = record_tap(model, TAP_CPU_NET, time, record);
    packet_queue_push(&ring->flying, packet);
    if (!ring->is_vmm_active && !ring->is_starved && !model->is_down) {
        ring->is_vmm_active = TRUE;
        model_push(model, time + random_latency(&model->random, 3000, 5000), ACT_VMM_READ, queue,
                   NULL);
    }
}

/* The other end of the wire answers: its packet is at the tap later, as an act of its own. */
void traffic_answer(Model *model, const Packet *request)
{
    if (!model->config->no_rx) {
        model_push(model, model->vmm_now + random_latency(&model->random, 30000, 60000),
                   ACT_ARRIVE, request->queue - 1, NULL);
    }
}

void act_arrive(Model *model, const Act *act)
{
    Ring *ring = &model->rings[act->where];

    if (has_arrived(model) || (traffic_is_over(model) && !is_answering(model->config))) {
        return;
    }
    if (ring->flying.n < MAX_TAP) {
        arrive(model, act->time, act->where, traffic_len(model, FALSE));
    }
    if (!is_answering(model->config)) {
        model_push(model, act->time + traffic_gap(model, &ring->burst_left), ACT_ARRIVE,
                   act->where, NULL);
    }
}
