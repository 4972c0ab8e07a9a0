/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report formats, for the table in report.c.
 */
#ifndef VIRTCORR_REPORT_FORMATS_H
#define VIRTCORR_REPORT_FORMATS_H

#include "report/report.h"

extern const ReportType report_text;
extern const ReportType report_jsonl;
extern const ReportType report_chart;
extern const ReportType report_stat;
extern const ReportType report_alignment;

#endif
