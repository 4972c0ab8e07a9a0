/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hand-made runs for the tests of reports.
 */
#include "report_made.h"

#include <stdlib.h>

gint64 made_time(gint64 offset)
{
    return 100 * G_GINT64_CONSTANT(1000000000) + offset;
}

static void add_step(Journey *journey, StepId step, gint64 offset, HostSpan when)
{
    journey->steps[journey->n_steps++] = (Step){
        .step = step,
        .cpu = step_is_guest(step) ? 1 : G_MAXUINT16,
        .tid = 812,
        .raw = offset,
        .when = when,
    };
}

void made_step(Journey *journey, StepId step, gint64 offset)
{
    gint64 at = made_time(offset);
    gint64 error = step_is_guest(step) ? MADE_ERROR : 0;

    add_step(journey, step, offset, (HostSpan){{at - error}, {at}, {at + error}});
}

void made_unbounded_step(Journey *journey, StepId step, gint64 offset)
{
    add_step(journey, step, offset,
             (HostSpan){{G_MININT64}, {made_time(offset)}, {G_MAXINT64}});
}

static Journey new_journey(const Queue *queue, guint64 seq)
{
    return (Journey){
        .queue = queue,
        .seq = seq,
        .grade = GRADE_ORDERED,
        .len = 98,
        .n_parts = 1,
        .skb = 0xffff888000000000 + seq,
        .held = -1,
    };
}

Journey made_tx(const Queue *queue, guint64 seq, gint64 begin)
{
    Journey journey = new_journey(queue, seq);

    journey.held = 3;
    made_step(&journey, STEP_QUEUE, begin);
    made_step(&journey, STEP_XMIT, begin + 1200);
    made_step(&journey, STEP_POP, begin + 61200);
    made_step(&journey, STEP_PUSH, begin + 140000);
    made_step(&journey, STEP_FREE, begin + 640000);
    return journey;
}

Journey made_rx(const Queue *queue, guint64 seq, gint64 begin)
{
    Journey journey = new_journey(queue, seq);

    made_step(&journey, STEP_POP, begin);
    made_step(&journey, STEP_PUSH, begin + 2000);
    made_step(&journey, STEP_IRQ, begin + 3000);
    made_step(&journey, STEP_ISR, begin + 63000);
    made_step(&journey, STEP_SOFTIRQ, begin + 65000);
    made_step(&journey, STEP_STACK, begin + 70000);
    made_step(&journey, STEP_POLL, begin + 90000);
    made_step(&journey, STEP_COPY, begin + 120000);
    return journey;
}

void made_begin(MadeReport *report, const char *name)
{
    ReportOptions options = {0};
    FILE *out = open_memstream(&report->text, &report->size);

    g_assert_nonnull(out);
    report_begin(&report->sink, report_type_by_name(name), out, &options);
}

char *made_end(MadeReport *report, const RunTotals *totals)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(report_end(&report->sink, totals, &error));
    g_assert_no_error(error);
    fclose(report->sink.out);

    char *text = g_strdup(report->text);

    free(report->text);
    return text;
}

void made_sources(MadeReport *report)
{
    static const RunProblem problems[] = {{"a record runs past the end of the file", 1234, 2}};
    static const RunSource sources[] = {
        {"host.trace", "simpletrace", "host", "monotonic", 601234, 0, NULL, 0},
        {"guest.dat", "trace.dat", "guest", "x86-tsc", 1, 12, problems, 1},
    };

    for (guint i = 0; i < G_N_ELEMENTS(sources); i++) {
        report_source(&report->sink, &sources[i]);
    }
}
