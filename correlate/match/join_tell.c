/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where packets go when a join has decided: pairs, orphans, or held until more is known.
 */
#include "join_private.h"

enum { MAX_HELD = 32768 };

static void tell_guest(Join *join, Fifo *fifo, OrphanReason reason)
{
    join->funcs.orphan(join->id, &fifo_at(fifo, 0)->half, NULL, reason, join->funcs.user_data);
    fifo_pop(fifo);
}

static void tell_host(Join *join, Fifo *fifo, OrphanReason reason)
{
    Half *part;

    join->funcs.orphan(join->id, NULL, &fifo_at(fifo, 0)->half, reason, join->funcs.user_data);
    while ((part = fifo_take_part(fifo)) != NULL) {
        join->funcs.orphan(join->id, NULL, part, reason, join->funcs.user_data);
        g_free(part);
    }
    fifo_pop(fifo);
}

static void tell_pair(Join *join, Fifo *guests, Fifo *hosts, Grade grade)
{
    const Half *guest = &fifo_at(guests, 0)->half;
    Half *part;

    join->funcs.pair(join->id, guest, &fifo_at(hosts, 0)->half, grade, join->funcs.user_data);
    while ((part = fifo_take_part(hosts)) != NULL) {
        join->funcs.pair(join->id, guest, part, grade, join->funcs.user_data);
        g_free(part);
    }
    fifo_pop(guests);
    fifo_pop(hosts);
}

/* Nothing that was passed over can be joined any more. */
void join_release_held(Join *join)
{
    join->holds = FALSE;
    while (join->held_guest.len > 0) {
        tell_guest(join, &join->held_guest, join->lost_by);
    }
    while (join->held_host.len > 0) {
        tell_host(join, &join->held_host, join->lost_by);
    }
}

static void hold(Join *join, Fifo *from, Fifo *to)
{
    Half *part;

    fifo_push(to, &fifo_at(from, 0)->half);
    while ((part = fifo_take_part(from)) != NULL) {
        fifo_push(to, part);
        g_free(part);
    }
    fifo_pop(from);
    if (to->len > MAX_HELD) {
        join_release_held(join);
    }
}

/* Pass over the first packet of the guest. */
void join_drop_guest(Join *join, OrphanReason reason)
{
    if (join->holds) {
        hold(join, &join->guest, &join->held_guest);
    } else {
        tell_guest(join, &join->guest, reason);
    }
}

void join_drop_host(Join *join, OrphanReason reason)
{
    if (join->holds) {
        hold(join, &join->host, &join->held_host);
    } else {
        tell_host(join, &join->host, reason);
    }
}

void join_take_pair(Join *join, Grade grade)
{
    tell_pair(join, &join->guest, &join->host, grade);
}

/* A count is found: as many passed over on both sides are pairs, each if it can be. */
void join_settle_held(Join *join)
{
    const ClockMap *map = join->funcs.map(join->funcs.user_data);

    if (join->held_guest.len != join->held_host.len || map == NULL) {
        join_release_held(join);
        return;
    }
    join->holds = FALSE;
    while (join->held_guest.len > 0) {
        const Half *guest = &fifo_at(&join->held_guest, 0)->half;
        const Half *host = &fifo_at(&join->held_host, 0)->half;

        if (!((guest->times.flags | host->times.flags) & HALF_UNSURE) &&
            join_can_pair(join, map, guest, host)) {
            tell_pair(join, &join->held_guest, &join->held_host, GRADE_ORDERED);
        } else {
            tell_guest(join, &join->held_guest, join->lost_by);
            tell_host(join, &join->held_host, join->lost_by);
        }
    }
}
