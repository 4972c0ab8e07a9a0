/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A trace file of any format: finds the reader by content and forwards to it.
 */
#include "trace/source.h"

#include "format.h"

#include <string.h>

struct TraceSource {
    const TraceFormat *format;
    Reader *reader;
};

static const TraceFormat *const formats[] = {
    &format_simpletrace,
    &format_perf_data,
    &format_trace_dat,
    &format_qemu_log, /* last: text has no magic number */
};

static void problem_clear(gpointer data)
{
    TraceProblem *problem = data;

    g_free(problem->text);
}

void reader_init(Reader *reader, const TraceFormat *format, Input *input)
{
    reader->input = input;
    reader->info.path = g_strdup(input_path(input));
    reader->info.format = format->name;
    reader->info.size = input_size(input);
    reader->info.clock.name = "unknown";
    reader->info.problems = g_array_new(FALSE, TRUE, sizeof(TraceProblem));
    g_array_set_clear_func(reader->info.problems, problem_clear);
    reader->names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(reader->names, g_strdup(""));
    reader->name_ids = g_hash_table_new(g_str_hash, g_str_equal);
}

void reader_clear(Reader *reader)
{
    g_free(reader->info.path);
    g_free(reader->info.machine);
    g_free(reader->info.release);
    g_array_unref(reader->info.problems);
    g_hash_table_unref(reader->name_ids);
    g_ptr_array_unref(reader->names);
    input_free(reader->input);
}

void reader_problem(Reader *reader, guint64 offset, const char *text)
{
    GArray *problems = reader->info.problems;
    TraceProblem problem = {.offset = offset, .count = 1};

    if (reader->scanned) {
        return;
    }
    for (guint i = 0; i < problems->len; i++) {
        TraceProblem *old = &g_array_index(problems, TraceProblem, i);

        if (strcmp(old->text, text) == 0) {
            old->count++;
            return;
        }
    }
    problem.text = g_strdup(text);
    g_array_append_val(problems, problem);
}

guint32 reader_intern(Reader *reader, const char *text, gsize len)
{
    char copy[256];
    gpointer id;

    len = strnlen(text, MIN(len, sizeof(copy) - 1));
    if (len == 0) {
        return NO_NAME;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (g_hash_table_lookup_extended(reader->name_ids, copy, NULL, &id)) {
        return GPOINTER_TO_UINT(id);
    }
    if (reader->names->len >= READER_MAX_NAMES) {
        reader_problem(reader, 0, "too many different names; the rest are left out");
        return NO_NAME;
    }
    g_ptr_array_add(reader->names, g_strdup(copy));
    g_hash_table_insert(reader->name_ids, g_ptr_array_index(reader->names, reader->names->len - 1),
                        GUINT_TO_POINTER(reader->names->len - 1));
    return reader->names->len - 1;
}

void reader_count_lost(Reader *reader, guint64 n)
{
    if (!reader->scanned) {
        reader->info.lost += MAX(n, 1);
    }
}

static const TraceFormat *find_format(Input *input, GError **error)
{
    g_autofree guint8 *head = g_malloc0(FORMAT_PROBE_BYTES);
    gsize len = input_read(input, 0, head, FORMAT_PROBE_BYTES);

    if (len == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_EMPTY,
                    "%s: the file is empty; was the recorder stopped before it wrote?",
                    input_path(input));
        return NULL;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (formats[i]->probe(head, len)) {
            return formats[i];
        }
    }
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
                "%s: not a trace: expected QEMU simpletrace or log text, perf.data or trace.dat",
                input_path(input));
    return NULL;
}

TraceSource *trace_source_open(const char *path, const TraceOptions *options, GError **error)
{
    static const TraceOptions no_options;
    g_autoptr(Input) input = input_open(path, error);
    const TraceFormat *format;
    TraceSource *source;
    Reader *reader;

    if (input == NULL) {
        return NULL;
    }
    format = find_format(input, error);
    if (format == NULL) {
        return NULL;
    }
    reader = format->open(g_steal_pointer(&input), options ? options : &no_options, error);
    if (reader == NULL) {
        return NULL;
    }
    reader->n_open_problems = reader->info.problems->len;
    source = g_new0(TraceSource, 1);
    source->format = format;
    source->reader = reader;
    return source;
}

void trace_source_free(TraceSource *source)
{
    if (source == NULL) {
        return;
    }
    reader_clear(source->reader);
    source->format->close(source->reader);
    g_free(source);
}

const TraceInfo *trace_source_info(const TraceSource *source)
{
    return &source->reader->info;
}

gsize trace_source_read(TraceSource *source, Event *ret_events, gsize max)
{
    gsize n = source->format->read(source->reader, ret_events, max);

    if (n == 0) {
        source->reader->scanned = TRUE;
    }
    return n;
}

void trace_source_rewind(TraceSource *source)
{
    TraceInfo *info = &source->reader->info;

    if (!source->reader->scanned) { /* a look at the beginning must not count twice */
        info->events = 0;
        info->lost = 0;
        g_array_set_size(info->problems, source->reader->n_open_problems);
    }
    source->format->rewind(source->reader);
}

const char *trace_source_name(const TraceSource *source, guint32 name)
{
    GPtrArray *names = source->reader->names;

    return g_ptr_array_index(names, name < names->len ? name : NO_NAME);
}

guint trace_source_n_names(const TraceSource *source)
{
    return source->reader->names->len - 1;
}

const char *trace_source_event_name(const TraceSource *source, const Event *event)
{
    return source->format->event_name(source->reader, event->type);
}

void trace_source_describe(TraceSource *source, const Event *event, TraceFieldFunc func,
                           gpointer user_data)
{
    source->format->describe(source->reader, event, func, user_data);
}

guint64 trace_source_position(const TraceSource *source)
{
    return source->format->position(source->reader);
}
