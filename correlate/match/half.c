/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Halves: what one side's trace says of a buffer, before both sides are joined.
 */
#include "half.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

void half_stamp(Half *half, Stamp stamp)
{
    if (half->n_stamps < HALF_MAX_STAMPS && half_find(half, stamp.step) == NULL) {
        half->stamps[half->n_stamps++] = stamp;
    }
}

const Stamp *half_find(const Half *half, StepId step)
{
    for (guint i = 0; i < half->n_stamps; i++) {
        if (half->stamps[i].step == step) {
            return &half->stamps[i];
        }
    }
    return NULL;
}

void half_ring_clear(HalfRing *ring)
{
    g_free(ring->halves);
    *ring = (HalfRing){0};
}

static void grow(HalfRing *ring)
{
    guint capacity = ring->capacity ? ring->capacity * 2 : FIRST_CAPACITY;
    Half *halves = g_new(Half, capacity);

    for (guint64 serial = ring->head; serial < ring->tail; serial++) {
        halves[serial & (capacity - 1)] = ring->halves[serial & (ring->capacity - 1)];
    }
    g_free(ring->halves);
    ring->halves = halves;
    ring->capacity = capacity;
}

Half *half_ring_push(HalfRing *ring)
{
    Half *half;

    if (half_ring_len(ring) == ring->capacity) {
        grow(ring);
    }
    half = &ring->halves[ring->tail++ & (ring->capacity - 1)];
    memset(half, 0, sizeof(*half));
    half->held = -1;
    half->n_parts = 1;
    return half;
}
