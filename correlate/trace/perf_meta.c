/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a perf.data file says about itself, in sections of a file or in records of a pipe.
 */
#include "perf_meta.h"

#include "perf_tracing.h"

#include <time.h>

enum { MAX_STRING = 256, MAX_CLOCK_STEP = 1000 * 1000 * 1000 };

typedef struct ClockName {
    gint32 id;
    TraceClockKind kind;
    const char *name;
} ClockName;

/* The clocks that perf_event_open() takes; -1 is its own. */
static const ClockName clocks[] = {
    {-1, TRACE_CLOCK_SCHED, "perf"},
    {CLOCK_REALTIME, TRACE_CLOCK_REALTIME, "realtime"},
    {CLOCK_MONOTONIC, TRACE_CLOCK_MONOTONIC, "monotonic"},
    {CLOCK_MONOTONIC_RAW, TRACE_CLOCK_MONOTONIC_RAW, "monotonic_raw"},
    {CLOCK_BOOTTIME, TRACE_CLOCK_BOOTTIME, "boottime"},
    {CLOCK_TAI, TRACE_CLOCK_TAI, "tai"},
};

void perf_meta_init(PerfMeta *meta, Reader *reader, gboolean swapped, gboolean big_endian)
{
    meta->reader = reader;
    meta->no_events = kernel_events_new(reader, big_endian, sizeof(guint64));
    meta->events = meta->no_events;
    perf_attrs_init(&meta->attrs, swapped, big_endian);
}

void perf_meta_clear(PerfMeta *meta)
{
    if (meta->events != meta->no_events) {
        kernel_events_free(meta->events);
    }
    kernel_events_free(meta->no_events);
    perf_attrs_clear(&meta->attrs);
}

static void set_clock(PerfMeta *meta, gint32 id, guint64 offset)
{
    TraceClock *clock = &meta->reader->info.clock;

    for (gsize i = 0; i < G_N_ELEMENTS(clocks); i++) {
        if (clocks[i].id == id) {
            clock->kind = clocks[i].kind;
            clock->name = clocks[i].name;
            return;
        }
    }
    clock->kind = TRACE_CLOCK_UNKNOWN;
    clock->name = "unknown";
    reader_problem(meta->reader, offset, "the events use a clock that is not known");
}

static void feature_damaged(PerfMeta *meta, guint64 offset)
{
    reader_problem(meta->reader, offset, "a header feature is damaged; it is left out");
}

/* The first @len bytes of a feature's @size; FALSE and a problem if there are not as many. */
static gboolean read_head(PerfMeta *meta, Input *input, guint64 offset, guint64 size,
                          guint8 *ret_bytes, gsize len)
{
    if (size >= len && input_read(input, offset, ret_bytes, len) == len) {
        return TRUE;
    }
    feature_damaged(meta, offset);
    return FALSE;
}

/* u32 length, text that is padded with zeros. */
static void take_string(PerfMeta *meta, Input *input, guint64 offset, guint64 size,
                        char **ret_string)
{
    char text[MAX_STRING];
    guint8 head[4];
    gsize len;

    if (!read_head(meta, input, offset, size, head, sizeof(head))) {
        return;
    }
    len = bytes_u32(head, meta->attrs.swapped);
    if (len > size - 4) {
        feature_damaged(meta, offset);
        return;
    }
    len = input_read(input, offset + 4, text, MIN(len, sizeof(text)));
    g_free(*ret_string);
    *ret_string = g_strndup(text, len);
}

/* u64 resolution of the clock in ns. */
static void take_clock_step(PerfMeta *meta, Input *input, guint64 offset, guint64 size)
{
    guint8 bytes[8];
    guint64 step;

    if (!read_head(meta, input, offset, size, bytes, sizeof(bytes))) {
        return;
    }
    step = bytes_u64(bytes, meta->attrs.swapped);
    meta->reader->info.clock.step_ns = step > 1 && step <= MAX_CLOCK_STEP ? step : 0;
}

/* u32 version, u32 clockid, u64 wall clock in ns, u64 the clock in ns. */
static void take_clock_data(PerfMeta *meta, Input *input, guint64 offset, guint64 size)
{
    guint8 bytes[8];

    if (!read_head(meta, input, offset, size, bytes, sizeof(bytes))) {
        return;
    }
    if (bytes_u32(bytes, meta->attrs.swapped) != 1) {
        feature_damaged(meta, offset);
        return;
    }
    /* An attribute of an old, short layout cannot say it itself. */
    if (meta->reader->info.clock.kind == TRACE_CLOCK_SCHED) {
        set_clock(meta, bytes_u32(bytes + 4, meta->attrs.swapped), offset);
    }
}

void perf_meta_tracing_data(PerfMeta *meta, Input *input, guint64 offset, guint64 size)
{
    KernelEvents *events;

    if (meta->events != meta->no_events) {
        reader_problem(meta->reader, offset, "event formats are there twice; the first are used");
        return;
    }
    events = perf_tracing_read(meta->reader, input, offset, size);
    if (events != NULL) {
        meta->events = events;
    }
}

void perf_meta_feature(PerfMeta *meta, guint number, Input *input, guint64 offset, guint64 size)
{
    switch (number) {
    case PERF_FEATURE_TRACING_DATA:
        perf_meta_tracing_data(meta, input, offset, size);
        break;
    case PERF_FEATURE_HOSTNAME:
        take_string(meta, input, offset, size, &meta->reader->info.machine);
        break;
    case PERF_FEATURE_OSRELEASE:
        take_string(meta, input, offset, size, &meta->reader->info.release);
        break;
    case PERF_FEATURE_CLOCKID:
        take_clock_step(meta, input, offset, size);
        break;
    case PERF_FEATURE_CLOCK_DATA:
        take_clock_data(meta, input, offset, size);
        break;
    case PERF_FEATURE_DIR_FORMAT:
        reader_problem(meta->reader, offset,
                       "the file is one of a directory that perf record --threads made; the "
                       "samples are in others: record without --threads");
        break;
    default:
        break;
    }
}

void perf_meta_attr(PerfMeta *meta, const guint8 *bytes, gsize size, guint64 offset)
{
    const char *problem = perf_attrs_add(&meta->attrs, bytes, size);
    guint n = meta->attrs.attrs->len;

    if (problem != NULL) {
        reader_problem(meta->reader, offset, problem);
    }
    if (n == 0) {
        return;
    }
    if (n == 1) {
        set_clock(meta, perf_attrs_at(&meta->attrs, 0)->clockid, offset);
    } else if (perf_attrs_at(&meta->attrs, n - 1)->clockid !=
               perf_attrs_at(&meta->attrs, 0)->clockid) {
        reader_problem(meta->reader, offset, "the events use different clocks");
    }
}

void perf_meta_ids(PerfMeta *meta, const guint8 *bytes, gsize size, guint64 offset)
{
    if (meta->attrs.attrs->len == 0) {
        return;
    }
    for (gsize at = 0; at + 8 <= size; at += 8) {
        if (!perf_attrs_add_id(&meta->attrs, bytes_u64(bytes + at, meta->attrs.swapped))) {
            reader_problem(meta->reader, offset + at, "too many event ids; the rest are left out");
            return;
        }
    }
}

void perf_meta_attr_record(PerfMeta *meta, const PerfRecord *record)
{
    const guint8 *attr = record->at + PERF_RECORD_HEADER_SIZE;
    gsize available = record->size - PERF_RECORD_HEADER_SIZE;
    gsize size = perf_attr_size(attr, available, meta->attrs.swapped);

    if (size == 0) {
        reader_problem(meta->reader, record->offset, "an event attribute is damaged");
        return;
    }
    perf_meta_attr(meta, attr, size, record->offset);
    perf_meta_ids(meta, attr + size, available - size, record->offset);
}

/* u64 feature number, data as in a file's section. */
void perf_meta_feature_record(PerfMeta *meta, const PerfRecord *record, Input *input)
{
    enum { HEAD = PERF_RECORD_HEADER_SIZE + 8 };
    guint64 number;

    if (record->size < HEAD) {
        return;
    }
    number = bytes_u64(record->at + PERF_RECORD_HEADER_SIZE, meta->attrs.swapped);
    if (number < PERF_FEATURES) {
        perf_meta_feature(meta, number, input, record->offset + HEAD, record->size - HEAD);
    }
}

/* u64 n, then n times u64 id, idx, cpu, tid. */
void perf_meta_id_index(PerfMeta *meta, const PerfRecord *record)
{
    enum { ENTRY = 32 };
    gboolean swapped = meta->attrs.swapped;

    for (gsize at = PERF_RECORD_HEADER_SIZE + 8; at + ENTRY <= record->size; at += ENTRY) {
        PerfId *id = perf_attrs_find_id(&meta->attrs, bytes_u64(record->at + at, swapped));
        guint64 cpu = bytes_u64(record->at + at + 16, swapped);

        if (id->attr_plus_1 != 0) {
            id->cpu = MIN(cpu, NO_CPU);
        }
    }
}

/* u64 shift, mult, zero; newer perf adds u64 cycles, mask and u8 cap_user_time_zero. */
void perf_meta_time_conv(PerfMeta *meta, const PerfRecord *record)
{
    enum { BODY = PERF_RECORD_HEADER_SIZE, CAP_ZERO = BODY + 40 };
    TraceClock *clock = &meta->reader->info.clock;
    gboolean swapped = meta->attrs.swapped;
    guint64 shift;
    guint64 mult;

    if (record->size < BODY + 24 || clock->kind != TRACE_CLOCK_SCHED) {
        return;
    }
    if (record->size > CAP_ZERO && record->at[CAP_ZERO] == 0) {
        return; /* the kernel did not vouch for the zero point */
    }
    shift = bytes_u64(record->at + BODY, swapped);
    mult = bytes_u64(record->at + BODY + 8, swapped);
    if (shift >= 64 || mult == 0 || mult > G_MAXUINT32) {
        reader_problem(meta->reader, record->offset, "the TSC conversion makes no sense");
        return;
    }
    clock->has_tsc = TRUE;
    clock->tsc_shift = shift;
    clock->tsc_mult = mult;
    clock->tsc_zero = bytes_u64(record->at + BODY + 16, swapped);
}
