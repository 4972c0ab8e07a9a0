/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes perf.data files in memory, for tests.
 */
#ifndef VIRTCORR_TESTS_PERF_BUILD_H
#define VIRTCORR_TESTS_PERF_BUILD_H

#include <glib.h>

/* Bits of a sample type: include/uapi/linux/perf_event.h. */
enum {
    SAMPLE_IP = 1 << 0,
    SAMPLE_TID = 1 << 1,
    SAMPLE_TIME = 1 << 2,
    SAMPLE_READ = 1 << 4,
    SAMPLE_CALLCHAIN = 1 << 5,
    SAMPLE_ID = 1 << 6,
    SAMPLE_CPU = 1 << 7,
    SAMPLE_PERIOD = 1 << 8,
    SAMPLE_RAW = 1 << 10,
    SAMPLE_IDENTIFIER = 1 << 16,
    /* What perf record uses for tracepoints. */
    SAMPLE_USUAL = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_RAW |
                   SAMPLE_IDENTIFIER,
};

/**
 * PerfLayout: how a file is laid out; all zero is a file that perf writes on x86-64.
 * @is_pipe: as perf record -o - writes it
 * @big_endian, @long_size: the machine that wrote it; 0: 8 bytes
 * @attr_size: bytes of a perf_event_attr, 64 or more; 0: 136
 * @use_clockid, @clockid: perf record -k
 * @sample_type: of every attribute; 0: SAMPLE_USUAL
 * @read_group: READ members of samples are groups
 * @n_attrs: 1 when samples cannot tell more apart; 0: all
 */
typedef struct PerfLayout {
    gboolean is_pipe;
    gboolean big_endian;
    int long_size;
    int attr_size;
    gboolean use_clockid;
    int clockid;
    guint64 sample_type;
    gboolean read_group;
    int n_attrs;
} PerfLayout;

/* The attributes; each has the ids 10 * (number + 1) + CPU. */
typedef enum PerfBuildAttr {
    ATTR_XMIT,   /* net:net_dev_xmit */
    ATTR_IRQ,    /* irq:irq_handler_entry */
    ATTR_CYCLES, /* a hardware counter: its samples are no events */
} PerfBuildAttr;

enum { TYPE_XMIT = 1500, TYPE_IRQ = 77 };

typedef struct PerfBuild PerfBuild;

PerfBuild *perf_build_new(const PerfLayout *layout);

/* The layout without zeros that stand for something else. */
const PerfLayout *perf_build_layout(const PerfBuild *build);
void perf_build_free(PerfBuild *build);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfBuild, perf_build_free)

/* Features for the end of a file; in a pipe they go in at once. */
void perf_build_feature(PerfBuild *build, guint number, const void *bytes, gsize len);
void perf_build_string_feature(PerfBuild *build, guint number, const char *text);

/* net_dev_xmit of an skb on eth0; @skb and @len are its arguments. */
void perf_build_xmit(PerfBuild *build, guint cpu, guint64 time, guint32 tid, guint64 skb,
                     guint32 len);

/* irq_handler_entry of "virtio0-input.0". */
void perf_build_irq(PerfBuild *build, guint cpu, guint64 time, guint32 irq);

/* A sample of another attribute, without raw data of an event. */
void perf_build_cycles(PerfBuild *build, guint cpu, guint64 time);

/* Records other than samples; @values are the body's u64. With @id, a trailer follows. */
void perf_build_values(PerfBuild *build, guint32 type, guint16 misc, const guint64 *values,
                       gsize n_values);
void perf_build_with_trailer(PerfBuild *build, guint32 type, guint16 misc, const guint64 *values,
                             gsize n_values, guint cpu, guint64 time);
void perf_build_round(PerfBuild *build);

/* Bytes as they are, in the place of a record. */
void perf_build_bytes(PerfBuild *build, const void *bytes, gsize len);

/* What follows is compressed into records of @type (81, 83), each of at most @chunk plain bytes;
   0 ends it. */
void perf_build_compress(PerfBuild *build, guint32 type, gsize chunk);

/* The file. Nothing can be added to it any more. */
GByteArray *perf_build_finish(PerfBuild *build);

/* The bytes @value has in the file. */
void perf_build_put(const PerfBuild *build, guint8 *at, guint64 value, gsize size);

#endif
