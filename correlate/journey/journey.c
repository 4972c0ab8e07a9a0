/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The journey: the steps of one buffer across guest and host, on one time line.
 */
#include "journey/journey.h"

static const char *const direction_names[] = {
    [QUEUE_RX] = "rx",
    [QUEUE_TX] = "tx",
    [QUEUE_CONTROL] = "control",
    [QUEUE_OTHER] = "other",
};

static const char *const grade_names[N_GRADES] = {
    [GRADE_EXACT] = "exact",
    [GRADE_ORDERED] = "ordered",
    [GRADE_AMBIGUOUS] = "ambiguous",
    [GRADE_ORPHAN] = "orphan",
};

static const char *const reason_names[N_ORPHAN_REASONS] = {
    [ORPHAN_NONE] = "none",
    [ORPHAN_OTHER_SIDE_BEGINS] = "capture-begin",
    [ORPHAN_OTHER_SIDE_ENDS] = "capture-end",
    [ORPHAN_IN_FLIGHT] = "in-flight",
    [ORPHAN_LOST_RECORDS] = "lost-records",
    [ORPHAN_RESET] = "reset",
    [ORPHAN_DROPPED] = "dropped",
    [ORPHAN_NOT_TRACED] = "not-traced",
    [ORPHAN_UNMATCHED] = "unmatched",
};

const char *queue_direction_name(QueueDirection direction)
{
    return direction_names[direction];
}

const char *grade_name(Grade grade)
{
    return grade_names[grade];
}

const char *orphan_reason_name(OrphanReason reason)
{
    return reason_names[reason];
}

const Step *journey_step(const Journey *journey, StepId step)
{
    for (guint i = 0; i < journey->n_steps; i++) {
        if (journey->steps[i].step == step) {
            return &journey->steps[i];
        }
    }
    return NULL;
}

/*
 * Whether @a stands before @b. Within a side the stamps decide; across sides the spans, and where
 * they overlap the order of the step table, which is the causal one.
 */
static gboolean step_is_before(const Step *a, const Step *b)
{
    if (step_is_guest(a->step) != step_is_guest(b->step)) {
        if (a->when.hi.ns < b->when.lo.ns) {
            return TRUE;
        }
        if (b->when.hi.ns < a->when.lo.ns) {
            return FALSE;
        }
        return a->step < b->step;
    }
    return a->when.at.ns < b->when.at.ns ||
           (a->when.at.ns == b->when.at.ns && a->step < b->step);
}

void journey_sort(Journey *journey)
{
    for (guint i = 1; i < journey->n_steps; i++) {
        Step step = journey->steps[i];
        guint j = i;

        for (; j > 0 && step_is_before(&step, &journey->steps[j - 1]); j--) {
            journey->steps[j] = journey->steps[j - 1];
        }
        journey->steps[j] = step;
    }
}

/* With vhost the kernel's worker does what the step table says of QEMU. */
static Party whose_time(const Journey *journey, StepId to)
{
    Party whose = step_info(to)->whose;
    gboolean is_vhost = journey->queue->tap != NULL && journey->queue->host_device == NULL;

    return whose == PARTY_VMM && is_vhost ? PARTY_VHOST : whose;
}

static Hop hop_between(const Journey *journey, const Step *from, const Step *to)
{
    Hop hop = {
        .from = from->step,
        .to = to->step,
        .whose = whose_time(journey, to->step),
        .crosses = step_is_guest(from->step) != step_is_guest(to->step),
    };

    if (hop.crosses) {
        hop.latency = host_span_latency(from->when, to->when);
        hop.is_known = hop.latency.lo >= 0;
    } else {
        gint64 ns = to->when.at.ns - from->when.at.ns;

        hop.latency = (Latency){.lo = ns, .ns = ns, .hi = ns};
        hop.is_known = TRUE;
    }
    return hop;
}

/* Whether hops of this detail begin or end at @step. */
static gboolean is_end_of_hop(const Journey *journey, HopDetail detail, const Step *step)
{
    static const unsigned directions[] = {
        [QUEUE_RX] = STEP_RX,
        [QUEUE_TX] = STEP_TX,
        [QUEUE_CONTROL] = STEP_OTHER,
        [QUEUE_OTHER] = STEP_OTHER,
    };
    const StepInfo *info = step_info(step->step);

    if (info->is_mark) {
        return FALSE;
    }
    return detail == HOPS_ALL || (info->main & directions[journey->queue->direction]) != 0;
}

guint journey_hops(const Journey *journey, HopDetail detail, Hop ret_hops[JOURNEY_MAX_STEPS])
{
    const Step *last = NULL;
    guint n = 0;

    for (guint i = 0; i < journey->n_steps; i++) {
        const Step *step = &journey->steps[i];

        if (!is_end_of_hop(journey, detail, step)) {
            continue;
        }
        if (last != NULL) {
            ret_hops[n++] = hop_between(journey, last, step);
        }
        last = step;
    }
    return n;
}

gboolean journey_whole(const Journey *journey, HopDetail detail, Hop *ret_hop)
{
    const Step *first = NULL;
    const Step *last = NULL;

    for (guint i = 0; i < journey->n_steps; i++) {
        if (is_end_of_hop(journey, detail, &journey->steps[i])) {
            first = first ? first : &journey->steps[i];
            last = &journey->steps[i];
        }
    }
    if (first == last) {
        return FALSE;
    }
    *ret_hop = hop_between(journey, first, last);
    return TRUE;
}
