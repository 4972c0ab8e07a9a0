/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of the perf.data builder share.
 */
#ifndef VIRTCORR_TESTS_PERF_BUILD_PRIVATE_H
#define VIRTCORR_TESTS_PERF_BUILD_PRIVATE_H

#include "perf_build.h"

/* Append an integer, a text with its NUL, zeros up to a multiple of @to. */
void build_add(const PerfBuild *build, GByteArray *bytes, guint64 value, gsize size);
void build_add_text(GByteArray *bytes, const char *text);
void build_pad(GByteArray *bytes, gsize to);

/* Append a record to the file. */
void build_add_record(PerfBuild *build, guint32 type, guint16 misc, const GByteArray *body);

/* The formats of the events, as the file has them. */
GByteArray *build_tracing_data(const PerfBuild *build);

#endif
