/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables of the text summary: queues, and the hops of each.
 */
#include "text.h"

#include "words.h"

static gboolean is_data_queue(const QueueTally *tally)
{
    return tally->queue->direction == QUEUE_TX || tally->queue->direction == QUEUE_RX;
}

static gboolean was_used(const QueueTally *tally)
{
    return tally->joined > 0 || tally->grades[GRADE_ORPHAN] > 0;
}

gboolean text_is_listed(const Tally *tally, const QueueTally *queue)
{
    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        if (is_data_queue(tally_at(tally, i))) {
            return is_data_queue(queue);
        }
    }
    return was_used(queue);
}

/* The count, or nothing for 0, so that a column of zeros is left out. */
static char *count_or_empty(guint64 count)
{
    return count == 0 ? g_strdup("") : words_count(count);
}

static guint64 sum_grade(const Tally *tally, Grade grade)
{
    guint64 sum = 0;

    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        sum += text_is_listed(tally, queue) ? queue->grades[grade] : 0;
    }
    return sum;
}

static void add_header(Table *table, const Tally *tally)
{
    const char *names[] = {"queue", "netdev", "device", "dir", "packets", "buffers"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        table_add(table, names[i]);
    }
    for (guint grade = 0; grade < N_GRADES; grade++) {
        gboolean is_shown = grade == GRADE_ORPHAN || sum_grade(tally, grade) > 0;

        table_add(table, is_shown ? grade_name(grade) : "");
    }
}

static void add_queue(Table *table, const QueueTally *tally)
{
    const Queue *queue = tally->queue;

    table_take(table, g_strdup_printf("q%u", queue->id));
    table_take(table, words_escape(queue->ifname != NULL ? queue->ifname : queue->tap));
    table_take(table, words_escape(queue->device != NULL ? queue->device : queue->host_device));
    table_add(table, queue_direction_name(queue->direction));
    table_take(table, words_count(tally->packets));
    table_take(table, words_count(tally->joined));
    for (guint grade = 0; grade < N_GRADES; grade++) {
        table_take(table, count_or_empty(tally->grades[grade]));
    }
}

/* "  q3: 3 orphans capture-begin, 2 in-flight" */
static void print_orphans(FILE *out, const QueueTally *tally)
{
    const char *separator = "";

    if (tally->grades[GRADE_ORPHAN] == 0) {
        return;
    }
    fprintf(out, "  orphans of q%u: ", tally->queue->id);
    for (guint reason = 0; reason < N_ORPHAN_REASONS; reason++) {
        if (tally->reasons[reason] > 0) {
            g_autofree char *count = words_count(tally->reasons[reason]);

            fprintf(out, "%s%s %s", separator, count, orphan_reason_name(reason));
            separator = ", ";
        }
    }
    fputc('\n', out);
}

static void print_evidence(FILE *out, const QueueTally *tally)
{
    if (tally->queue->evidence != NULL) {
        g_autofree char *evidence = words_escape(tally->queue->evidence);

        fprintf(out, "  q%u is paired by: %s\n", tally->queue->id, evidence);
    }
}

/* All other queues in one line: they are most of a VM's queues, and rarely what is looked for. */
static void print_others(FILE *out, const Tally *tally)
{
    guint64 queues = 0;
    guint64 buffers = 0;

    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        if (!text_is_listed(tally, queue)) {
            queues++;
            buffers += queue->joined + queue->grades[GRADE_ORPHAN];
        }
    }
    if (queues > 0) {
        g_autofree char *n_queues = words_plural(queues, "other queue");
        g_autofree char *n_buffers = words_plural(buffers, "buffer");

        fprintf(out, "  %s: %s\n", n_queues, n_buffers);
    }
}

void text_print_queues(ReportSink *sink, const Tally *tally)
{
    g_autoptr(Table) table = table_new("llllrrrrrr");

    if (tally_at(tally, 0) == NULL) {
        return;
    }
    add_header(table, tally);
    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        if (text_is_listed(tally, queue) && was_used(queue)) {
            add_queue(table, queue);
        }
    }
    fputc('\n', sink->out);
    text_heading(sink, "Queues");
    table_print(table, sink->out, 2);
    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        if (text_is_listed(tally, queue)) {
            print_orphans(sink->out, queue);
            print_evidence(sink->out, queue);
        }
    }
    print_others(sink->out, tally);
}

static const guint quantiles[] = {5000, 9000, 9900};

/* The times of a hop, and one bound that holds for each of them. */
static void add_times(Table *table, const HopStats *hop)
{
    Latency shown[G_N_ELEMENTS(quantiles) + 1];
    gint64 error = 0;

    for (guint i = 0; i < G_N_ELEMENTS(quantiles); i++) {
        shown[i] = hop_stats_quantile(hop, quantiles[i]);
    }
    shown[G_N_ELEMENTS(quantiles)] = hop_stats_max(hop);
    for (guint i = 0; i < G_N_ELEMENTS(shown); i++) {
        gint64 this_error = latency_error(shown[i]);

        table_take(table, words_latency(shown[i], FALSE));
        error = this_error < 0 || error < 0 ? -1 : MAX(error, this_error);
    }
    if (error > 0) {
        g_autofree char *bound = words_bound(error);

        table_take(table, g_strdup_printf("±%s", bound));
    } else {
        table_add(table, error < 0 ? "none" : "");
    }
}

static void add_hop(Table *table, const HopStats *hop)
{
    table_take(table, g_strdup_printf("%s → %s", step_info(hop->from)->name,
                                      step_info(hop->to)->name));
    table_add(table, party_name(hop->whose));
    table_take(table, words_count(histogram_count(hop->ns)));
    add_times(table, hop);
}

static void print_queue_hops(ReportSink *sink, const QueueTally *tally)
{
    const char *names[] = {"hop", "whose", "n", "p50", "p90", "p99", "max", "bound"};
    g_autoptr(Table) table = table_new("llrrrrrr");
    g_autofree char *name = words_queue_name(tally->queue);
    g_autofree char *buffers = words_plural(tally->timed, "buffer");
    g_autofree char *heading =
        g_strdup_printf("q%u %s %s: %s", tally->queue->id, name,
                        queue_direction_name(tally->queue->direction), buffers);
    const HopStats *whole = hop_table_whole(tally->hops);

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        table_add(table, names[i]);
    }
    for (guint i = 0; hop_table_at(tally->hops, i) != NULL; i++) {
        add_hop(table, hop_table_at(tally->hops, i));
    }
    table_add(table, "first → last");
    table_add(table, "");
    table_take(table, words_count(histogram_count(whole->ns)));
    add_times(table, whole);
    fputc('\n', sink->out);
    text_heading(sink, heading);
    table_print(table, sink->out, 2);
}

void text_print_hops(ReportSink *sink, const Tally *tally)
{
    for (guint i = 0; tally_at(tally, i) != NULL; i++) {
        const QueueTally *queue = tally_at(tally, i);

        if (text_is_listed(tally, queue) && hop_table_whole(queue->hops) != NULL) {
            print_queue_hops(sink, queue);
        }
    }
}
