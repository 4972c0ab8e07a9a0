/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tracing data of a perf.data file: the kernel's event formats.
 */
#ifndef VIRTCORR_TRACE_PERF_TRACING_H
#define VIRTCORR_TRACE_PERF_TRACING_H

#include "kernel_event.h"

/**
 * perf_tracing_read: parse the tracing data in [@offset, @offset + @size) of @input.
 *
 * Damage is noted as a problem of @reader; the formats before it are kept.
 *
 * Returns: (transfer full): NULL when not even its header can be used
 */
KernelEvents *perf_tracing_read(Reader *reader, Input *input, guint64 offset, guint64 size);

#endif
