/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's side: rows of kernel tracepoints and the halves that come of them.
 */
#include "guest.h"

#include <stdlib.h>
#include <string.h>

typedef struct Row {
    const char *sentence;
    /* Events a unit of time apart on CPU 0; S is a letter, the skb: "queue S", "start S LEN",
       "xmit S RC", "consume S", "kfree S", "irq NAME", "in" and "out" of the NET_RX softirq,
       "recv S LEN", "stack S LEN", "copy S", "poll WORK", "lose", "found". */
    const char *events;
    /* Halves: direction, "S#SEQ:LEN", steps with their times; "c", "e", "b" the cause, effect and
       border; "~" one of a group that is not sure; "!" and the reason of an orphan. */
    const char *halves;
} Row;

static const Row rows[] = {
    {"sent and freed in a poll",
     "queue a;start a 98;xmit a 0;irq virtio0-output.0;in;consume a;poll 0;out",
     "tx a#0:98 queue@0 xmit@1 isr@3 softirq@4 poll@6 free@5 c1 e5"},
    {"refused by the driver: it comes again",
     "start a 98;xmit a 16;start a 98;xmit a 0;consume a", "tx a#0:98 xmit@2 free@4 c2 e4"},
    {"dropped inside the driver: it never was a buffer",
     "start a 98;kfree a;xmit a 0;start b 60;xmit b 0;consume b",
     "tx a#0:98 xmit@0 free@1!dropped c0;tx b#0:60 xmit@3 free@5 c3 e5"},
    {"without net_dev_start_xmit the queueing is the last stamp before the driver",
     "queue a;xmit a 0;consume a", "tx a#0:0 queue@0 free@2 c0 e2"},
    {"a packet that got to the application",
     "irq virtio0-input.0;in;recv a 84;stack a 84;poll 1;out;copy a;consume a",
     "rx a#0:84 isr@0 softirq@1 poll@4 receive@2 stack@3 copy@6 free@7 e2"},
    {"one skb sent, freed, and used again for what is received in the same softirq",
     "start a 98;xmit a 0;in;consume a;poll 0;recv a 84;stack a 84;kfree a;poll 1;out",
     "tx a#0:98 xmit@0 softirq@2 poll@4 free@3 c0 e3;"
     "rx a#0:84 softirq@2 poll@8 receive@5 stack@6 free@7 e5"},
    {"another device's interrupt is not the packet's",
     "irq virtio1-requests;irq virtio0-output.0;in;recv a 84;kfree a;poll 1;out",
     "rx a#0:84 softirq@2 poll@5 receive@3 free@4 e3"},
    {"a poll that left its budget had found the ring empty: a border for the next packet",
     "in;recv a 84;kfree a;poll 1;out;in;recv b 84;kfree b;poll 1;out",
     "rx a#0:84 softirq@0 poll@3 receive@1 free@2 e1;"
     "rx b#1:84 softirq@5 poll@8 receive@6 free@7 e6 b1"},
    {"a poll that used up its budget tells nothing of the ring",
     "in;recv a 84;kfree a;poll 64;out;in;recv b 84;kfree b;poll 1;out",
     "rx a#0:84 softirq@0 poll@3 receive@1 free@2 e1~;"
     "rx ?#1:0~;rx b#64:84 softirq@5 poll@8 receive@6 free@7 e6"},
    {"a poll that took a packet more than was recorded",
     "in;recv a 84;kfree a;recv b 60;kfree b;poll 3;out",
     "rx a#0:84 softirq@0 poll@5 receive@1 free@2 e1~;"
     "rx b#1:60 softirq@0 poll@5 receive@3 free@4 e3~;rx ?#2:0~"},
    {"across a loss an skb may be another packet's", "start a 98;xmit a 0;lose;found;consume a",
     "tx a#0:98 xmit@0 c0"},
};

enum { NET_RX = 3 };

typedef struct Told {
    GString *text;
    const Guest *guest;
    guint unnamed; /* halves without a record in a row */
} Told;

static void tell_times(GString *text, const HalfTimes *times)
{
    if (times->flags & HALF_HAS_CAUSE) {
        g_string_append_printf(text, " c%" G_GINT64_FORMAT, times->cause);
    }
    if (times->flags & HALF_HAS_EFFECT) {
        g_string_append_printf(text, " e%" G_GINT64_FORMAT, times->effect);
    }
    if (times->flags & HALF_HAS_BORDER) {
        g_string_append_printf(text, " b%" G_GINT64_FORMAT, times->border);
    }
    g_string_append(text, times->flags & HALF_UNSURE ? "~" : "");
}

static void tell_half(guint queue, const Half *half, gpointer user_data)
{
    Told *told = user_data;
    GString *text = told->text;
    gboolean is_tx = guest_queue(told->guest, queue)->stream == GUEST_TX;

    told->unnamed = half->object == 0 ? told->unnamed + 1 : 0;
    if (told->unnamed > 1) {
        return;
    }
    g_string_append_printf(text, "%s%s %c#%" G_GUINT64_FORMAT ":%u", text->len > 0 ? ";" : "",
                           is_tx ? "tx" : "rx", half->object ? (char)half->object : '?',
                           half->seq, half->len);
    for (guint step = 0; step < N_STEPS; step++) {
        const Stamp *stamp = half_find(half, step);

        if (stamp != NULL) {
            g_string_append_printf(text, " %s@%" G_GINT64_FORMAT, step_info(step)->name,
                                   stamp->time);
        }
    }
    if (half->reason != ORPHAN_NONE) {
        g_string_append_printf(text, "!%s", orphan_reason_name(half->reason));
    }
    tell_times(text, &half->times);
}

/* Where an event's words go. */
static const struct {
    const char *name;
    EventKind kind;
    gboolean has_skb;
    guint number; /* which Event.num the next word is */
} kinds[] = {
    {"queue", EVENT_NET_QUEUE, TRUE, 0},     {"start", EVENT_NET_START_XMIT, TRUE, 0},
    {"xmit", EVENT_NET_XMIT, TRUE, 1},       {"consume", EVENT_SKB_CONSUME, TRUE, 0},
    {"kfree", EVENT_SKB_KFREE, TRUE, 0},     {"irq", EVENT_IRQ_ENTRY, FALSE, 0},
    {"in", EVENT_SOFTIRQ_ENTRY, FALSE, 0},   {"out", EVENT_SOFTIRQ_EXIT, FALSE, 0},
    {"recv", EVENT_NAPI_RECEIVE, TRUE, 0},   {"stack", EVENT_NETIF_RECEIVE, TRUE, 0},
    {"copy", EVENT_SKB_COPY, TRUE, 0},       {"poll", EVENT_NAPI_POLL, FALSE, 0},
};

static void feed(Guest *guest, const char *text, gint64 time)
{
    g_auto(GStrv) words = g_strsplit(text, " ", 4);
    Event event = {.time = time};
    const char *name = "eth0";

    if (strcmp(words[0], "lose") == 0 || strcmp(words[0], "found") == 0) {
        guest_set_suspect(guest, strcmp(words[0], "lose") == 0);
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        char **rest = words + 1;

        if (strcmp(kinds[i].name, words[0]) != 0) {
            continue;
        }
        event.kind = kinds[i].kind;
        event.ptr[0] = kinds[i].has_skb ? (guint64)*(*rest++) : 0;
        event.num[kinds[i].number] = *rest != NULL ? atoi(*rest) : 0;
    }
    if (event.kind == EVENT_IRQ_ENTRY) {
        name = words[1];
    } else if (event.kind == EVENT_SOFTIRQ_ENTRY || event.kind == EVENT_SOFTIRQ_EXIT) {
        event.num[0] = NET_RX;
    } else if (event.kind == EVENT_NAPI_POLL) {
        event.num[1] = 64;
    } else if (event.kind == EVENT_NAPI_RECEIVE) {
        event.num[1] = 1; /* queue 0 */
    }
    guest_event(guest, &event, name);
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    g_auto(GStrv) events = g_strsplit(row->events, ";", -1);
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(Guest) guest = guest_new();
    Told told = {.text = text, .guest = guest};

    guest_begin(guest, tell_half, &told);
    for (gint64 i = 0; events[i] != NULL; i++) {
        feed(guest, events[i], i);
    }
    guest_end(guest);
    g_assert_cmpstr(text->str, ==, row->halves);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/guest/%s", rows[i].sentence);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    return g_test_run();
}
