/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Streams: the halves of one queue reduced to what the first alignment needs.
 */
#include "stream.h"

Stream *stream_new(void)
{
    Stream *stream = g_new0(Stream, 1);

    stream->items = g_array_new(FALSE, FALSE, sizeof(StreamItem));
    return stream;
}

void stream_free(Stream *stream)
{
    if (stream == NULL) {
        return;
    }
    g_array_unref(stream->items);
    g_free(stream);
}

void stream_add(Stream *stream, const Half *half)
{
    StreamItem item = {.times = half->times, .len = half->len};

    if (half->part == 0 && half->reason == ORPHAN_NONE && stream->items->len < STREAM_MAX) {
        g_array_append_val(stream->items, item);
    }
}

void stream_mark_losses(Stream *stream, const GArray *losses)
{
    guint next = 0; /* the first loss that does not end before the item */
    guint passed = 0;

    for (guint i = 0; i < stream->items->len; i++) {
        StreamItem *item = &g_array_index(stream->items, StreamItem, i);

        while (next < losses->len && g_array_index(losses, Loss, next).end < item->times.made) {
            next++;
        }
        if (next < losses->len && g_array_index(losses, Loss, next).begin <= item->times.made) {
            item->times.flags |= HALF_SUSPECT;
        } else if (next > passed) {
            item->times.flags |= HALF_AFTER_LOSS;
            passed = next;
        }
    }
}

ItemId stretch_id(Stretch stretch, gint64 i)
{
    ItemId id = {.made = stretch.items[i].times.made};

    for (; i > 0 && stretch.items[i - 1].times.made == id.made; i--) {
        id.ordinal++;
    }
    return id;
}

static Stretch find_longest(const Stream *stream)
{
    const StreamItem *items = (const StreamItem *)stream->items->data;
    Stretch best = {.items = items};
    gint64 begin = 0;

    for (gint64 i = 0; i <= stream->items->len; i++) {
        gboolean ends =
            i == stream->items->len ||
            (items[i].times.flags & (HALF_AFTER_LOSS | HALF_AFTER_RESET | HALF_SUSPECT));

        if (!ends) {
            continue;
        }
        if (i - begin > stretch_len(best)) {
            best.begin = begin;
            best.end = i;
        }
        begin = i < stream->items->len && (items[i].times.flags & HALF_SUSPECT) ? i + 1 : i;
    }
    return best;
}

Stretch stream_longest(Stream *stream)
{
    if (!stream->has_longest) {
        stream->longest = find_longest(stream);
        stream->has_longest = TRUE;
    }
    return stream->longest;
}
