/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The clock from the TSC offset of the VM.
 */
#ifndef VIRTCORR_MATCH_TSC_H
#define VIRTCORR_MATCH_TSC_H

#include "clock/map.h"
#include "feed.h"
#include "match/run.h"

/**
 * tsc_offset_apply: what the VM's TSC offset says of the guest's clock.
 * @raw: a reading of @guest; guest times of the pairs are counted from it
 * @ret_prior: the rate, known to 2⁻⁵⁶
 * @ret_pairs: where @raw lies on the host's line, from both sides
 *
 * Returns: NULL, or why it cannot be used
 */
const char *tsc_offset_apply(const MatchOptions *options, const TraceClock *guest,
                             const HostClock *host, gint64 raw, ClockPrior *ret_prior,
                             ClockPair ret_pairs[2]);

#endif
