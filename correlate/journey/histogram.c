/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A histogram of latencies: exact while values are few, then log-linear in bounded memory.
 */
#include "journey/histogram.h"

enum {
    SUB_BITS = 7,
    N_SUB = 1 << SUB_BITS,
    /* Row 0 holds 0 … N_SUB - 1 exactly, row r the octave r + SUB_BITS - 1. */
    N_ROWS = HISTOGRAM_OCTAVES - SUB_BITS + 1,
};

struct Histogram {
    guint64 count;
    gint64 min;
    gint64 max;
    gint64 *exact; /* NULL once the rows are in use */
    gboolean is_sorted;
    guint64 *rows[N_ROWS];
};

Histogram *histogram_new(void)
{
    Histogram *histogram = g_new0(Histogram, 1);

    histogram->exact = g_new(gint64, HISTOGRAM_EXACT);
    return histogram;
}

void histogram_free(Histogram *histogram)
{
    if (histogram == NULL) {
        return;
    }
    for (guint row = 0; row < N_ROWS; row++) {
        g_free(histogram->rows[row]);
    }
    g_free(histogram->exact);
    g_free(histogram);
}

static guint octave_of(gint64 value)
{
    return value < 1 ? 0 : 63 - __builtin_clzll(value);
}

static void add_to_row(Histogram *histogram, gint64 value)
{
    guint octave = octave_of(value);
    guint row = value < N_SUB ? 0 : octave - SUB_BITS + 1;
    guint sub = value < N_SUB ? value : (value >> (octave - SUB_BITS)) & (N_SUB - 1);

    if (histogram->rows[row] == NULL) {
        histogram->rows[row] = g_new0(guint64, N_SUB);
    }
    histogram->rows[row][sub]++;
}

static void leave_exact(Histogram *histogram)
{
    for (guint i = 0; i < HISTOGRAM_EXACT; i++) {
        add_to_row(histogram, histogram->exact[i]);
    }
    g_clear_pointer(&histogram->exact, g_free);
}

void histogram_add(Histogram *histogram, gint64 value)
{
    value = MAX(value, 0);
    histogram->min = histogram->count == 0 ? value : MIN(histogram->min, value);
    histogram->max = MAX(histogram->max, value);
    if (histogram->exact != NULL && histogram->count == HISTOGRAM_EXACT) {
        leave_exact(histogram);
    }
    if (histogram->exact != NULL) {
        histogram->exact[histogram->count] = value;
        histogram->is_sorted = FALSE;
    } else {
        add_to_row(histogram, value);
    }
    histogram->count++;
}

guint64 histogram_count(const Histogram *histogram)
{
    return histogram->count;
}

gint64 histogram_min(const Histogram *histogram)
{
    return histogram->min;
}

gint64 histogram_max(const Histogram *histogram)
{
    return histogram->max;
}

static int compare_values(const void *a, const void *b)
{
    gint64 left = *(const gint64 *)a;
    gint64 right = *(const gint64 *)b;

    return (left > right) - (left < right);
}

/* The values that bucket @sub of @row stands for, cut to what was really seen. */
static HistogramRange bucket_range(const Histogram *histogram, guint row, guint sub)
{
    guint shift = row == 0 ? 0 : row - 1;
    guint64 lo = row == 0 ? sub : (guint64)(N_SUB + sub) << shift;
    guint64 hi = lo + ((guint64)1 << shift) - 1;

    return (HistogramRange){
        .lo = MAX((gint64)lo, histogram->min),
        .hi = MIN((gint64)hi, histogram->max),
    };
}

/* The bucket of the @rank-th value, counted from 1. */
static HistogramRange find_rank(const Histogram *histogram, guint64 rank)
{
    guint64 seen = 0;

    for (guint row = 0; row < N_ROWS; row++) {
        for (guint sub = 0; histogram->rows[row] != NULL && sub < N_SUB; sub++) {
            seen += histogram->rows[row][sub];
            if (seen >= rank) {
                return bucket_range(histogram, row, sub);
            }
        }
    }
    return (HistogramRange){histogram->max, histogram->max};
}

HistogramRange histogram_quantile(Histogram *histogram, guint per_10000)
{
    guint64 count = histogram->count;

    if (count == 0) {
        return (HistogramRange){0, 0};
    }
    /* ⌈count × per_10000 / 10000⌉ without a product that could overflow. */
    guint64 rank = count / 10000 * per_10000 + (count % 10000 * per_10000 + 9999) / 10000;

    rank = CLAMP(rank, 1, count);
    if (histogram->exact == NULL) {
        return find_rank(histogram, rank);
    }
    if (!histogram->is_sorted) {
        qsort(histogram->exact, count, sizeof(gint64), compare_values);
        histogram->is_sorted = TRUE;
    }
    gint64 value = histogram->exact[rank - 1];

    return (HistogramRange){value, value};
}

static guint64 sum(const guint64 *counts, guint from, guint to)
{
    guint64 total = 0;

    for (guint i = from; i < to; i++) {
        total += counts[i];
    }
    return total;
}

guint64 histogram_octave(const Histogram *histogram, guint octave)
{
    if (histogram->exact != NULL) {
        guint64 total = 0;

        for (guint64 i = 0; i < histogram->count; i++) {
            total += octave_of(histogram->exact[i]) == octave;
        }
        return total;
    }
    guint row = octave < SUB_BITS ? 0 : octave - SUB_BITS + 1;

    if (row >= N_ROWS || histogram->rows[row] == NULL) {
        return 0;
    }
    if (row > 0) {
        return sum(histogram->rows[row], 0, N_SUB);
    }
    return sum(histogram->rows[0], octave == 0 ? 0 : 1u << octave, 2u << octave);
}
