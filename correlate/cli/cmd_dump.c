/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr dump: the events of one file.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "inputs.h"
#include "report/json.h"

enum { BLOCK = 4096 };

/**
 * Dump: how one file's events are printed.
 * @pattern: of names, or NULL
 */
typedef struct Dump {
    TraceSource *source;
    GPatternSpec *pattern;
    gboolean is_json;
    Json json;
} Dump;

/* Text of a trace on a terminal: what is not printable ASCII is escaped. */
static void print_escaped(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text >= ' ' && *text <= '~') {
            putchar(*text);
        } else {
            printf("\\x%02x", (guint8)*text);
        }
    }
}

static void print_text_field(const char *name, const char *value, gboolean is_number,
                             gpointer user_data)
{
    putchar(' ');
    print_escaped(name);
    putchar('=');
    print_escaped(value);
}

static void print_json_field(const char *name, const char *value, gboolean is_number,
                             gpointer user_data)
{
    Dump *dump = user_data;

    if (is_number) {
        json_number(&dump->json, name, value);
    } else {
        json_string(&dump->json, name, value);
    }
}

static void print_text(Dump *dump, const Event *event)
{
    const TraceClock *clock = &trace_source_info(dump->source)->clock;
    gboolean is_ns = clock->kind != TRACE_CLOCK_TSC && clock->kind != TRACE_CLOCK_COUNTER;

    if (is_ns && event->time >= 0) {
        printf("%6" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, event->time / 1000000000,
               event->time % 1000000000);
    } else {
        printf("%16" G_GINT64_FORMAT, event->time);
    }
    if (event->cpu != NO_CPU) {
        printf(" [%03u]", event->cpu);
    }
    if (event->tid != 0) {
        printf(" %u", event->tid);
    }
    if (event->kind == EVENT_LOSS) {
        printf(" lost %u records\n", event->num[0]);
        return;
    }
    putchar(' ');
    print_escaped(trace_source_event_name(dump->source, event));
    trace_source_describe(dump->source, event, print_text_field, dump);
    putchar('\n');
}

static void print_json(Dump *dump, const Event *event)
{
    Json *json = &dump->json;
    gboolean is_loss = event->kind == EVENT_LOSS;

    json_begin_object(json, NULL);
    json_string(json, "type", is_loss ? "loss" : "event");
    json_int(json, "raw", event->time);
    if (event->cpu != NO_CPU) {
        json_uint(json, "cpu", event->cpu);
    }
    if (event->tid != 0) {
        json_uint(json, "tid", event->tid);
    }
    if (is_loss) {
        json_uint(json, "records", event->num[0]);
    } else {
        json_string(json, "event", trace_source_event_name(dump->source, event));
        json_begin_object(json, "args");
        trace_source_describe(dump->source, event, print_json_field, dump);
        json_end_object(json);
    }
    json_end_object(json);
    json_end_line(json, stdout);
}

/* Loss is always shown. */
static gboolean is_wanted(const Dump *dump, const Event *event)
{
    return dump->pattern == NULL || event->kind == EVENT_LOSS ||
           g_pattern_spec_match_string(dump->pattern,
                                       trace_source_event_name(dump->source, event));
}

static guint64 dump_events(Dump *dump, gboolean only_count)
{
    g_autofree Event *events = g_new(Event, BLOCK);
    guint64 count = 0;
    gsize n;

    while ((n = trace_source_read(dump->source, events, BLOCK)) > 0) {
        for (gsize i = 0; i < n; i++) {
            if (!is_wanted(dump, &events[i])) {
                continue;
            }
            count += events[i].kind != EVENT_LOSS;
            if (only_count) {
                continue;
            }
            if (dump->is_json) {
                print_json(dump, &events[i]);
            } else {
                print_text(dump, &events[i]);
            }
        }
        if (ferror(stdout)) {
            break;
        }
    }
    return count;
}

/* The number of all events: nothing is done with them, so that it is as fast as reading is. */
static guint64 count_events(TraceSource *source)
{
    g_autofree Event *events = g_new(Event, BLOCK);

    while (trace_source_read(source, events, BLOCK) > 0) {
        ;
    }
    return trace_source_info(source)->events;
}

/* What is wrong with the file goes beside the events. */
static void tell_problems(const TraceInfo *info)
{
    for (guint i = 0; info->problems != NULL && i < info->problems->len; i++) {
        const TraceProblem *problem = &g_array_index(info->problems, TraceProblem, i);

        fprintf(stderr,
                "virtcorr: %s: %s (%" G_GUINT64_FORMAT
                " times, first at offset %" G_GUINT64_FORMAT ")\n",
                info->path, problem->text, problem->count, problem->offset);
    }
    if (info->lost > 0) {
        fprintf(stderr, "virtcorr: %s: %" G_GUINT64_FORMAT " records were lost\n", info->path,
                info->lost);
    }
}

static gboolean run_dump(const Options *options, ExitCode *ret_code, GError **error)
{
    if (options->files == NULL || g_strv_length(options->files) != 1) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "exactly one file is needed");
        return FALSE;
    }
    g_autoptr(TraceSource) source = inputs_open_source(options, options->files[0], error);

    if (source == NULL) {
        return FALSE;
    }
    Dump dump = {.source = source, .is_json = options->json};

    json_init(&dump.json);
    dump.pattern = options->name != NULL ? g_pattern_spec_new(options->name) : NULL;
    guint64 count = options->count && dump.pattern == NULL ? count_events(source)
                                                           : dump_events(&dump, options->count);
    if (options->count) {
        printf("%" G_GUINT64_FORMAT "\n", count);
    }
    tell_problems(trace_source_info(source));
    g_clear_pointer(&dump.pattern, g_pattern_spec_free);
    json_clear(&dump.json);
    return TRUE;
}

const Command command_dump = {
    .name = "dump",
    .arguments = "FILE",
    .summary = "print the events of one trace file",
    .description = "Prints the events of a file as they are in it, with its own clock's times.",
    .options = OPTIONS_INPUT | OPTIONS_DUMP,
    .run = run_dump,
};
