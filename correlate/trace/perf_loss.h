/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loss in a perf.data file: when, where and how much.
 */
#ifndef VIRTCORR_TRACE_PERF_LOSS_H
#define VIRTCORR_TRACE_PERF_LOSS_H

#include "perf_attr.h"
#include "trace/event.h"

/* The type of an EVENT_LOSS: no number of a kernel event, which has 16 bits. */
enum { PERF_TYPE_LOSS = 1 << 16 };

/**
 * PerfCpu: state of one CPU's ring buffer.
 * @last: time of its last sample
 * @announced: what its LOST records said
 * @total: what the counters of its events said in the end; includes @announced
 */
typedef struct PerfCpu {
    gint64 last;
    guint64 announced;
    guint64 total;
} PerfCpu;

/**
 * PerfLoss:
 * @cpus: by CPU; samples without a CPU go to NO_CPU's
 * @pending: lost records whose own time is not known, until the next sample gives one
 */
typedef struct PerfLoss {
    PerfCpu *cpus;
    guint n_cpus;
    guint64 pending;
    guint64 pending_offset;
} PerfLoss;

void perf_loss_clear(PerfLoss *loss);

/* The state of @cpu, made if it is new. Any CPU number of an event is fine. */
PerfCpu *perf_loss_grow(PerfLoss *loss, guint16 cpu);

static inline PerfCpu *perf_loss_cpu(PerfLoss *loss, guint16 cpu)
{
    return cpu < loss->n_cpus ? &loss->cpus[cpu] : perf_loss_grow(loss, cpu);
}

/**
 * perf_loss_lost: take a LOST record.
 *
 * Returns: FALSE when it does not say when: then the next sample does, see perf_loss_resolve()
 */
gboolean perf_loss_lost(PerfLoss *loss, const PerfAttrs *attrs, const PerfRecord *record,
                        Event *ret_event);

/**
 * perf_loss_lost_samples: take a LOST_SAMPLES record.
 *
 * Without a time it is a counter that perf read in the end. It counts what LOST records, which the
 * kernel writes when its ring buffer has room again, have said already, and what came too late for
 * that: see perf_loss_rest().
 *
 * Returns: FALSE when it was such a counter, or when a filter dropped the samples on purpose
 */
gboolean perf_loss_lost_samples(PerfLoss *loss, const PerfAttrs *attrs, const PerfRecord *record,
                                Event *ret_event);

/* What is pending was lost before this sample, which follows it in the file. */
Event perf_loss_resolve(PerfLoss *loss, guint16 cpu, gint64 time);

/**
 * perf_loss_rest: what @cpu lost after its last LOST record, as an event that ends at @time.
 *
 * Returns: FALSE when that is nothing
 */
gboolean perf_loss_rest(PerfLoss *loss, guint16 cpu, gint64 time, guint64 offset, Event *ret_event);

#endif
