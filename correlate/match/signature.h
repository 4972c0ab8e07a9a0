/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which packet is which, told from the sequence of packet lengths alone.
 */
#ifndef VIRTCORR_MATCH_SIGNATURE_H
#define VIRTCORR_MATCH_SIGNATURE_H

#include "stream.h"

/**
 * Signature: guest packet i is host packet i + shift.
 * @score: information in the lengths that agree, in bits, less a penalty for each that does not
 * @runner_up: the same for the next best shift; G_MININT64 if there was none
 * @matched, @compared: packets whose lengths agree, of those that both sides have
 * @delta: host length less guest length
 */
typedef struct Signature {
    gint64 shift;
    gint64 score;
    gint64 runner_up;
    gint64 matched;
    gint64 compared;
    guint32 delta;
} Signature;

enum {
    SIGNATURE_MIN_BITS = 24, /* one chance in 16 million */
    SIGNATURE_MARGIN = 16,   /* bits the best must be ahead of any other shift */
};

/**
 * signature_find: the shift at which the host's lengths are the guest's plus one of @deltas
 * (0-terminated; 0 alone means equal).
 *
 * Lengths that are rare vote for the shifts at which they agree; the shifts with most votes are
 * then compared packet by packet. Only a shift that is certain is returned.
 *
 * Returns: whether one was found
 */
gboolean signature_find(Stretch guest, Stretch host, const guint32 *deltas, Signature *ret);

#endif
