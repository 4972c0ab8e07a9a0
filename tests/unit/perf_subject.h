/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf.data file on disk that is read, and what most tests put into one.
 */
#ifndef VIRTCORR_TESTS_PERF_SUBJECT_H
#define VIRTCORR_TESTS_PERF_SUBJECT_H

#include "perf_build.h"

#include "trace/source.h"

/* Record types and features that only the tests themselves write. */
enum {
    RECORD_LOST = 2,
    RECORD_LOST_SAMPLES = 13,
    RECORD_ID_INDEX = 69,
    RECORD_TIME_CONV = 79,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_CLOCKID = 23,
    FEATURE_CLOCK_DATA = 29,
    MISC_FILTERED = 1 << 15,
    MAX_EVENTS = 1024,
};

/* An skb's address. */
static const guint64 skb = G_GUINT64_CONSTANT(0xffff888012345678);

/**
 * Subject:
 * @source: NULL when the file was refused
 * @error: then why
 * @events, @n: what was read
 */
typedef struct Subject {
    int fd;
    char *path;
    TraceSource *source;
    GError *error;
    Event events[MAX_EVENTS];
    gsize n;
} Subject;

/* Write a file of @bytes and read it. */
Subject *subject_new(const guint8 *bytes, gsize len);
Subject *subject_of(PerfBuild *build);
void subject_free(Subject *subject);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Subject, subject_free)

/* Read it again. */
void subject_reread(Subject *subject);

const TraceInfo *subject_info(const Subject *subject);

/* How often a problem whose text holds @part was noted. */
guint64 subject_problems(const Subject *subject, const char *part);
void subject_assert_no_problems(const Subject *subject);

/* A round with two CPUs, the later one first, samples that are no events, and one more round. */
void subject_add_usual(PerfBuild *build);

/* @subject has the events of subject_add_usual(), in order, when it is laid out by @layout. */
void subject_assert_usual(const Subject *subject, const PerfLayout *layout);

/* @event is the first of these. */
void subject_assert_xmit(const Subject *subject, const Event *event);

#endif
