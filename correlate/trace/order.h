/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nearly ordered events in, ordered events out, with bounded memory.
 */
#ifndef VIRTCORR_TRACE_ORDER_H
#define VIRTCORR_TRACE_ORDER_H

#include "trace/event.h"

/**
 * Order: holds events back until none earlier can come.
 *
 * Events are kept in runs, each ascending by (time, offset): a reader with n writers (CPUs,
 * threads) needs about n runs, and taking the earliest is a merge of their heads. Input in any
 * order costs at most the logarithm of what is held.
 */
typedef struct Order Order;

Order *order_new(void);
void order_free(Order *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Order, order_free)

void order_push(Order *order, const Event *event);

/* Take at most @max of the earliest events that are not later than @until. */
gsize order_pop(Order *order, Event *ret_events, gsize max, gint64 until);

/* How many events are held. */
gsize order_held(const Order *order);

/* How many events were pushed after a later one had been popped. */
guint64 order_late(const Order *order);

/* Forget everything, for another pass. */
void order_reset(Order *order);

#endif
