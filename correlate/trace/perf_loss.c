/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loss in a perf.data file: when, where and how much.
 */
#include "perf_loss.h"

enum {
    FIRST_CPUS = 64,
    PERF_MISC_FILTERED = 1 << 15, /* PERF_RECORD_MISC_LOST_SAMPLES_BPF */
};

void perf_loss_clear(PerfLoss *loss)
{
    g_free(loss->cpus);
    *loss = (PerfLoss){0};
}

PerfCpu *perf_loss_grow(PerfLoss *loss, guint16 cpu)
{
    guint n = MAX(FIRST_CPUS, loss->n_cpus);

    while (n <= cpu) {
        n *= 2;
    }
    loss->cpus = g_renew(PerfCpu, loss->cpus, n);
    memset(loss->cpus + loss->n_cpus, 0, (n - loss->n_cpus) * sizeof(PerfCpu));
    loss->n_cpus = n;
    return &loss->cpus[cpu];
}

/* When the last sample before a loss was taken; without a CPU, on the CPU that is furthest back. */
static gint64 last_before(PerfLoss *loss, guint16 cpu)
{
    gint64 last = perf_loss_cpu(loss, cpu)->last;

    if (cpu != NO_CPU || last != 0) {
        return last;
    }
    for (guint i = 0; i < loss->n_cpus; i++) {
        gint64 one = loss->cpus[i].last;

        if (one != 0 && (last == 0 || one < last)) {
            last = one;
        }
    }
    return last;
}

/* @n records lost between the last sample of @cpu and @time. */
static Event loss_event(PerfLoss *loss, guint16 cpu, gint64 time, guint64 n, guint64 offset)
{
    return (Event){
        .kind = EVENT_LOSS,
        .type = PERF_TYPE_LOSS,
        .time = time,
        .ptr = {MIN(last_before(loss, cpu), time)},
        .num = {MIN(n, G_MAXUINT32)},
        .cpu = cpu,
        .offset = offset,
    };
}

/* The time and CPU in the trailer of a record; FALSE when it does not have both. */
static gboolean take_trailer(const PerfAttrs *attrs, const PerfRecord *record, gsize body,
                             gint64 *ret_time, guint16 *ret_cpu)
{
    guint64 id = perf_attrs_trailer_id(attrs, record, body);
    const PerfAttr *attr = perf_attrs_of_id(attrs, id);
    const guint8 *end = record->at + record->size;
    guint64 time;
    guint32 cpu;

    if (attr == NULL || attr->trailer_time == 0 || attr->trailer_cpu == 0 ||
        record->size < body + MAX(attr->trailer_time, attr->trailer_cpu)) {
        return FALSE;
    }
    time = bytes_u64(end - attr->trailer_time, attrs->swapped);
    cpu = bytes_u32(end - attr->trailer_cpu, attrs->swapped);
    *ret_time = time;
    *ret_cpu = MIN(cpu, NO_CPU);
    return time > 0 && time <= G_MAXINT64;
}

gboolean perf_loss_lost(PerfLoss *loss, const PerfAttrs *attrs, const PerfRecord *record,
                        Event *ret_event)
{
    enum { BODY = PERF_RECORD_HEADER_SIZE + 16 }; /* u64 id, u64 number */
    guint64 n;
    gint64 time;
    guint16 cpu;

    if (record->size < BODY) {
        return FALSE;
    }
    n = bytes_u64(record->at + 16, attrs->swapped);
    if (!take_trailer(attrs, record, BODY, &time, &cpu)) {
        loss->pending += n;
        loss->pending_offset = record->offset;
        return FALSE;
    }
    perf_loss_cpu(loss, cpu)->announced += n;
    *ret_event = loss_event(loss, cpu, time, n, record->offset);
    return TRUE;
}

gboolean perf_loss_lost_samples(PerfLoss *loss, const PerfAttrs *attrs, const PerfRecord *record,
                                Event *ret_event)
{
    enum { BODY = PERF_RECORD_HEADER_SIZE + 8 }; /* u64 number */
    const PerfId *id;
    guint64 n;
    gint64 time;
    guint16 cpu;

    if (record->size < BODY || record->misc & PERF_MISC_FILTERED) {
        return FALSE;
    }
    n = bytes_u64(record->at + 8, attrs->swapped);
    if (take_trailer(attrs, record, BODY, &time, &cpu)) {
        *ret_event = loss_event(loss, cpu, time, n, record->offset);
        return TRUE;
    }
    id = perf_attrs_find_id(attrs, perf_attrs_trailer_id(attrs, record, BODY));
    perf_loss_cpu(loss, id->attr_plus_1 != 0 ? id->cpu : NO_CPU)->total += n;
    return FALSE;
}

Event perf_loss_resolve(PerfLoss *loss, guint16 cpu, gint64 time)
{
    guint64 n = loss->pending;

    loss->pending = 0;
    perf_loss_cpu(loss, cpu)->announced += n;
    return loss_event(loss, cpu, time, n, loss->pending_offset);
}

/* What LOST records said of other CPUs than the counters did, for want of an ID_INDEX. */
static guint64 announced_elsewhere(const PerfLoss *loss)
{
    guint64 n = 0;

    for (guint i = 0; i < loss->n_cpus; i++) {
        const PerfCpu *cpu = &loss->cpus[i];

        n += cpu->announced > cpu->total ? cpu->announced - cpu->total : 0;
    }
    return n;
}

gboolean perf_loss_rest(PerfLoss *loss, guint16 cpu, gint64 time, guint64 offset, Event *ret_event)
{
    const PerfCpu *state = perf_loss_cpu(loss, cpu);
    guint64 known = state->announced;

    if (cpu == NO_CPU) {
        known = announced_elsewhere(loss);
    }
    if (state->total <= known) {
        return FALSE;
    }
    *ret_event = loss_event(loss, cpu, time, state->total - known, offset);
    return TRUE;
}
