/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of sent packets: where each one's time went, guest and host.
 */
#include "chart.h"

#include "table.h"
#include "words.h"

enum { N_FROM = 3, NONE = N_STEPS };

/**
 * TxColumn: a stretch of a sent packet's way.
 * @from, @to: its ends, best first; NONE ends a list
 */
typedef struct TxColumn {
    const char *heading;
    const char *whose;
    guint width;
    guint from[N_FROM];
    guint to[N_FROM];
} TxColumn;

static const TxColumn columns[] = {
    {"qdisc", "guest", 9, {STEP_QUEUE, NONE}, {STEP_XMIT, NONE}},
    {"xmit → pop", "guest → host", 16, {STEP_XMIT, STEP_ADD, NONE}, {STEP_POP, STEP_TAP_OUT, NONE}},
    {"pop → push", "host", 10, {STEP_POP, NONE}, {STEP_PUSH, NONE}},
    {"push → free", "host → guest", 16, {STEP_PUSH, STEP_TAP_OUT, NONE},
     {STEP_FREE, STEP_REAP, NONE}},
};

enum { DEV_WIDTH = 8, LEN_WIDTH = 6, TIME_WIDTH = 18, TOTAL_WIDTH = 10, HELD_WIDTH = 5 };

static void put_left(FILE *out, const char *text, guint width)
{
    guint used = text_width(text);

    fprintf(out, "%s%*s", text, used < width ? (int)(width - used) : 0, "");
}

static void put_right(FILE *out, const char *text, guint width)
{
    guint used = text_width(text);

    fprintf(out, "%*s%s", used < width ? (int)(width - used) : 1, "", text);
}

void chart_tx_heading(FILE *out)
{
    put_left(out, "", DEV_WIDTH + LEN_WIDTH + TIME_WIDTH);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        put_right(out, columns[i].whose, columns[i].width);
    }
    put_right(out, "", TOTAL_WIDTH);
    put_right(out, "driver\n", HELD_WIDTH + 3);
    put_left(out, "dev", DEV_WIDTH);
    put_right(out, "len", LEN_WIDTH);
    put_right(out, "time (s)", TIME_WIDTH);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        put_right(out, columns[i].heading, columns[i].width);
    }
    put_right(out, "total", TOTAL_WIDTH);
    put_right(out, "holds\n", HELD_WIDTH + 3);
}

static const Step *first_of(const Journey *journey, const guint *steps)
{
    for (guint i = 0; i < N_FROM && steps[i] != NONE; i++) {
        const Step *step = journey_step(journey, steps[i]);

        if (step != NULL) {
            return step;
        }
    }
    return NULL;
}

static char *spell_stretch(const Step *from, const Step *to)
{
    if (from == NULL || to == NULL) {
        return g_strdup("-");
    }
    if (step_is_guest(from->step) == step_is_guest(to->step)) {
        return words_duration(to->when.at.ns - from->when.at.ns);
    }
    return words_latency(host_span_latency(from->when, to->when), TRUE);
}

static void put_columns(FILE *out, const Journey *journey)
{
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        g_autofree char *text = spell_stretch(first_of(journey, columns[i].from),
                                              first_of(journey, columns[i].to));

        put_right(out, text, columns[i].width);
    }
}

void chart_tx_row(FILE *out, const Journey *journey)
{
    g_autofree char *name = words_queue_name(journey->queue);
    g_autofree char *time = words_time(journey->steps[0].when.at);
    g_autofree char *len = journey->len > 0 ? g_strdup_printf("%u", journey->len) : NULL;
    Hop whole;
    g_autofree char *total = journey_whole(journey, HOPS_ALL, &whole)
                                 ? words_latency(whole.latency, FALSE)
                                 : g_strdup("-");
    g_autofree char *held = journey->held >= 0 ? g_strdup_printf("%d", journey->held) : NULL;

    put_left(out, name, DEV_WIDTH);
    put_right(out, len != NULL ? len : "-", LEN_WIDTH);
    put_right(out, time, TIME_WIDTH);
    put_columns(out, journey);
    put_right(out, total, TOTAL_WIDTH);
    put_right(out, held != NULL ? held : "-", HELD_WIDTH);
    if (journey->grade == GRADE_ORPHAN) {
        fprintf(out, "  orphan: %s", orphan_reason_name(journey->reason));
    } else if (journey->grade == GRADE_AMBIGUOUS) {
        fprintf(out, "  ambiguous");
    }
    fputc('\n', out);
}
