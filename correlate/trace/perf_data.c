/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of perf.data: what perf record writes, to a file or to a pipe, compressed or not.
 */
#include "format.h"

#include "kernel_event.h"
#include "order.h"
#include "perf_header.h"
#include "perf_loss.h"
#include "perf_meta.h"
#include "perf_spool.h"
#include "perf_stream.h"

enum { MAX_HELD = 512 << 10 }; /* events: 32 MiB */

/**
 * PerfReader:
 * @spool: the records when they were compressed, else NULL
 * @meta_end: records before it have been taken for what they say of the file
 * @max_time: the latest event so far
 * @round_time: the latest event of the rounds that are finished
 * @until: no event earlier than this one can come any more
 * @forced: how many events go out because too many are held
 */
typedef struct PerfReader {
    Reader base;
    PerfMeta meta;
    PerfStream stream;
    PerfSpool spool;
    PerfLoss loss;
    Order *order;
    guint64 meta_end;
    gint64 max_time;
    gint64 round_time;
    gint64 until;
    gsize forced;
    guint64 late;
    gboolean at_end;
} PerfReader;

static gboolean probe(const guint8 *head, gsize len)
{
    return perf_header_probe(head, len);
}

static void forget_pass(PerfReader *perf)
{
    perf->max_time = 0;
    perf->round_time = G_MININT64;
    perf->until = G_MININT64;
    perf->forced = 0;
    perf->late = 0;
    perf->at_end = FALSE;
    perf_loss_clear(&perf->loss);
}

static Reader *open_perf(Input *input, const TraceOptions *options, GError **error)
{
    PerfHeader header;
    PerfSpool spool;
    PerfReader *perf;
    PerfSection records;

    if (!perf_header_read(input, &header, error) ||
        !perf_spool_make(input, header.data.offset, header.data.offset + header.data.size,
                         header.swapped, &spool, error)) {
        input_free(input);
        return NULL;
    }
    perf = g_new0(PerfReader, 1);
    reader_init(&perf->base, &format_perf_data, input);
    perf->base.info.version = 2;
    perf->spool = spool;
    perf_meta_init(&perf->meta, &perf->base, header.swapped, header.big_endian);
    perf_header_load(&header, input, &perf->meta);
    if (spool.damage != NULL) {
        reader_problem(&perf->base, spool.damage_offset, spool.damage);
    }
    records = spool.input ? (PerfSection){0, input_size(spool.input)} : header.data;
    perf_stream_init(&perf->stream, spool.input ? spool.input : input, records.offset,
                     records.offset + records.size, header.swapped);
    perf->order = order_new();
    forget_pass(perf);
    return &perf->base;
}

static void push_loss(PerfReader *perf, const Event *event)
{
    reader_count_lost(&perf->base, event->num[0]);
    order_push(perf->order, event);
}

/* Fill @event's payload and pass it on. */
static void push_sample(PerfReader *perf, const PerfRecord *record, gsize raw_at, Event *event)
{
    const guint8 *raw = record->at + raw_at + 4;
    guint32 size;

    if (raw_at == 0 || raw_at + 4 > record->size) {
        reader_problem(&perf->base, record->offset, "a sample is too short for its members");
        return;
    }
    size = bytes_u32(record->at + raw_at, perf->stream.swapped);
    if (size > record->size - raw_at - 4) {
        reader_problem(&perf->base, record->offset, "a sample is too short for its members");
        return;
    }
    event->offset = record->offset + raw_at + 4;
    if (!kernel_events_decode(perf->meta.events, raw, size, event)) {
        reader_problem(&perf->base, record->offset, "an event's format is not in the file");
    }
    reader_count(&perf->base, 1);
    perf->max_time = MAX(perf->max_time, event->time);
    order_push(perf->order, event);
}

static void take_sample(PerfReader *perf, const PerfRecord *record)
{
    const PerfAttr *attr = perf_attrs_of_sample(&perf->meta.attrs, record);
    gboolean swapped = perf->stream.swapped;
    Event event = {.cpu = NO_CPU};

    if (attr == NULL || record->size < attr->fixed_size) {
        reader_problem(&perf->base, record->offset,
                       attr ? "a sample is too short for its members" : "a sample's id is unknown");
        return;
    }
    if (attr->time_at != 0) {
        event.time = bytes_u64(record->at + attr->time_at, swapped);
    }
    if (attr->cpu_at != 0) {
        event.cpu = MIN(bytes_u32(record->at + attr->cpu_at, swapped), NO_CPU);
    }
    if (event.time < 0) {
        reader_problem(&perf->base, record->offset, "a sample's time is out of range");
        return;
    }
    if (G_UNLIKELY(perf->loss.pending > 0)) {
        Event loss = perf_loss_resolve(&perf->loss, event.cpu, event.time);

        push_loss(perf, &loss);
    }
    perf_loss_cpu(&perf->loss, event.cpu)->last = event.time;
    if (!attr->is_event) {
        return;
    }
    if (attr->tid_at != 0) {
        guint32 tid = bytes_u32(record->at + attr->tid_at + 4, swapped);

        event.tid = tid == G_MAXUINT32 ? 0 : tid; /* -1: the task had exited */
    }
    push_sample(perf, record,
                attr->has_read || attr->has_callchain ? perf_attr_find_raw(attr, record, swapped)
                                                      : attr->raw_at,
                &event);
}

/* Records that describe the file: taken once, however often the file is read. */
static void take_meta(PerfReader *perf, const PerfRecord *record)
{
    Input *input = perf->stream.window.input;

    if (record->offset < perf->meta_end) {
        return;
    }
    perf->meta_end = record->offset + record->size;
    switch (record->type) {
    case PERF_RECORD_HEADER_ATTR:
        perf_meta_attr_record(&perf->meta, record);
        break;
    case PERF_RECORD_HEADER_TRACING_DATA:
        perf_meta_tracing_data(&perf->meta, input, record->offset + record->size, record->tail);
        break;
    case PERF_RECORD_HEADER_FEATURE:
        perf_meta_feature_record(&perf->meta, record, input);
        break;
    case PERF_RECORD_ID_INDEX:
        perf_meta_id_index(&perf->meta, record);
        break;
    default:
        perf_meta_time_conv(&perf->meta, record);
        break;
    }
}

static void take_other(PerfReader *perf, const PerfRecord *record)
{
    const PerfAttrs *attrs = &perf->meta.attrs;
    Event event;

    switch (record->type) {
    case PERF_RECORD_LOST:
        if (perf_loss_lost(&perf->loss, attrs, record, &event)) {
            push_loss(perf, &event);
        }
        break;
    case PERF_RECORD_LOST_SAMPLES:
        if (perf_loss_lost_samples(&perf->loss, attrs, record, &event)) {
            push_loss(perf, &event);
        }
        break;
    case PERF_RECORD_HEADER_ATTR:
    case PERF_RECORD_HEADER_TRACING_DATA:
    case PERF_RECORD_HEADER_FEATURE:
    case PERF_RECORD_ID_INDEX:
    case PERF_RECORD_TIME_CONV:
        take_meta(perf, record);
        break;
    case PERF_RECORD_COMPRESSED:
    case PERF_RECORD_COMPRESSED2:
        reader_problem(&perf->base, record->offset,
                       "compressed records after plain samples are "
                       "not expected; they are left out");
        break;
    default:
        break;
    }
}

/* What can only be said of loss when everything was read. */
static void take_rest_of_loss(PerfReader *perf)
{
    guint64 offset = perf->stream.window.offset;
    Event event;

    if (perf->loss.pending > 0) {
        event = perf_loss_resolve(&perf->loss, NO_CPU, perf->max_time);
        push_loss(perf, &event);
    }
    for (guint cpu = 0; cpu < perf->loss.n_cpus; cpu++) {
        if (perf_loss_rest(&perf->loss, cpu, perf->max_time, offset, &event)) {
            push_loss(perf, &event);
        }
    }
}

static void end_pass(PerfReader *perf)
{
    if (perf->stream.damage != NULL) {
        reader_problem(&perf->base, perf->stream.window.offset, perf->stream.damage);
    }
    take_rest_of_loss(perf);
    perf->until = G_MAXINT64;
    perf->at_end = TRUE;
}

static void note_late(PerfReader *perf)
{
    guint64 late = order_late(perf->order);

    for (; perf->late < late; perf->late++) {
        reader_problem(&perf->base, perf->stream.window.offset,
                       "an event is so late that it is out of order");
    }
}

/*
 * perf writes FINISHED_ROUND when it has emptied every CPU's buffer once: what comes later may be
 * older than what came in this round, but not than what came in the round before.
 */
static void finish_round(PerfReader *perf)
{
    perf->until = perf->round_time;
    perf->round_time = perf->max_time;
}

/* Read on until events can go out: a round is finished, too many are held, or the file ends. */
static void fill(PerfReader *perf)
{
    PerfRecord record;

    while (order_held(perf->order) < MAX_HELD) {
        if (!perf_stream_next(&perf->stream, &record)) {
            end_pass(perf);
            break;
        }
        if (G_LIKELY(record.type == PERF_RECORD_SAMPLE)) {
            take_sample(perf, &record);
        } else if (record.type == PERF_RECORD_FINISHED_ROUND) {
            finish_round(perf);
            break;
        } else {
            take_other(perf, &record);
        }
    }
    if (order_held(perf->order) >= MAX_HELD) {
        perf->forced = MAX_HELD / 2;
    }
    note_late(perf);
}

static gsize take_ready(PerfReader *perf, Event *ret_events, gsize max)
{
    gsize n;

    if (perf->forced == 0) {
        return order_pop(perf->order, ret_events, max, perf->until);
    }
    n = order_pop(perf->order, ret_events, MIN(max, perf->forced), G_MAXINT64);
    perf->forced -= n;
    return n;
}

static gsize read_perf(Reader *reader, Event *ret_events, gsize max)
{
    PerfReader *perf = (PerfReader *)reader;
    gsize n;

    while ((n = take_ready(perf, ret_events, max)) == 0 && !perf->at_end) {
        fill(perf);
    }
    if (n == 0) {
        reader->info.side = kernel_events_side(perf->meta.events);
    }
    return n;
}

static void rewind_perf(Reader *reader)
{
    PerfReader *perf = (PerfReader *)reader;

    perf_stream_rewind(&perf->stream);
    order_reset(perf->order);
    forget_pass(perf);
}

static const char *event_name(const Reader *reader, guint32 type)
{
    const PerfReader *perf = (const PerfReader *)reader;

    return type == PERF_TYPE_LOSS ? "lost" : kernel_events_name(perf->meta.events, type);
}

static void describe(Reader *reader, const Event *event, TraceFieldFunc func, gpointer user_data)
{
    PerfReader *perf = (PerfReader *)reader;
    Input *input = perf->stream.window.input;
    g_autofree guint8 *raw = NULL;
    guint8 head[4];
    guint32 size;

    if (event->kind == EVENT_LOSS) {
        g_autofree char *n = g_strdup_printf("%u", event->num[0]);

        func("records", n, TRUE, user_data);
        return;
    }
    if (event->offset < 4 || input_read(input, event->offset - 4, head, 4) < 4) {
        return;
    }
    size = MIN(bytes_u32(head, perf->stream.swapped), PERF_RECORD_MAX_SIZE);
    raw = g_malloc(size);
    size = input_read(input, event->offset, raw, size);
    kernel_events_describe(perf->meta.events, raw, size, func, user_data);
}

/* In bytes of the file; a spool is larger than the file by about the same factor everywhere. */
static guint64 position(const Reader *reader)
{
    const PerfReader *perf = (const PerfReader *)reader;
    guint64 at = perf->stream.window.offset;

    if (perf->spool.input == NULL) {
        return MIN(at, reader->info.size);
    }
    return (gdouble)at / MAX(input_size(perf->spool.input), 1) * reader->info.size;
}

static void close_perf(Reader *reader)
{
    PerfReader *perf = (PerfReader *)reader;

    perf_stream_clear(&perf->stream);
    perf_meta_clear(&perf->meta);
    perf_loss_clear(&perf->loss);
    order_free(perf->order);
    input_free(perf->spool.input);
    g_free(perf);
}

const TraceFormat format_perf_data = {
    .name = "perf.data",
    .probe = probe,
    .open = open_perf,
    .read = read_perf,
    .rewind = rewind_perf,
    .event_name = event_name,
    .describe = describe,
    .position = position,
    .close = close_perf,
};
