/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the text summary.
 */
#ifndef VIRTCORR_REPORT_TEXT_H
#define VIRTCORR_REPORT_TEXT_H

#include "journey/sink.h"
#include "journey/tally.h"
#include "table.h"

/**
 * Text: the summary in the making. Queues are told before their journeys, so that everything is
 * printed at the end.
 * @problems, @clocks, @losses, @notes: finished lines
 * @n_losses: how many losses there were, of which only the first are in @losses
 */
typedef struct Text {
    Table *sources;
    GString *problems;
    GString *clocks;
    GString *losses;
    GString *notes;
    guint64 n_losses;
    Tally *tally;
} Text;

/* Whether @queue has its own row: network devices' queues, or with none of them in the traces those
   that were used. */
gboolean text_is_listed(const Tally *tally, const QueueTally *queue);

/* Print a heading, bold if colours are wanted. */
void text_heading(ReportSink *sink, const char *heading);

/* Print the list of queues: those with a row, and the others in one line. */
void text_print_queues(ReportSink *sink, const Tally *tally);

/* Print a table of hops for each queue that is listed one by one. */
void text_print_hops(ReportSink *sink, const Tally *tally);

#endif
