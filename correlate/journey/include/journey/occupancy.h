/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many buffers are in one place at a time.
 */
#ifndef VIRTCORR_JOURNEY_OCCUPANCY_H
#define VIRTCORR_JOURNEY_OCCUPANCY_H

#include "journey/histogram.h"

/**
 * Occupancy: counts overlapping stays.
 *
 * Stays come in the order of their journeys' ends, which is nearly that of their own. The last
 * OCCUPANCY_WINDOW of them are held back and put in order; memory is bounded.
 */
typedef struct Occupancy Occupancy;

enum { OCCUPANCY_WINDOW = 4096 };

Occupancy *occupancy_new(void);
void occupancy_free(Occupancy *occupancy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Occupancy, occupancy_free)

/* Something came at @from and went at @to, ns. */
void occupancy_add(Occupancy *occupancy, gint64 from, gint64 to);

/* How many were there as each one came, with it. No more stays may be added afterwards. */
Histogram *occupancy_finish(Occupancy *occupancy);

#endif
