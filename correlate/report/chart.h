/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The two parts of `virtcorr show`: the table of sent packets and the charts of received ones.
 */
#ifndef VIRTCORR_REPORT_CHART_H
#define VIRTCORR_REPORT_CHART_H

#include <stdio.h>

#include "journey/journey.h"

/* Print the heading of the table of sent packets. */
void chart_tx_heading(FILE *out);

/* Print one sent buffer's row. */
void chart_tx_row(FILE *out, const Journey *journey);

/**
 * ChartHunk: the received buffers of @queue that one run of the NET_RX softirq took.
 * @has_softirq, @softirq: which run, by its stamp
 * @has_poll, @poll: the poll that took them, by its stamp: a packet that came while the softirq ran
 *                   has no softirq step of its own
 * @cpu: where; buffers without either stamp stand alone
 * @journeys: array of Journey, in the order in which they came
 */
typedef struct ChartHunk {
    const Queue *queue;
    gboolean has_softirq;
    gint64 softirq;
    gboolean has_poll;
    gint64 poll;
    guint16 cpu;
    GArray *journeys;
} ChartHunk;

/* Print one chart. */
void chart_rx_hunk(FILE *out, const ChartHunk *hunk);

#endif
