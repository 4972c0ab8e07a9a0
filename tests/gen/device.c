/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device's life: set up, reset, and the other devices around it.
 */
#include "model.h"

enum {
    VIRTQUEUE_STRIDE = 152, /* sizeof(struct VirtQueue) of QEMU 7.2 to 10.2 */
    STATUS_ACKNOWLEDGE = 1,
    STATUS_DRIVER = 2,
    STATUS_DRIVER_OK = 4,
    STATUS_FEATURES_OK = 8,
};

#define NIC_DEVICE 0x5647f6de9ac0
#define NIC_QUEUES 0x7f6d754ac010
#define OTHER_DEVICE 0x5606f1f9a280
#define OTHER_QUEUES 0x7f44c5aaa010

guint64 queue_address(guint queue)
{
    return NIC_QUEUES + queue * VIRTQUEUE_STRIDE;
}

guint64 device_address(void)
{
    return NIC_DEVICE;
}

/* Freed elements are given out again at once. */
guint64 element_address(guint i)
{
    return 0x5647f6ac96d0 + i * 0x70;
}

static void trace(Model *model, QemuEventId id, guint64 a, guint64 b, guint64 c, guint64 d)
{
    QemuRecord record = {0, 0, id, {a, b, c, d}};

    model->vmm_now += random_latency(&model->random, 2000, 9000);
    record.time = record.slot = model->vmm_now;
    record_host(model, &record);
}

static void control_command(Model *model)
{
    guint queue = 2 * model->config->pairs;
    guint64 element = element_address(0);

    trace(model, QEMU_QUEUE_NOTIFY, NIC_DEVICE, queue, queue_address(queue), 0);
    trace(model, QEMU_ALLOC_ELEMENT, element, 0x38, 1, 2);
    trace(model, QEMU_POP, queue_address(queue), element, 1, 2);
    trace(model, QEMU_FILL, queue_address(queue), element, 1, 0);
    trace(model, QEMU_FLUSH, queue_address(queue), 1, 0, 0);
    trace(model, QEMU_NOTIFY, NIC_DEVICE, queue_address(queue), 0, 0);
}

/* What a driver's probe looks like from outside. The acts that may come next do so after it. */
void device_start(Model *model)
{
    static const guint statuses[] = {
        0, STATUS_ACKNOWLEDGE, STATUS_ACKNOWLEDGE | STATUS_DRIVER,
        STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK,
        STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK | STATUS_DRIVER_OK,
    };

    model->vmm_now = MAX(model->vmm_now, model->now);
    for (guint i = 0; i < G_N_ELEMENTS(statuses); i++) {
        trace(model, QEMU_SET_STATUS, NIC_DEVICE, statuses[i], 0, 0);
    }
    for (guint i = 0; i < 2 * model->config->pairs; i++) {
        Ring *ring = &model->rings[i];

        trace(model, QEMU_QUEUE_NOTIFY, NIC_DEVICE, i, queue_address(i), 0);
        ring->wants_irq = TRUE;
        ring->wants_kick = ring->is_tx;
        ring->avail = ring->is_tx ? 0 : model->config->ring;
    }
    control_command(model);
}

/* The driver waits until nothing of it runs and takes the device down only then. */
static gboolean is_quiet(const Model *model)
{
    for (guint i = 0; i < model->config->cpus; i++) {
        const Cpu *cpu = &model->cpus[i];

        if (cpu->in_softirq || cpu->xmit_queue >= 0 || cpu->poll_list->len > 0) {
            return FALSE;
        }
    }
    return model->vmm_now <= model->now;
}

static void drop_all(Model *model, PacketQueue *queue, gboolean is_tx)
{
    for (Packet *packet; (packet = packet_queue_pop(queue));) {
        packet->is_reset = TRUE;
        if (is_tx) {
            packet->guest[STEP_FREE] = record_guest(model, 0, TP_SKB_CONSUME, packet->skb, 0, 0);
        }
        packet_finish(model, packet);
    }
}

/* The driver frees what it had given to the device; packets at the tap stay there. */
static void drop_ring(Model *model, Ring *ring)
{
    drop_all(model, &ring->in_device, ring->is_tx);
    drop_all(model, &ring->done, ring->is_tx);
    if (ring->is_tx) {
        drop_all(model, &ring->flying, TRUE);
    }
    ring->avail = ring->popped = ring->used = ring->reaped = 0;
    ring->is_stopped = ring->is_starved = ring->is_kick_owed = FALSE;
    ring->is_napi_scheduled = ring->is_vmm_active = FALSE;
    ring->life++;
}

void act_reset(Model *model, const Act *act)
{
    enum { RETRY = 7000, DOWN_TIME = 3000000 };

    model->is_down = TRUE;
    if (!is_quiet(model)) {
        model_push(model, model->now + RETRY, ACT_RESET, 0, NULL);
        return;
    }
    model->vmm_now = model->now;
    trace(model, QEMU_SET_STATUS, NIC_DEVICE, 0, 0, 0);
    truth_reset(model, model->vmm_now);
    model->cpus[0].now = MAX(model->cpus[0].now, model->vmm_now);
    for (guint i = 0; i < 2 * model->config->pairs; i++) {
        drop_ring(model, &model->rings[i]);
    }
    model_push(model, model->now + DOWN_TIME, ACT_RESTART, 0, NULL);
}

void act_restart(Model *model, const Act *act)
{
    enum { VEC_NET_TX = 2 };

    device_start(model);
    model->is_down = FALSE;
    for (guint i = 0; i < 2 * model->config->pairs; i++) {
        Ring *ring = &model->rings[i];

        if (!ring->is_tx && ring->flying.n > 0) {
            ring->is_vmm_active = TRUE;
            model_push(model, model->vmm_now, ACT_VMM_READ, i, NULL);
        }
    }
    model->cpus[0].now = MAX(model->cpus[0].now, model->vmm_now);
    cpu_raise(model, 0, VEC_NET_TX);
    cpu_release(model, 0);
}

/* Everything stands still for @pause, as if a VM was stopped and went on. */
static void pause_all(Model *model, guint64 begin, guint64 pause)
{
    for (guint i = 0; i < model->heap->len; i++) {
        Act *act = &g_array_index(model->heap, Act, i);

        act->time = MAX(act->time, begin) + pause;
    }
    for (guint i = 0; i < model->config->cpus; i++) {
        model->cpus[i].now = begin + pause;
    }
    model->vmm_now = begin + pause;
    model->noise_now = begin + pause;
}

/* The guest's clock jumps ahead, or stands still while the VM does. */
void act_step(Model *model, const Act *act)
{
    guint64 size = random_between(&model->random, 2000000, 3000000000);
    guint64 begin = MAX(model->now, MAX(model->vmm_now, model->noise_now)) + 1;

    for (guint i = 0; i < model->config->cpus; i++) {
        begin = MAX(begin, model->cpus[i].now + 1);
    }
    if (model->config->seed % 2) {
        guest_clock_step(&model->clock, begin, size);
    } else {
        pause_all(model, begin, size);
        guest_clock_step(&model->clock, begin + size, -(gint64)size);
    }
}

static void trace_other(Model *model, QemuEventId id, guint64 a, guint64 b, guint64 c, guint64 d)
{
    enum { MAX_DELAY = 6000 };
    Random *random = &model->random;
    QemuRecord record = {0, 0, id, {a, b, c, d}};

    model->noise_now += random_latency(random, 200, 900);
    record.time = record.slot = model->noise_now;
    if (random_chance(random, 80000)) { /* another thread's record takes its place first */
        record.slot += random_below(random, MAX_DELAY);
    }
    record_host(model, &record);
}

/* A 9p-like device in threads of its own: never one of the guest's network events. */
void act_noise(Model *model, const Act *act)
{
    guint64 element = element_address(40 + random_below(&model->random, 3));
    guint n_out = random_between(&model->random, 1, 2);

    if (traffic_is_over(model)) {
        return;
    }
    model->noise_now = MAX(model->noise_now, act->time);
    trace_other(model, QEMU_QUEUE_NOTIFY, OTHER_DEVICE, 0, OTHER_QUEUES, 0);
    trace_other(model, QEMU_ALLOC_ELEMENT, element, 0x38, 1, n_out);
    trace_other(model, QEMU_POP, OTHER_QUEUES, element, 1, n_out);
    trace_other(model, QEMU_FILL, OTHER_QUEUES, element, random_between(&model->random, 7, 4096),
                0);
    trace_other(model, QEMU_FLUSH, OTHER_QUEUES, 1, 0, 0);
    trace_other(model, QEMU_NOTIFY_IRQFD, OTHER_DEVICE, OTHER_QUEUES, 0, 0);
    model_push(model, model->noise_now + random_latency(&model->random, 60000, 90000), ACT_NOISE,
               0, NULL);
}
