/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A histogram of latencies: exact while values are few, then log-linear in bounded memory.
 */
#ifndef VIRTCORR_JOURNEY_HISTOGRAM_H
#define VIRTCORR_JOURNEY_HISTOGRAM_H

#include <glib.h>

/**
 * Histogram: values of 0 … 2⁶³ - 1.
 *
 * The first HISTOGRAM_EXACT values are kept as they are. With more, each power of two is divided
 * into 128 buckets, so that a bucket is less than 1 % wide; a power of two costs memory only when
 * a value falls into it.
 */
typedef struct Histogram Histogram;

enum { HISTOGRAM_EXACT = 1024, HISTOGRAM_OCTAVES = 63 };

/**
 * HistogramRange: what is known of a quantile: lo ≤ value ≤ hi; equal while values are exact.
 */
typedef struct HistogramRange {
    gint64 lo;
    gint64 hi;
} HistogramRange;

Histogram *histogram_new(void);
void histogram_free(Histogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Histogram, histogram_free)

/* Add @value; a negative one counts as 0. */
void histogram_add(Histogram *histogram, gint64 value);

guint64 histogram_count(const Histogram *histogram);

/* Smallest and largest value, exact; 0 when there is none. */
gint64 histogram_min(const Histogram *histogram);
gint64 histogram_max(const Histogram *histogram);

/* The quantile @per_10000 / 10000 by nearest rank (5000 is the median); {0, 0} when empty. */
HistogramRange histogram_quantile(Histogram *histogram, guint per_10000);

/* How many values lie in [2^octave, 2^(octave + 1)); octave 0 holds 0 as well. */
guint64 histogram_octave(const Histogram *histogram, guint octave);

#endif
