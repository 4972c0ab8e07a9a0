/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a trace format's reader is: a table of functions, one file a format.
 */
#ifndef VIRTCORR_TRACE_FORMAT_H
#define VIRTCORR_TRACE_FORMAT_H

#include "input.h"
#include "trace/source.h"

enum { FORMAT_PROBE_BYTES = 4096 };

/* What a reader shares with source.c; a reader's own struct begins with it. */
typedef struct Reader {
    TraceInfo info;
    Input *input;
    GHashTable *name_ids;  /* text → id, keys owned by @names */
    GPtrArray *names;      /* index 0 is "" */
    guint n_open_problems; /* problems noted when it was opened: they stay over a rewind */
    gboolean scanned;      /* the first pass is over: info is complete, do not count again */
} Reader;

/**
 * TraceFormat:
 * @name: "perf.data"
 * @probe: whether the first @len bytes (up to FORMAT_PROBE_BYTES) begin such a file
 * @open: takes @input; NULL with @error set when not even the header can be used.
 *        Sets @reader.info members that are known from the header.
 * @read: see trace_source_read(); problems go to reader_problem(), loss to EVENT_LOSS events
 * @rewind: back to the first event
 * @event_name: the name of an event type, as set in Event.type
 * @describe: see trace_source_describe()
 * @position: bytes consumed in this pass
 * @close: frees what @open made, not the Reader members (but the struct itself)
 */
typedef struct TraceFormat {
    const char *name;
    gboolean (*probe)(const guint8 *head, gsize len);
    Reader *(*open)(Input *input, const TraceOptions *options, GError **error);
    gsize (*read)(Reader *reader, Event *ret_events, gsize max);
    void (*rewind)(Reader *reader);
    const char *(*event_name)(const Reader *reader, guint32 type);
    void (*describe)(Reader *reader, const Event *event, TraceFieldFunc func, gpointer user_data);
    guint64 (*position)(const Reader *reader);
    void (*close)(Reader *reader);
} TraceFormat;

extern const TraceFormat format_simpletrace;
extern const TraceFormat format_qemu_log;
extern const TraceFormat format_perf_data;
extern const TraceFormat format_trace_dat;

/* Set up the shared members of a reader just allocated; takes @input. */
void reader_init(Reader *reader, const TraceFormat *format, Input *input);

/* Free the shared members: for an open that fails after reader_init(). */
void reader_clear(Reader *reader);

/* Note a problem: one entry a @text, counted. Nothing is noted after the first pass. */
void reader_problem(Reader *reader, guint64 offset, const char *text);

/* The id of @len bytes of @text, which need not be terminated; same text, same id. At most
   READER_MAX_NAMES are kept: then NO_NAME and a problem. */
guint32 reader_intern(Reader *reader, const char *text, gsize len);

enum { READER_MAX_NAMES = 65536 };

/* Count one event or @n lost records, in the first pass only. */
static inline void reader_count(Reader *reader, guint64 n_events)
{
    if (!reader->scanned) {
        reader->info.events += n_events;
    }
}

void reader_count_lost(Reader *reader, guint64 n);

#endif
