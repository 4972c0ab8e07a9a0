/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of qemu-log.
 */
#include "format.h"

static gboolean probe(const guint8 *head, gsize len)
{
    return FALSE;
}

const TraceFormat format_qemu_log = {.name = "qemu-log", .probe = probe};
