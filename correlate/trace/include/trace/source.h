/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A trace file of any format, read as events.
 */
#ifndef VIRTCORR_TRACE_SOURCE_H
#define VIRTCORR_TRACE_SOURCE_H

#include "trace/event.h"

typedef struct TraceSource TraceSource;

#define TRACE_ERROR trace_error_quark()
GQuark trace_error_quark(void);

typedef enum TraceError {
    TRACE_ERROR_UNREADABLE, /* no such file, no permission, I/O error */
    TRACE_ERROR_EMPTY,
    TRACE_ERROR_FORMAT,      /* not a trace file of any known format */
    TRACE_ERROR_UNSUPPORTED, /* a known format in a version or variant that cannot be read */
    TRACE_ERROR_CORRUPT,     /* nothing can be read: the header itself is damaged */
} TraceError;

typedef enum TraceSide {
    TRACE_SIDE_UNKNOWN,
    TRACE_SIDE_HOST,
    TRACE_SIDE_GUEST,
} TraceSide;

typedef enum TraceClockKind {
    TRACE_CLOCK_UNKNOWN,  /* the file does not say */
    TRACE_CLOCK_SCHED,    /* sched_clock: perf's default, ftrace's local, global and perf */
    TRACE_CLOCK_TSC,      /* cycles of the machine's TSC */
    TRACE_CLOCK_MONOTONIC,
    TRACE_CLOCK_MONOTONIC_RAW,
    TRACE_CLOCK_BOOTTIME,
    TRACE_CLOCK_REALTIME,
    TRACE_CLOCK_TAI,
    TRACE_CLOCK_COUNTER, /* a sequence number, not a time */
    TRACE_CLOCK_UPTIME,  /* jiffies: ticks of 1 to 10 ms */
} TraceClockKind;

/**
 * TraceClock: what the times of a source are.
 * @kind: which clock
 * @name: its name in the file ("x86-tsc", "monotonic"), for messages; owned by the source
 * @step_ns: a stamp t means [t, t + step_ns): 0 for a clock of ns, 1000 for one of µs
 * @has_tsc: whether ns = tsc_zero + (cycles * tsc_mult >> tsc_shift) is known (perf's TIME_CONV,
 *           trace-cmd's TSC2NSEC)
 * @has_offset: the file holds offsets to its host's clock (trace-cmd's TIME_SHIFT)
 */
typedef struct TraceClock {
    TraceClockKind kind;
    const char *name;
    gint64 step_ns;
    gboolean has_tsc;
    guint32 tsc_mult;
    guint32 tsc_shift;
    guint64 tsc_zero;
    gboolean has_offset;
} TraceClock;

/**
 * TraceProblem: something wrong with a file, one entry a kind.
 * @text: one clause, such as "a record runs past the end of the file"
 * @offset: where it was seen first
 * @count: how often
 */
typedef struct TraceProblem {
    char *text;
    guint64 offset;
    guint64 count;
} TraceProblem;

/**
 * TraceInfo: what is known of a source. Complete after it has been read to the end once.
 * @path: as the user named it
 * @format: "simpletrace", "qemu-log", "perf.data" or "trace.dat"
 * @version: of the format, 0 if it has none
 * @side: told from the events or the format
 * @clock: what its times are
 * @size: bytes of the file
 * @machine: host name in the file, or NULL
 * @release: kernel release in the file, or NULL
 * @events: events read, EVENT_LOSS not counted
 * @lost: records known to be lost; loss of an unknown number counts 1
 * @problems: array of TraceProblem
 */
typedef struct TraceInfo {
    char *path;
    const char *format;
    guint version;
    TraceSide side;
    TraceClock clock;
    guint64 size;
    char *machine;
    char *release;
    guint64 events;
    guint64 lost;
    GArray *problems;
} TraceInfo;

/**
 * TraceOptions: what the user may tell about a file.
 * @trace_events: paths of QEMU trace-events files that name arguments, NULL-terminated, or NULL
 */
typedef struct TraceOptions {
    char **trace_events;
} TraceOptions;

/**
 * trace_source_open: open @path, whatever its format (told from its content).
 *
 * A pipe, and a file whose records are compressed, is spooled to an unlinked temporary file, so
 * that it can be read again. Errors name the file and what to do.
 *
 * Returns: (transfer full): NULL on error
 */
TraceSource *trace_source_open(const char *path, const TraceOptions *options, GError **error);

void trace_source_free(TraceSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSource, trace_source_free)

/* Facts; the pointer stays valid while @source lives, its content grows as events are read. */
const TraceInfo *trace_source_info(const TraceSource *source);

/**
 * trace_source_read: the next events, at most @max, in time order as far as the format allows.
 * Damage never fails: what is whole is returned, the rest is noted in TraceInfo.problems.
 *
 * Returns: how many; 0 at the end
 */
gsize trace_source_read(TraceSource *source, Event *ret_events, gsize max);

/* Start again at the first event. Counts and problems in TraceInfo are not counted twice. */
void trace_source_rewind(TraceSource *source);

/* The interned name @name of @source: "" for NO_NAME. Untrusted text. */
const char *trace_source_name(const TraceSource *source, guint32 name);

/* How many names there are; ids are 1 … n. Grows as events are read. */
guint trace_source_n_names(const TraceSource *source);

/* The name of @event's type: "virtqueue_pop", "net:net_dev_xmit". Untrusted text. */
const char *trace_source_event_name(const TraceSource *source, const Event *event);

/**
 * TraceFieldFunc: receives an argument of a record.
 * @name: the argument's name, or "arg0" …
 * @value: its value as text
 * @is_number: whether @value is a number that JSON can hold unquoted
 */
typedef void (*TraceFieldFunc)(const char *name, const char *value, gboolean is_number,
                               gpointer user_data);

/* Call @func for each argument of @event's record, whether the join needs it or not. */
void trace_source_describe(TraceSource *source, const Event *event, TraceFieldFunc func,
                           gpointer user_data);

/* Bytes of the file consumed so far in this pass, for progress. */
guint64 trace_source_position(const TraceSource *source);

#endif
