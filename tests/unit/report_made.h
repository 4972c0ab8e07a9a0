/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hand-made runs for the tests of reports.
 */
#ifndef VIRTCORR_TESTS_REPORT_MADE_H
#define VIRTCORR_TESTS_REPORT_MADE_H

#include "report/report.h"

/* What a made guest step's stamp can be wrong by, ns; host steps are exact. */
enum { MADE_ERROR = 12000 };

/* A time of the made runs: @offset ns after 100 s. */
gint64 made_time(gint64 offset);

/* Add @step at @offset; its raw stamp is @offset. */
void made_step(Journey *journey, StepId step, gint64 offset);

/* A step whose place on the host's line nothing bounds. */
void made_unbounded_step(Journey *journey, StepId step, gint64 offset);

/* A sent packet: queue 0, xmit 1.2, pop 61.2, push 140, free 640 µs after @begin. */
Journey made_tx(const Queue *queue, guint64 seq, gint64 begin);

/* A received one: pop 0, push 2, irq 3, isr 63, softirq 65, stack 70, poll 90, copy 120 µs. */
Journey made_rx(const Queue *queue, guint64 seq, gint64 begin);

/* A report of format @name in memory. */
typedef struct MadeReport {
    ReportSink sink;
    char *text;
    gsize size;
} MadeReport;

void made_begin(MadeReport *report, const char *name);

/* Finish and return the text. (transfer full) */
char *made_end(MadeReport *report, const RunTotals *totals);

/* The two sources of a usual run. */
void made_sources(MadeReport *report);

#endif
