/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets and lists of them. A packet is in one list at a time and goes back to the model.
 */
#include "model.h"

Packet *packet_new(Model *model, guint queue, guint32 len)
{
    Packet *packet = model->free_packets;

    if (packet) {
        model->free_packets = packet->next;
    } else {
        packet = g_new(Packet, 1);
    }
    *packet = (Packet){.number = ++model->n_packets, .queue = queue, .len = len, .n_parts = 1};
    return packet;
}

void packet_finish(Model *model, Packet *packet)
{
    truth_packet(model, packet);
    packet->next = model->free_packets;
    model->free_packets = packet;
}

void packet_queue_push(PacketQueue *queue, Packet *packet)
{
    packet->next = NULL;
    if (queue->last) {
        queue->last->next = packet;
    } else {
        queue->first = packet;
    }
    queue->last = packet;
    queue->n++;
}

void packet_queue_push_front(PacketQueue *queue, Packet *packet)
{
    packet->next = queue->first;
    queue->first = packet;
    if (!queue->last) {
        queue->last = packet;
    }
    queue->n++;
}

Packet *packet_queue_pop(PacketQueue *queue)
{
    Packet *packet = queue->first;

    if (packet) {
        queue->first = packet->next;
        if (!queue->first) {
            queue->last = NULL;
        }
        queue->n--;
    }
    return packet;
}
