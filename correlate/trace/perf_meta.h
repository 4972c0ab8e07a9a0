/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a perf.data file says about itself, in sections of a file or in records of a pipe.
 */
#ifndef VIRTCORR_TRACE_PERF_META_H
#define VIRTCORR_TRACE_PERF_META_H

#include "kernel_event.h"
#include "perf_attr.h"

/* Feature numbers: enum in tools/perf/util/header.h. */
typedef enum PerfFeature {
    PERF_FEATURE_TRACING_DATA = 1,
    PERF_FEATURE_HOSTNAME = 3,
    PERF_FEATURE_OSRELEASE = 4,
    PERF_FEATURE_CLOCKID = 23,
    PERF_FEATURE_DIR_FORMAT = 24,
    PERF_FEATURE_CLOCK_DATA = 29,
    PERF_FEATURES = 256,
} PerfFeature;

/**
 * PerfMeta:
 * @reader: whose info is filled and who notes problems
 * @events: the formats of the file; @no_events until they were read
 * @no_events: knows no format. Kept, because names that it gave away may be in use
 */
typedef struct PerfMeta {
    Reader *reader;
    PerfAttrs attrs;
    KernelEvents *events;
    KernelEvents *no_events;
} PerfMeta;

void perf_meta_init(PerfMeta *meta, Reader *reader, gboolean swapped, gboolean big_endian);
void perf_meta_clear(PerfMeta *meta);

/* Take the feature @number whose data is at [@offset, @offset + @size) of @input. */
void perf_meta_feature(PerfMeta *meta, guint number, Input *input, guint64 offset, guint64 size);

/* Take tracing data; a second one is a problem. */
void perf_meta_tracing_data(PerfMeta *meta, Input *input, guint64 offset, guint64 size);

/* Take an attribute of @size bytes found at @offset. */
void perf_meta_attr(PerfMeta *meta, const guint8 *bytes, gsize size, guint64 offset);

/* The ids at @bytes belong to the attribute taken last. */
void perf_meta_ids(PerfMeta *meta, const guint8 *bytes, gsize size, guint64 offset);

/* Records that carry such data: HEADER_ATTR, HEADER_FEATURE, ID_INDEX, TIME_CONV. */
void perf_meta_attr_record(PerfMeta *meta, const PerfRecord *record);
void perf_meta_feature_record(PerfMeta *meta, const PerfRecord *record, Input *input);
void perf_meta_id_index(PerfMeta *meta, const PerfRecord *record);
void perf_meta_time_conv(PerfMeta *meta, const PerfRecord *record);

#endif
