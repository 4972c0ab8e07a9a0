/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files that reports are written to.
 */
#ifndef VIRTCORR_CLI_OUTPUTS_H
#define VIRTCORR_CLI_OUTPUTS_H

#include "inputs.h"
#include "options.h"
#include "report/report.h"

/**
 * Outputs: reports in the making.
 *
 * A file appears under its name only when it is complete: until then it is a temporary file beside
 * it, which outputs_free() removes.
 */
typedef struct Outputs Outputs;

Outputs *outputs_new(const ReportOptions *options);
void outputs_free(Outputs *outputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Outputs, outputs_free)

/* Add a report on standard output. */
void outputs_add_stdout(Outputs *outputs, const ReportType *type);

/* Add a report in file @path, which must be none of @inputs. */
gboolean outputs_add_file(Outputs *outputs, const ReportType *type, const char *path,
                          const Inputs *inputs, GError **error);

/* Report @i; NULL after the last. */
ReportSink *outputs_at(const Outputs *outputs, guint i);

/* Finish all reports, files first, and give the files their names. */
gboolean outputs_end(Outputs *outputs, const RunTotals *totals, GError **error);

/* Whether and how standard output may be coloured. */
gboolean outputs_terminal(const Options *options, ReportOptions *ret_options, GError **error);

#endif
