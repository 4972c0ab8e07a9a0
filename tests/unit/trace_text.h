/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For tests of the readers: bytes in, what was read as text out.
 */
#ifndef VIRTCORR_TEST_TRACE_TEXT_H
#define VIRTCORR_TEST_TRACE_TEXT_H

#include "trace/source.h"

/* Open @len bytes as a trace; its path is /proc/self/fd/N of a file in memory that stays open. */
TraceSource *trace_text_open(const void *bytes, gsize len, const TraceOptions *options,
                             GError **error);

/**
 * trace_text_read: one line an event, in blocks of @max:
 *   TIME NAME KIND ptr PTR… num NUM… [name NAME] [tid TID]    with zeros at the end left out
 *   TIME lost N since TIME
 * Returns: (transfer full)
 */
char *trace_text_read(TraceSource *source, gsize max);

/* "EVENTS events, LOST lost" and one line a problem: "@OFFSET xCOUNT TEXT". */
char *trace_text_info(const TraceSource *source);

/* Assert that @source reads as @events and @info, and the same again after a rewind. */
void trace_text_check(TraceSource *source, const char *events, const char *info);

/* "NAME=VALUE …" of the @i-th event; text values in quotes. Rewinds @source. */
char *trace_text_describe(TraceSource *source, guint i);

#endif
