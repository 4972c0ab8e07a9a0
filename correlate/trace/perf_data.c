/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of perf.data.
 */
#include "format.h"

static gboolean probe(const guint8 *head, gsize len)
{
    return FALSE;
}

const TraceFormat format_perf_data = {.name = "perf.data", .probe = probe};
