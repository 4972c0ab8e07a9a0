/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
#include "random.h"

guint64 random_next(Random *random)
{
    guint64 z = random->state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

guint64 random_below(Random *random, guint64 n)
{
    return (guint64)(((unsigned __int128)random_next(random) * n) >> 64);
}

guint64 random_between(Random *random, guint64 lo, guint64 hi)
{
    return lo + random_below(random, hi - lo + 1);
}

gboolean random_chance(Random *random, guint ppm)
{
    return random_below(random, 1000000) < ppm;
}

/* Each doubling of the scale is half as likely as the one before: the tail falls as 1/x. */
guint64 random_latency(Random *random, guint64 min, guint64 typical)
{
    enum { MAX_DOUBLINGS = 8 };
    guint64 bits = random_next(random);
    guint doublings = __builtin_ctzll(bits | (1u << MAX_DOUBLINGS));

    return min + ((((bits >> 32) * typical) >> 32) << doublings);
}
