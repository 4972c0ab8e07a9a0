/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Halves that wait for their partner.
 */
#include "fifo.h"

enum { FIRST_CAPACITY = 256 };

void fifo_init(Fifo *fifo)
{
    *fifo = (Fifo){.capacity = FIRST_CAPACITY};
    fifo->packets = g_new(Waiting, fifo->capacity);
    g_queue_init(&fifo->parts);
}

void fifo_clear(Fifo *fifo)
{
    g_queue_clear_full(&fifo->parts, g_free);
    g_clear_pointer(&fifo->packets, g_free);
}

static void grow(Fifo *fifo)
{
    Waiting *packets = g_new(Waiting, fifo->capacity * 2);

    for (gsize i = 0; i < fifo->len; i++) {
        packets[i] = *fifo_at(fifo, i);
    }
    g_free(fifo->packets);
    fifo->packets = packets;
    fifo->capacity *= 2;
    fifo->head = 0;
}

static void add_packet(Fifo *fifo, const Half *half)
{
    gboolean has_last = fifo->has_last;
    Waiting *packet;

    if (fifo->len == fifo->capacity) {
        grow(fifo);
    }
    packet = fifo_at(fifo, fifo->len++);
    packet->half = *half;
    packet->id.made = half->times.made;
    packet->id.ordinal =
        has_last && fifo->last_id.made == packet->id.made ? fifo->last_id.ordinal + 1 : 0;
    fifo->last_id = packet->id;
    fifo->has_last = TRUE;
}

void fifo_push(Fifo *fifo, const Half *half)
{
    if (half->part > 0) {
        if (fifo->n_open > 0) {
            g_queue_push_tail(&fifo->parts, g_memdup2(half, sizeof(*half)));
            fifo->n_open--;
        }
        if (fifo->n_open == 0) {
            add_packet(fifo, &fifo->open);
        }
        return;
    }
    fifo->open = *half;
    fifo->n_open = half->n_parts - 1;
    if (fifo->n_open == 0) {
        add_packet(fifo, half);
    }
}

void fifo_pop(Fifo *fifo)
{
    fifo->head = (fifo->head + 1) & (fifo->capacity - 1);
    fifo->len--;
    fifo->parts_taken = 0;
}

Half *fifo_take_part(Fifo *fifo)
{
    if (fifo->parts_taken + 1 >= fifo_at(fifo, 0)->half.n_parts) {
        return NULL;
    }
    fifo->parts_taken++;
    return g_queue_pop_head(&fifo->parts);
}
