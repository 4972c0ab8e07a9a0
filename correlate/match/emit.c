/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From joined halves to journeys.
 */
#include "run_private.h"

#include <net/ethernet.h>

static HostSpan place_guest(const Run *run, gint64 raw)
{
    if (run->map != NULL) {
        return clock_map_place(run->map, (GuestTime){raw});
    }
    return (HostSpan){.lo = {G_MININT64}, .at = {raw}, .hi = {G_MAXINT64}};
}

static void add_step(Journey *journey, const Stamp *stamp, gint64 raw, HostSpan when)
{
    journey->steps[journey->n_steps++] =
        (Step){.step = stamp->step, .cpu = stamp->cpu, .tid = stamp->tid, .raw = raw, .when = when};
}

static void add_host_steps(const Run *run, Journey *journey, const Half *host)
{
    for (guint i = 0; i < host->n_stamps; i++) {
        const Stamp *stamp = &host->stamps[i];
        HostSpan when = {{stamp->time}, {stamp->time}, {stamp->time + run->step_ns}};

        add_step(journey, stamp, stamp->time, when);
    }
}

static void add_guest_steps(const Run *run, Journey *journey, const Half *guest)
{
    guint64 base = run->sources[run->guest_source].base;

    for (guint i = 0; i < guest->n_stamps; i++) {
        const Stamp *stamp = &guest->stamps[i];

        add_step(journey, stamp, (gint64)(base + (guint64)stamp->time),
                 place_guest(run, stamp->time));
    }
}

static void remove_step(Journey *journey, const Step *step)
{
    guint i = step - journey->steps;

    journey->n_steps--;
    for (; i < journey->n_steps; i++) {
        journey->steps[i] = journey->steps[i + 1];
    }
}

static void remove_if_before(Journey *journey, StepId id, const Step *anchor)
{
    const Step *step = journey_step(journey, id);

    if (step == NULL) {
        return;
    }
    if (step_is_guest(id) == step_is_guest(anchor->step)
            ? (gint64)((guint64)step->raw - (guint64)anchor->raw) < 0
            : step->when.hi.ns < anchor->when.lo.ns) {
        remove_step(journey, step);
    }
}

/*
 * Steps that were certainly this buffer's neighbours' and not its own: the handler that started
 * before the packet was there, and the interrupt and softirq that began before the buffer was
 * pushed, in whose poll it was found.
 */
static void remove_foreign_steps(Journey *journey)
{
    static const StepId anchors[] = {STEP_XMIT, STEP_TAP_IN, STEP_PUSH};
    static const StepId foreign[] = {STEP_WAKE, STEP_ISR, STEP_SOFTIRQ};

    for (guint a = 0; a < G_N_ELEMENTS(anchors); a++) {
        for (guint f = 0; f < G_N_ELEMENTS(foreign); f++) {
            const Step *anchor = journey_step(journey, anchors[a]);

            if (anchor != NULL && (anchors[a] == STEP_XMIT || foreign[f] != STEP_WAKE)) {
                remove_if_before(journey, foreign[f], anchor);
            }
        }
    }
}

/* When the guest had the buffer before the next irq of its queue, that irq was not needed. */
static void mark_suppressed_irq(Journey *journey)
{
    const Step *push = journey_step(journey, STEP_PUSH);
    const Step *irq = journey_step(journey, STEP_IRQ);
    const Step *end = journey_step(journey, STEP_RECEIVE);
    Step suppressed;

    end = end ? end : journey_step(journey, STEP_STACK);
    end = end ? end : journey_step(journey, STEP_FREE);
    if (push == NULL || end == NULL || (irq != NULL && irq->when.at.ns <= end->when.hi.ns)) {
        return;
    }
    suppressed = *push;
    suppressed.step = STEP_IRQ_SUPPRESSED;
    if (irq != NULL) {
        remove_step(journey, irq);
    }
    journey->steps[journey->n_steps++] = suppressed;
}

static guint32 wire_len(const Link *link, const Half *guest, const Half *host)
{
    if (guest != NULL && guest->len > 0) {
        return link->queue.direction == QUEUE_RX ? guest->len + ETH_HLEN : guest->len;
    }
    if (host == NULL || host->len == 0) {
        return 0;
    }
    if (link->queue.tap != NULL) {
        return host->len;
    }
    if (link->alignment.has_delta && host->len > link->alignment.delta) {
        return host->len - link->alignment.delta + ETH_HLEN;
    }
    return 0;
}

static void emit(const Run *run, const Link *link, const Half *guest, const Half *host, Grade grade,
                 OrphanReason reason)
{
    Journey journey = {
        .queue = &link->queue,
        .seq = host ? host->seq : guest->seq,
        .grade = grade,
        .reason = reason,
        .len = wire_len(link, guest, host),
        .part = host ? host->part : 0,
        .n_parts = host ? host->n_parts : 1,
        .skb = guest ? guest->object : 0,
        .batch = guest ? guest->batch : 0,
        .held = guest ? guest->held : -1,
    };

    if (guest != NULL) {
        add_guest_steps(run, &journey, guest);
    }
    if (host != NULL) {
        add_host_steps(run, &journey, host);
    }
    if (guest != NULL && host != NULL) {
        remove_foreign_steps(&journey);
        mark_suppressed_irq(&journey);
    }
    journey_sort(&journey);
    if (run->listener->journey != NULL) {
        run->listener->journey(&journey, run->listener->user_data);
    }
}

void run_emit_pair(Run *run, const Link *link, const Half *guest, const Half *host, Grade grade)
{
    RunTotals *totals = run->totals;

    totals->journeys++;
    totals->grades[grade]++;
    if (run->map != NULL) { /* 0 unless a clock or a join is wrong */
        totals->violations += half_denials(run->map, &guest->times, &host->times);
    }
    if (host->part == 0 && link->queue.direction == QUEUE_TX) {
        totals->packets_tx++;
    } else if (host->part == 0) {
        totals->packets_rx++;
    }
    emit(run, link, guest, host, grade, ORPHAN_NONE);
}

void run_emit_orphan(Run *run, const Link *link, const Half *guest, const Half *host,
                     OrphanReason reason)
{
    run->totals->grades[GRADE_ORPHAN]++;
    run->totals->orphan_reasons[reason]++;
    emit(run, link, guest, host, GRADE_ORPHAN, reason);
}
