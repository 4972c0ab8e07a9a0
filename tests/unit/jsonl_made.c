/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prints JSON lines of a made run in which every kind of line and every key occurs.
 */
#include "report_made.h"

static void add_clock(MadeReport *report)
{
    RunClockSegment segment = {{made_time(0)}, {made_time(9)}, 12100, -1, 2, 2, TRUE, TRUE,
                               -1200, 900, "the VM was paused"};
    RunClock clock = {.from = "guest.dat:local", .to = "host.trace:monotonic",
                      .method = "causality", .pairs = 2, .segments = &segment, .n_segments = 1};

    report_clock(&report->sink, &clock);
}

int main(void)
{
    MadeReport report;
    Queue tx = {.id = 0, .direction = QUEUE_TX, .ifname = (char *)"eth\033\xff\"0"};
    Journey journey = made_tx(&tx, 0, 0);
    Journey orphan = made_tx(&tx, 1, 1000000);
    RunLoss loss = {"guest.dat", {G_MININT64}, {made_time(0)}, 0};
    RunNote note = {"vhost", "QEMU's events are silent"};
    RunTotals totals = {.orphan_reasons = {[ORPHAN_DROPPED] = 1}};

    journey.n_parts = 2;
    orphan.grade = GRADE_ORPHAN;
    orphan.reason = ORPHAN_DROPPED;
    made_begin(&report, "jsonl");
    made_sources(&report);
    report_queue(&report.sink, &tx);
    add_clock(&report);
    report_journey(&report.sink, &journey);
    report_journey(&report.sink, &orphan);
    report_loss(&report.sink, &loss);
    report_note(&report.sink, &note);
    g_autofree char *text = made_end(&report, &totals);

    fputs(text, stdout);
    return 0;
}
