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

guint half_pairs(const HalfTimes *guest, const HalfTimes *host, ClockPair ret[HALF_MAX_PAIRS])
{
    guint n = 0;

    if ((guest->flags | host->flags) & HALF_UNSURE) {
        return 0;
    }
    if ((guest->flags & HALF_HAS_CAUSE) && (host->flags & HALF_HAS_EFFECT)) {
        ret[n++] = (ClockPair){.guest = {guest->cause},
                               .host = {host->effect},
                               .order = CLOCK_GUEST_FIRST,
                               .edge = EDGE_XMIT_POP};
    }
    if ((guest->flags & HALF_HAS_EFFECT) && (host->flags & HALF_HAS_CAUSE)) {
        ret[n++] = (ClockPair){.guest = {guest->effect},
                               .host = {host->cause},
                               .order = CLOCK_HOST_FIRST,
                               .edge = EDGE_PUSH_RETURN};
    }
    if (guest->flags & host->flags & HALF_HAS_BORDER) {
        ret[n++] = (ClockPair){.guest = {guest->border},
                               .host = {host->border},
                               .order = CLOCK_GUEST_FIRST,
                               .edge = EDGE_BORDER};
    }
    return n;
}

guint half_denials(const ClockMap *map, const HalfTimes *guest, const HalfTimes *host)
{
    ClockPair pairs[HALF_MAX_PAIRS];
    guint n = half_pairs(guest, host, pairs);
    guint denials = 0;

    for (guint i = 0; i < n; i++) {
        HostSpan span = clock_map_place(map, pairs[i].guest);

        denials += pairs[i].order == CLOCK_GUEST_FIRST ? span.lo.ns > pairs[i].host.ns
                                                       : span.hi.ns < pairs[i].host.ns;
    }
    return denials;
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
