/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Interrupt context of the guest's CPUs: which handler and softirq a packet was handled by.
 */
#include "guest_private.h"

#include <stdlib.h>
#include <string.h>

enum { NET_RX_SOFTIRQ = 3, MAX_POLL_WORK = 1024 };

/* Names: vp_find_one_vq_msix() and vp_request_msix_vectors() in virtio_pci_common.c. */
IrqName irq_name_parse(const char *name)
{
    static const struct {
        const char *text;
        IrqKind kind;
    } kinds[] = {
        {"-input.", IRQ_INPUT},
        {"-output.", IRQ_OUTPUT},
        {"-virtqueues", IRQ_SHARED},
    };
    IrqName result = {IRQ_NOT_VIRTIO, 0, 0};
    char *end;

    if (!g_str_has_prefix(name, "virtio") || !g_ascii_isdigit(name[6])) {
        return result;
    }
    result.virtio = strtoul(name + 6, &end, 10);
    result.kind = *end == '\0' ? IRQ_SHARED : IRQ_OTHER;
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_has_prefix(end, kinds[i].text)) {
            result.kind = kinds[i].kind;
            result.index = strtoul(end + strlen(kinds[i].text), NULL, 10);
        }
    }
    return result;
}

GuestCpu *guest_cpu(Guest *guest, guint16 cpu)
{
    guint i = MIN(cpu, MAX_CPUS - 1);

    if (i >= guest->cpus->len) {
        g_ptr_array_set_size(guest->cpus, i + 1);
    }
    if (guest->cpus->pdata[i] == NULL) {
        GuestCpu *state = g_new0(GuestCpu, 1);

        state->polled = g_array_new(FALSE, FALSE, sizeof(Polled));
        state->last_rx = GUEST_NONE;
        guest->cpus->pdata[i] = state;
    }
    return guest->cpus->pdata[i];
}

void guest_cpu_free(gpointer data)
{
    GuestCpu *cpu = data;

    if (cpu != NULL) {
        g_array_unref(cpu->polled);
        g_free(cpu);
    }
}

void guest_cpu_reset(GuestCpu *cpu)
{
    cpu->n_isrs = cpu->n_run = 0;
    cpu->in_softirq = FALSE;
    cpu->xmit_skb = 0;
    cpu->last_rx = GUEST_NONE;
    g_array_set_size(cpu->polled, 0);
}

static void add_isr(GuestCpu *cpu, IrqName name, const Event *event)
{
    for (guint i = 0; i < cpu->n_isrs; i++) {
        if (memcmp(&cpu->isrs[i].name, &name, sizeof(name)) == 0) {
            return; /* the first one raised the softirq */
        }
    }
    if (cpu->n_isrs < MAX_ISRS) {
        cpu->isrs[cpu->n_isrs++] = (Isr){.name = name, .stamp = stamp_of(STEP_ISR, event)};
    }
}

void guest_cpu_irq(Guest *guest, const Event *event, const char *name)
{
    IrqName parsed = irq_name_parse(name);

    if (parsed.kind != IRQ_NOT_VIRTIO) {
        add_isr(guest_cpu(guest, event->cpu), parsed, event);
    }
}

void guest_cpu_softirq_entry(Guest *guest, const Event *event)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);

    if (event->num[0] != NET_RX_SOFTIRQ) {
        return;
    }
    guest->softirqs = TRUE;
    memcpy(cpu->run, cpu->isrs, cpu->n_isrs * sizeof(Isr));
    cpu->n_run = cpu->n_isrs;
    cpu->n_isrs = 0;
    cpu->in_softirq = TRUE;
    cpu->softirq = stamp_of(STEP_SOFTIRQ, event);
    cpu->batch = ++guest->batches;
}

void guest_cpu_softirq_exit(Guest *guest, const Event *event)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);

    if (event->num[0] != NET_RX_SOFTIRQ) {
        return;
    }
    guest_cpu_poll_end(guest, event, FALSE);
    cpu->in_softirq = FALSE;
    cpu->n_run = 0;
}

/*
 * The driver's poll gave its whole budget back or less: with less it had found the ring empty
 * after the last packet (virtnet_receive()), so what comes later was pushed after that packet.
 */
static void note_drained(Guest *guest, GuestCpu *cpu, const Event *event)
{
    GuestQueue *queue;

    if (cpu->last_rx == GUEST_NONE || event->num[0] == 0 || event->num[0] >= event->num[1]) {
        return;
    }
    queue = g_ptr_array_index(guest->queues, cpu->last_rx);
    queue->drained = cpu->last_rx_time;
    queue->has_drained = TRUE;
}

/*
 * The poll took more packets than were recorded: the driver or XDP dropped some, or their records
 * are missing. They were buffers all the same.
 */
static void note_missing(Guest *guest, GuestCpu *cpu, const Event *event)
{
    GuestQueue *queue;
    guint64 recorded;

    if (cpu->last_rx == GUEST_NONE || event->num[0] > event->num[1] ||
        event->num[0] > MAX_POLL_WORK) {
        return;
    }
    queue = g_ptr_array_index(guest->queues, cpu->last_rx);
    recorded = queue->ring.tail - cpu->first_rx;
    if (recorded < event->num[0]) {
        guest_queue_add_missing(guest, queue, cpu->first_rx, event->num[0] - recorded, event);
    }
}

void guest_cpu_poll_end(Guest *guest, const Event *event, gboolean is_poll)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);

    if (is_poll) {
        note_drained(guest, cpu, event);
        note_missing(guest, cpu, event);
    }
    cpu->last_rx = GUEST_NONE;
    for (guint i = 0; i < cpu->polled->len; i++) {
        Polled polled = g_array_index(cpu->polled, Polled, i);
        GuestQueue *queue = g_ptr_array_index(guest->queues, polled.queue);
        Half *half = half_ring_get(&queue->ring, polled.serial);

        if (half == NULL) {
            continue;
        }
        half->times.flags &= ~HALF_IN_POLL;
        if (is_poll) {
            half_stamp(half, stamp_of(STEP_POLL, event));
        }
        guest_queue_emit_closed(guest, queue);
    }
    g_array_set_size(cpu->polled, 0);
}

static gboolean isr_fits(const Guest *guest, const GuestQueue *queue, const IrqName *name)
{
    const GuestDeviceState *state = g_ptr_array_index(guest->devices, queue->info.device);
    IrqKind kind = queue->info.stream == GUEST_TX ? IRQ_OUTPUT : IRQ_INPUT;

    if (state->device.virtio != GUEST_NONE && state->device.virtio != name->virtio) {
        return FALSE;
    }
    return name->kind == IRQ_SHARED || (name->kind == kind && name->index == queue->info.index);
}

static void vote(Guest *guest, const GuestQueue *queue, const IrqName *name)
{
    GuestDeviceState *state = g_ptr_array_index(guest->devices, queue->info.device);
    gpointer key = GUINT_TO_POINTER(name->virtio);
    guint votes = GPOINTER_TO_UINT(g_hash_table_lookup(state->virtio_votes, key));

    if (votes < G_MAXUINT && g_hash_table_size(state->virtio_votes) < MAX_GUEST_DEVICES) {
        g_hash_table_insert(state->virtio_votes, key, GUINT_TO_POINTER(votes + 1));
    }
}

static void stamp_isr(Guest *guest, GuestCpu *cpu, GuestQueue *queue, Half *half)
{
    const Isr *isrs = guest->softirqs ? cpu->run : cpu->isrs;
    guint n = guest->softirqs ? cpu->n_run : cpu->n_isrs;

    for (guint i = 0; i < n; i++) {
        if (isr_fits(guest, queue, &isrs[i].name)) {
            half_stamp(half, isrs[i].stamp);
            vote(guest, queue, &isrs[i].name);
        }
    }
}

void guest_cpu_touch(Guest *guest, GuestQueue *queue, guint64 serial, const Event *event)
{
    GuestCpu *cpu = guest_cpu(guest, event->cpu);
    Half *half = half_ring_get(&queue->ring, serial);
    Polled polled = {.queue = queue->id, .serial = serial};

    if (guest->suspect) {
        return;
    }
    stamp_isr(guest, cpu, queue, half);
    if (!cpu->in_softirq) {
        return;
    }
    half_stamp(half, cpu->softirq);
    half->batch = cpu->batch;
    if (cpu->polled->len < MAX_POLLED) {
        half->times.flags |= HALF_IN_POLL;
        g_array_append_val(cpu->polled, polled);
    }
}
