/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which packet is which, told from lengths: rows of both sides' sequences.
 */
#include "signature.h"

typedef struct Row {
    const char *sentence;
    const char *guest; /* a letter a packet: its length is the letter's code; '.' has no record */
    const char *host;
    guint32 deltas[3];
    gboolean found;
    gint64 shift;
    guint32 delta;
    gint64 matched;
} Row;

#define PLAIN "abcdefghijklmnopqrstuvwxyz"

static const Row rows[] = {
    {"the same sequence", PLAIN, PLAIN, {0}, TRUE, 0, 0, 26},
    {"the host began earlier", "hijklmnopqrs", PLAIN, {0}, TRUE, 7, 0, 12},
    {"the guest began earlier", PLAIN, "hijklmnopqrs", {0}, TRUE, -7, 0, 12},
    {"the two overlap", "abcdefghijklmnop", "ijklmnopqrstuvwx", {0}, TRUE, -8, 0, 8},
    {"the host counts two bytes more",
     "aeAkIqYcWgSoUmKi",
     "cgCmKs[eYiUqWoMk",
     {2, 1, 0},
     TRUE,
     0,
     2,
     16},
    {"the host counts one byte more",
     "aeAkIqYcWgSoUmKi",
     "bfBlJrZdXhTpVnLj",
     {2, 1, 0},
     TRUE,
     0,
     1,
     16},
    {"lengths that are all the same say nothing",
     "aaaaaaaaaaaaaaaa",
     "aaaaaaaaaaaaaaaa",
     {0},
     FALSE},
    {"a period leaves more than one shift", "abababababab", "babababababababababa", {0}, FALSE},
    {"too few packets to be sure", "abc", "abc", {0}, FALSE},
    {"nothing in common", PLAIN, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", {0}, FALSE},
    {"packets without a record are not compared",
     "abcdefgh..klmnopqrstuvwx",
     PLAIN,
     {0},
     TRUE,
     0,
     0,
     22},
    {"rare lengths among common ones",
     "xxxxaxxxxbxxxxcxxxxdxxxxexxxxfxxxxgxxxx",
     "xxxxxxxaxxxxbxxxxcxxxxdxxxxexxxxfxxxxgxxxx",
     {0},
     TRUE,
     3,
     0,
     39},
};

static Stretch stretch_of(const char *letters, StreamItem *items)
{
    gint64 n = 0;

    for (; letters[n] != '\0'; n++) {
        items[n] = (StreamItem){.len = letters[n] == '.' ? 0 : letters[n]};
        items[n].times.flags = letters[n] == '.' ? HALF_UNSURE : 0;
    }
    return (Stretch){.items = items, .begin = 0, .end = n};
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    StreamItem guest[64];
    StreamItem host[64];
    Signature found;

    g_assert_cmpint(signature_find(stretch_of(row->guest, guest), stretch_of(row->host, host),
                                   row->deltas, &found),
                    ==, row->found);
    if (row->found) {
        g_assert_cmpint(found.shift, ==, row->shift);
        g_assert_cmpuint(found.delta, ==, row->delta);
        g_assert_cmpint(found.matched, ==, row->matched);
        g_assert_cmpint(found.compared, ==, row->matched);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/signature/%s", rows[i].sentence);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    return g_test_run();
}
