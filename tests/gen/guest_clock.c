/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's clock as pieces of straight lines, exact in integers.
 */
#include "guest_clock.h"

enum {
    NS_PER_S = 1000000000,
    MAX_SLOPE_PPB = 500000,
    SLOPE_CHANGE_PPB = 1000,
};

static void add_piece(GuestClock *clock, guint64 begin, guint64 raw)
{
    ClockPiece piece = {begin, raw, 1, 1};

    if (clock->model == CLOCK_MODEL_TSC) {
        piece.num = TSC_KHZ;
        piece.den = 1000000;
    } else if (clock->model == CLOCK_MODEL_DRIFT) {
        piece.num = NS_PER_S + clock->slope_ppb;
        piece.den = NS_PER_S;
    }
    g_array_append_val(clock->pieces, piece);
}

void guest_clock_init(GuestClock *clock, ClockModel model, guint64 begin, guint64 raw,
                      guint64 seed)
{
    *clock = (GuestClock){.model = model, .random = {seed}};
    clock->pieces = g_array_new(FALSE, FALSE, sizeof(ClockPiece));
    clock->slope_ppb = (gint64)random_below(&clock->random, 2 * MAX_SLOPE_PPB + 1) - MAX_SLOPE_PPB;
    add_piece(clock, begin, raw);
}

void guest_clock_clear(GuestClock *clock)
{
    g_array_free(clock->pieces, TRUE);
}

static guint64 piece_read(const ClockPiece *piece, guint64 t)
{
    return piece->raw + (guint64)((unsigned __int128)(t - piece->begin) * piece->num / piece->den);
}

static ClockPiece *last_piece(GuestClock *clock)
{
    return &g_array_index(clock->pieces, ClockPiece, clock->pieces->len - 1);
}

/* The clock's rate wanders once a second; CPUs may still read times of the second before. */
static void wander(GuestClock *clock, guint64 t)
{
    while (t >= last_piece(clock)->begin + NS_PER_S) {
        guint64 begin = last_piece(clock)->begin + NS_PER_S;
        guint64 raw = piece_read(last_piece(clock), begin);

        clock->slope_ppb +=
            (gint64)random_below(&clock->random, 2 * SLOPE_CHANGE_PPB + 1) - SLOPE_CHANGE_PPB;
        clock->slope_ppb = CLAMP(clock->slope_ppb, -MAX_SLOPE_PPB, MAX_SLOPE_PPB);
        add_piece(clock, begin, raw);
    }
}

guint64 guest_clock_read(GuestClock *clock, guint64 t)
{
    if (clock->model == CLOCK_MODEL_DRIFT) {
        wander(clock, t);
    }
    guint i = clock->pieces->len - 1;

    while (i > 0 && g_array_index(clock->pieces, ClockPiece, i).begin > t) {
        i--;
    }
    return piece_read(&g_array_index(clock->pieces, ClockPiece, i), t);
}

void guest_clock_step(GuestClock *clock, guint64 t, gint64 delta)
{
    add_piece(clock, t, guest_clock_read(clock, t) + delta);
}
