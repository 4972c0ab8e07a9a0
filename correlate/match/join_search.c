/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which count fits: the shifts at which waiting packets can be pairs.
 */
#include "join_private.h"

gboolean join_lengths_agree(const Join *join, const Half *guest, const Half *host)
{
    return ((guest->times.flags | host->times.flags) & HALF_UNSURE) || !join->alignment.has_delta ||
           guest->len == 0 || host->len == 0 || guest->len + join->alignment.delta == host->len;
}

/* Whether @host was over before @guest or anything after it began. */
gboolean join_host_is_too_early(const ClockMap *map, const Half *guest, const Half *host)
{
    return (guest->times.flags & HALF_HAS_CAUSE) && (host->times.flags & HALF_HAS_EFFECT) &&
           clock_map_place(map, (GuestTime){guest->times.cause}).lo.ns > host->times.effect;
}

/* Whether @guest was over before @host or anything after it began. */
gboolean join_guest_is_too_early(const ClockMap *map, const Half *guest, const Half *host)
{
    return (guest->times.flags & HALF_HAS_EFFECT) && (host->times.flags & HALF_HAS_CAUSE) &&
           clock_map_place(map, (GuestTime){guest->times.effect}).hi.ns < host->times.cause;
}

/* Whether they have the lengths of one packet, and no effect comes before its cause. */
gboolean join_can_pair(const Join *join, const ClockMap *map, const Half *guest, const Half *host)
{
    return join_lengths_agree(join, guest, host) &&
           half_denials(map, &guest->times, &host->times) == 0;
}

/* Packets from the front up to where counting breaks off. */
gsize join_stretch(const Fifo *fifo, gsize most, gboolean *ret_breaks)
{
    gsize n = MIN(fifo->len, most);

    *ret_breaks = FALSE;
    for (gsize i = 0; i < n; i++) {
        guint32 flags = fifo_at(fifo, i)->half.times.flags;

        if ((i > 0 && (flags & HALF_AFTER)) || (flags & HALF_SUSPECT)) {
            *ret_breaks = TRUE;
            return i;
        }
    }
    return n;
}

static gboolean shift_fits(const Join *join, const ClockMap *map, gssize shift, gsize n_guest,
                           gsize n_host)
{
    gssize begin = MAX(0, -shift);
    gssize end = MIN((gssize)n_guest, (gssize)n_host - shift);

    for (gssize i = begin; i < end; i++) {
        if (!join_can_pair(join, map, &fifo_at(&join->guest, i)->half,
                           &fifo_at(&join->host, i + shift)->half)) {
            return FALSE;
        }
    }
    return TRUE;
}

/*
 * Whether the packets that @shift leaves over at the end may be without a partner: one that was
 * over before the other side's trace ended has its partner there.
 */
static gboolean rest_fits(const Join *join, const ClockMap *map, gssize shift, gsize n_guest,
                          gsize n_host)
{
    HostSpan end = clock_map_place(map, join->guest_end);

    if (!join->is_last || !join->has_ends || n_guest < join->guest.len || n_host < join->host.len) {
        return TRUE;
    }
    for (gssize h = MAX((gssize)n_guest + shift, 0); h < (gssize)n_host; h++) {
        const Half *host = &fifo_at(&join->host, h)->half;

        if ((host->times.flags & HALF_HAS_EFFECT) && host->times.effect < end.lo.ns) {
            return FALSE;
        }
    }
    for (gssize g = MAX((gssize)n_host - shift, 0); g < (gssize)n_guest; g++) {
        const Half *guest = &fifo_at(&join->guest, g)->half;

        if ((guest->times.flags & HALF_HAS_EFFECT) &&
            clock_map_place(map, (GuestTime){guest->times.effect}).hi.ns < join->host_end.ns) {
            return FALSE;
        }
    }
    return TRUE;
}

/* How many shifts fit the waiting packets, counted up to two, and the first of them. */
guint join_count_fits(const Join *join, const ClockMap *map, gsize n_guest, gsize n_host,
                      gssize *ret_shift)
{
    gssize overlap = MAX((gssize)MIN(n_guest, n_host) / 2, 1);
    gssize least = join->skips_guest ? overlap - (gssize)n_guest : 0;
    gssize most = join->skips_host ? (gssize)n_host - overlap : 0;
    guint fits = 0;

    for (gssize shift = least; shift <= most && fits < 2; shift++) {
        if (shift_fits(join, map, shift, n_guest, n_host) &&
            rest_fits(join, map, shift, n_guest, n_host)) {
            *ret_shift = fits == 0 ? shift : *ret_shift;
            fits++;
        }
    }
    return fits;
}
