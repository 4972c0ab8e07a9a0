/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host's side: rows of QEMU's events and the halves that come of them.
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

typedef struct Row {
    const char *sentence;
    /* Events a ms apart: "pop E", "rpop E" (a receive buffer), "fill E LEN IDX", "flush N", "irq",
       "handle", "reset", "lose", "found"; E is a letter. */
    const char *events;
    /* Halves in order: "E#SEQ" and, in parentheses, part/parts:len where there are several or a
       length; then the steps with their ms; "!" and the reason of an orphan. */
    const char *halves;
} Row;

static const Row rows[] = {
    {"one buffer sent", "handle;pop a;fill a 0 0;flush 1;irq",
     "a#0 wake@0 pop@1 push@3 irq@4"},
    {"an irq serves all pushes before it", "pop a;fill a 0 0;flush 1;pop b;fill b 0 0;flush 1;irq",
     "a#0 pop@0 push@2 irq@6;b#1 pop@3 push@5 irq@6"},
    {"a received packet of two buffers", "rpop a;rpop b;fill a 1500 0;fill b 100 1;flush 2;irq",
     "a#0(0/2:1600) pop@0 push@4 irq@5;b#1(1/2:1600) pop@1 push@4 irq@5"},
    {"popped before the trace began", "fill a 0 0;flush 1;irq", "a#0 push@1 irq@2"},
    {"a ring without flush events: the irq ends the batch", "pop a;fill a 0 0;irq",
     "a#0 pop@0 push@1 irq@2"},
    {"a ring without flush events: the next batch ends this one",
     "pop a;fill a 0 0;pop b;fill b 0 0;irq", "a#0 pop@0 push@1 irq@4;b#1 pop@2 push@3 irq@4"},
    {"unpopped and popped again: the same place in the ring", "pop a;pop a;fill a 0 0;flush 1;irq",
     "a#0 pop@1 push@3 irq@4"},
    {"what a reset leaves in flight is an orphan, and counting starts again",
     "pop a;reset;pop b;fill b 0 0;flush 1;irq", "a#0 pop@0!reset;b#0 pop@2 push@4 irq@5"},
    {"in flight when the trace ends", "pop a", "a#0 pop@0!in-flight"},
    {"across a loss an elem may be another buffer's", "pop a;lose;found;fill a 0 0;flush 1;irq",
     "a#0 pop@0!lost-records;a#1 push@4 irq@5"},
};

static void tell_half(guint queue, const Half *half, gpointer user_data)
{
    GString *told = user_data;

    g_string_append_printf(told, "%s%c#%" G_GUINT64_FORMAT, told->len > 0 ? ";" : "",
                           (char)half->object, half->seq);
    if (half->n_parts > 1) {
        g_string_append_printf(told, "(%u/%u:%u)", half->part, half->n_parts, half->len);
    }
    for (guint step = 0; step < N_STEPS; step++) {
        const Stamp *stamp = half_find(half, step);

        if (stamp != NULL) {
            g_string_append_printf(told, " %s@%" G_GINT64_FORMAT, step_info(step)->name,
                                   stamp->time);
        }
    }
    if (half->reason != ORPHAN_NONE) {
        g_string_append_printf(told, "!%s", orphan_reason_name(half->reason));
    }
}

static void feed(Host *host, const char *text, gint64 time)
{
    static const struct {
        const char *name;
        EventKind kind;
    } kinds[] = {
        {"pop", EVENT_VQ_POP}, {"rpop", EVENT_VQ_POP}, {"fill", EVENT_VQ_FILL},
        {"flush", EVENT_VQ_FLUSH}, {"irq", EVENT_VQ_IRQ}, {"handle", EVENT_VQ_HANDLE},
        {"reset", EVENT_VIRTIO_STATUS},
    };
    g_auto(GStrv) words = g_strsplit(text, " ", 4);
    gboolean is_receive = strcmp(words[0], "rpop") == 0;
    Event event = {.time = time, .cpu = NO_CPU, .ptr = {0x1000, 0x2000}};

    if (strcmp(words[0], "lose") == 0 || strcmp(words[0], "found") == 0) {
        host_set_suspect(host, 0, strcmp(words[0], "lose") == 0);
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        event.kind = strcmp(kinds[i].name, words[0]) == 0 ? kinds[i].kind : event.kind;
    }
    if (event.kind == EVENT_VQ_POP) {
        event.ptr[1] = words[1][0];
        event.num[is_receive ? 0 : 1] = 1;
    } else if (event.kind == EVENT_VQ_FILL) {
        event.ptr[1] = words[1][0];
        event.num[0] = atoi(words[2]);
        event.num[1] = atoi(words[3]);
    } else if (event.kind == EVENT_VQ_FLUSH) {
        event.num[0] = atoi(words[1]);
    }
    host_event(host, &event, "");
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    g_auto(GStrv) events = g_strsplit(row->events, ";", -1);
    g_autoptr(GString) told = g_string_new(NULL);
    g_autoptr(Host) host = host_new();
    const Event handle = {.kind = EVENT_VQ_HANDLE, .ptr = {0x1000, 0x2000}};

    /* A first pass has told which device the queue is of. */
    host_begin(host, 0, tell_half, told);
    host_event(host, &handle, "");
    host_begin(host, 0, tell_half, told);
    for (gint64 i = 0; events[i] != NULL; i++) {
        feed(host, events[i], i);
    }
    host_end(host);
    g_assert_cmpstr(told->str, ==, row->halves);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/host/%s", rows[i].sentence);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    return g_test_run();
}
