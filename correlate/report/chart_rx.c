/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The chart of received packets: from the tap and the device over irq and softirq to the
 * application, the guest's steps left and the host's right.
 */
#include "chart.h"

#include <string.h>

#include "table.h"
#include "words.h"

enum { OFFSET_WIDTH = 15, BOUND_WIDTH = 8, GUEST_WIDTH = 42 };

/**
 * Row: a step of one or more of the buffers.
 * @step: the step; buffers that share an irq or a softirq share the row
 * @first: the first of the buffers
 * @n_buffers: how many they are
 */
typedef struct Row {
    Step step;
    const Journey *first;
    guint n_buffers;
} Row;

static gboolean is_same_step(const Step *a, const Step *b)
{
    return a->step == b->step && a->raw == b->raw && a->cpu == b->cpu;
}

/* A packet that an application copied is freed right after: its row would say nothing new. */
static gboolean is_worth_a_row(const Journey *journey, const Step *step)
{
    return step->step != STEP_FREE || journey_step(journey, STEP_COPY) == NULL;
}

static void add_row(GArray *rows, guint begin, const Journey *journey, const Step *step)
{
    for (guint i = begin; i < rows->len; i++) {
        Row *row = &g_array_index(rows, Row, i);

        if (is_same_step(&row->step, step)) {
            row->n_buffers++;
            return;
        }
    }
    Row row = {.step = *step, .first = journey, .n_buffers = 1};

    g_array_append_val(rows, row);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const Row *left = a;
    const Row *right = b;

    if (left->step.when.at.ns != right->step.when.at.ns) {
        return left->step.when.at.ns < right->step.when.at.ns ? -1 : 1;
    }
    if (left->step.step != right->step.step) {
        return (gint)left->step.step - (gint)right->step.step;
    }
    return (left->first->seq > right->first->seq) - (left->first->seq < right->first->seq);
}

/* How many rows back a shared step can stand: the steps of a NAPI budget of 64 packets. */
enum { SHARED_WITHIN = 64 * JOURNEY_MAX_STEPS };

static GArray *collect_rows(const ChartHunk *hunk)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));

    for (guint i = 0; i < hunk->journeys->len; i++) {
        const Journey *journey = &g_array_index(hunk->journeys, Journey, i);

        for (guint s = 0; s < journey->n_steps; s++) {
            if (is_worth_a_row(journey, &journey->steps[s])) {
                add_row(rows, rows->len > SHARED_WITHIN ? rows->len - SHARED_WITHIN : 0, journey,
                        &journey->steps[s]);
            }
        }
    }
    g_array_sort(rows, compare_rows);
    return rows;
}

/* Offsets count from the guest's first step, as with netdev-times, or else from the first. */
static const Step *find_base(const GArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        const Step *step = &g_array_index(rows, Row, i).step;

        if (step_is_guest(step->step)) {
            return step;
        }
    }
    return &g_array_index(rows, Row, 0).step;
}

static void put_cell(FILE *out, const char *text, guint width)
{
    guint used = text_width(text);

    fprintf(out, "%s%*s", text, used < width ? (int)(width - used) : 1, "");
}

/* "+12.345 µs": all offsets of a chart in one unit, so that they can be compared at a glance. */
static void put_offset(FILE *out, gint64 ns)
{
    guint64 magnitude = ns < 0 ? -(guint64)ns : (guint64)ns;
    g_autofree char *text =
        g_strdup_printf("%c%" G_GUINT64_FORMAT ".%03" G_GUINT64_FORMAT " µs", ns < 0 ? '-' : '+',
                        magnitude / 1000, magnitude % 1000);
    guint used = text_width(text);

    fprintf(out, "%*s%s  ", used < OFFSET_WIDTH ? (int)(OFFSET_WIDTH - used) : 0, "", text);
}

static void put_times(FILE *out, const Step *base, const Step *step)
{
    Latency latency = host_span_latency(base->when, step->when);
    gint64 error = latency_error(latency);

    put_offset(out, step->when.at.ns - base->when.at.ns);
    if (step_is_guest(base->step) == step_is_guest(step->step)) {
        put_cell(out, "", BOUND_WIDTH);
    } else if (error < 0) {
        put_cell(out, "±?", BOUND_WIDTH);
    } else {
        g_autofree char *bound = words_bound(error);
        g_autofree char *text = g_strdup_printf("±%s", bound);

        put_cell(out, text, BOUND_WIDTH);
    }
}

/* "#17", "#17 and 3 more", with a question mark if it may be another. */
static char *spell_buffers(const Row *row)
{
    const char *doubt = row->first->grade == GRADE_AMBIGUOUS ? "?" : "";

    if (row->n_buffers == 1) {
        return g_strdup_printf("#%" G_GUINT64_FORMAT "%s", row->first->seq, doubt);
    }
    return g_strdup_printf("#%" G_GUINT64_FORMAT "%s and %u more", row->first->seq, doubt,
                           row->n_buffers - 1);
}

/* Where the guest's steps stand in its lane: packets hang on the softirq that took them. */
static const char *branch(StepId step, gboolean in_softirq)
{
    switch (step) {
    case STEP_RECEIVE:
    case STEP_STACK:
    case STEP_REAP:
        return in_softirq ? " |-- " : "     ";
    case STEP_COPY:
    case STEP_FREE:
        return in_softirq ? " |      " : "        ";
    default:
        return "";
    }
}

static char *describe_guest_row(const Row *row, gboolean in_softirq)
{
    const Step *step = &row->step;
    GString *text = g_string_new(branch(step->step, in_softirq));
    g_autofree char *buffers = spell_buffers(row);

    g_string_append(text, step_info(step->step)->name);
    switch (step->step) {
    case STEP_ISR:
    case STEP_SOFTIRQ:
    case STEP_POLL:
        break; /* of the CPU, not of a packet */
    case STEP_COPY:
        g_string_append_printf(text, " %s, tid %u", buffers, step->tid);
        break;
    default:
        g_string_append_printf(text, " %s", buffers);
        if (row->first->len > 0) {
            g_string_append_printf(text, ", len %u", row->first->len);
        }
    }
    return g_string_free(text, FALSE);
}

static void put_row(FILE *out, const Step *base, const Row *row, gboolean in_softirq)
{
    const char *name = step_info(row->step.step)->name;

    put_times(out, base, &row->step);
    if (step_is_guest(row->step.step)) {
        g_autofree char *text = describe_guest_row(row, in_softirq);

        fprintf(out, "%s\n", text);
        return;
    }
    g_autofree char *buffers = spell_buffers(row);

    put_cell(out, in_softirq ? " |" : "", GUEST_WIDTH);
    fprintf(out, "%s %s\n", name, buffers);
}

static guint count_packets(const ChartHunk *hunk)
{
    guint packets = 0;

    for (guint i = 0; i < hunk->journeys->len; i++) {
        packets += g_array_index(hunk->journeys, Journey, i).part == 0;
    }
    return packets;
}

static void put_title(FILE *out, const ChartHunk *hunk, const Step *base)
{
    const Journey *first = &g_array_index(hunk->journeys, Journey, 0);
    g_autofree char *name = words_queue_name(hunk->queue);
    g_autofree char *time = words_time(base->when.at);
    g_autofree char *packets = words_plural(count_packets(hunk), "packet");
    g_autofree char *buffers = words_plural(hunk->journeys->len, "buffer");

    fprintf(out, "%s s  %s q%u rx", time, name, hunk->queue->id);
    if (base->cpu != G_MAXUINT16) {
        fprintf(out, "  cpu %u", base->cpu);
    }
    fprintf(out, "  %s, %s", packets, buffers);
    if (first->grade == GRADE_ORPHAN) {
        fprintf(out, "  orphan: %s", orphan_reason_name(first->reason));
    } else if (first->grade == GRADE_AMBIGUOUS) {
        fprintf(out, "  ambiguous");
    }
    fputc('\n', out);
    fprintf(out, "%*s  ", OFFSET_WIDTH, "offset");
    put_cell(out, "bound", BOUND_WIDTH);
    put_cell(out, "guest", GUEST_WIDTH);
    fputs("host\n", out);
}

void chart_rx_hunk(FILE *out, const ChartHunk *hunk)
{
    g_autoptr(GArray) rows = collect_rows(hunk);
    gboolean in_softirq = FALSE;

    if (rows->len == 0) {
        return;
    }
    const Step *base = find_base(rows);

    put_title(out, hunk, base);
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);

        in_softirq = in_softirq && row->step.step != STEP_POLL;
        put_row(out, base, row, in_softirq);
        in_softirq = in_softirq || row->step.step == STEP_SOFTIRQ;
    }
    fputc('\n', out);
}
