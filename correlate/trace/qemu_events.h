/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The arguments of QEMU's trace events: built-in rows, and files that the user names.
 */
#ifndef VIRTCORR_TRACE_QEMU_EVENTS_H
#define VIRTCORR_TRACE_QEMU_EVENTS_H

#include "trace/event.h"
#include "trace/source.h"
#include "trace_events_file.h"

typedef struct QemuEvents QemuEvents;

/* @files: trace-events files, NULL-terminated, or NULL; what they say replaces built-in rows. */
QemuEvents *qemu_events_new(char **files, GError **error);
void qemu_events_free(QemuEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QemuEvents, qemu_events_free)

/**
 * qemu_events_find: the signatures (QemuSignature) of event @name.
 *
 * There are several when QEMU versions differ; the newest comes first.
 *
 * Returns: owned by @events; NULL when the event is not known
 */
const GPtrArray *qemu_events_find(const QemuEvents *events, const char *name);

/* The member of Event that argument @arg fills, in @ret_slot; FALSE if none. */
gboolean qemu_arg_slot(const EventKindInfo *info, const char *arg, EventSlot *ret_slot);

/* Put @value into the member @slot, which is not SLOT_NAME. Numbers keep their low 32 bits. */
static inline void event_set_slot(Event *event, EventSlot slot, guint64 value)
{
    if (slot <= SLOT_PTR1) {
        event->ptr[slot - SLOT_PTR0] = value;
    } else {
        event->num[slot - SLOT_NUM0] = value;
    }
}

/* Give @func an argument that is a number. */
void qemu_describe_number(const QemuArg *arg, guint64 value, TraceFieldFunc func,
                          gpointer user_data);

#endif
