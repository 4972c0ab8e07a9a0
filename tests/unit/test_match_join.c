/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The join of one queue: rows of both sides' packets and what becomes of them.
 *
 * A packet is a letter, and its true time is 1000 ns times its place in the alphabet. The guest's
 * clock is the host's. A packet is sent 100 ns before its pop and freed 100 ns after its push.
 */
#include "join.h"

#include <string.h>

typedef struct Row {
    const char *sentence;
    /* Packets in order; '(' begins a loss of that side, ')' ends it, '!' is a reset of the host.
       Capitals after '(' are packets made inside it. */
    const char *guest;
    const char *host;
    /* What the join tells, in order: "a" a pair, "?a" ambiguous, "g:a" or "h:a" an orphan. */
    const char *told;
} Row;

static const Row rows[] = {
    {"all packets of both sides", "abcdefgh", "abcdefgh", "abcdefgh"},
    {"the host began earlier", "defghijk", "abcdefghijk", "h:ah:bh:cdefghijk"},
    {"the guest began earlier", "abcdefghijk", "defghijk", "g:ag:bg:cdefghijk"},
    {"the host ended earlier", "abcdefgh", "abcdef", "abcdefg:gg:h"},
    {"too few packets to be sure", "abc", "abc", "g:ag:bg:ch:ah:bh:c"},
    {"a loss of the host that took nothing of this queue", "abcdefghijklmn", "abcde(FG)hijklmn",
     "abcdefghijklmn"},
    {"a loss of the host that took two packets", "abcdefghijklmn", "abcde()hijklmn",
     "abcdeg:fg:ghijklmn"},
    {"a loss of the host that took one of three", "abcdefghijklmn", "abcd(EG)hijklmn",
     "abcdg:eg:fg:gh:eh:ghijklmn"},
    {"a loss of the guest that took two packets", "abcde()hijklmn", "abcdefghijklmn",
     "abcdeh:fh:ghijklmn"},
    {"losses of both sides prove nothing", "abcd(EF)ghijklmn", "abcd(EF)ghijklmn",
     "abcdg:eg:fh:eh:fghijklmn"},
    {"what was in flight at a reset never comes back", "abcdefghijklmn", "abcd!ghijklmn",
     "abcdg:eg:fghijklmn"},
};

static const char *const orphan_sides[] = {"g:", "h:"};

static char letter_of(const Half *half)
{
    return half->object;
}

static void on_pair(guint join, const Half *guest, const Half *host, Grade grade,
                    gpointer user_data)
{
    g_assert_cmpint(letter_of(guest), ==, letter_of(host));
    g_string_append(user_data, grade == GRADE_AMBIGUOUS ? "?" : "");
    g_string_append_c(user_data, letter_of(guest));
}

static void on_orphan(guint join, const Half *guest, const Half *host, OrphanReason reason,
                      gpointer user_data)
{
    g_assert_cmpint(reason, !=, ORPHAN_NONE);
    g_string_append(user_data, orphan_sides[guest == NULL]);
    g_string_append_c(user_data, letter_of(guest ? guest : host));
}

static ClockMap *same_clock;

static const ClockMap *on_map(gpointer user_data)
{
    return same_clock;
}

static Half half_of(char letter, gboolean is_guest, guint32 flags)
{
    gint64 time = 1000 * (g_ascii_tolower(letter) - 'a' + 1);
    Half half = {.object = g_ascii_tolower(letter), .n_parts = 1};

    half.times.made = time;
    half.times.cause = is_guest ? time - 100 : time;
    half.times.effect = is_guest ? time + 100 : time;
    half.times.flags = flags | HALF_HAS_CAUSE | HALF_HAS_EFFECT;
    return half;
}

static void feed(Join *join, const char *letters, gboolean is_guest)
{
    guint32 after = 0;
    gboolean in_loss = FALSE;

    for (; *letters != '\0'; letters++) {
        Half half;

        if (strchr("()!", *letters) != NULL) {
            in_loss = *letters == '(';
            after = *letters == ')' ? HALF_AFTER_LOSS : *letters == '!' ? HALF_AFTER_RESET : after;
            continue;
        }
        half = half_of(*letters, is_guest, in_loss ? HALF_SUSPECT : after);
        after = in_loss ? after : 0;
        if (is_guest) {
            join_guest(join, &half);
        } else {
            join_host(join, &half);
        }
    }
}

/* The trace of a side ends a little after its last packet. */
static gint64 end_of(const char *letters)
{
    return 1000 * (letters[strlen(letters) - 1] - 'a' + 1) + 200;
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    g_autoptr(GString) told = g_string_new(NULL);
    Alignment none = {.basis = ALIGN_NONE};
    JoinFuncs funcs = {.pair = on_pair, .orphan = on_orphan, .map = on_map, .user_data = told};
    Join *join = join_new(0, &funcs, &none);

    join_set_ends(join, (GuestTime){end_of(row->guest)}, (HostTime){end_of(row->host)});
    feed(join, row->guest, TRUE);
    feed(join, row->host, FALSE);
    join_end(join);
    join_free(join);
    g_assert_cmpstr(told->str, ==, row->told);
}

/* A map that is exact to 50 ns: half of what lies between a packet's two steps. */
static ClockMap *make_map(void)
{
    ClockPrior prior = clock_prior_exact((ClockRate){1, 1});
    g_autoptr(ClockSolver) solver = clock_solver_new(&prior, FALSE);

    for (int side = 0; side < 2; side++) {
        ClockPair pair = {.guest = {0},
                          .host = {side ? -50 : 50},
                          .order = side ? CLOCK_HOST_FIRST : CLOCK_GUEST_FIRST};

        clock_solver_add(solver, &pair);
    }
    return clock_solver_finish(solver);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/join/%s", rows[i].sentence);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    same_clock = make_map();
    status = g_test_run();
    clock_map_free(same_clock);
    return status;
}
