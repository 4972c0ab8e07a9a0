/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's tracepoints as its format files describe them, and records of them.
 */
#ifndef VIRTCORR_GEN_TRACEPOINT_H
#define VIRTCORR_GEN_TRACEPOINT_H

#include <glib.h>

typedef enum TracepointId {
    TP_NET_QUEUE,
    TP_NET_START_XMIT,
    TP_NET_XMIT,
    TP_NAPI_RECEIVE,
    TP_NETIF_RECEIVE,
    TP_NAPI_POLL,
    TP_IRQ_ENTRY,
    TP_IRQ_EXIT,
    TP_SOFTIRQ_RAISE,
    TP_SOFTIRQ_ENTRY,
    TP_SOFTIRQ_EXIT,
    TP_SKB_CONSUME,
    TP_SKB_KFREE,
    TP_SKB_COPY,
    TP_KVM_ENTRY,
    TP_KVM_EXIT,
} TracepointId;

enum {
    N_TRACEPOINTS = TP_KVM_EXIT + 1,
    MAX_PAYLOAD = 128,
};

/**
 * KernelRecord: one hit of a tracepoint.
 * @raw: stamp on the traced machine's clock
 * @name: the netdev or the irq action
 * @ptr: skb, napi or program counter; @ptr2: the place that freed the skb
 * @num: a meaning each tracepoint, see the table
 */
typedef struct KernelRecord {
    TracepointId id;
    guint cpu;
    guint tid;
    guint64 raw;
    const char *name;
    guint64 ptr;
    guint64 ptr2;
    guint32 num[3];
} KernelRecord;

const char *tracepoint_system(TracepointId id);
const char *tracepoint_name(TracepointId id);

/* common_type of its records: perf's attr.config. */
guint tracepoint_type(TracepointId id);

/* The text of its format file. */
char *tracepoint_format(TracepointId id);

/* Bytes of @record as in the ring buffer; returns their number, a multiple of 4. */
guint tracepoint_encode(const KernelRecord *record, guint8 ret_payload[MAX_PAYLOAD]);

/* The texts of events/header_page and events/header_event for 4 KiB pages and 64 bit. */
extern const char tracepoint_header_page[];
extern const char tracepoint_header_event[];

/* Append to @out what perf.data and trace.dat share: the formats of the events in @ids. */
void tracepoint_append_formats(GByteArray *out, const TracepointId *ids, guint n_ids);

#endif
