/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of the kernel's ring buffer: records and their times.
 */
#include "trace_dat_page.h"

enum {
    TYPE_LONG_DATA = 0, /* 1 … 28: words of data */
    TYPE_PADDING = 29,
    TYPE_TIME_EXTEND = 30,
    TYPE_TIME_STAMP = 31,
    TYPE_BITS = 5,
    DELTA_BITS = 27,
    DELTA_MASK = (1 << DELTA_BITS) - 1,
    WORD = 4,
    TIME_SIZE = 8,
};

#define COMMIT_MASK   ((1u << 27) - 1)
#define MISSED_EVENTS (1u << 31)
#define MISSED_STORED (1u << 30)

/* A time stamp record holds the lower 59 bits of the time. */
#define STAMP_BITS 59
#define STAMP_HIGH (~(guint64)0 << STAMP_BITS)

static guint64 read_long(const DatLayout *layout, const guint8 *at)
{
    return layout->commit_size == sizeof(guint64) ? bytes_u64(at, layout->swapped)
                                                  : bytes_u32(at, layout->swapped);
}

void dat_page_begin(DatPage *page, const DatLayout *layout, const guint8 *bytes)
{
    guint64 commit = read_long(layout, bytes + TIME_SIZE);
    gsize capacity = layout->page_size - layout->data_offset;
    gsize len = commit & COMMIT_MASK;

    *page = (DatPage){
        .at = bytes + layout->data_offset,
        .time = bytes_u64(bytes, layout->swapped),
        .missed = (commit & MISSED_EVENTS) != 0,
        .damaged = len > capacity,
    };
    page->end = page->at + (page->damaged ? 0 : len);
    if (page->missed && (commit & MISSED_STORED) && !page->damaged &&
        capacity - len >= layout->commit_size) {
        page->n_missed = read_long(layout, page->end);
    }
}

/* The first word of a record, and the bytes that are left from there. */
typedef struct Head {
    guint32 type;
    guint32 delta;
    gsize rest;
} Head;

static inline Head read_head(const DatPage *page, const DatLayout *layout)
{
    guint32 word = bytes_u32(page->at, layout->swapped);

    return (Head){
        .type = layout->big_endian ? word >> DELTA_BITS : word & ((1 << TYPE_BITS) - 1),
        .delta = layout->big_endian ? word & DELTA_MASK : word >> TYPE_BITS,
        .rest = page->end - page->at,
    };
}

/* Nothing more can be read of the page. */
static gboolean end_page(DatPage *page, gboolean damaged)
{
    page->at = page->end;
    page->damaged = page->damaged || damaged;
    return FALSE;
}

static inline gboolean take_short(DatPage *page, Head head)
{
    gsize len = head.type * WORD;

    if (len > head.rest - WORD) {
        return end_page(page, TRUE);
    }
    page->time += head.delta;
    page->payload = page->at + WORD;
    page->len = len;
    page->at += WORD + len;
    return TRUE;
}

/* A data record of @length bytes, its second word included. */
static gboolean take_long(DatPage *page, Head head, guint32 length)
{
    gsize padded = ((gsize)length + WORD - 1) & ~(gsize)(WORD - 1);

    if (length < WORD || padded > head.rest - WORD) {
        return end_page(page, TRUE);
    }
    page->time += head.delta;
    page->payload = page->at + 2 * WORD;
    page->len = length - WORD;
    page->at += WORD + padded;
    return TRUE;
}

/* A record that was discarded: its time counts. @length includes the second word. */
static gboolean skip_padding(DatPage *page, Head head, guint32 length)
{
    if (length < WORD || length > head.rest - WORD) {
        return end_page(page, TRUE);
    }
    page->time += head.delta;
    page->at += WORD + length;
    return TRUE;
}

static gboolean take_time(DatPage *page, Head head, guint32 extra)
{
    guint64 stamp = (guint64)extra << DELTA_BITS | head.delta;

    if (head.type == TYPE_TIME_EXTEND) {
        page->time += stamp;
    } else {
        stamp |= page->time & STAMP_HIGH;
        page->time = stamp < page->time ? stamp + ((guint64)1 << STAMP_BITS) : stamp;
    }
    page->at += 2 * WORD;
    return TRUE;
}

gboolean dat_page_next(DatPage *page, const DatLayout *layout)
{
    gboolean goes_on = TRUE;

    while (goes_on && page->end - page->at >= WORD) {
        Head head = read_head(page, layout);
        guint32 extra;

        if (head.type != TYPE_LONG_DATA && head.type < TYPE_PADDING) {
            return take_short(page, head);
        }
        if (head.type == TYPE_PADDING && head.delta == 0) {
            return end_page(page, FALSE);
        }
        if (head.rest < 2 * WORD) {
            return end_page(page, TRUE);
        }
        extra = bytes_u32(page->at + WORD, layout->swapped);
        if (head.type == TYPE_LONG_DATA) {
            return take_long(page, head, extra);
        }
        goes_on = head.type == TYPE_PADDING ? skip_padding(page, head, extra)
                                            : take_time(page, head, extra);
    }
    return end_page(page, page->at != page->end);
}
