/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random numbers that depend on the seed alone: integers only, the same on every machine.
 */
#ifndef VIRTCORR_GEN_RANDOM_H
#define VIRTCORR_GEN_RANDOM_H

#include <glib.h>

typedef struct Random {
    guint64 state;
} Random;

guint64 random_next(Random *random);

/* In [0, @n); @n > 0. */
guint64 random_below(Random *random, guint64 n);

/* In [@lo, @hi]. */
guint64 random_between(Random *random, guint64 lo, guint64 hi);

/* True in @ppm of a million calls. */
gboolean random_chance(Random *random, guint ppm);

/* A latency: at least @min, typically @min + @typical, now and then hundreds of times @typical. */
guint64 random_latency(Random *random, guint64 min, guint64 typical);

#endif
