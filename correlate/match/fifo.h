/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Halves that wait for their partner.
 */
#ifndef VIRTCORR_MATCH_FIFO_H
#define VIRTCORR_MATCH_FIFO_H

#include "stream.h"

/**
 * Waiting: a packet that waits.
 * @id: names it, see ItemId
 */
typedef struct Waiting {
    Half half;
    ItemId id;
} Waiting;

/**
 * Fifo: packets of one side in order, and the further buffers of packets of several.
 * @parts: halves with part > 0, in the order of their packets
 * @open: the packet whose further buffers have not all come, valid if @n_open > 0
 * @n_open: how many of its buffers are still to come
 */
typedef struct Fifo {
    Waiting *packets;
    gsize capacity;
    gsize head;
    gsize len;
    ItemId last_id;
    gboolean has_last;
    guint parts_taken;
    Half open;
    guint n_open;
    GQueue parts;
} Fifo;

void fifo_init(Fifo *fifo);
void fifo_clear(Fifo *fifo);

/* Add a half. A packet counts once all its buffers are there. */
void fifo_push(Fifo *fifo, const Half *half);

static inline Waiting *fifo_at(const Fifo *fifo, gsize i)
{
    return &fifo->packets[(fifo->head + i) & (fifo->capacity - 1)];
}

/* Drop the first packet; its further parts must have been taken with fifo_take_part(). */
void fifo_pop(Fifo *fifo);

/* The next further part of the first packet; (transfer full). NULL if it has none left. */
Half *fifo_take_part(Fifo *fifo);

#endif
