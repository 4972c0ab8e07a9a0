/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tests of the trace.dat reader share.
 */
#ifndef VIRTCORR_TESTS_DAT_TEST_H
#define VIRTCORR_TESTS_DAT_TEST_H

#include "dat_builder.h"
#include "trace/source.h"

enum { N_DAT_VARIANTS = 8 };

/* Versions, byte orders, sizes of a long, compressions. */
extern const DatVariant dat_variants[N_DAT_VARIANTS];

/* Open a file with @bytes; its name begins with "virtcorr-test-". */
TraceSource *dat_test_open(const guint8 *bytes, gsize len, GError **error);

/* Build a file and open it. */
TraceSource *dat_test_open_instances(const DatVariant *variant, const DatInstance *instances,
                                     guint n);

/* All events as "time/cpu name" words; a loss shows its count and where it begins. */
char *dat_test_read(TraceSource *source);

/* Read all and compare with such words. */
void dat_test_assert_reads(TraceSource *source, const char *expected);

guint dat_test_n_problems(TraceSource *source);

#endif
