/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of the text that QEMU's log trace backend writes to stderr or to -D FILE.
 */
#include "format.h"
#include "order.h"
#include "qemu_log_line.h"

#include <string.h>

enum {
    MAX_LINE_BYTES = 4096,
    WINDOW_BYTES = 64 << 10,
    /* A thread takes its stamp before it waits for its turn to write: few lines come in between. */
    HELD_EVENTS = 256,
    BLOCK_EVENTS = 1024,
    MAX_TYPES = 65536,
};

typedef struct LogType {
    char *name;
    const EventKindInfo *info; /* NULL when the join does not need it */
    const GPtrArray *variants; /* QemuSignature, NULL when its arguments are not known */
} LogType;

typedef struct QemuLog {
    Reader reader;
    Window window;
    QemuEvents *events;
    GArray *types;       /* LogType, by Event.type */
    GHashTable *by_name; /* name owned by the type → number */
    Order *order;
    gboolean is_timed;
    gboolean at_end;
    guint64 n_events; /* in this pass */
} QemuLog;

/* Whether @line holds a trace event: by its beginning, or because the event is known. */
static gboolean is_event(const QemuEvents *events, const LogLine *line)
{
    char name[64];
    const GPtrArray *variants;
    LogValue values[QEMU_MAX_ARGS];

    if (line->is_marked) {
        return TRUE;
    }
    if (line->name_len >= sizeof(name)) {
        return FALSE;
    }
    memcpy(name, line->name, line->name_len);
    name[line->name_len] = '\0';
    variants = qemu_events_find(events, name);
    for (guint i = 0; variants != NULL && i < variants->len; i++) {
        if (log_line_args(line, g_ptr_array_index(variants, i), values)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The first whole line of @text that holds a trace event. */
static gboolean find_first_event(const QemuEvents *events, const char *text, gsize len,
                                 LogLine *ret_line)
{
    const char *end = text + len;
    const char *newline;

    for (const char *at = text; (newline = memchr(at, '\n', end - at)) != NULL; at = newline + 1) {
        if (log_line_parse(at, newline - at, ret_line) && is_event(events, ret_line)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean probe(const guint8 *head, gsize len)
{
    g_autoptr(QemuEvents) events = NULL;
    LogLine line;

    if (memchr(head, '\0', len) != NULL) {
        return FALSE;
    }
    events = qemu_events_new(NULL, NULL);
    return find_first_event(events, (const char *)head, len, &line);
}

static void type_clear(gpointer data)
{
    g_free(((LogType *)data)->name);
}

/* The clock is that of the first event: a line without a stamp in a stamped log is no event. */
static void set_clock(QemuLog *log)
{
    g_autofree char *head = g_malloc(FORMAT_PROBE_BYTES);
    gsize len = input_read(log->reader.input, 0, head, FORMAT_PROBE_BYTES);
    TraceClock *clock = &log->reader.info.clock;
    LogLine line;

    log->is_timed = find_first_event(log->events, head, len, &line) && line.has_time;
    if (log->is_timed) {
        clock->kind = TRACE_CLOCK_REALTIME;
        clock->name = "realtime";
        clock->step_ns = 1000;
        return;
    }
    clock->kind = TRACE_CLOCK_UNKNOWN;
    reader_problem(&log->reader, 0,
                   "the log has no times, only an order; run QEMU with -msg timestamp=on");
}

static void start_pass(QemuLog *log)
{
    window_seek(&log->window, 0);
    order_reset(log->order);
    log->at_end = FALSE;
    log->n_events = 0;
}

static Reader *open_log(Input *input, const TraceOptions *options, GError **error)
{
    g_autoptr(Input) owned = input;
    QemuEvents *events = qemu_events_new(options->trace_events, error);
    QemuLog *log;

    if (events == NULL) {
        return NULL;
    }
    log = g_new0(QemuLog, 1);
    reader_init(&log->reader, &format_qemu_log, g_steal_pointer(&owned));
    log->reader.info.side = TRACE_SIDE_HOST;
    log->events = events;
    log->types = g_array_new(FALSE, TRUE, sizeof(LogType));
    g_array_set_clear_func(log->types, type_clear);
    log->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    log->order = order_new();
    window_init(&log->window, log->reader.input, 0, G_MAXUINT64, WINDOW_BYTES);
    set_clock(log);
    start_pass(log);
    return &log->reader;
}

static void close_log(Reader *reader)
{
    QemuLog *log = (QemuLog *)reader;

    window_clear(&log->window);
    order_free(log->order);
    g_hash_table_unref(log->by_name);
    g_array_unref(log->types);
    qemu_events_free(log->events);
    g_free(log);
}

/* The number of the type of @line's event, in @ret_type; FALSE when it is no trace event's. */
static gboolean find_type(QemuLog *log, const LogLine *line, guint32 *ret_type)
{
    g_autofree char *name = g_strndup(line->name, line->name_len);
    LogType type = {.info = event_kind_find("qemu", name),
                    .variants = qemu_events_find(log->events, name)};
    gpointer known;

    if (g_hash_table_lookup_extended(log->by_name, name, NULL, &known)) {
        *ret_type = GPOINTER_TO_UINT(known);
        return TRUE;
    }
    if ((!line->is_marked && type.variants == NULL) || log->types->len >= MAX_TYPES) {
        return FALSE;
    }
    *ret_type = log->types->len;
    type.name = g_steal_pointer(&name);
    g_array_append_val(log->types, type);
    g_hash_table_insert(log->by_name, type.name, GUINT_TO_POINTER(*ret_type));
    return TRUE;
}

/* The first signature whose arguments are all in @line, or NULL. */
static const QemuSignature *choose_signature(const LogType *type, const LogLine *line,
                                             LogValue ret_values[QEMU_MAX_ARGS])
{
    for (guint i = 0; type->variants != NULL && i < type->variants->len; i++) {
        const QemuSignature *signature = g_ptr_array_index(type->variants, i);

        if (log_line_args(line, signature, ret_values)) {
            return signature;
        }
    }
    return NULL;
}

static void fill(QemuLog *log, const LogType *type, const QemuSignature *signature,
                 const LogValue *values, Event *event)
{
    for (guint i = 0; i < signature->n_args; i++) {
        EventSlot slot;

        if (!qemu_arg_slot(type->info, signature->args[i].name, &slot)) {
            continue;
        }
        if (slot != SLOT_NAME) {
            event_set_slot(event, slot, values[i].number);
        } else if (values[i].text != NULL) {
            event->name = reader_intern(&log->reader, values[i].text, values[i].text_len);
        }
    }
    event->kind = type->info->kind;
}

/* Whether @line was a trace event. */
static gboolean take_event(QemuLog *log, const LogLine *line)
{
    Event event = {
        .time = log->is_timed ? line->time : (gint64)log->n_events,
        .offset = log->window.offset,
        .tid = line->tid,
        .cpu = NO_CPU,
    };
    const QemuSignature *signature;
    LogValue values[QEMU_MAX_ARGS];
    const LogType *type;

    if (line->has_time != log->is_timed || !find_type(log, line, &event.type)) {
        return FALSE;
    }
    type = &g_array_index(log->types, LogType, event.type);
    signature = choose_signature(type, line, values);
    if (signature == NULL && !line->is_marked) {
        return FALSE;
    }
    if (signature != NULL && type->info != NULL) {
        fill(log, type, signature, values, &event);
    } else if (signature == NULL && type->info != NULL) {
        reader_problem(&log->reader, event.offset, "an event's arguments cannot be read");
    }
    log->n_events++;
    order_push(log->order, &event);
    return TRUE;
}

/* Go behind the next newline, however far it is. */
static void skip_long_line(QemuLog *log)
{
    guint64 rest;

    reader_problem(&log->reader, log->window.offset, "a line is too long; skipped");
    while ((rest = log->window.limit - log->window.offset) > 0) {
        gsize len = MIN(rest, MAX_LINE_BYTES);
        const guint8 *newline;

        if (!window_need(&log->window, len)) {
            return;
        }
        newline = memchr(log->window.at, '\n', len);
        window_skip(&log->window, newline ? newline + 1 - log->window.at : (gssize)len);
        if (newline != NULL) {
            return;
        }
    }
}

static void note_end(QemuLog *log)
{
    log->at_end = TRUE;
    if (log->window.offset < log->window.limit) {
        reader_problem(&log->reader, log->window.offset,
                       "the last line is cut off; QEMU was killed or still runs");
    }
    if (order_late(log->order) > 0) {
        reader_problem(&log->reader, 0, "times go back; was the host's clock set?");
    }
}

static void take_line(QemuLog *log)
{
    guint64 rest = log->window.limit - log->window.offset;
    gsize want = MIN(rest, MAX_LINE_BYTES);
    const guint8 *newline;
    LogLine line;
    gsize len;

    if (rest == 0 || !window_need(&log->window, want)) {
        note_end(log);
        return;
    }
    newline = memchr(log->window.at, '\n', want);
    if (newline == NULL && want == rest) {
        note_end(log);
        return;
    }
    if (newline == NULL) {
        skip_long_line(log);
        return;
    }
    len = newline - log->window.at;
    if (!log_line_parse((const char *)log->window.at, len, &line) || !take_event(log, &line)) {
        reader_problem(&log->reader, log->window.offset, "a line is no trace event; skipped");
    }
    window_skip(&log->window, len + 1);
}

/* Take lines until another block of events can be given. */
static void take_block(QemuLog *log)
{
    guint64 before = log->n_events;

    while (!log->at_end && order_held(log->order) < HELD_EVENTS + BLOCK_EVENTS) {
        take_line(log);
    }
    reader_count(&log->reader, log->n_events - before);
}

static gsize read_events(Reader *reader, Event *ret_events, gsize max)
{
    QemuLog *log = (QemuLog *)reader;
    gsize n_kept;

    /* Always in blocks, so that @max does not change what is given. */
    if (order_held(log->order) <= HELD_EVENTS) {
        take_block(log);
    }
    n_kept = log->at_end ? 0 : HELD_EVENTS;
    return order_pop(log->order, ret_events, MIN(max, order_held(log->order) - n_kept), G_MAXINT64);
}

static void rewind_log(Reader *reader)
{
    start_pass((QemuLog *)reader);
}

static const char *event_name(const Reader *reader, guint32 type)
{
    const GArray *types = ((const QemuLog *)reader)->types;

    return type < types->len ? g_array_index(types, LogType, type).name : "";
}

static void describe_value(const QemuArg *arg, const LogValue *value, TraceFieldFunc func,
                           gpointer user_data)
{
    g_autofree char *text = NULL;

    if (value->text == NULL) {
        qemu_describe_number(arg, value->number, func, user_data);
        return;
    }
    text = g_strndup(value->text, value->text_len);
    func(arg->name, text, FALSE, user_data);
}

static void describe_line(const LogType *type, const LogLine *line, TraceFieldFunc func,
                          gpointer user_data)
{
    LogValue values[QEMU_MAX_ARGS];
    const QemuSignature *signature = choose_signature(type, line, values);
    g_autofree char *text = NULL;

    for (guint i = 0; signature != NULL && i < signature->n_args; i++) {
        describe_value(&signature->args[i], &values[i], func, user_data);
    }
    if (signature == NULL) {
        text = g_strstrip(g_strndup(line->args, line->args_len));
        func("text", text, FALSE, user_data);
    }
}

static void describe(Reader *reader, const Event *event, TraceFieldFunc func, gpointer user_data)
{
    QemuLog *log = (QemuLog *)reader;
    char text[MAX_LINE_BYTES];
    gsize len = input_read(reader->input, event->offset, text, sizeof(text));
    const char *newline = memchr(text, '\n', len);
    LogLine line;

    if (newline != NULL && event->type < log->types->len &&
        log_line_parse(text, newline - text, &line)) {
        describe_line(&g_array_index(log->types, LogType, event->type), &line, func, user_data);
    }
}

static guint64 position(const Reader *reader)
{
    return ((const QemuLog *)reader)->window.offset;
}

const TraceFormat format_qemu_log = {
    .name = "qemu-log",
    .probe = probe,
    .open = open_log,
    .read = read_events,
    .rewind = rewind_log,
    .event_name = event_name,
    .describe = describe,
    .position = position,
    .close = close_log,
};
