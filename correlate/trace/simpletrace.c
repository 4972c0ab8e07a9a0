/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of simpletrace version 4: QEMU's simple trace backend and our own recorders write it.
 *
 * File layout: trace/simple.c of QEMU; see simpletrace_record.h for the records.
 */
#include "order.h"
#include "simpletrace_record.h"

#include <string.h>

enum {
    WINDOW_BYTES = 256 << 10,
    /* A thread of QEMU stamps a record and then takes its place in the buffer: others come in
       between. QEMU's buffer holds 256 KiB, about 6,000 records of the usual length. */
    HELD_EVENTS = 8192,
    BLOCK_EVENTS = 1024,
    MAX_PID = 1 << 22,
};

/* A record whose stamp is farther away than this from the last one is not believed after damage. */
#define MAX_JUMP_NS (G_GINT64_CONSTANT(1) << 47)

/*
 * QEMU's buffer is 256 KiB (TRACE_BUF_LEN in trace/simple.c) and its writer empties it each time it
 * wakes up. Drops are therefore looked for in the last four buffers before their note. Nothing in
 * the file proves that the writer was not busy for longer; docs/limitations.md says so.
 */
enum { DROP_REACH = 4 * 256 * 1024, MARK_BYTES = 64 * 1024, N_MARKS = DROP_REACH / MARK_BYTES + 1 };

/* The last stamp before a place in the file. */
typedef struct Mark {
    guint64 offset;
    gint64 time;
} Mark;

typedef struct Simpletrace {
    Reader reader;
    Window window;
    RecordTypes types;
    Order *order;
    gboolean swapped;
    gboolean at_end;
    gboolean in_gap; /* records were skipped since @last_time */
    guint64 gap_offset;
    gint64 first_time; /* earliest stamp so far */
    gint64 last_time;  /* of the last record before this place in the file */
    gint64 loss_from;  /* stamp of the last record of drops */
    Mark marks[N_MARKS]; /* every MARK_BYTES, by offset modulo N_MARKS */
    guint64 next_mark;
    guint64 n_events;  /* in this pass */
} Simpletrace;

static void start_pass(Simpletrace *st)
{
    window_seek(&st->window, SIMPLETRACE_HEADER_BYTES);
    record_types_forget_ids(&st->types);
    order_reset(st->order);
    st->at_end = st->in_gap = FALSE;
    st->first_time = st->loss_from = G_MAXINT64;
    st->last_time = 0;
    st->next_mark = MARK_BYTES;
    st->n_events = 0;
}

static Reader *open_simpletrace(Input *input, const TraceOptions *options, GError **error)
{
    g_autoptr(Input) owned = input;
    g_autoptr(QemuEvents) events = NULL;
    gboolean swapped;
    Simpletrace *st;

    if (!simpletrace_check_header(input, &swapped, error)) {
        return NULL;
    }
    events = qemu_events_new(options->trace_events, error);
    if (events == NULL) {
        return NULL;
    }
    st = g_new0(Simpletrace, 1);
    reader_init(&st->reader, &format_simpletrace, g_steal_pointer(&owned));
    st->reader.info.version = SIMPLETRACE_VERSION;
    st->reader.info.side = TRACE_SIDE_HOST;
    st->reader.info.clock.kind = TRACE_CLOCK_MONOTONIC;
    st->reader.info.clock.name = "monotonic";
    st->swapped = swapped;
    st->order = order_new();
    record_types_init(&st->types, g_steal_pointer(&events));
    window_init(&st->window, st->reader.input, SIMPLETRACE_HEADER_BYTES, G_MAXUINT64, WINDOW_BYTES);
    start_pass(st);
    return &st->reader;
}

static void close_simpletrace(Reader *reader)
{
    Simpletrace *st = (Simpletrace *)reader;

    window_clear(&st->window);
    record_types_clear(&st->types);
    order_free(st->order);
    g_free(st);
}

static void push_loss(Simpletrace *st, gint64 from, gint64 to, guint64 n, guint64 offset)
{
    Event event = {
        .time = to,
        .ptr = {MIN(from, to)},
        .num = {MIN(n, G_MAXUINT32)},
        .offset = offset,
        .type = TYPE_LOST,
        .cpu = NO_CPU,
        .kind = EVENT_LOSS,
    };

    reader_count_lost(&st->reader, n);
    order_push(st->order, &event);
}

static void set_mark(Simpletrace *st)
{
    guint64 offset = st->window.offset;

    st->marks[offset / MARK_BYTES % N_MARKS] = (Mark){offset, st->last_time};
    st->next_mark = (offset / MARK_BYTES + 1) * MARK_BYTES;
}

/* The stamp DROP_REACH before @offset, the first one where the file is shorter. */
static gint64 time_before(const Simpletrace *st, guint64 offset)
{
    const Mark *mark = &st->marks[(offset - DROP_REACH) / MARK_BYTES % N_MARKS];

    if (offset < DROP_REACH + MARK_BYTES || mark->offset > offset - DROP_REACH ||
        mark->offset + 2 * MARK_BYTES < offset - DROP_REACH) {
        return st->first_time;
    }
    return mark->time;
}

/*
 * QEMU's writer notes drops when it wakes up, before the older records that are still in its
 * buffer: the drops lie between its previous note and this one, and within its reach.
 */
static void take_dropped(Simpletrace *st, const guint8 *record, gint64 time, guint32 args_len)
{
    gint64 from = time_before(st, st->window.offset);
    guint64 n = args_len >= 8 ? bytes_u64(record + RECORD_ARGS_AT, st->swapped) : 0;

    if (st->loss_from != G_MAXINT64) {
        from = MAX(from, st->loss_from);
    }
    push_loss(st, from != G_MAXINT64 ? from : 0, time, n, st->window.offset + RECORD_ARGS_AT);
    st->loss_from = time;
}

static guint32 type_of_unmapped(Simpletrace *st, guint64 id)
{
    char name[32];
    guint32 type;

    g_snprintf(name, sizeof(name), "event %" G_GUINT64_FORMAT, id);
    type = record_types_add(&st->types, name);
    reader_problem(&st->reader, st->window.offset,
                   type == TYPE_NONE ? "too many different events; the rest have no name"
                                     : "an event whose id no mapping record names");
    return type;
}

/*
 * Take the event record at the window, of which @avail bytes are there. This is the path that
 * almost all records take. FALSE when the record is no such event: nothing was taken then.
 */
static inline gboolean take_event(Simpletrace *st, gsize avail, gboolean swapped)
{
    const guint8 *record = st->window.at;
    guint64 stamp = bytes_u64(record + 16, swapped);
    gsize args_len = (gsize)bytes_u32(record + 24, swapped) - RECORD_HEADER_BYTES;
    Event event = {.time = stamp, .cpu = NO_CPU, .offset = st->window.offset + RECORD_ARGS_AT};

    if (G_UNLIKELY(bytes_u64(record, swapped) != RECORD_IS_EVENT ||
                   args_len > avail - RECORD_ARGS_AT || args_len > RECORD_MAX_ARGS_BYTES ||
                   stamp > G_MAXINT64)) {
        return FALSE;
    }
    event.type = record_types_find(&st->types, bytes_u64(record + 8, swapped));
    if (G_UNLIKELY(event.type == TYPE_NONE)) {
        return FALSE;
    }
    if (!record_fill(&st->reader, record_type_at(&st->types, event.type), record, args_len, swapped,
                     &event)) {
        reader_problem(&st->reader, st->window.offset,
                       "an event has other arguments than known; name its QEMU's trace-events-all "
                       "with --trace-events");
    }
    st->first_time = MIN(st->first_time, event.time);
    st->last_time = event.time;
    st->n_events++;
    order_push(st->order, &event);
    window_skip(&st->window, RECORD_ARGS_AT + args_len);
    if (G_UNLIKELY(st->window.offset >= st->next_mark)) {
        set_mark(st);
    }
    return TRUE;
}

/* A record of drops or of an event that no mapping named. */
static void take_unmapped(Simpletrace *st, const guint8 *record, guint32 args_len)
{
    guint64 id = bytes_u64(record + 8, st->swapped);
    Event event = {
        .time = bytes_u64(record + 16, st->swapped),
        .cpu = NO_CPU,
        .offset = st->window.offset + RECORD_ARGS_AT,
    };

    if (id == RECORD_DROPPED_ID) {
        take_dropped(st, record, event.time, args_len);
    } else {
        event.type = type_of_unmapped(st, id);
        st->first_time = MIN(st->first_time, event.time);
        st->last_time = event.time;
        st->n_events++;
        order_push(st->order, &event);
    }
    window_skip(&st->window, RECORD_ARGS_AT + args_len);
}

static void take_mapping(Simpletrace *st, const guint8 *record, guint32 name_len)
{
    char name[RECORD_MAX_NAME + 1];
    guint32 type;

    memcpy(name, record + RECORD_MAPPING_BYTES, name_len);
    name[name_len] = '\0';
    type = record_types_add(&st->types, name);
    if (type == TYPE_NONE) {
        reader_problem(&st->reader, st->window.offset,
                       "too many different events; the rest have no name");
    }
    record_types_map(&st->types, bytes_u64(record + 8, st->swapped), type);
    window_skip(&st->window, RECORD_MAPPING_BYTES + name_len);
}

/* How many bytes can be seen at the window: all a record can have, or the rest of the file. */
static gsize see_record(Simpletrace *st)
{
    guint64 rest = st->window.limit - MIN(st->window.offset, st->window.limit);
    gsize want = MIN(rest, RECORD_MAX_BYTES);

    return window_need(&st->window, want) ? want : 0;
}

/* Whether, after damage, the bytes at the window are likely to be a record. */
static gboolean is_plausible(Simpletrace *st, gsize avail)
{
    const guint8 *record = st->window.at;
    RecordShape shape = record_shape(record, avail, st->swapped);
    gsize len;

    if (shape == SHAPE_EVENT) {
        guint64 id = bytes_u64(record + 8, st->swapped);
        gint64 time = bytes_u64(record + 16, st->swapped);

        len = RECORD_TYPE_BYTES + bytes_u32(record + 24, st->swapped);
        if ((id != RECORD_DROPPED_ID && record_types_find(&st->types, id) == TYPE_NONE) ||
            bytes_u32(record + 28, st->swapped) > MAX_PID ||
            (st->n_events > 0 && ABS(time - st->last_time) > MAX_JUMP_NS)) {
            return FALSE;
        }
    } else if (shape == SHAPE_MAPPING) {
        len = RECORD_MAPPING_BYTES + bytes_u32(record + 16, st->swapped);
    } else {
        return FALSE;
    }
    return avail - len < RECORD_TYPE_BYTES ||
           bytes_u64(record + len, st->swapped) <= RECORD_IS_EVENT;
}

static void note_end(Simpletrace *st)
{
    st->at_end = TRUE;
    if (st->window.offset < st->window.limit) {
        reader_problem(&st->reader, st->window.offset,
                       "cannot be read from here on; did the file become shorter?");
    }
    if (st->in_gap) {
        push_loss(st, st->last_time, st->last_time, 0, st->gap_offset);
        st->in_gap = FALSE;
    }
    if (order_late(st->order) > 0) {
        reader_problem(&st->reader, 0, "records are too far out of time order; some come too late");
    }
}

/* Skip what is damaged, up to the next record that is whole. */
static void skip_damage(Simpletrace *st)
{
    if (!st->in_gap) {
        st->gap_offset = st->window.offset;
        st->in_gap = TRUE;
    }
    reader_problem(&st->reader, st->window.offset,
                   "a record is damaged; skipped to the next whole one");
    for (;;) {
        gsize avail;

        window_skip(&st->window, 1);
        avail = see_record(st);
        if (avail == 0 || is_plausible(st, avail)) {
            return;
        }
    }
}

static void close_gap(Simpletrace *st)
{
    if (st->in_gap) {
        push_loss(st, st->last_time, bytes_u64(st->window.at + 16, st->swapped), 0, st->gap_offset);
        st->in_gap = FALSE;
    }
}

/* Take the next record, of whatever kind. */
static void take_record(Simpletrace *st)
{
    gsize avail = see_record(st);
    const guint8 *record = st->window.at;

    if (avail == 0) {
        note_end(st);
        return;
    }
    switch (record_shape(record, avail, st->swapped)) {
    case SHAPE_MAPPING:
        take_mapping(st, record, bytes_u32(record + 16, st->swapped));
        break;
    case SHAPE_EVENT:
        close_gap(st);
        if (!take_event(st, avail, st->swapped)) {
            take_unmapped(st, record, bytes_u32(record + 24, st->swapped) - RECORD_HEADER_BYTES);
        }
        break;
    case SHAPE_TORN:
        reader_problem(&st->reader, st->window.offset,
                       "the last record is cut off; QEMU was killed or still runs");
        window_seek(&st->window, st->window.limit);
        note_end(st);
        break;
    case SHAPE_DAMAGED:
        skip_damage(st);
        break;
    }
}

static inline void take_events(Simpletrace *st, gsize n_held, gboolean swapped)
{
    while (order_held(st->order) < n_held && st->window.end - st->window.at >= RECORD_MAX_BYTES &&
           take_event(st, RECORD_MAX_BYTES, swapped)) {
        continue;
    }
}

/* Take records until another block of events can be given. */
static void take_block(Simpletrace *st)
{
    const gsize n_held = HELD_EVENTS + BLOCK_EVENTS;
    guint64 before = st->n_events;

    while (!st->at_end && order_held(st->order) < n_held) {
        if (!st->in_gap && st->swapped) {
            take_events(st, n_held, TRUE);
        } else if (!st->in_gap) {
            take_events(st, n_held, FALSE);
        }
        take_record(st);
    }
    reader_count(&st->reader, st->n_events - before);
}

static gsize read_events(Reader *reader, Event *ret_events, gsize max)
{
    Simpletrace *st = (Simpletrace *)reader;
    gsize n_kept;

    /* Always in blocks, so that @max does not change what is given. */
    if (order_held(st->order) <= HELD_EVENTS) {
        take_block(st);
    }
    n_kept = st->at_end ? 0 : HELD_EVENTS;
    return order_pop(st->order, ret_events, MIN(max, order_held(st->order) - n_kept), G_MAXINT64);
}

static void rewind_simpletrace(Reader *reader)
{
    start_pass((Simpletrace *)reader);
}

static const char *event_name(const Reader *reader, guint32 type)
{
    const RecordTypes *types = &((const Simpletrace *)reader)->types;

    return record_type_at(types, type < types->types->len ? type : TYPE_NONE)->name;
}

static void describe_loss(const Event *event, TraceFieldFunc func, gpointer user_data)
{
    static const QemuArg args[] = {{(char *)"count", QEMU_ARG_UNSIGNED},
                                   {(char *)"since", QEMU_ARG_SIGNED}};

    qemu_describe_number(&args[0], event->num[0], func, user_data);
    qemu_describe_number(&args[1], event->ptr[0], func, user_data);
}

static void describe(Reader *reader, const Event *event, TraceFieldFunc func, gpointer user_data)
{
    Simpletrace *st = (Simpletrace *)reader;
    guint8 record[RECORD_MAX_BYTES];
    gsize len;

    if (event->kind == EVENT_LOSS) {
        describe_loss(event, func, user_data);
        return;
    }
    if (event->offset < RECORD_ARGS_AT || event->type >= st->types.types->len) {
        return;
    }
    len = input_read(reader->input, event->offset - RECORD_ARGS_AT, record, sizeof(record));
    if (record_shape(record, len, st->swapped) == SHAPE_EVENT) {
        record_describe(record_type_at(&st->types, event->type), record + RECORD_ARGS_AT,
                        bytes_u32(record + 24, st->swapped) - RECORD_HEADER_BYTES, st->swapped,
                        func, user_data);
    }
}

static guint64 position(const Reader *reader)
{
    return ((const Simpletrace *)reader)->window.offset;
}

const TraceFormat format_simpletrace = {
    .name = "simpletrace",
    .probe = simpletrace_probe,
    .open = open_simpletrace,
    .read = read_events,
    .rewind = rewind_simpletrace,
    .event_name = event_name,
    .describe = describe,
    .position = position,
    .close = close_simpletrace,
};
