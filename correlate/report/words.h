/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How reports for people spell names, times and counts.
 */
#ifndef VIRTCORR_REPORT_WORDS_H
#define VIRTCORR_REPORT_WORDS_H

#include "journey/sink.h"

/* @text for a terminal: control, format and invalid characters are escaped, overlong text is cut;
   "-" for NULL. */
char *words_escape(const char *text);

/* "812 ns", "1.204 ms": four digits. */
char *words_duration(gint64 ns);

/* The same without a space and with two digits, rounded up, for bounds: "23µs". */
char *words_bound(gint64 ns);

/* "±23µs" for half of a bound's width, "unbounded" for -1. */
char *words_half_width(gint64 half_width);

/* "1.204 ms", "1.204 ms ±23µs", and "< 23.10 µs" for what the bound cannot tell from 0. */
char *words_latency(Latency latency, gboolean with_bound);

/* How far the true value can be from latency.ns; -1 if unbounded. */
gint64 latency_error(Latency latency);

/* "79044.417123332", seconds of the host's clock. */
char *words_time(HostTime time);

/* "601,234". */
char *words_count(guint64 count);

/* "enp0s10", or the best other name of the queue's device. Escaped. */
char *words_queue_name(const Queue *queue);

/* "1 packet", "2 packets". */
char *words_plural(guint64 count, const char *noun);

/* "host.trace: 12 records lost between 1.5 s and 2 s"; nothing is known of a beginning at
   G_MININT64. */
char *words_loss(const RunLoss *loss);

#endif
