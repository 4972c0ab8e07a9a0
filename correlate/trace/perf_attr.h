/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event attributes of a perf.data file: where each member of a sample lies.
 */
#ifndef VIRTCORR_TRACE_PERF_ATTR_H
#define VIRTCORR_TRACE_PERF_ATTR_H

#include "bytes.h"
#include "perf_stream.h"

#include <glib.h>

/**
 * PerfAttr: one perf_event_attr, reduced to what reading a sample needs.
 * @is_event: a tracepoint with raw data and time: its samples become events
 * @fixed_size: bytes of a sample up to where the first member of variable size can begin
 * @time_at, @cpu_at, @tid_at: offsets in a sample record, 0 if the member is not there
 * @raw_at: offset of the raw data's size, or where READ or CALLCHAIN before it begin
 * @has_read, @has_callchain: which of these stand before the raw data
 * @trailer_time, @trailer_cpu: offsets back from the end of other records, 0 if not there
 * @clockid: what -k chose, -1 without
 */
typedef struct PerfAttr {
    guint64 read_format;
    gint32 clockid;
    gboolean is_event;
    gboolean has_read;
    gboolean has_callchain;
    guint16 fixed_size;
    guint16 time_at;
    guint16 cpu_at;
    guint16 tid_at;
    guint16 raw_at;
    guint16 sample_id_at;
    guint16 trailer_time;
    guint16 trailer_cpu;
    guint16 trailer_id;
} PerfAttr;

/* @attr is a number, not a pointer: attributes may still be added. */
typedef struct PerfId {
    guint64 id;
    guint32 attr_plus_1; /* 0: the slot is free */
    guint16 cpu;         /* from ID_INDEX; NO_CPU if that was not there */
} PerfId;

/**
 * PerfAttrs: attributes by sample id; an open addressed hash of ids.
 * @id_at, @trailer_id: where a sample and another record have their id; 0: they have none, so
 *                      there is one attribute only
 */
typedef struct PerfAttrs {
    GArray *attrs;
    PerfId *ids;
    guint n_ids;
    guint shift;
    guint16 id_at;
    guint16 trailer_id;
    gboolean swapped;
    gboolean big_endian;
} PerfAttrs;

enum { PERF_MAX_ATTRS = 16384, PERF_MAX_IDS = 1 << 20, PERF_MAX_ATTR_SIZE = 4096 };

void perf_attrs_init(PerfAttrs *attrs, gboolean swapped, gboolean big_endian);
void perf_attrs_clear(PerfAttrs *attrs);

/* Add the perf_event_attr of @size bytes; NULL or what is wrong with it. */
const char *perf_attrs_add(PerfAttrs *attrs, const guint8 *bytes, gsize size);

/* Samples with this id belong to the attribute added last; FALSE when there are too many. */
gboolean perf_attrs_add_id(PerfAttrs *attrs, guint64 id);

/* How many bytes of an attr record are the attribute: its own size member, as far as sane. */
gsize perf_attr_size(const guint8 *bytes, gsize available, gboolean swapped);

static inline PerfId *perf_attrs_find_id(const PerfAttrs *attrs, guint64 id)
{
    guint mask = (1u << (64 - attrs->shift)) - 1;
    guint at = (id * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> attrs->shift;

    while (attrs->ids[at].attr_plus_1 != 0 && attrs->ids[at].id != id) {
        at = (at + 1) & mask;
    }
    return &attrs->ids[at];
}

static inline const PerfAttr *perf_attrs_at(const PerfAttrs *attrs, guint i)
{
    return &g_array_index(attrs->attrs, PerfAttr, i);
}

/* The attribute for @id as far as there is a choice; NULL when @id is not known. */
static inline const PerfAttr *perf_attrs_of_id(const PerfAttrs *attrs, guint64 id)
{
    const PerfId *entry = perf_attrs_find_id(attrs, id);

    if (entry->attr_plus_1 != 0) {
        return perf_attrs_at(attrs, entry->attr_plus_1 - 1);
    }
    return attrs->attrs->len == 1 ? perf_attrs_at(attrs, 0) : NULL;
}

/* The attribute of a sample record, or NULL. */
static inline const PerfAttr *perf_attrs_of_sample(const PerfAttrs *attrs, const PerfRecord *record)
{
    if (attrs->id_at == 0) {
        return attrs->attrs->len > 0 ? perf_attrs_at(attrs, 0) : NULL;
    }
    if (record->size < attrs->id_at + 8) {
        return NULL;
    }
    return perf_attrs_of_id(attrs, bytes_u64(record->at + attrs->id_at, attrs->swapped));
}

/* The id in the trailer of a record that is no sample; 0 when there is none. */
guint64 perf_attrs_trailer_id(const PerfAttrs *attrs, const PerfRecord *record, gsize body);

/* The offset of the raw data's size in @record when members of variable size precede it;
   0 when the record is too short for them. */
gsize perf_attr_find_raw(const PerfAttr *attr, const PerfRecord *record, gboolean swapped);

#endif
