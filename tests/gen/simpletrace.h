/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's simpletrace file, with its ring buffer, its threads that overtake each other, and its
 * losses.
 */
#ifndef VIRTCORR_GEN_SIMPLETRACE_H
#define VIRTCORR_GEN_SIMPLETRACE_H

#include <glib.h>

typedef enum QemuEventId {
    QEMU_ALLOC_ELEMENT,
    QEMU_POP,
    QEMU_FILL,
    QEMU_FLUSH,
    QEMU_QUEUE_NOTIFY,
    QEMU_NOTIFY,
    QEMU_NOTIFY_IRQFD,
    QEMU_SET_STATUS,
} QemuEventId;

enum {
    N_QEMU_EVENTS = QEMU_SET_STATUS + 1,
    MAX_QEMU_ARGS = 4,
};

/**
 * QemuRecord: one record.
 * @time: its stamp
 * @slot: when its place in the buffer was reserved: the file is in this order
 */
typedef struct QemuRecord {
    guint64 time;
    guint64 slot;
    QemuEventId id;
    guint64 args[MAX_QEMU_ARGS];
} QemuRecord;

/* Where records were lost, as a reader of the file can know it. */
typedef struct SimpletraceLoss {
    guint64 begin;
    guint64 end;
    guint64 records;
} SimpletraceLoss;

typedef struct Simpletrace Simpletrace;

Simpletrace *simpletrace_create(const char *path, GError **error);

/* @horizon: no record that is still to come has an earlier slot. */
void simpletrace_record(Simpletrace *trace, const QemuRecord *record, guint64 horizon);

/* From now on the writer thread does not come to write. */
void simpletrace_stall(Simpletrace *trace);

/* Whether QEMU's buffer is full: what comes now is lost. */
gboolean simpletrace_is_full(const Simpletrace *trace);

/* The writer thread is back at @time; @n records were lost meanwhile. */
SimpletraceLoss simpletrace_resume(Simpletrace *trace, guint64 time, guint64 n);

gboolean simpletrace_finish(Simpletrace *trace, GError **error);

#endif
