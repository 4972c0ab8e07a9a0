/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each packet's way: the report of `virtcorr show`. What netdev-times shows of the guest, with the
 * host beside it.
 */
#include "chart.h"

#include <errno.h>
#include <string.h>

#include "formats.h"
#include "words.h"

/* Journeys that wait for others of their softirq; the oldest hunk is printed when it is full. */
enum { MAX_WAITING = 1024 };

/**
 * Chart:
 * @hunks: ChartHunk, in the order of their first journeys
 * @n_waiting: journeys in @hunks
 * @tx: rows of the table of sent packets, which comes after the charts: a temporary file
 * @n_tx: how many rows that are
 */
typedef struct Chart {
    GQueue hunks;
    guint n_waiting;
    FILE *tx;
    guint64 n_tx;
    guint64 n_rx;
    int error;
} Chart;

static void chart_begin(ReportSink *sink)
{
    Chart *self = g_new0(Chart, 1);

    g_queue_init(&self->hunks);
    self->tx = tmpfile();
    self->error = self->tx == NULL ? errno : 0;
    sink->state = self;
}

static void hunk_free(ChartHunk *hunk)
{
    g_array_unref(hunk->journeys);
    g_free(hunk);
}

static void print_oldest(ReportSink *sink)
{
    Chart *self = sink->state;
    ChartHunk *hunk = g_queue_pop_head(&self->hunks);

    self->n_waiting -= hunk->journeys->len;
    chart_rx_hunk(sink->out, hunk);
    hunk_free(hunk);
}

static gboolean hunk_takes(const ChartHunk *hunk, const Step *softirq, const Step *poll)
{
    return (softirq != NULL && hunk->has_softirq && hunk->softirq == softirq->raw &&
            hunk->cpu == softirq->cpu) ||
           (poll != NULL && hunk->has_poll && hunk->poll == poll->raw && hunk->cpu == poll->cpu);
}

/* The hunk with the same stamp on the same CPU; the newest is the likeliest. */
static ChartHunk *find_hunk(Chart *self, const Queue *queue, const Step *softirq, const Step *poll)
{
    for (GList *link = self->hunks.tail; link != NULL; link = link->prev) {
        ChartHunk *hunk = link->data;

        if (hunk->queue == queue && hunk_takes(hunk, softirq, poll)) {
            return hunk;
        }
    }
    return NULL;
}

static ChartHunk *hunk_new(Chart *self, const Queue *queue)
{
    ChartHunk *hunk = g_new0(ChartHunk, 1);

    hunk->queue = queue;
    hunk->journeys = g_array_new(FALSE, FALSE, sizeof(Journey));
    g_queue_push_tail(&self->hunks, hunk);
    return hunk;
}

/* What @hunk can be known by from now on. */
static void hunk_learn(ChartHunk *hunk, const Step *softirq, const Step *poll)
{
    if (softirq != NULL) {
        hunk->has_softirq = TRUE;
        hunk->softirq = softirq->raw;
        hunk->cpu = softirq->cpu;
    }
    if (poll != NULL) {
        hunk->has_poll = TRUE;
        hunk->poll = poll->raw;
        hunk->cpu = poll->cpu;
    }
}

static void add_rx(ReportSink *sink, const Journey *journey)
{
    Chart *self = sink->state;
    const Step *softirq = journey_step(journey, STEP_SOFTIRQ);
    const Step *poll = journey_step(journey, STEP_POLL);
    ChartHunk *hunk = NULL;

    if (softirq != NULL || poll != NULL) {
        hunk = find_hunk(self, journey->queue, softirq, poll);
    }
    if (hunk == NULL) {
        hunk = hunk_new(self, journey->queue);
    }
    hunk_learn(hunk, softirq, poll);
    g_array_append_vals(hunk->journeys, journey, 1);
    self->n_waiting++;
    self->n_rx++;
    while (self->n_waiting > MAX_WAITING) {
        print_oldest(sink);
    }
}

static void chart_journey(ReportSink *sink, const Journey *journey)
{
    Chart *self = sink->state;

    if (journey->queue->direction == QUEUE_RX) {
        add_rx(sink, journey);
    } else if (self->tx != NULL) {
        chart_tx_row(self->tx, journey);
        self->n_tx++;
    }
}

static void chart_loss(ReportSink *sink, const RunLoss *loss)
{
    g_autofree char *text = words_loss(loss);

    fprintf(sink->out, "--- %s ---\n\n", text);
}

static void chart_note(ReportSink *sink, const RunNote *note)
{
    Chart *self = sink->state;
    g_autofree char *text = words_escape(note->text);

    while (!g_queue_is_empty(&self->hunks)) {
        print_oldest(sink);
    }
    fprintf(sink->out, "%s: %s\n\n", note->kind, text);
}

static void copy_rows(FILE *from, FILE *to)
{
    char block[8192];
    size_t n;

    rewind(from);
    while ((n = fread(block, 1, sizeof(block), from)) > 0) {
        fwrite(block, 1, n, to);
    }
}

static gboolean chart_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    Chart *self = sink->state;

    while (!g_queue_is_empty(&self->hunks)) {
        print_oldest(sink);
    }
    if (self->n_tx > 0) {
        chart_tx_heading(sink->out);
        copy_rows(self->tx, sink->out);
    }
    if (self->n_tx == 0 && self->n_rx == 0) {
        fprintf(sink->out, "No journey is left to show.\n");
    }
    if (self->error == 0 && ferror(self->tx)) {
        self->error = EIO;
    }
    int code = self->error;

    g_clear_pointer(&self->tx, fclose);
    g_free(self);
    if (code != 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "temporary file: %s",
                    g_strerror(code));
        return FALSE;
    }
    return TRUE;
}

const ReportType report_chart = {
    .name = "chart",
    .summary = "each packet's way, guest and host side by side",
    .begin = chart_begin,
    .journey = chart_journey,
    .loss = chart_loss,
    .note = chart_note,
    .end = chart_end,
};
