/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a run tells the reports, and what a report is.
 */
#ifndef VIRTCORR_JOURNEY_SINK_H
#define VIRTCORR_JOURNEY_SINK_H

#include <stdio.h>

#include "journey/journey.h"

/* A problem of a source file, see TraceProblem. */
typedef struct RunProblem {
    const char *text;
    guint64 offset;
    guint64 count;
} RunProblem;

/* A file that was read. */
typedef struct RunSource {
    const char *file;
    const char *format;
    const char *side; /* "host", "guest" */
    const char *clock;
    guint64 events;
    guint64 lost;
    const RunProblem *problems;
    guint n_problems;
} RunSource;

/**
 * RunClockSegment: see ClockSegment; times on the host's line.
 * @half_width, @worst_half_width: ns; -1 if unbounded
 */
typedef struct RunClockSegment {
    HostTime begin;
    HostTime end;
    gint64 half_width;
    gint64 worst_half_width;
    guint64 n_pairs;
    guint n_hull;
    gboolean bounded_below;
    gboolean bounded_above;
    gint64 rate_lo_ppb; /* host ns per guest unit, relative to the nominal rate, in 1e-9 */
    gint64 rate_hi_ppb;
    const char *cut_by; /* why it begins, NULL for the first */
} RunClockSegment;

/**
 * RunClock: how a guest source was put on the host's time line.
 * @from, @to: "guest.dat:local", "host.trace:monotonic"
 * @method: "causality", "tsc-offset", …, or "none" if it could not be aligned
 * @reason: with "none", what is missing and how to record it
 * @pairs: causal pairs that bound it
 * @violations: pairs that contradict the final map (must be 0)
 * @contradiction: text that names the records that contradict, or NULL
 */
typedef struct RunClock {
    const char *from;
    const char *to;
    const char *method;
    const char *reason;
    guint64 pairs;
    guint64 violations;
    const char *contradiction;
    const RunClockSegment *segments;
    guint n_segments;
} RunClock;

/* Records lost in [begin, end] of @source; begin is G_MININT64 where it is not known. */
typedef struct RunLoss {
    const char *source;
    HostTime begin;
    HostTime end;
    guint64 records; /* 0: unknown */
} RunLoss;

/* Something the user should know, one line: "vhost", "no-common-traffic", … */
typedef struct RunNote {
    const char *kind;
    const char *text;
} RunNote;

/**
 * RunTotals: the last word.
 * @journeys: joined buffers (exact, ordered or ambiguous)
 * @packets_tx, @packets_rx: packets joined, a packet of several buffers counted once
 */
struct RunTotals {
    guint queues;
    guint64 journeys;
    guint64 grades[N_GRADES];
    guint64 orphan_reasons[N_ORPHAN_REASONS];
    guint64 packets_tx;
    guint64 packets_rx;
    guint64 lost;
    guint64 violations;
};

typedef struct RunTotals RunTotals;

/**
 * RunListener: who wants to know what a run finds. Any function may be NULL.
 *
 * Order of calls: source…, queue…, clock…, then journey and loss in the order of the journeys'
 * ends, end; note at any time before. Arguments are valid during the call only, except Queue,
 * which lives until @end returns.
 * @progress: @done of @total units of work
 */
typedef struct RunListener {
    void (*source)(const RunSource *source, gpointer user_data);
    void (*queue)(const Queue *queue, gpointer user_data);
    void (*clock)(const RunClock *clock, gpointer user_data);
    void (*journey)(const Journey *journey, gpointer user_data);
    void (*loss)(const RunLoss *loss, gpointer user_data);
    void (*note)(const RunNote *note, gpointer user_data);
    void (*progress)(guint64 done, guint64 total, gpointer user_data);
    void (*end)(const RunTotals *totals, gpointer user_data);
    gpointer user_data;
} RunListener;

typedef struct ReportSink ReportSink;

/**
 * ReportType: one report format, one file each.
 * @name: for --format
 * @suffix: of -o FILE, with the dot; NULL if only by name
 * @summary: one clause for --help
 *
 * Calls come in the order: begin, source…, queue…, clock…, then journey and loss in the order of
 * time, note…, end. Any may be NULL. @end flushes; errors are told there.
 */
typedef struct ReportType {
    const char *name;
    const char *suffix;
    const char *summary;
    void (*begin)(ReportSink *sink);
    void (*source)(ReportSink *sink, const RunSource *source);
    void (*queue)(ReportSink *sink, const Queue *queue);
    void (*clock)(ReportSink *sink, const RunClock *clock);
    void (*journey)(ReportSink *sink, const Journey *journey);
    void (*loss)(ReportSink *sink, const RunLoss *loss);
    void (*note)(ReportSink *sink, const RunNote *note);
    gboolean (*end)(ReportSink *sink, const RunTotals *totals, GError **error);
} ReportType;

/**
 * ReportOptions: how a report is written.
 * @colour: escape sequences for colours are wanted
 * @width: columns of the terminal, 0 if not a terminal
 */
typedef struct ReportOptions {
    gboolean colour;
    guint width;
} ReportOptions;

/* A report in the making; @state is its own, freed by @end. */
struct ReportSink {
    const ReportType *type;
    FILE *out;
    ReportOptions options;
    gpointer state;
};

#endif
