/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Distributions: the report of `virtcorr stat`.
 */
#include "formats.h"
#include "journey/tally.h"
#include "table.h"
#include "words.h"

typedef struct Stat {
    Tally *tally;
} Stat;

static void stat_begin(ReportSink *sink)
{
    Stat *self = g_new0(Stat, 1);

    self->tally = tally_new(HOPS_ALL);
    sink->state = self;
}

static void stat_source(ReportSink *sink, const RunSource *source)
{
    tally_add_source(((Stat *)sink->state)->tally, source);
}

static void stat_queue(ReportSink *sink, const Queue *queue)
{
    tally_add_queue(((Stat *)sink->state)->tally, queue);
}

static void stat_journey(ReportSink *sink, const Journey *journey)
{
    tally_add(((Stat *)sink->state)->tally, journey);
}

static void stat_loss(ReportSink *sink, const RunLoss *loss)
{
    g_autofree char *text = words_loss(loss);

    fprintf(sink->out, "%s\n", text);
}

static void stat_note(ReportSink *sink, const RunNote *note)
{
    g_autofree char *text = words_escape(note->text);

    fprintf(sink->out, "%s: %s\n", note->kind, text);
}

static const struct {
    const char *name;
    guint per_10000;
} quantiles[] = {
    {"min", 0}, {"p50", 5000}, {"p90", 9000}, {"p99", 9900}, {"p99.9", 9990},
};

/* Three a line: with bounds that is what fits into 80 columns. */
static void print_times(FILE *out, const HopStats *hop)
{
    g_autoptr(Table) table = table_new("lrlrlr");

    for (guint i = 0; i < G_N_ELEMENTS(quantiles); i++) {
        table_add(table, quantiles[i].name);
        table_take(table, words_latency(hop_stats_quantile(hop, quantiles[i].per_10000), TRUE));
    }
    table_add(table, "max");
    table_take(table, words_latency(hop_stats_max(hop), TRUE));
    table_print(table, out, 4);
}

/* One row of the histogram, laid out as bcc's tools do it. */
static void print_bar(FILE *out, guint octave, guint64 count, guint64 most)
{
    enum { WIDTH = 40 };
    static const char stars[] = "****************************************";
    guint64 low = octave == 0 ? 0 : (guint64)1 << octave;
    guint64 high = ((guint64)2 << octave) - 1;
    guint filled = most < G_MAXUINT64 / WIDTH ? count * WIDTH / most : count / (most / WIDTH);

    fprintf(out, "    %11" G_GUINT64_FORMAT " -> %-11" G_GUINT64_FORMAT " : %-8" G_GUINT64_FORMAT
                 " |%.*s%*s|\n",
            low, high, count, (int)filled, stars, (int)(WIDTH - filled), "");
}

static void print_histogram(FILE *out, const Histogram *histogram, const char *unit)
{
    guint64 counts[HISTOGRAM_OCTAVES];
    guint64 most = 1;
    guint first = HISTOGRAM_OCTAVES;
    guint last = 0;

    for (guint i = 0; i < HISTOGRAM_OCTAVES; i++) {
        counts[i] = histogram_octave(histogram, i);
        most = MAX(most, counts[i]);
        if (counts[i] > 0) {
            first = MIN(first, i);
            last = i;
        }
    }
    fprintf(out, "    %26s : count    distribution\n", unit);
    for (guint i = first; i <= last && i < HISTOGRAM_OCTAVES; i++) {
        print_bar(out, i, counts[i], most);
    }
}

static void print_hop(FILE *out, const HopStats *hop)
{
    g_autofree char *count = words_count(histogram_count(hop->ns));

    fprintf(out, "\n  %s → %s (%s), %s\n", step_info(hop->from)->name, step_info(hop->to)->name,
            party_name(hop->whose), count);
    print_times(out, hop);
    print_histogram(out, hop->ns, "ns");
}

static void print_levels(FILE *out, const char *what, Histogram *levels)
{
    if (histogram_count(levels) == 0) {
        return;
    }
    gint64 median = histogram_quantile(levels, 5000).hi;
    gint64 p99 = histogram_quantile(levels, 9900).hi;

    fprintf(out,
            "  %s: p50 %" G_GINT64_FORMAT ", p99 %" G_GINT64_FORMAT ", max %" G_GINT64_FORMAT "\n",
            what, median, p99, histogram_max(levels));
}

/* How much work a notification stands for; steps that were never seen are left out. */
static void print_notifications(FILE *out, const QueueTally *tally)
{
    static const StepId steps[] = {STEP_KICK, STEP_WAKE, STEP_IRQ, STEP_ISR};

    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        guint64 n = tally->stamps[steps[i]];

        if (n == 0) {
            continue;
        }
        /* Hundredths, rounded to the nearest. */
        guint64 per_buffer = (n * 100 + tally->timed / 2) / tally->timed;
        g_autofree char *count = words_count(n);

        fprintf(out, "  %s: %s, %" G_GUINT64_FORMAT ".%02" G_GUINT64_FORMAT " per buffer\n",
                step_info(steps[i])->name, count, per_buffer / 100, per_buffer % 100);
    }
}

static void print_queue(ReportSink *sink, const QueueTally *tally)
{
    g_autofree char *name = words_queue_name(tally->queue);
    g_autofree char *timed = words_plural(tally->timed, "buffer");
    guint64 all = tally->joined + tally->grades[GRADE_ORPHAN];
    g_autofree char *left_out = words_count(all - tally->timed);

    fprintf(sink->out, "q%u %s %s: %s", tally->queue->id, name,
            queue_direction_name(tally->queue->direction), timed);
    fprintf(sink->out, all > tally->timed ? ", %s ambiguous or orphans left out\n" : "\n",
            left_out);
    print_levels(sink->out, "buffers in the device", occupancy_finish(tally->in_device));
    print_levels(sink->out, "packets in the driver", tally->held);
    print_notifications(sink->out, tally);
    for (guint i = 0; hop_table_at(tally->hops, i) != NULL; i++) {
        print_hop(sink->out, hop_table_at(tally->hops, i));
    }
    fputc('\n', sink->out);
}

static gboolean stat_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    Stat *self = sink->state;
    gboolean is_empty = TRUE;

    for (guint i = 0; tally_at(self->tally, i) != NULL; i++) {
        if (tally_at(self->tally, i)->timed > 0) {
            print_queue(sink, tally_at(self->tally, i));
            is_empty = FALSE;
        }
    }
    if (is_empty) {
        fprintf(sink->out, "No journey is left to count.\n");
    }
    tally_free(self->tally);
    g_free(self);
    return TRUE;
}

const ReportType report_stat = {
    .name = "stat",
    .summary = "the distribution of each hop's times",
    .begin = stat_begin,
    .source = stat_source,
    .queue = stat_queue,
    .journey = stat_journey,
    .loss = stat_loss,
    .note = stat_note,
    .end = stat_end,
};
