/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reports for people: summary, charts, distributions, alignment. Compared as whole texts, so that
 * a change of layout shows up in review.
 */
#include <string.h>

#include "report_made.h"

static Queue rx = {.id = 0, .direction = QUEUE_RX, .ifname = (char *)"eth0",
                   .device = (char *)"virtio1"};
static Queue tx = {.id = 1, .direction = QUEUE_TX, .ifname = (char *)"eth0",
                   .device = (char *)"virtio1"};

/* @text must have the line @line, as it is. */
static void assert_line(const char *text, const char *line)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    if (!g_strv_contains((const char *const *)lines, line)) {
        g_test_message("no line '%s' in:\n%s", line, text);
        g_test_fail();
    }
}

static void assert_absent(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        g_test_message("'%s' is in:\n%s", part, text);
        g_test_fail();
    }
}

static void test_summary(void)
{
    MadeReport report;
    RunTotals totals = {.journeys = 3, .packets_tx = 3, .lost = 12};
    RunLoss loss = {"guest.dat", {made_time(0)}, {made_time(500)}, 0};

    made_begin(&report, "text");
    made_sources(&report);
    report_queue(&report.sink, &tx);
    for (guint i = 0; i < 3; i++) {
        Journey journey = made_tx(&tx, i, i * 1000000);

        report_journey(&report.sink, &journey);
    }
    report_loss(&report.sink, &loss);
    g_autofree char *text = made_end(&report, &totals);

    assert_line(text, "  host   host.trace  simpletrace, clock monotonic  601,234 events   0 lost");
    assert_line(text, "  guest  guest.dat   trace.dat, clock x86-tsc             1 event  12 lost");
    assert_line(text, "  ! guest.dat: a record runs past the end of the file "
                      "(2×, first at offset 1234)");
    assert_line(text, "  hop           whose  n       p50       p90       p99       max  bound");
    assert_line(text, "  queue → xmit  guest  3  1.200 µs  1.200 µs  1.200 µs  1.200 µs");
    assert_line(text, "  xmit → pop    vmm    3  60.00 µs  60.00 µs  60.00 µs  60.00 µs  ±12µs");
    assert_line(text, "  ! guest.dat: records lost between 100.000000000 s and 100.000000500 s");
    assert_line(text, "12 lost records, 0 order violations");
}

/* A hop that is smaller than its bound is told as less than what it can be at most. */
static void test_less_than_bound(void)
{
    MadeReport report;
    RunTotals totals = {0};
    Journey journey = made_tx(&tx, 0, 0);

    journey.steps[2].when.lo.ns = journey.steps[2].when.at.ns = journey.steps[2].when.hi.ns =
        made_time(5000);
    made_begin(&report, "text");
    made_sources(&report);
    report_journey(&report.sink, &journey);
    g_autofree char *text = made_end(&report, &totals);

    assert_line(text, "  xmit → pop    vmm    1  < 15.80 µs  < 15.80 µs  < 15.80 µs  < 15.80 µs"
                      "  ±12µs");
}

/* What nothing bounds is not printed as if it were known. */
static void test_unbounded(void)
{
    MadeReport report;
    RunTotals totals = {0};
    Journey journey = {.queue = &tx, .grade = GRADE_ORDERED, .n_parts = 1, .held = -1};

    made_unbounded_step(&journey, STEP_XMIT, 0);
    made_step(&journey, STEP_POP, 1000);
    made_begin(&report, "text");
    made_sources(&report);
    report_journey(&report.sink, &journey);
    g_autofree char *text = made_end(&report, &totals);

    assert_line(text, "  xmit → pop    vmm    1    ?    ?    ?    ?   none");
}

typedef struct NameRow {
    const char *sentence;
    const char *name;
    const char *expected;
} NameRow;

static const NameRow name_rows[] = {
    {"an escape sequence", "a\033[2Jb", "a\\x1b[2Jb"},
    {"a line break", "a\nb", "a\\x0ab"},
    {"bytes that are not UTF-8", "a\xff\xc3", "a\\xff\\xc3"},
    {"a C1 control character", "a\xc2\x9b" "2J", "a\\x9b2J"},
    {"a change of writing direction", "a\xe2\x80\xae" "b", "a\\u{202e}b"},
    {"a backslash, so that nothing is taken for an escape", "a\\x1b", "a\\\\x1b"},
    {"letters of any script", "åß", "åß"},
};

/* Names come from the guest: no report for a terminal may pass them on as they are. */
static void test_hostile_name(gconstpointer data)
{
    const NameRow *row = data;
    const char *formats[] = {"text", "chart", "stat"};
    Queue queue = {.id = 0, .direction = QUEUE_TX, .ifname = (char *)row->name};
    Journey journey = made_tx(&queue, 0, 0);

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        MadeReport report;
        RunTotals totals = {0};

        made_begin(&report, formats[i]);
        made_sources(&report);
        report_queue(&report.sink, &queue);
        report_journey(&report.sink, &journey);
        g_autofree char *text = made_end(&report, &totals);

        g_assert_nonnull(strstr(text, row->expected));
        if (strcmp(row->name, row->expected) != 0) {
            g_assert_null(strstr(text, row->name));
        }
        g_assert_true(g_utf8_validate(text, -1, NULL));
    }
}

static void test_tx_table(void)
{
    MadeReport report;
    RunTotals totals = {0};
    Journey joined = made_tx(&tx, 0, 0);
    Journey doubtful = made_tx(&tx, 1, 1000000);
    Journey orphan = {.queue = &tx, .grade = GRADE_ORPHAN, .reason = ORPHAN_DROPPED, .held = -1};

    doubtful.grade = GRADE_AMBIGUOUS;
    made_step(&orphan, STEP_QUEUE, 2000000);
    made_step(&orphan, STEP_FREE, 2000500);
    made_begin(&report, "chart");
    report_journey(&report.sink, &joined);
    report_journey(&report.sink, &doubtful);
    report_journey(&report.sink, &orphan);
    g_autofree char *text = made_end(&report, &totals);

    g_assert_cmpstr(
        text, ==,
        "                                    guest    guest → host      host    host → guest"
        "           driver\n"
        "dev        len          time (s)    qdisc      xmit → pop pop → push     push → free"
        "     total  holds\n"
        "eth0        98     100.000000000 1.200 µs  60.00 µs ±12µs  78.80 µs  500.0 µs ±12µs"
        "  640.0 µs    3\n"
        "eth0        98     100.001000000 1.200 µs  60.00 µs ±12µs  78.80 µs  500.0 µs ±12µs"
        "  640.0 µs    3  ambiguous\n"
        "eth0         -     100.002000000        -               -         -               -"
        "    500 ns    -  orphan: dropped\n");
}

/* Two packets of one softirq stand in one chart and share its steps; a third has its own. */
static void test_rx_chart(void)
{
    MadeReport report;
    RunTotals totals = {0};
    Journey first = made_rx(&rx, 17, 0);
    Journey second = made_rx(&rx, 18, 0);
    Journey third = made_rx(&rx, 19, 1000000);

    for (guint i = 0; i < second.n_steps; i++) {
        if (second.steps[i].step == STEP_STACK || second.steps[i].step == STEP_PUSH) {
            second.steps[i].raw += 100;
            second.steps[i].when.at.ns += 100;
        }
    }
    made_begin(&report, "chart");
    report_journey(&report.sink, &first);
    report_journey(&report.sink, &third);
    report_journey(&report.sink, &second);
    g_autofree char *text = made_end(&report, &totals);

    g_assert_true(g_str_has_prefix(
        text,
        "100.000063000 s  eth0 q0 rx  cpu 1  2 packets, 2 buffers\n"
        "         offset  bound   guest                                     host\n"
        "     -63.000 µs  ±12µs                                             pop #17 and 1 more\n"
        "     -61.000 µs  ±12µs                                             push #17\n"
        "     -60.900 µs  ±13µs                                             push #18\n"
        "     -60.000 µs  ±12µs                                             irq #17 and 1 more\n"
        "      +0.000 µs          isr\n"
        "      +2.000 µs          softirq\n"
        "      +7.000 µs           |-- stack #17, len 98\n"
        "      +7.100 µs           |-- stack #18, len 98\n"
        "     +27.000 µs          poll\n"
        "     +57.000 µs                  copy #17 and 1 more, tid 812\n"
        "\n"
        "100.001063000 s  eth0 q0 rx  cpu 1  1 packet, 1 buffer\n"));
}

static void test_stat(void)
{
    MadeReport report;
    RunTotals totals = {0};

    made_begin(&report, "stat");
    made_sources(&report);
    for (guint i = 0; i < 3; i++) {
        Journey journey = made_tx(&tx, i, i * 1000000);

        journey.steps[1].when.at.ns += i * 1000;
        report_journey(&report.sink, &journey);
    }
    g_autofree char *text = made_end(&report, &totals);

    assert_line(text, "q1 eth0 tx: 3 buffers");
    assert_line(text, "  buffers in the device: p50 1, p99 1, max 1");
    assert_line(text, "  packets in the driver: p50 3, p99 3, max 3");
    assert_line(text, "  queue → xmit (guest), 3");
    assert_line(text, "    min  1.200 µs  p50    2.200 µs  p90  3.200 µs");
    assert_line(text, "           1024 -> 2047        : 1        "
                      "|********************                    |");
    assert_line(text, "           2048 -> 4095        : 2        "
                      "|****************************************|");
    assert_absent(text, "left out");
}

static void test_alignment(void)
{
    MadeReport report;
    RunTotals totals = {0};
    RunClockSegment segments[] = {
        {{0}, {made_time(0)}, 12100, 603000, 5840, 12, TRUE, TRUE, -1200, 900, NULL},
        {{made_time(5)}, {made_time(9)}, -1, -1, 1, 1, TRUE, FALSE, 0, 0, "the VM was paused"},
    };
    RunClock clock = {.from = "guest.dat:local", .to = "host.trace:monotonic",
                      .method = "causality", .pairs = 5841, .violations = 1,
                      .contradiction = "#3 and #4 cannot both be true",
                      .segments = segments, .n_segments = 2};
    RunClock unaligned = {.from = "b.dat:counter", .to = "host.trace:monotonic", .method = "none",
                          .reason = "the clock only counts"};

    made_begin(&report, "clock");
    report_clock(&report.sink, &clock);
    report_clock(&report.sink, &unaligned);
    g_autofree char *text = made_end(&report, &totals);

    assert_line(text, "guest.dat:local → host.trace:monotonic");
    assert_line(text, "  method causality, 5,841 pairs, 1 violation");
    assert_line(text, "  contradiction: #3 and #4 cannot both be true");
    assert_line(text, "    0.000000000  100.000000000      ±13µs     ±603µs  5,840    12"
                      "  -1.200 … +0.900");
    assert_line(text, "  100.000000005  100.000000009  unbounded  unbounded      1     1"
                      "  +0.000 … +0.000  no pair guest before host");
    assert_line(text, "  segment 2 begins: the VM was paused");
    assert_line(text, "  not aligned: the clock only counts");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/sources, hops and loss", test_summary);
    g_test_add_func("/text/a hop smaller than its bound", test_less_than_bound);
    g_test_add_func("/text/an unbounded hop", test_unbounded);
    g_test_add_func("/chart/the table of sent packets", test_tx_table);
    g_test_add_func("/chart/received packets by softirq", test_rx_chart);
    g_test_add_func("/stat/quantiles and bars", test_stat);
    g_test_add_func("/clock/segments and contradictions", test_alignment);
    for (guint i = 0; i < G_N_ELEMENTS(name_rows); i++) {
        g_autofree char *path = g_strdup_printf("/escape/%s", name_rows[i].sentence);

        g_test_add_data_func(path, &name_rows[i], test_hostile_name);
    }
    return g_test_run();
}
