/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel trace events: decodes raw records with the formats that a file carries.
 */
#ifndef VIRTCORR_TRACE_KERNEL_EVENT_H
#define VIRTCORR_TRACE_KERNEL_EVENT_H

#include "format.h"

/**
 * KernelEvents: the event formats of one file, parsed by libtraceevent.
 *
 * For the events of event_kind_find() the offset and size of each wanted field are looked up once,
 * so that decoding a record is a few copies.
 */
typedef struct KernelEvents KernelEvents;

/**
 * kernel_events_new:
 * @reader: interns names and notes problems
 * @big_endian: byte order of the traced machine
 * @long_size: 4 or 8, size of its pointers
 */
KernelEvents *kernel_events_new(Reader *reader, gboolean big_endian, int long_size);
void kernel_events_free(KernelEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelEvents, kernel_events_free)

/**
 * kernel_events_add: parse one `format` file's text.
 * The text is untrusted: its print fmt is dropped before libtraceevent sees it, so that no parser
 * recurses on it; FALSE (and a problem noted at @offset) when it cannot be parsed.
 */
gboolean kernel_events_add(KernelEvents *events, const char *system, const char *text, gsize len,
                           guint64 offset);

/**
 * kernel_events_decode: fill kind, type, ptr, num and name of @event, and tid from common_pid when
 * @event->tid is 0, from the raw record @raw. Every offset is checked against @size.
 *
 * Returns: FALSE when the type is not known; kind is then EVENT_OTHER
 */
gboolean kernel_events_decode(KernelEvents *events, const guint8 *raw, gsize size, Event *event);

/* "net:net_dev_xmit", or "type N" text for an unknown type; owned by @events. */
const char *kernel_events_name(const KernelEvents *events, guint32 type);

/* Whether an event format with this system was added: tells the side of a trace ("kvm"). */
gboolean kernel_events_has_system(const KernelEvents *events, const char *system);

/* Call @func for each field of the raw record. */
void kernel_events_describe(KernelEvents *events, const guint8 *raw, gsize size,
                            TraceFieldFunc func, gpointer user_data);

/**
 * The side told from the names seen: an irq action "virtioN-…" or a virtio driver's netdev makes a
 * guest, kvm_entry/kvm_exit events make a host.
 */
TraceSide kernel_events_side(const KernelEvents *events);

#endif
