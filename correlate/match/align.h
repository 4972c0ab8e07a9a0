/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first alignment: which packet is which when nothing is known of the clocks.
 */
#ifndef VIRTCORR_MATCH_ALIGN_H
#define VIRTCORR_MATCH_ALIGN_H

#include "clock/map.h"
#include "stream.h"

typedef enum AlignBasis {
    ALIGN_NONE,
    ALIGN_CONTENT, /* the packets' lengths */
    ALIGN_TIME,    /* the only shift at which no effect comes before its cause */
} AlignBasis;

/**
 * Alignment: guest packet i is host packet i + shift, inside the two stretches.
 * @basis: why
 * @matched, @compared: see Signature, for ALIGN_CONTENT
 * @delta: host length less guest length, valid if @has_delta
 * @guest_first, @host_first: the first pair of the two stretches; see align_name_first()
 */
typedef struct Alignment {
    AlignBasis basis;
    gint64 shift;
    gint64 matched;
    gint64 compared;
    gint64 score;
    gboolean has_delta;
    guint32 delta;
    Stretch guest;
    Stretch host;
    ItemId guest_first;
    ItemId host_first;
} Alignment;

/* By the sequence of lengths; see signature_find(). */
Alignment align_by_content(Stretch guest, Stretch host, const guint32 *deltas);

/**
 * align_by_time: by causality.
 * @known: pairs of other queues that are certain, sorted by guest time; they hold the clock
 * @prior: of the rate
 *
 * A shift is possible when one affine clock fits all its pairs and @known. It is certain when it
 * is the only one: then it is returned.
 */
Alignment align_by_time(Stretch guest, Stretch host, const GArray *known, const ClockPrior *prior);

/* The clock of @pairs, sorted by guest time; NULL without any. See clock_solver_new(). */
ClockMap *align_solve(const GArray *pairs, const ClockPrior *prior, gboolean may_cut);

/* Fill in the first pair, while the streams are there. */
void align_name_first(Alignment *alignment);

/* Append the causal pairs of @alignment to @pairs (of ClockPair), then sort them all. */
void align_add_pairs(GArray *pairs, const Alignment *alignment);

#endif
