/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON lines: the contract, line by line. tests/meta/test_json.py checks validity and docs.
 */
#include <string.h>

#include "report_made.h"

static Queue tx = {.id = 3, .direction = QUEUE_TX, .ifname = (char *)"eth0", .index = 1,
                   .device = (char *)"virtio1"};

/* Line @n of what @journey gives. */
static char *line_of(const Journey *journey, guint n)
{
    MadeReport report;
    RunTotals totals = {.grades = {[GRADE_ORDERED] = 1}, .journeys = 1};

    made_begin(&report, "jsonl");
    report_queue(&report.sink, &tx);
    report_journey(&report.sink, journey);
    g_autofree char *text = made_end(&report, &totals);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    g_assert_cmpuint(n, <, g_strv_length(lines));
    return g_strdup(lines[n]);
}

static void test_queue(void)
{
    Journey journey = made_tx(&tx, 17, 0);
    g_autofree char *run = line_of(&journey, 0);
    g_autofree char *queue = line_of(&journey, 1);

    g_assert_cmpstr(run, ==, "{\"type\":\"run\",\"version\":1,\"sources\":[]}");
    g_assert_cmpstr(queue, ==,
                    "{\"type\":\"queue\",\"queue\":\"q3\",\"device\":\"virtio1\","
                    "\"host_device\":null,\"driver\":null,\"ifname\":\"eth0\",\"tap\":null,"
                    "\"index\":1,\"dir\":\"tx\",\"evidence\":null}");
}

static void test_journey(void)
{
    Journey journey = made_tx(&tx, 17, 0);

    journey.n_steps = 3;
    journey.part = 1;
    journey.n_parts = 2;
    g_autofree char *line = line_of(&journey, 2);

    g_assert_cmpstr(
        line, ==,
        "{\"type\":\"journey\",\"queue\":\"q3\",\"seq\":17,\"grade\":\"ordered\",\"len\":98,"
        "\"part\":1,\"parts\":2,\"held\":3,\"skb\":\"0xffff888000000011\",\"steps\":["
        "{\"step\":\"queue\",\"side\":\"guest\",\"t\":100000000000,\"lo\":99999988000,"
        "\"hi\":100000012000,\"raw\":0,\"cpu\":1,\"tid\":812},"
        "{\"step\":\"xmit\",\"side\":\"guest\",\"t\":100000001200,\"lo\":99999989200,"
        "\"hi\":100000013200,\"raw\":1200,\"cpu\":1,\"tid\":812},"
        "{\"step\":\"pop\",\"side\":\"host\",\"t\":100000061200,\"lo\":100000061200,"
        "\"hi\":100000061200,\"raw\":61200,\"tid\":812}],\"hops\":["
        "{\"from\":\"queue\",\"to\":\"xmit\",\"ns\":1200,\"lo\":1200,\"hi\":1200,"
        "\"whose\":\"guest\"},"
        "{\"from\":\"xmit\",\"to\":\"pop\",\"ns\":60000,\"lo\":48000,\"hi\":72000,"
        "\"whose\":\"vmm\"}]}");
}

static void test_unbounded(void)
{
    Journey journey = {.queue = &tx, .grade = GRADE_ORDERED, .n_parts = 1, .held = -1};

    made_unbounded_step(&journey, STEP_XMIT, 0);
    made_step(&journey, STEP_POP, 1000);
    g_autofree char *line = line_of(&journey, 2);

    g_assert_nonnull(strstr(line, "\"t\":null,\"lo\":null,\"hi\":null,\"raw\":0"));
    g_assert_nonnull(strstr(line, "{\"from\":\"xmit\",\"to\":\"pop\",\"ns\":null,\"lo\":null,"
                                  "\"hi\":null,\"whose\":\"vmm\"}"));
}

static void test_orphan(void)
{
    Journey journey = made_tx(&tx, 18, 0);

    journey.grade = GRADE_ORPHAN;
    journey.reason = ORPHAN_OTHER_SIDE_ENDS;
    g_autofree char *line = line_of(&journey, 2);

    g_assert_true(g_str_has_prefix(
        line, "{\"type\":\"orphan\",\"queue\":\"q3\",\"seq\":18,\"reason\":\"capture-end\","));
}

static void test_summary(void)
{
    Journey journey = made_tx(&tx, 0, 0);
    g_autofree char *line = line_of(&journey, 3);

    g_assert_cmpstr(line, ==,
                    "{\"type\":\"summary\",\"queues\":0,\"journeys\":1,\"exact\":0,\"ordered\":1,"
                    "\"ambiguous\":0,\"orphans\":0,\"lost\":0,\"violations\":0,\"packets_tx\":0,"
                    "\"packets_rx\":0,\"orphan_reasons\":{}}");
}

static void test_escaping(void)
{
    MadeReport report;
    RunTotals totals = {0};
    RunNote note = {"kind", "a\"b\\c\n\033\x7f\xff" "\xc2\x9b" "ö"};

    made_begin(&report, "jsonl");
    report_note(&report.sink, &note);
    g_autofree char *text = made_end(&report, &totals);

    g_assert_nonnull(strstr(text, "\"text\":\"a\\\"b\\\\c\\u000a\\u001b\\u007f\xef\xbf\xbd"
                                  "\\u009bö\"}"));
    g_assert_true(g_utf8_validate(text, -1, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/jsonl/run and queue", test_queue);
    g_test_add_func("/jsonl/a journey with bounds", test_journey);
    g_test_add_func("/jsonl/what is unbounded is null", test_unbounded);
    g_test_add_func("/jsonl/an orphan with its reason", test_orphan);
    g_test_add_func("/jsonl/the summary", test_summary);
    g_test_add_func("/jsonl/hostile text", test_escaping);
    return g_test_run();
}
