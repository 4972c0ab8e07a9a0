/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of simpletrace.
 */
#include "format.h"

static gboolean probe(const guint8 *head, gsize len)
{
    return FALSE;
}

const TraceFormat format_simpletrace = {.name = "simpletrace", .probe = probe};
