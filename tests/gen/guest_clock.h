/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guest's clock as a function of true time (the host's CLOCK_MONOTONIC in ns).
 */
#ifndef VIRTCORR_GEN_GUEST_CLOCK_H
#define VIRTCORR_GEN_GUEST_CLOCK_H

#include "random.h"

typedef enum ClockModel {
    CLOCK_MODEL_KVM,   /* ns, a constant offset */
    CLOCK_MODEL_TSC,   /* cycles, a constant ratio and offset */
    CLOCK_MODEL_DRIFT, /* ns, up to 500 ppm off, the slope changes a little every second */
    CLOCK_MODEL_STEP,  /* ns, jumps once */
} ClockModel;

/**
 * ClockPiece: from @begin on, raw = @raw + (t - @begin) × @num / @den, modulo 2⁶⁴, rounded down.
 */
typedef struct ClockPiece {
    guint64 begin;
    guint64 raw;
    guint64 num;
    guint64 den;
} ClockPiece;

/**
 * GuestClock:
 * @pieces: array of ClockPiece in the order of time
 * @slope_ppb: what the clock gains, for CLOCK_MODEL_DRIFT
 */
typedef struct GuestClock {
    ClockModel model;
    GArray *pieces;
    gint64 slope_ppb;
    Random random;
} GuestClock;

enum { TSC_KHZ = 2445408 };

/* At true time @begin the clock shows @raw. */
void guest_clock_init(GuestClock *clock, ClockModel model, guint64 begin, guint64 raw,
                      guint64 seed);
void guest_clock_clear(GuestClock *clock);

/* What the clock shows at @t. */
guint64 guest_clock_read(GuestClock *clock, guint64 t);

/* From true time @t on the clock shows @delta more than it would have. */
void guest_clock_step(GuestClock *clock, guint64 t, gint64 delta);

#endif
