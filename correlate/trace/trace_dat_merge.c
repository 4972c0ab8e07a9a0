/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPUs of a trace.dat merged by time.
 */
#include "trace_dat.h"

static inline gboolean is_before(const DatCpu *a, const DatCpu *b)
{
    /* A TSC may pass 2⁶³ or 2⁶⁴ during the trace: only the difference is a number. */
    gint64 difference = (gint64)((guint64)a->time - (guint64)b->time);

    return difference < 0 || (difference == 0 && a->index < b->index);
}

static void sift_down(TraceDat *dat, guint at)
{
    DatCpu *cpu = dat->heap[at];

    for (guint child = 2 * at + 1; child < dat->n_heap; child = 2 * at + 1) {
        if (child + 1 < dat->n_heap && is_before(dat->heap[child + 1], dat->heap[child])) {
            child++;
        }
        if (!is_before(dat->heap[child], cpu)) {
            break;
        }
        dat->heap[at] = dat->heap[child];
        at = child;
    }
    dat->heap[at] = cpu;
}

/* Who comes after the first; NULL if the first is alone. */
static const DatCpu *second(const TraceDat *dat)
{
    if (dat->n_heap < 3) {
        return dat->n_heap == 2 ? dat->heap[1] : NULL;
    }
    return is_before(dat->heap[2], dat->heap[1]) ? dat->heap[2] : dat->heap[1];
}

void dat_merge_rewind(TraceDat *dat)
{
    dat->done = 0;
    dat->n_heap = 0;
    for (guint i = 0; i < dat->cpus->len; i++) {
        DatCpu *cpu = dat_cpu(dat, i);

        dat_cpu_rewind(cpu);
        if (dat_cpu_next(dat, cpu)) {
            dat->heap[dat->n_heap++] = cpu;
        }
    }
    for (guint i = dat->n_heap / 2; i > 0; i--) {
        sift_down(dat, i - 1);
    }
}

static void take_loss(TraceDat *dat, DatCpu *cpu, Event *ret_event)
{
    gint64 length = (gint64)((guint64)cpu->time - (guint64)cpu->last_time);

    *ret_event = (Event){
        .time = cpu->time,
        /* A damaged page may go back in time; 0 stays: no event of the CPU came before. */
        .ptr = {cpu->last_time != 0 && length < 0 ? cpu->time : cpu->last_time},
        .num = {MIN(cpu->n_missed, G_MAXUINT32)},
        .offset = cpu->page_offset | cpu->offset_flag,
        .type = DAT_TYPE_LOSS,
        .cpu = cpu->cpu,
        .kind = EVENT_LOSS,
    };
    reader_count_lost(&dat->reader, cpu->n_missed);
    cpu->missed = FALSE;
    cpu->n_missed = 0;
}

static inline void take_record(TraceDat *dat, const DatCpu *cpu, Event *ret_event)
{
    const DatPage *page = &cpu->page;

    *ret_event = (Event){
        .time = cpu->time,
        .offset = (cpu->page_offset + (page->payload - cpu->page_bytes)) | cpu->offset_flag,
        .cpu = cpu->cpu,
    };
    kernel_events_decode(dat->events, page->payload, page->len, ret_event);
    reader_count(&dat->reader, 1);
}

/* Events of the first CPU while none of another is earlier; it is no longer first then. */
static gsize read_first(TraceDat *dat, Event *ret_events, gsize max)
{
    const DatCpu *other = second(dat);
    DatCpu *cpu = dat->heap[0];
    gsize n = 0;

    while (n < max && (other == NULL || is_before(cpu, other))) {
        if (cpu->missed) {
            take_loss(dat, cpu, &ret_events[n++]);
            continue;
        }
        take_record(dat, cpu, &ret_events[n++]);
        if (!dat_cpu_next(dat, cpu)) {
            dat->heap[0] = dat->heap[--dat->n_heap];
            break;
        }
    }
    sift_down(dat, 0);
    return n;
}

gsize dat_merge_read(TraceDat *dat, Event *ret_events, gsize max)
{
    gsize n = 0;

    while (n < max && dat->n_heap > 0) {
        n += read_first(dat, ret_events + n, max - n);
    }
    return n;
}
