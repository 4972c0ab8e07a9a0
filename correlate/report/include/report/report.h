/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reports: journeys in, text or files out.
 */
#ifndef VIRTCORR_REPORT_REPORT_H
#define VIRTCORR_REPORT_REPORT_H

#include "journey/sink.h"

/* Report format @i in the order of help texts; NULL after the last. */
const ReportType *report_type_at(guint i);

/* The format called @name, or NULL. */
const ReportType *report_type_by_name(const char *name);

/* The format that the suffix of @path stands for, or NULL. */
const ReportType *report_type_by_path(const char *path);

/* Begin a report of @type on @out, which stays the caller's. */
void report_begin(ReportSink *sink, const ReportType *type, FILE *out,
                  const ReportOptions *options);

/* Parts of a report; what the format has no function for is left out. */
void report_source(ReportSink *sink, const RunSource *source);
void report_queue(ReportSink *sink, const Queue *queue);
void report_clock(ReportSink *sink, const RunClock *clock);
void report_journey(ReportSink *sink, const Journey *journey);
void report_loss(ReportSink *sink, const RunLoss *loss);
void report_note(ReportSink *sink, const RunNote *note);

/* Finish; what could not be written is told here. */
gboolean report_end(ReportSink *sink, const RunTotals *totals, GError **error);

#endif
