/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The trace of one kernel: what is recorded, what is lost, and the files it goes to.
 */
#ifndef VIRTCORR_GEN_KERNEL_TRACE_H
#define VIRTCORR_GEN_KERNEL_TRACE_H

#include "tracepoint.h"

/**
 * KernelFile: a file format. Records of a CPU come in order.
 * @lost: @n records of @cpu were lost before the next one; the first was due after @raw
 * @finish: completes and closes the file
 */
typedef struct KernelFile KernelFile;
struct KernelFile {
    void (*record)(KernelFile *file, const KernelRecord *record, const guint8 *payload, guint size);
    void (*lost)(KernelFile *file, guint cpu, guint n, guint64 raw);
    gboolean (*finish)(KernelFile *file, GError **error);
};

/* Names of threads for the files. */
typedef struct ThreadName {
    guint tid;
    const char *comm;
} ThreadName;

/**
 * KernelFileOptions:
 * @ids: tracepoints that were enabled
 * @threads: ends with a NULL comm
 * @clock: ftrace's name of the clock; trace.dat only
 * @tsc_khz: the clock counts cycles; 0: ns. perf.data then has ns and says how they follow
 */
typedef struct KernelFileOptions {
    const char *machine;
    const TracepointId *ids;
    guint n_ids;
    const ThreadName *threads;
    guint n_cpus;
    const char *clock;
    guint tsc_khz;
} KernelFileOptions;

KernelFile *perf_data_create(const char *path, const KernelFileOptions *options, GError **error);
KernelFile *trace_dat_create(const char *path, const KernelFileOptions *options, GError **error);

#endif
