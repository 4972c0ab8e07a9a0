/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How the clocks were aligned: the report of `virtcorr clock`.
 */
#include "formats.h"
#include "table.h"
#include "words.h"

#include <string.h>

/**
 * Alignment:
 * @n_clocks: how many were told
 */
typedef struct Alignment {
    guint n_clocks;
} Alignment;

static void alignment_begin(ReportSink *sink)
{
    sink->state = g_new0(Alignment, 1);
}

/* "+12.345 ppm" */
static char *spell_ppm(gint64 ppb)
{
    guint64 magnitude = ppb < 0 ? -(guint64)ppb : (guint64)ppb;

    return g_strdup_printf("%c%" G_GUINT64_FORMAT ".%03" G_GUINT64_FORMAT, ppb < 0 ? '-' : '+',
                           magnitude / 1000, magnitude % 1000);
}

/* Which side of the guest's clock the pairs could not bound. */
static const char *missing_bound(const RunClockSegment *segment)
{
    if (segment->bounded_below && segment->bounded_above) {
        return "";
    }
    if (!segment->bounded_below && !segment->bounded_above) {
        return "no pair of either order";
    }
    return segment->bounded_below ? "no pair guest before host" : "no pair host before guest";
}

static void add_segment(Table *table, const RunClockSegment *segment)
{
    g_autofree char *rate_lo = spell_ppm(segment->rate_lo_ppb);
    g_autofree char *rate_hi = spell_ppm(segment->rate_hi_ppb);

    table_take(table, words_time(segment->begin));
    table_take(table, words_time(segment->end));
    table_take(table, words_half_width(segment->half_width));
    table_take(table, words_half_width(segment->worst_half_width));
    table_take(table, words_count(segment->n_pairs));
    table_take(table, g_strdup_printf("%u", segment->n_hull));
    table_take(table, g_strdup_printf("%s … %s", rate_lo, rate_hi));
    table_add(table, missing_bound(segment));
}

static void print_segments(ReportSink *sink, const RunClock *clock)
{
    const char *names[] = {"begin (s)", "end (s)", "bound", "worst", "pairs", "hull", "rate (ppm)",
                           ""};
    g_autoptr(Table) table = table_new("rrrrrrrl");

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        table_add(table, names[i]);
    }
    for (guint i = 0; i < clock->n_segments; i++) {
        add_segment(table, &clock->segments[i]);
    }
    table_print(table, sink->out, 2);
    for (guint i = 0; i < clock->n_segments; i++) {
        if (clock->segments[i].cut_by != NULL) {
            g_autofree char *reason = words_escape(clock->segments[i].cut_by);

            fprintf(sink->out, "  segment %u begins: %s\n", i + 1, reason);
        }
    }
}

static void alignment_clock(ReportSink *sink, const RunClock *clock)
{
    Alignment *self = sink->state;
    g_autofree char *from = words_escape(clock->from);
    g_autofree char *to = words_escape(clock->to);

    fprintf(sink->out, "%s%s → %s\n", self->n_clocks++ > 0 ? "\n" : "", from, to);
    if (strcmp(clock->method, "none") == 0) {
        g_autofree char *reason = words_escape(clock->reason);

        fprintf(sink->out, "  not aligned: %s\n", reason);
        return;
    }
    g_autofree char *pairs = words_plural(clock->pairs, "pair");
    g_autofree char *violations = words_plural(clock->violations, "violation");

    fprintf(sink->out, "  method %s, %s, %s\n", clock->method, pairs, violations);
    if (clock->contradiction != NULL) {
        g_autofree char *text = words_escape(clock->contradiction);

        fprintf(sink->out, "  contradiction: %s\n", text);
    }
    if (clock->n_segments > 0) {
        print_segments(sink, clock);
    }
}

static void alignment_note(ReportSink *sink, const RunNote *note)
{
    g_autofree char *text = words_escape(note->text);

    fprintf(sink->out, "%s: %s\n", note->kind, text);
}

static gboolean alignment_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    Alignment *self = sink->state;

    if (self->n_clocks == 0) {
        fprintf(sink->out, "There is nothing to align: no guest's trace was read with a host's.\n");
    }
    g_free(self);
    return TRUE;
}

const ReportType report_alignment = {
    .name = "clock",
    .summary = "how the clocks were aligned",
    .begin = alignment_begin,
    .clock = alignment_clock,
    .note = alignment_note,
    .end = alignment_end,
};
