/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The join of one queue: the k-th packet of the guest with the k-th of the host.
 */
#include "join_private.h"

enum {
    MAX_WAITING = 32768, /* packets held for a partner */
    MAX_GROUP = 1024,    /* packets of one poll */
};

Join *join_new(guint id, const JoinFuncs *funcs, const Alignment *alignment)
{
    Join *join = g_new0(Join, 1);

    join->id = id;
    join->funcs = *funcs;
    join->alignment = *alignment;
    join->window = FIRST_WINDOW;
    join->lost_by = ORPHAN_OTHER_SIDE_BEGINS;
    join->skips_guest = join->skips_host = TRUE;
    fifo_init(&join->guest);
    fifo_init(&join->host);
    fifo_init(&join->held_guest);
    fifo_init(&join->held_host);
    return join;
}

void join_free(Join *join)
{
    if (join == NULL) {
        return;
    }
    fifo_clear(&join->guest);
    fifo_clear(&join->host);
    fifo_clear(&join->held_guest);
    fifo_clear(&join->held_host);
    g_free(join);
}

static void drop_to_shift(Join *join, gssize shift)
{
    for (; shift < 0; shift++) {
        join_drop_guest(join, join->lost_by);
    }
    for (; shift > 0; shift--) {
        join_drop_host(join, join->lost_by);
    }
}

static void lock(Join *join, gssize shift)
{
    drop_to_shift(join, shift);
    join_settle_held(join);
    fifo_at(&join->guest, 0)->half.times.flags &= ~HALF_AFTER;
    fifo_at(&join->host, 0)->half.times.flags &= ~HALF_AFTER;
    join->state = JOIN_LOCKED;
    join->window = FIRST_WINDOW;
    join->lost_by = ORPHAN_UNMATCHED;
}

/* More than one shift fits these packets: show the first that does, count none. */
static void guess(Join *join, gssize shift, gsize n)
{
    join_release_held(join);
    drop_to_shift(join, shift);
    for (; n > 0 && join->guest.len > 0 && join->host.len > 0; n--) {
        join_take_pair(join, GRADE_AMBIGUOUS);
    }
    join->skips_guest = join->skips_host = TRUE;
    join->window = FIRST_WINDOW;
}

static gboolean is_item(const Waiting *packet, ItemId id)
{
    return packet->id.made == id.made && packet->id.ordinal == id.ordinal;
}

/*
 * Whether the first alignment says how to go on: when its first packet of the guest has come, the
 * host's packets before its partner are dropped.
 */
static gboolean follow_alignment(Join *join)
{
    const Alignment *alignment = &join->alignment;

    if (alignment->basis == ALIGN_NONE ||
        !is_item(fifo_at(&join->guest, 0), alignment->guest_first)) {
        return FALSE;
    }
    while (join->host.len > 0) {
        const Waiting *host = fifo_at(&join->host, 0);

        if (is_item(host, alignment->host_first)) {
            join->alignment.basis = ALIGN_NONE; /* once: its first pair may not be one */
            lock(join, 0);
            return TRUE;
        }
        if (host->id.made > alignment->host_first.made) {
            return FALSE; /* it was given up before */
        }
        join_drop_host(join, join->lost_by);
    }
    return TRUE;
}

/* Drop the packets at the front that were made inside a loss. */
static void drop_suspects(Join *join)
{
    while (join->guest.len > 0 && (fifo_at(&join->guest, 0)->half.times.flags & HALF_SUSPECT)) {
        join_drop_guest(join, ORPHAN_LOST_RECORDS);
        join->skips_host = TRUE;
    }
    while (join->host.len > 0 && (fifo_at(&join->host, 0)->half.times.flags & HALF_SUSPECT)) {
        join_drop_host(join, ORPHAN_LOST_RECORDS);
        join->skips_guest = TRUE;
    }
    join->skips_host |=
        join->guest.len > 0 && (fifo_at(&join->guest, 0)->half.times.flags & HALF_AFTER);
    join->skips_guest |=
        join->host.len > 0 && (fifo_at(&join->host, 0)->half.times.flags & HALF_AFTER);
    if (join->holds && join->skips_guest && join->skips_host) {
        join_release_held(join); /* both sides have lost records */
    }
}

/* Nothing in these stretches can be joined for certain: give up the shorter one. */
static void give_up(Join *join, gsize n_guest, gsize n_host)
{
    if (n_guest <= n_host) {
        for (; n_guest > 0; n_guest--) {
            join_drop_guest(join, join->lost_by);
        }
    } else {
        for (; n_host > 0; n_host--) {
            join_drop_host(join, join->lost_by);
        }
    }
}

/* Drop what is certainly older than anything of the other side. Returns whether something was. */
static gboolean drop_too_early(Join *join, const ClockMap *map)
{
    const Half *guest = &fifo_at(&join->guest, 0)->half;
    const Half *host = &fifo_at(&join->host, 0)->half;

    if (join_host_is_too_early(map, guest, host)) {
        join_drop_host(join, join->lost_by);
        return TRUE;
    }
    if (join_guest_is_too_early(map, guest, host)) {
        join_drop_guest(join, join->lost_by);
        return TRUE;
    }
    return FALSE;
}

/*
 * Look for the one shift at which no effect comes before its cause. Returns whether anything was
 * decided; if not, more packets must come.
 */
static gboolean search(Join *join)
{
    const ClockMap *map = join->funcs.map(join->funcs.user_data);
    gboolean guest_breaks;
    gboolean host_breaks;
    gsize n_guest = join_stretch(&join->guest, join->window, &guest_breaks);
    gsize n_host = join_stretch(&join->host, join->window, &host_breaks);
    gboolean is_all = (guest_breaks || join->is_last || n_guest == join->window) &&
                      (host_breaks || join->is_last || n_host == join->window);
    gssize shift = 0;
    guint fits;

    if (map != NULL && drop_too_early(join, map)) {
        return TRUE;
    }
    if (!is_all) {
        return FALSE;
    }
    fits = map ? join_count_fits(join, map, n_guest, n_host, &shift) : 0;
    if (fits == 1 && MIN(n_guest, n_host) >= MIN_CERTAIN) {
        lock(join, shift);
        return TRUE;
    }
    if (join->window < LAST_WINDOW && n_guest == join->window && n_host == join->window) {
        join->window *= 2;
        return TRUE;
    }
    if (fits > 1) {
        /* With more to come the later half may yet become certain. */
        guess(join, shift, join->is_last ? MIN(n_guest, n_host) : MIN(n_guest, n_host) / 2);
        return TRUE;
    }
    give_up(join, n_guest, n_host);
    join->window = FIRST_WINDOW;
    return TRUE;
}

static void unlock(Join *join, OrphanReason reason)
{
    guint32 guest = fifo_at(&join->guest, 0)->half.times.flags;
    guint32 host = fifo_at(&join->host, 0)->half.times.flags;

    join->state = JOIN_SEARCHING;
    join->window = FIRST_WINDOW;
    join->lost_by = reason;
    join->skips_guest = reason == ORPHAN_UNMATCHED || (host & HALF_BREAKS) != 0;
    join->skips_host = reason == ORPHAN_UNMATCHED || (guest & HALF_BREAKS) != 0;
    join->holds = reason == ORPHAN_LOST_RECORDS && join->skips_guest != join->skips_host;
}

/* Why the count does not hold from the front on, ORPHAN_NONE if it does. */
static OrphanReason front_breaks(const Join *join)
{
    const Half *guest = &fifo_at(&join->guest, 0)->half;
    const Half *host = &fifo_at(&join->host, 0)->half;
    guint32 flags = guest->times.flags | host->times.flags;

    if (flags & HALF_AFTER_RESET) {
        return ORPHAN_RESET;
    }
    if (flags & (HALF_SUSPECT | HALF_AFTER_LOSS)) {
        return ORPHAN_LOST_RECORDS;
    }
    return (flags & HALF_UNSURE) || join_lengths_agree(join, guest, host) ? ORPHAN_NONE
                                                                          : ORPHAN_UNMATCHED;
}

/* How many packets the group has that stands at the front of either side, 0 if none does. */
static gsize unsure_group(const Join *join)
{
    const Half *guest = &fifo_at(&join->guest, 0)->half;
    const Half *host = &fifo_at(&join->host, 0)->half;
    gsize n = guest->times.flags & HALF_UNSURE ? guest->group : 0;

    return MAX(n, host->times.flags & HALF_UNSURE ? host->group : 0);
}

/* Whether host packet @h can be the guest's @g inside a group. */
static gboolean fits_in_group(const Join *join, gsize g, gsize h)
{
    const Half *guest = &fifo_at(&join->guest, g)->half;
    const Half *host = &fifo_at(&join->host, h)->half;

    return guest->len > 0 && host->len > 0 && join->alignment.has_delta &&
           join_lengths_agree(join, guest, host);
}

/*
 * In a group the recorded packets of the guest are some of the host's, in the same order. Each is
 * certain if the earliest and the latest place it can have are the same. @places gets the place of
 * each, or -1. FALSE: they do not fit at all.
 */
static gboolean place_in_group(const Join *join, gsize n, gssize *places)
{
    gsize host = 0;

    for (gsize g = 0; g < n; g++) {
        places[g] = -1;
        if (fifo_at(&join->guest, g)->half.len == 0) {
            continue;
        }
        while (host < n && !fits_in_group(join, g, host)) {
            host++;
        }
        if (host == n) {
            return FALSE;
        }
        places[g] = host++;
    }
    host = n;
    for (gsize g = n; g-- > 0;) {
        if (places[g] < 0) {
            continue;
        }
        while (!fits_in_group(join, g, host - 1)) {
            host--;
        }
        host--;
        places[g] = places[g] == (gssize)host ? places[g] : -1;
    }
    return TRUE;
}

/* Join what is certain of the group at the front; the rest are orphans. */
static gboolean take_group(Join *join)
{
    gssize places[MAX_GROUP];
    gsize n = MIN(unsure_group(join), MAX_GROUP);
    gsize host = 0;
    gboolean is_placed;

    if ((join->guest.len < n || join->host.len < n) && !join->is_last) {
        return FALSE;
    }
    n = MIN(n, MIN(join->guest.len, join->host.len));
    is_placed = place_in_group(join, n, places);
    for (gsize g = 0; g < n; g++) {
        if (!is_placed || places[g] < 0) {
            join_drop_guest(join, ORPHAN_UNMATCHED);
            continue;
        }
        for (; host < (gsize)places[g]; host++) {
            join_drop_host(join, ORPHAN_UNMATCHED);
        }
        join_take_pair(join, GRADE_ORDERED);
        host++;
    }
    for (; host < n; host++) {
        join_drop_host(join, ORPHAN_UNMATCHED);
    }
    return TRUE;
}

/* One decision; FALSE when more packets must come first. */
static gboolean advance(Join *join)
{
    OrphanReason broken;

    if (join->guest.len == 0 || join->host.len == 0) {
        return FALSE;
    }
    if (join->state == JOIN_SEARCHING) {
        drop_suspects(join);
        if (join->guest.len == 0 || join->host.len == 0) {
            return FALSE;
        }
        return follow_alignment(join) || search(join);
    }
    broken = front_breaks(join);
    if (broken != ORPHAN_NONE) {
        unlock(join, broken);
        return TRUE;
    }
    if (unsure_group(join) > 0) {
        return take_group(join);
    }
    join_take_pair(join, GRADE_ORDERED);
    return TRUE;
}

static void settle(Join *join)
{
    while (advance(join)) {
    }
    while (join->guest.len > MAX_WAITING || join->host.len > MAX_WAITING) {
        join_release_held(join);
        join->state = JOIN_SEARCHING;
        join->skips_guest = join->skips_host = TRUE;
        if (join->guest.len > MAX_WAITING) {
            join_drop_guest(join, join->lost_by);
        } else {
            join_drop_host(join, join->lost_by);
        }
    }
}

void join_set_ends(Join *join, GuestTime guest_end, HostTime host_end)
{
    join->has_ends = TRUE;
    join->guest_end = guest_end;
    join->host_end = host_end;
}

void join_guest(Join *join, const Half *half)
{
    if (half->reason != ORPHAN_NONE) {
        join->funcs.orphan(join->id, half, NULL, half->reason, join->funcs.user_data);
        return;
    }
    fifo_push(&join->guest, half);
    settle(join);
}

void join_host(Join *join, const Half *half)
{
    if (half->reason != ORPHAN_NONE) {
        join->funcs.orphan(join->id, NULL, half, half->reason, join->funcs.user_data);
        return;
    }
    fifo_push(&join->host, half);
    settle(join);
}

void join_end(Join *join)
{
    join->is_last = TRUE;
    settle(join);
    join_release_held(join);
    while (join->guest.len > 0) {
        join_drop_guest(join, ORPHAN_OTHER_SIDE_ENDS);
    }
    while (join->host.len > 0) {
        join_drop_host(join, ORPHAN_OTHER_SIDE_ENDS);
    }
}
