/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The summary of a run for a terminal: what was read, how far it can be trusted, where the time
 * went.
 */
#include "text.h"

#include <string.h>

#include "formats.h"
#include "words.h"

enum { MAX_LOSSES = 5, COLUMNS = 80 };

static void text_begin(ReportSink *sink)
{
    Text *self = g_new0(Text, 1);

    self->sources = table_new("lllrr");
    self->problems = g_string_new(NULL);
    self->clocks = g_string_new(NULL);
    self->losses = g_string_new(NULL);
    self->notes = g_string_new(NULL);
    self->tally = tally_new(HOPS_MAIN);
    sink->state = self;
}

static void text_free(Text *self)
{
    table_free(self->sources);
    g_string_free(self->problems, TRUE);
    g_string_free(self->clocks, TRUE);
    g_string_free(self->losses, TRUE);
    g_string_free(self->notes, TRUE);
    tally_free(self->tally);
    g_free(self);
}

static void text_source(ReportSink *sink, const RunSource *source)
{
    Text *self = sink->state;
    g_autofree char *file = words_escape(source->file);
    g_autofree char *clock = words_escape(source->clock);
    g_autofree char *lost = words_count(source->lost);

    tally_add_source(self->tally, source);
    table_add(self->sources, source->side);
    table_add(self->sources, file);
    table_take(self->sources, g_strdup_printf("%s, clock %s", source->format, clock));
    table_take(self->sources, words_plural(source->events, "event"));
    table_take(self->sources, g_strdup_printf("%s lost", lost));
    for (guint i = 0; i < source->n_problems; i++) {
        const RunProblem *problem = &source->problems[i];
        g_autofree char *text = words_escape(problem->text);
        g_autofree char *count = words_count(problem->count);

        g_string_append_printf(self->problems,
                               "  ! %s: %s (%s×, first at offset %" G_GUINT64_FORMAT ")\n", file,
                               text, count, problem->offset);
    }
}

static void text_queue(ReportSink *sink, const Queue *queue)
{
    Text *self = sink->state;

    tally_add_queue(self->tally, queue);
}

static gint compare_widths(gconstpointer a, gconstpointer b)
{
    guint64 left = *(const gint64 *)a; /* -1, unbounded, comes last */
    guint64 right = *(const gint64 *)b;

    return (left > right) - (left < right);
}

/* "bound ±12µs (median), ±603µs (worst)" */
static void describe_bounds(GString *text, const RunClock *clock)
{
    g_autoptr(GArray) widths = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 worst = 0;

    for (guint i = 0; i < clock->n_segments; i++) {
        const RunClockSegment *segment = &clock->segments[i];

        g_array_append_val(widths, segment->half_width);
        if (worst >= 0) {
            worst = segment->worst_half_width < 0 ? -1 : MAX(worst, segment->worst_half_width);
        }
    }
    if (widths->len == 0) {
        return;
    }
    g_array_sort(widths, compare_widths);
    g_autofree char *median = words_half_width(g_array_index(widths, gint64, widths->len / 2));
    g_autofree char *extreme = words_half_width(worst);

    g_string_append_printf(text, "    bound %s (median), %s (worst)\n", median, extreme);
}

static void text_clock(ReportSink *sink, const RunClock *clock)
{
    Text *self = sink->state;
    g_autofree char *from = words_escape(clock->from);
    g_autofree char *to = words_escape(clock->to);

    g_string_append_printf(self->clocks, "  %s → %s\n", from, to);
    if (strcmp(clock->method, "none") == 0) {
        g_autofree char *reason = words_escape(clock->reason);

        g_string_append_printf(self->clocks, "  ! not aligned: %s\n", reason);
        return;
    }
    g_autofree char *pairs = words_plural(clock->pairs, "pair");
    g_autofree char *segments = words_plural(clock->n_segments, "segment");
    g_autofree char *violations = words_plural(clock->violations, "violation");

    g_string_append_printf(self->clocks, "    by %s: %s, %s, %s\n", clock->method, pairs, segments,
                           violations);
    describe_bounds(self->clocks, clock);
    if (clock->contradiction != NULL) {
        g_autofree char *text = words_escape(clock->contradiction);

        g_string_append_printf(self->clocks, "  ! contradiction: %s\n", text);
    }
}

static void text_journey(ReportSink *sink, const Journey *journey)
{
    Text *self = sink->state;

    tally_add(self->tally, journey);
}

static void text_loss(ReportSink *sink, const RunLoss *loss)
{
    Text *self = sink->state;
    g_autofree char *text = words_loss(loss);

    if (self->n_losses++ < MAX_LOSSES) {
        g_string_append_printf(self->losses, "  ! %s\n", text);
    }
}

/* Append @text in lines of at most COLUMNS columns, broken at spaces. */
static void append_wrapped(GString *result, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    guint used = 0;

    for (guint i = 0; words[i] != NULL; i++) {
        guint width = text_width(words[i]);

        if (used > 0 && used + 1 + width > COLUMNS) {
            g_string_append_c(result, '\n');
            used = 0;
        }
        g_string_append_printf(result, "%s%s", used > 0 ? " " : i > 0 ? "    " : "  ", words[i]);
        used += (used > 0 ? 1 : i > 0 ? 4 : 2) + width;
    }
    g_string_append_c(result, '\n');
}

static void text_note(ReportSink *sink, const RunNote *note)
{
    Text *self = sink->state;
    g_autofree char *text = words_escape(note->text);
    g_autofree char *line = g_strdup_printf("%s: %s", note->kind, text);

    append_wrapped(self->notes, line);
}

void text_heading(ReportSink *sink, const char *heading)
{
    fprintf(sink->out, sink->options.colour ? "\033[1m%s\033[0m\n" : "%s\n", heading);
}

static void print_section(ReportSink *sink, const char *heading, const GString *body)
{
    if (body->len > 0) {
        fputc('\n', sink->out);
        text_heading(sink, heading);
        fputs(body->str, sink->out);
    }
}

static void print_losses(ReportSink *sink, const Text *self)
{
    print_section(sink, "Lost records", self->losses);
    if (self->n_losses > MAX_LOSSES) {
        fprintf(sink->out, "    and %" G_GUINT64_FORMAT " more times\n",
                self->n_losses - MAX_LOSSES);
    }
}

/* Other devices' buffers cannot be joined without a trace of their driver: counted apart. */
static guint64 count_listed_orphans(const Tally *tally)
{
    guint64 orphans = 0;

    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        orphans += text_is_listed(tally, queue) ? queue->grades[GRADE_ORPHAN] : 0;
    }
    return orphans;
}

static void print_totals(ReportSink *sink, const Text *self, const RunTotals *totals)
{
    guint64 packets = totals->packets_tx + totals->packets_rx;
    g_autofree char *joined = words_plural(packets, "packet");
    g_autofree char *tx = words_count(totals->packets_tx);
    g_autofree char *rx = words_count(totals->packets_rx);
    g_autofree char *buffers = words_plural(totals->journeys, "buffer");
    g_autofree char *orphans = words_plural(count_listed_orphans(self->tally), "orphan");
    g_autofree char *ambiguous = words_count(totals->grades[GRADE_AMBIGUOUS]);
    g_autofree char *lost = words_plural(totals->lost, "lost record");
    g_autofree char *violations = words_plural(totals->violations, "order violation");

    fprintf(sink->out, "\n%s joined (%s tx, %s rx) in %s, %s ambiguous; %s\n", joined, tx, rx,
            buffers, ambiguous, orphans);
    fprintf(sink->out, "%s, %s\n", lost, violations);
}

static gboolean text_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    Text *self = sink->state;

    text_heading(sink, "Sources");
    table_print(self->sources, sink->out, 2);
    fputs(self->problems->str, sink->out);
    print_section(sink, "Clock", self->clocks);
    text_print_queues(sink, self->tally);
    text_print_hops(sink, self->tally);
    print_losses(sink, self);
    print_section(sink, "Notes", self->notes);
    print_totals(sink, self, totals);
    text_free(self);
    return TRUE;
}

const ReportType report_text = {
    .name = "text",
    .suffix = ".txt",
    .summary = "the summary, for a terminal",
    .begin = text_begin,
    .source = text_source,
    .queue = text_queue,
    .clock = text_clock,
    .journey = text_journey,
    .loss = text_loss,
    .note = text_note,
    .end = text_end,
};
