/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of trace.dat.
 */
#include "format.h"

static gboolean probe(const guint8 *head, gsize len)
{
    return FALSE;
}

const TraceFormat format_trace_dat = {.name = "trace.dat", .probe = probe};
