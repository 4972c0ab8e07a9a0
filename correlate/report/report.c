/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of report formats, and how a report is driven.
 */
#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "formats.h"

static const ReportType *const types[] = {
    &report_text, &report_jsonl, &report_chart, &report_stat, &report_alignment,
};

const ReportType *report_type_at(guint i)
{
    return i < G_N_ELEMENTS(types) ? types[i] : NULL;
}

const ReportType *report_type_by_name(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

const ReportType *report_type_by_path(const char *path)
{
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        if (types[i]->suffix != NULL && g_str_has_suffix(path, types[i]->suffix)) {
            return types[i];
        }
    }
    return NULL;
}

void report_begin(ReportSink *sink, const ReportType *type, FILE *out,
                  const ReportOptions *options)
{
    *sink = (ReportSink){.type = type, .out = out, .options = *options};
    if (type->begin != NULL) {
        type->begin(sink);
    }
}

void report_source(ReportSink *sink, const RunSource *source)
{
    if (sink->type->source != NULL) {
        sink->type->source(sink, source);
    }
}

void report_queue(ReportSink *sink, const Queue *queue)
{
    if (sink->type->queue != NULL) {
        sink->type->queue(sink, queue);
    }
}

void report_clock(ReportSink *sink, const RunClock *clock)
{
    if (sink->type->clock != NULL) {
        sink->type->clock(sink, clock);
    }
}

void report_journey(ReportSink *sink, const Journey *journey)
{
    if (sink->type->journey != NULL) {
        sink->type->journey(sink, journey);
    }
}

void report_loss(ReportSink *sink, const RunLoss *loss)
{
    if (sink->type->loss != NULL) {
        sink->type->loss(sink, loss);
    }
}

void report_note(ReportSink *sink, const RunNote *note)
{
    if (sink->type->note != NULL) {
        sink->type->note(sink, note);
    }
}

gboolean report_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    if (sink->type->end != NULL && !sink->type->end(sink, totals, error)) {
        return FALSE;
    }
    errno = 0;
    if (fflush(sink->out) != 0 || ferror(sink->out)) {
        int code = errno != 0 ? errno : EIO;

        g_set_error_literal(error, G_FILE_ERROR, g_file_error_from_errno(code),
                            g_strerror(code));
        return FALSE;
    }
    return TRUE;
}
