/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * simpletrace version 4: layout and buffering as in QEMU's trace/simple.c.
 */
#include "simpletrace.h"

#include <errno.h>
#include <stdio.h>

#include "bytes_out.h"

#define EVENT_HEADER G_MAXUINT64
#define EVENT_DROPPED (G_MAXUINT64 - 1)
#define MAGIC 0xf2b177cb0aa429b4

enum {
    VERSION = 4,
    TYPE_MAPPING = 0,
    TYPE_EVENT = 1,
    FIRST_ID = 2101, /* ids count over all events of a QEMU, most of which nobody enabled */
    BUFFER_SIZE = 4096 * 64,
    FLUSH_THRESHOLD = BUFFER_SIZE / 4,
    MAX_RECORD = 8 + 24 + 8 * MAX_QEMU_ARGS,
    MAX_PENDING = 4096,
    PROCESS_ID = 2718,
};

typedef struct QemuEvent {
    const char *name;
    guint n_args;
} QemuEvent;

static const QemuEvent qemu_events[N_QEMU_EVENTS] = {
    [QEMU_ALLOC_ELEMENT] = {"virtqueue_alloc_element", 4},
    [QEMU_POP] = {"virtqueue_pop", 4},
    [QEMU_FILL] = {"virtqueue_fill", 4},
    [QEMU_FLUSH] = {"virtqueue_flush", 2},
    [QEMU_QUEUE_NOTIFY] = {"virtio_queue_notify", 3},
    [QEMU_NOTIFY] = {"virtio_notify", 2},
    [QEMU_NOTIFY_IRQFD] = {"virtio_notify_irqfd", 2},
    [QEMU_SET_STATUS] = {"virtio_set_status", 2},
};

typedef struct EventHead {
    guint64 type;
    guint64 event;
    guint64 time;
    guint32 length;
    guint32 pid;
} EventHead;

/**
 * Simpletrace:
 * @pending: records whose slot is later than the horizon, by slot
 * @buffer: QEMU's ring buffer; the file gets it when it is a quarter full
 * @last_written: stamp of the last record in the file
 */
struct Simpletrace {
    FILE *out;
    gboolean is_stalled;
    guint n_pending;
    QemuRecord pending[MAX_PENDING];
    guint used;
    guint64 last_time;
    guint64 last_written;
    guint8 buffer[BUFFER_SIZE];
};

static void append_mapping(GByteArray *out, guint64 id, const char *name)
{
    bytes_append_u64(out, TYPE_MAPPING);
    bytes_append_u64(out, id);
    bytes_append_u32(out, strlen(name));
    bytes_append(out, name, strlen(name));
}

static void write_head(Simpletrace *trace)
{
    g_autoptr(GByteArray) out = g_byte_array_new();

    bytes_append_u64(out, EVENT_HEADER);
    bytes_append_u64(out, MAGIC);
    bytes_append_u64(out, VERSION);
    append_mapping(out, FIRST_ID - 1, "virtio_net_announce_timer");
    for (guint i = 0; i < N_QEMU_EVENTS; i++) {
        append_mapping(out, FIRST_ID + i, qemu_events[i].name);
    }
    append_mapping(out, FIRST_ID + N_QEMU_EVENTS, "virtio_pci_notify");
    fwrite(out->data, out->len, 1, trace->out);
}

Simpletrace *simpletrace_create(const char *path, GError **error)
{
    FILE *out = fopen(path, "wb");
    Simpletrace *trace;

    if (!out) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot create '%s': %s", path,
                    g_strerror(errno));
        return NULL;
    }
    trace = g_new0(Simpletrace, 1);
    trace->out = out;
    write_head(trace);
    return trace;
}

static void write_buffer(Simpletrace *trace)
{
    fwrite(trace->buffer, 1, trace->used, trace->out);
    trace->used = 0;
    trace->last_written = trace->last_time;
}

static void buffer_record(Simpletrace *trace, const QemuRecord *record)
{
    guint args_size = qemu_events[record->id].n_args * sizeof(guint64);
    EventHead head = {
        .type = TYPE_EVENT,
        .event = FIRST_ID + record->id,
        .time = record->time,
        .length = sizeof(head) - sizeof(head.type) + args_size,
        .pid = PROCESS_ID,
    };

    if (trace->used + MAX_RECORD > BUFFER_SIZE) {
        write_buffer(trace);
    }
    memcpy(trace->buffer + trace->used, &head, sizeof(head));
    memcpy(trace->buffer + trace->used + sizeof(head), record->args, args_size);
    trace->used += sizeof(head) + args_size;
    trace->last_time = record->time;
    if (!trace->is_stalled && trace->used > FLUSH_THRESHOLD) {
        write_buffer(trace);
    }
}

/* Records with a slot before @horizon, or the oldest if there is no room for more. */
static void release(Simpletrace *trace, guint64 horizon)
{
    guint n = 0;

    while (n < trace->n_pending && trace->pending[n].slot < horizon) {
        n++;
    }
    if (n == 0 && trace->n_pending == MAX_PENDING) {
        n = MAX_PENDING / 2;
    }
    for (guint i = 0; i < n; i++) {
        buffer_record(trace, &trace->pending[i]);
    }
    memmove(trace->pending, trace->pending + n, (trace->n_pending - n) * sizeof(QemuRecord));
    trace->n_pending -= n;
}

void simpletrace_record(Simpletrace *trace, const QemuRecord *record, guint64 horizon)
{
    enum { RELEASE_EVERY = 256 };
    guint at;

    if (trace->n_pending % RELEASE_EVERY == RELEASE_EVERY - 1) {
        release(trace, horizon);
    }
    at = trace->n_pending++;
    while (at > 0 && trace->pending[at - 1].slot > record->slot) {
        trace->pending[at] = trace->pending[at - 1];
        at--;
    }
    trace->pending[at] = *record;
}

void simpletrace_stall(Simpletrace *trace)
{
    trace->is_stalled = TRUE;
}

gboolean simpletrace_is_full(const Simpletrace *trace)
{
    return trace->is_stalled &&
           trace->used + (trace->n_pending + 2) * MAX_RECORD > BUFFER_SIZE;
}

/*
 * QEMU writes the count of lost records first and the records that were in the buffer all the
 * while after it: the file does not say where in the buffer the gap is.
 */
SimpletraceLoss simpletrace_resume(Simpletrace *trace, guint64 time, guint64 n)
{
    EventHead head = {TYPE_EVENT, EVENT_DROPPED, time, sizeof(head) - 8 + sizeof(n), PROCESS_ID};
    SimpletraceLoss loss = {trace->last_written, time, n};

    fwrite(&head, sizeof(head), 1, trace->out);
    fwrite(&n, sizeof(n), 1, trace->out);
    write_buffer(trace);
    trace->is_stalled = FALSE;
    return loss;
}

gboolean simpletrace_finish(Simpletrace *trace, GError **error)
{
    g_autofree Simpletrace *owned = trace;
    gboolean is_written;

    release(trace, G_MAXUINT64);
    write_buffer(trace);
    is_written = !ferror(trace->out);
    if (fclose(trace->out) != 0 || !is_written) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot write simpletrace: %s",
                    g_strerror(errno));
        return FALSE;
    }
    return TRUE;
}
