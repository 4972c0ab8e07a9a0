/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fields of a kernel record as text.
 */
#ifndef VIRTCORR_TRACE_KERNEL_DESCRIBE_H
#define VIRTCORR_TRACE_KERNEL_DESCRIBE_H

#include <traceevent/event-parse.h>

#include "trace/source.h"

/* Call @func for each field of @format in @raw; the common fields are left out. */
void kernel_describe(const struct tep_event *format, const guint8 *raw, gsize size,
                     gboolean swapped, TraceFieldFunc func, gpointer user_data);

#endif
