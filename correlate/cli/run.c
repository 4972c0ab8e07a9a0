/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run with its reports: what merge, show, stat and clock have in common.
 */
#include "run.h"

#include <string.h>

#include "progress.h"

/**
 * Run: hands what the matcher tells to every report.
 * @kinds, @texts: notes, which come at any time and are reported last
 * @has_host, @has_guest: which sides there are
 * @ended: whether every report could be finished; else @error
 */
typedef struct Run {
    Outputs *outputs;
    JourneyFilter *filter;
    Progress progress;
    GPtrArray *kinds;
    GPtrArray *texts;
    gboolean has_host;
    gboolean has_guest;
    gboolean has_contradiction;
    gboolean ended;
    GError *error;
} Run;

static void on_source(const RunSource *source, gpointer user_data)
{
    Run *run = user_data;

    run->has_host |= strcmp(source->side, "host") == 0;
    run->has_guest |= strcmp(source->side, "guest") == 0;
    for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
        report_source(outputs_at(run->outputs, i), source);
    }
}

static void on_queue(const Queue *queue, gpointer user_data)
{
    Run *run = user_data;

    if (run->filter != NULL && !journey_filter_queue(run->filter, queue)) {
        return;
    }
    for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
        report_queue(outputs_at(run->outputs, i), queue);
    }
}

static void on_clock(const RunClock *clock, gpointer user_data)
{
    Run *run = user_data;

    run->has_contradiction |= clock->contradiction != NULL;
    for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
        report_clock(outputs_at(run->outputs, i), clock);
    }
}

static void on_journey(const Journey *journey, gpointer user_data)
{
    Run *run = user_data;

    if (run->filter != NULL) {
        /* With one side alone every buffer is an orphan, and there is nothing else to see. */
        run->filter->hide_edges &= run->has_host && run->has_guest;
        if (!journey_filter_pass(run->filter, journey)) {
            return;
        }
    }
    for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
        report_journey(outputs_at(run->outputs, i), journey);
    }
}

static void on_loss(const RunLoss *loss, gpointer user_data)
{
    Run *run = user_data;

    for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
        report_loss(outputs_at(run->outputs, i), loss);
    }
}

static void on_note(const RunNote *note, gpointer user_data)
{
    Run *run = user_data;

    g_ptr_array_add(run->kinds, g_strdup(note->kind));
    g_ptr_array_add(run->texts, g_strdup(note->text));
}

static void on_progress(guint64 done, guint64 total, gpointer user_data)
{
    Run *run = user_data;

    progress_update(&run->progress, done, total);
}

static void run_init(Run *run, JourneyFilter *filter, Outputs *outputs)
{
    run->outputs = outputs;
    run->filter = filter;
    run->kinds = g_ptr_array_new_with_free_func(g_free);
    run->texts = g_ptr_array_new_with_free_func(g_free);
}

static void run_clear(Run *run)
{
    progress_end(&run->progress);
    g_ptr_array_unref(run->kinds);
    g_ptr_array_unref(run->texts);
}

static void report_notes(const Run *run)
{
    for (guint n = 0; n < run->kinds->len; n++) {
        RunNote note = {g_ptr_array_index(run->kinds, n), g_ptr_array_index(run->texts, n)};

        for (guint i = 0; outputs_at(run->outputs, i) != NULL; i++) {
            report_note(outputs_at(run->outputs, i), &note);
        }
    }
}

static void on_end(const RunTotals *totals, gpointer user_data)
{
    Run *run = user_data;

    progress_end(&run->progress);
    report_notes(run);
    run->ended = outputs_end(run->outputs, totals, &run->error);
}

static gboolean wrong_value(GError **error, const char *option, const char *what,
                            const char *value)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "%s is %s, not '%s'", option, what, value);
    return FALSE;
}

/* "N[,RATIO,FRAC]", as KVM's debugfs files show them. */
static gboolean parse_tsc_offset(const char *text, MatchOptions *match, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", 4);
    guint n = g_strv_length(parts);
    guint64 frac = 0;

    match->has_tsc_offset = TRUE;
    match->tsc_ratio = 1;
    if ((n == 1 || n == 3) &&
        g_ascii_string_to_signed(parts[0], 10, G_MININT64, G_MAXINT64, &match->tsc_offset, NULL) &&
        (n == 1 ||
         (g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXUINT64, &match->tsc_ratio, NULL) &&
          g_ascii_string_to_unsigned(parts[2], 10, 0, 63, &frac, NULL)))) {
        match->tsc_frac = frac;
        return TRUE;
    }
    return wrong_value(error, "--tsc-offset", "N or N,RATIO,FRAC in decimal", text);
}

static gboolean parse_match_options(const Options *options, MatchOptions *match, GError **error)
{
    *match = (MatchOptions){.device_map = options->map};
    for (guint i = 0; options->map != NULL && options->map[i] != NULL; i++) {
        if (strchr(options->map[i], '=') == NULL) {
            return wrong_value(error, "--map", "HOSTDEV=GUESTDEV", options->map[i]);
        }
    }
    return options->tsc_offset == NULL || parse_tsc_offset(options->tsc_offset, match, error);
}

static const char *find_note(const Run *run, const char *kind)
{
    for (guint i = 0; i < run->kinds->len; i++) {
        if (strcmp(g_ptr_array_index(run->kinds, i), kind) == 0) {
            return g_ptr_array_index(run->texts, i);
        }
    }
    return NULL;
}

/* Scripts ask for a join: without one they must not go on, whatever else was shown. */
static gboolean check_joined(const Run *run, const RunTotals *totals, GError **error)
{
    const char *const kinds[] = {"clock", "no-common-traffic", "vhost"};
    g_autoptr(GString) text = NULL;

    if (!run->has_host || !run->has_guest || totals->journeys > 0) {
        return TRUE;
    }
    text = g_string_new("nothing was joined");
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const char *note = find_note(run, kinds[i]);

        if (note != NULL) {
            g_string_append_printf(text, "; %s", note);
        }
    }
    g_autofree char *safe = g_strescape(text->str, "\"'\\");

    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_FAILED, safe);
    return FALSE;
}

static gboolean match_and_report(Run *run, const Inputs *inputs, const MatchOptions *match,
                                 ExitCode *ret_code, GError **error)
{
    RunTotals totals = {0};
    RunListener listener = {
        .source = on_source,
        .queue = on_queue,
        .clock = on_clock,
        .journey = on_journey,
        .loss = on_loss,
        .note = on_note,
        .progress = on_progress,
        .end = on_end,
        .user_data = run,
    };

    if (!match_run((const MatchInput *)inputs->list->data, inputs->list->len, match, &listener,
                   &totals, error)) {
        return FALSE;
    }
    if (!run->ended) {
        g_propagate_error(error, run->error);
        return FALSE;
    }
    if (!check_joined(run, &totals, error)) {
        return FALSE;
    }
    if (totals.violations > 0 || run->has_contradiction) {
        *ret_code = EXIT_CONTRADICTION;
    }
    return TRUE;
}

gboolean run_reports(const Options *options, const Inputs *inputs, JourneyFilter *filter,
                     Outputs *outputs, ExitCode *ret_code, GError **error)
{
    MatchOptions match;
    Run run = {0};

    if (!progress_begin(&run.progress, options, error) ||
        !parse_match_options(options, &match, error)) {
        return FALSE;
    }
    run_init(&run, filter, outputs);

    gboolean is_fine = match_and_report(&run, inputs, &match, ret_code, error);

    run_clear(&run);
    return is_fine;
}

/* "3" or "q3". */
static gboolean parse_queue(const char *text, JourneyFilter *filter, GError **error)
{
    guint64 id;

    if (!g_ascii_string_to_unsigned(text + (*text == 'q'), 10, 0, G_MAXUINT, &id, NULL)) {
        return wrong_value(error, "--queue", "a number, such as 3 or q3", text);
    }
    filter->has_queue = TRUE;
    filter->queue = id;
    return TRUE;
}

static gboolean parse_filter(const Options *options, gboolean hide_edges, JourneyFilter *filter,
                             GError **error)
{
    *filter = (JourneyFilter){.tx = options->tx,
                              .rx = options->rx,
                              .device = options->dev,
                              .hide_edges = hide_edges};
    if (options->queue != NULL && !parse_queue(options->queue, filter, error)) {
        return FALSE;
    }
    if (options->from != NULL && !journey_filter_parse_time(options->from, &filter->from)) {
        return wrong_value(error, "--from", "a time in s, such as 12.5 or +12.5", options->from);
    }
    if (options->to != NULL && !journey_filter_parse_time(options->to, &filter->to)) {
        return wrong_value(error, "--to", "a time in s, such as 12.5 or +12.5", options->to);
    }
    if (options->slower_than != NULL &&
        !journey_filter_parse_duration(options->slower_than, &filter->slower_than)) {
        return wrong_value(error, "--slower-than", "a time such as 250us or 2ms",
                           options->slower_than);
    }
    if (options->limit != NULL &&
        !g_ascii_string_to_unsigned(options->limit, 10, 1, G_MAXINT64, &filter->limit, NULL)) {
        return wrong_value(error, "--limit", "a number from 1 on", options->limit);
    }
    return TRUE;
}

gboolean run_single_report(const Options *options, const char *format, gboolean hide_edges,
                           ExitCode *ret_code, GError **error)
{
    ReportOptions report = {0};
    JourneyFilter filter;

    if (!outputs_terminal(options, &report, error) ||
        !parse_filter(options, hide_edges, &filter, error)) {
        return FALSE;
    }
    g_autoptr(Inputs) inputs = inputs_open(options, error);

    if (inputs == NULL) {
        return FALSE;
    }
    g_autoptr(Outputs) outputs = outputs_new(&report);

    outputs_add_stdout(outputs, report_type_by_name(format));
    return run_reports(options, inputs, &filter, outputs, ret_code, error);
}
