/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The join of one queue: the k-th packet of the guest with the k-th of the host.
 */
#include "join.h"

#include "fifo.h"

enum {
    FIRST_WINDOW = 32,   /* packets of each side that a new count is looked for in */
    LAST_WINDOW = 4096,  /* when it is not certain within so many, it is called ambiguous */
    MAX_WAITING = 32768, /* packets held for a partner */
    MAX_GROUP = 1024,    /* packets of one poll */
    MIN_CERTAIN = 4,     /* fewer pairs than this make nothing certain */
};

enum {
    HALF_AFTER = HALF_AFTER_LOSS | HALF_AFTER_RESET,
    HALF_BREAKS = HALF_AFTER | HALF_SUSPECT,
};

typedef enum JoinState {
    JOIN_SEARCHING, /* it is not known which packet of the host is the guest's next */
    JOIN_LOCKED,    /* the first of the one is the first of the other */
} JoinState;

/**
 * Join:
 * @window: how many packets of each side the next search waits for
 * @held_guest, @held_host, @holds: while @holds, packets that a search has passed over. One side
 *            has lost records: when as many of the other side are passed over, none of this queue
 *            were among them
 * @lost_by: why the count was lost, for the orphans in between
 * @skips_guest, @skips_host: whether packets of that side may have lost their partner when the
 *                            count was lost: those of the guest when the host lost records
 */
struct Join {
    guint id;
    JoinFuncs funcs;
    Alignment alignment;
    JoinState state;
    Fifo guest;
    Fifo host;
    Fifo held_guest;
    Fifo held_host;
    gboolean holds;
    gsize window;
    OrphanReason lost_by;
    gboolean skips_guest;
    gboolean skips_host;
    gboolean has_ends;
    GuestTime guest_end;
    HostTime host_end;
    gboolean is_last; /* nothing more comes */
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
static void release_held(Join *join)
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
    if (to->len > MAX_WAITING) {
        release_held(join);
    }
}

/* Pass over the first packet of the guest. */
static void drop_guest(Join *join, OrphanReason reason)
{
    if (join->holds) {
        hold(join, &join->guest, &join->held_guest);
    } else {
        tell_guest(join, &join->guest, reason);
    }
}

static void drop_host(Join *join, OrphanReason reason)
{
    if (join->holds) {
        hold(join, &join->host, &join->held_host);
    } else {
        tell_host(join, &join->host, reason);
    }
}

static void take_pair(Join *join, Grade grade)
{
    tell_pair(join, &join->guest, &join->host, grade);
}

static gboolean lengths_agree(const Join *join, const Half *guest, const Half *host)
{
    return ((guest->times.flags | host->times.flags) & HALF_UNSURE) ||
           !join->alignment.has_delta || guest->len == 0 || host->len == 0 ||
           guest->len + join->alignment.delta == host->len;
}

/* Whether @host was over before @guest or anything after it began. */
static gboolean host_is_too_early(const ClockMap *map, const Half *guest, const Half *host)
{
    return (guest->times.flags & HALF_HAS_CAUSE) && (host->times.flags & HALF_HAS_EFFECT) &&
           clock_map_place(map, (GuestTime){guest->times.cause}).lo.ns > host->times.effect;
}

/* Whether @guest was over before @host or anything after it began. */
static gboolean guest_is_too_early(const ClockMap *map, const Half *guest, const Half *host)
{
    return (guest->times.flags & HALF_HAS_EFFECT) && (host->times.flags & HALF_HAS_CAUSE) &&
           clock_map_place(map, (GuestTime){guest->times.effect}).hi.ns < host->times.cause;
}

/* Whether they have the lengths of one packet, and no effect comes before its cause. */
static gboolean can_pair(const Join *join, const ClockMap *map, const Half *guest,
                         const Half *host)
{
    return lengths_agree(join, guest, host) &&
           half_denials(map, &guest->times, &host->times) == 0;
}

/* Packets from the front up to where counting breaks off. */
static gsize stretch_of(const Fifo *fifo, gsize most, gboolean *ret_breaks)
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
        if (!can_pair(join, map, &fifo_at(&join->guest, i)->half,
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

    if (!join->is_last || !join->has_ends || n_guest < join->guest.len ||
        n_host < join->host.len) {
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
static guint count_fits(const Join *join, const ClockMap *map, gsize n_guest, gsize n_host,
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

static void drop_to_shift(Join *join, gssize shift)
{
    for (; shift < 0; shift++) {
        drop_guest(join, join->lost_by);
    }
    for (; shift > 0; shift--) {
        drop_host(join, join->lost_by);
    }
}

/* A count is found: as many passed over on both sides are pairs, each if it can be. */
static void settle_held(Join *join)
{
    const ClockMap *map = join->funcs.map(join->funcs.user_data);

    if (join->held_guest.len != join->held_host.len || map == NULL) {
        release_held(join);
        return;
    }
    join->holds = FALSE;
    while (join->held_guest.len > 0) {
        const Half *guest = &fifo_at(&join->held_guest, 0)->half;
        const Half *host = &fifo_at(&join->held_host, 0)->half;

        if (!((guest->times.flags | host->times.flags) & HALF_UNSURE) &&
            can_pair(join, map, guest, host)) {
            tell_pair(join, &join->held_guest, &join->held_host, GRADE_ORDERED);
        } else {
            tell_guest(join, &join->held_guest, join->lost_by);
            tell_host(join, &join->held_host, join->lost_by);
        }
    }
}

static void lock(Join *join, gssize shift)
{
    drop_to_shift(join, shift);
    settle_held(join);
    fifo_at(&join->guest, 0)->half.times.flags &= ~HALF_AFTER;
    fifo_at(&join->host, 0)->half.times.flags &= ~HALF_AFTER;
    join->state = JOIN_LOCKED;
    join->window = FIRST_WINDOW;
    join->lost_by = ORPHAN_UNMATCHED;
}

/* More than one shift fits these packets: show the first that does, count none. */
static void guess(Join *join, gssize shift, gsize n)
{
    release_held(join);
    drop_to_shift(join, shift);
    for (; n > 0 && join->guest.len > 0 && join->host.len > 0; n--) {
        take_pair(join, GRADE_AMBIGUOUS);
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
            lock(join, 0);
            return TRUE;
        }
        if (host->id.made > alignment->host_first.made) {
            return FALSE; /* it was given up before */
        }
        drop_host(join, join->lost_by);
    }
    return TRUE;
}

/* Drop the packets at the front that were made inside a loss. */
static void drop_suspects(Join *join)
{
    while (join->guest.len > 0 && (fifo_at(&join->guest, 0)->half.times.flags & HALF_SUSPECT)) {
        drop_guest(join, ORPHAN_LOST_RECORDS);
        join->skips_host = TRUE;
    }
    while (join->host.len > 0 && (fifo_at(&join->host, 0)->half.times.flags & HALF_SUSPECT)) {
        drop_host(join, ORPHAN_LOST_RECORDS);
        join->skips_guest = TRUE;
    }
    join->skips_host |=
        join->guest.len > 0 && (fifo_at(&join->guest, 0)->half.times.flags & HALF_AFTER);
    join->skips_guest |=
        join->host.len > 0 && (fifo_at(&join->host, 0)->half.times.flags & HALF_AFTER);
    if (join->holds && join->skips_guest && join->skips_host) {
        release_held(join); /* both sides have lost records */
    }
}

/* Nothing in these stretches can be joined for certain: give up the shorter one. */
static void give_up(Join *join, gsize n_guest, gsize n_host)
{
    if (n_guest <= n_host) {
        for (; n_guest > 0; n_guest--) {
            drop_guest(join, join->lost_by);
        }
    } else {
        for (; n_host > 0; n_host--) {
            drop_host(join, join->lost_by);
        }
    }
}

/* Drop what is certainly older than anything of the other side. Returns whether something was. */
static gboolean drop_too_early(Join *join, const ClockMap *map)
{
    const Half *guest = &fifo_at(&join->guest, 0)->half;
    const Half *host = &fifo_at(&join->host, 0)->half;

    if (host_is_too_early(map, guest, host)) {
        drop_host(join, join->lost_by);
        return TRUE;
    }
    if (guest_is_too_early(map, guest, host)) {
        drop_guest(join, join->lost_by);
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
    gsize n_guest = stretch_of(&join->guest, join->window, &guest_breaks);
    gsize n_host = stretch_of(&join->host, join->window, &host_breaks);
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
    fits = map ? count_fits(join, map, n_guest, n_host, &shift) : 0;
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
    return (flags & HALF_UNSURE) || lengths_agree(join, guest, host) ? ORPHAN_NONE
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
           lengths_agree(join, guest, host);
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
            drop_guest(join, ORPHAN_UNMATCHED);
            continue;
        }
        for (; host < (gsize)places[g]; host++) {
            drop_host(join, ORPHAN_UNMATCHED);
        }
        take_pair(join, GRADE_ORDERED);
        host++;
    }
    for (; host < n; host++) {
        drop_host(join, ORPHAN_UNMATCHED);
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
    take_pair(join, GRADE_ORDERED);
    return TRUE;
}

static void settle(Join *join)
{
    while (advance(join)) {
    }
    while (join->guest.len > MAX_WAITING || join->host.len > MAX_WAITING) {
        release_held(join);
        join->state = JOIN_SEARCHING;
        join->skips_guest = join->skips_host = TRUE;
        if (join->guest.len > MAX_WAITING) {
            drop_guest(join, join->lost_by);
        } else {
            drop_host(join, join->lost_by);
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
    release_held(join);
    while (join->guest.len > 0) {
        drop_guest(join, ORPHAN_OTHER_SIDE_ENDS);
    }
    while (join->host.len > 0) {
        drop_host(join, ORPHAN_OTHER_SIDE_ENDS);
    }
}
