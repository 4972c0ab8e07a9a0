/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Streams: the halves of one queue reduced to what the first alignment needs.
 */
#ifndef VIRTCORR_MATCH_STREAM_H
#define VIRTCORR_MATCH_STREAM_H

#include "feed.h"
#include "half.h"

/* One packet: see Half. */
typedef struct StreamItem {
    HalfTimes times;
    guint32 len;
} StreamItem;

/* Items kept of one queue: enough to recognise the traffic; the join itself is streamed. */
enum { STREAM_MAX = 1 << 18 };

/* A stretch of a stream without a barrier: items [begin, end). */
typedef struct Stretch {
    const StreamItem *items; /* of the whole stream */
    gint64 begin;
    gint64 end;
} Stretch;

/**
 * Stream: a queue's packets from the beginning of its trace.
 * @longest: see stream_longest(), once it has been asked for
 */
typedef struct Stream {
    GArray *items;
    gboolean has_longest;
    Stretch longest;
} Stream;

Stream *stream_new(void);
void stream_free(Stream *stream);

/* Add a packet's first half; its other parts are not counted. */
void stream_add(Stream *stream, const Half *half);

/* Mark what was made inside one of @losses (of Loss), and the first item after each. */
void stream_mark_losses(Stream *stream, const GArray *losses);

/* The longest stretch of @stream, which must not change any more. */
Stretch stream_longest(Stream *stream);

/**
 * ItemId: names an item in every pass. Its number would not do: around a loss one pass may count
 * an item more than another.
 * @made: its stamp
 * @ordinal: which of those with this stamp, from 0
 */
typedef struct ItemId {
    gint64 made;
    guint ordinal;
} ItemId;

/* The name of item @i. */
ItemId stretch_id(Stretch stretch, gint64 i);

static inline gint64 stretch_len(Stretch stretch)
{
    return stretch.end - stretch.begin;
}

/* The items of @guest whose partner at @shift is in @host: guest item i is host item i + @shift. */
static inline Stretch stretch_overlap(Stretch guest, Stretch host, gint64 shift)
{
    guest.begin = MAX(guest.begin, host.begin - shift);
    guest.end = MIN(guest.end, host.end - shift);
    return guest;
}

#endif
