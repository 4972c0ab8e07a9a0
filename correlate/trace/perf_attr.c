/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event attributes of a perf.data file: where each member of a sample lies.
 */
#include "perf_attr.h"

#include "trace/event.h"

/* include/uapi/linux/perf_event.h: enum perf_event_sample_format, perf_event_read_format. */
enum {
    SAMPLE_IP = 1 << 0,
    SAMPLE_TID = 1 << 1,
    SAMPLE_TIME = 1 << 2,
    SAMPLE_ADDR = 1 << 3,
    SAMPLE_READ = 1 << 4,
    SAMPLE_CALLCHAIN = 1 << 5,
    SAMPLE_ID = 1 << 6,
    SAMPLE_CPU = 1 << 7,
    SAMPLE_PERIOD = 1 << 8,
    SAMPLE_STREAM_ID = 1 << 9,
    SAMPLE_RAW = 1 << 10,
    SAMPLE_IDENTIFIER = 1 << 16,

    READ_TOTAL_TIME_ENABLED = 1 << 0,
    READ_TOTAL_TIME_RUNNING = 1 << 1,
    READ_ID = 1 << 2,
    READ_GROUP = 1 << 3,
    READ_LOST = 1 << 4,
};

/* struct perf_event_attr: offsets of the members used, and numbers of its flag bits. */
enum {
    ATTR_TYPE = 0,
    ATTR_SIZE = 4,
    ATTR_SAMPLE_TYPE = 24,
    ATTR_READ_FORMAT = 32,
    ATTR_FLAGS = 40,
    ATTR_CLOCKID = 92,
    ATTR_SIZE_VER0 = 64,

    FLAG_SAMPLE_ID_ALL = 18,
    FLAG_USE_CLOCKID = 25,

    TYPE_TRACEPOINT = 2,
};

/* The order of the members in a sample, and in the trailer of other records; 8 bytes each. */
static const guint32 sample_order[] = {SAMPLE_IDENTIFIER, SAMPLE_IP,   SAMPLE_TID,
                                       SAMPLE_TIME,       SAMPLE_ADDR, SAMPLE_ID,
                                       SAMPLE_STREAM_ID,  SAMPLE_CPU,  SAMPLE_PERIOD};
static const guint32 trailer_order[] = {SAMPLE_TID,       SAMPLE_TIME, SAMPLE_ID,
                                        SAMPLE_STREAM_ID, SAMPLE_CPU,  SAMPLE_IDENTIFIER};

enum { FIRST_IDS_BITS = 8 };

static void ids_resize(PerfAttrs *attrs, guint bits)
{
    g_autofree PerfId *old = attrs->ids;
    guint n_old = old ? 1u << (64 - attrs->shift) : 0;

    attrs->ids = g_new0(PerfId, 1u << bits);
    attrs->shift = 64 - bits;
    for (guint i = 0; i < n_old; i++) {
        if (old[i].attr_plus_1 != 0) {
            *perf_attrs_find_id(attrs, old[i].id) = old[i];
        }
    }
}

void perf_attrs_init(PerfAttrs *attrs, gboolean swapped, gboolean big_endian)
{
    *attrs = (PerfAttrs){.swapped = swapped, .big_endian = big_endian};
    attrs->attrs = g_array_new(FALSE, TRUE, sizeof(PerfAttr));
    ids_resize(attrs, FIRST_IDS_BITS);
}

void perf_attrs_clear(PerfAttrs *attrs)
{
    g_clear_pointer(&attrs->attrs, g_array_unref);
    g_clear_pointer(&attrs->ids, g_free);
}

/* The offset of @member in a sample record; 0 when it is not there. */
static guint16 sample_offset(guint64 sample_type, guint32 member)
{
    guint16 at = PERF_RECORD_HEADER_SIZE;

    if (!(sample_type & member)) {
        return 0;
    }
    for (gsize i = 0; sample_order[i] != member; i++) {
        at += sample_type & sample_order[i] ? 8 : 0;
    }
    return at;
}

static guint16 sample_fixed_size(guint64 sample_type)
{
    guint16 size = PERF_RECORD_HEADER_SIZE;

    for (gsize i = 0; i < G_N_ELEMENTS(sample_order); i++) {
        size += sample_type & sample_order[i] ? 8 : 0;
    }
    return size;
}

static guint16 trailer_offset(guint64 sample_type, guint32 member)
{
    guint16 back = 0;

    if (!(sample_type & member)) {
        return 0;
    }
    for (gsize i = G_N_ELEMENTS(trailer_order); i-- > 0;) {
        back += sample_type & trailer_order[i] ? 8 : 0;
        if (trailer_order[i] == member) {
            break;
        }
    }
    return back;
}

/* C bit fields begin at the lowest bit of a byte on little-endian machines, else at the highest. */
static gboolean attr_flag(const guint8 *attr, guint bit, gboolean big_endian)
{
    guint8 byte = attr[ATTR_FLAGS + bit / 8];

    return (byte >> (big_endian ? 7 - bit % 8 : bit % 8)) & 1;
}

static void attr_fill(PerfAttr *attr, const guint8 *bytes, gsize size, const PerfAttrs *attrs)
{
    guint64 sample_type = bytes_u64(bytes + ATTR_SAMPLE_TYPE, attrs->swapped);
    guint64 wanted = SAMPLE_RAW | SAMPLE_TIME;

    attr->read_format = bytes_u64(bytes + ATTR_READ_FORMAT, attrs->swapped);
    attr->is_event = bytes_u32(bytes + ATTR_TYPE, attrs->swapped) == TYPE_TRACEPOINT &&
                     (sample_type & wanted) == wanted;
    attr->clockid = -1;
    if (size >= ATTR_CLOCKID + 4 && attr_flag(bytes, FLAG_USE_CLOCKID, attrs->big_endian)) {
        attr->clockid = bytes_u32(bytes + ATTR_CLOCKID, attrs->swapped);
    }
    attr->time_at = sample_offset(sample_type, SAMPLE_TIME);
    attr->cpu_at = sample_offset(sample_type, SAMPLE_CPU);
    attr->tid_at = sample_offset(sample_type, SAMPLE_TID);
    attr->sample_id_at =
        sample_offset(sample_type, sample_type & SAMPLE_IDENTIFIER ? SAMPLE_IDENTIFIER : SAMPLE_ID);
    attr->fixed_size = sample_fixed_size(sample_type);
    attr->raw_at = attr->fixed_size;
    attr->has_read = (sample_type & SAMPLE_READ) != 0;
    attr->has_callchain = (sample_type & SAMPLE_CALLCHAIN) != 0;
    if (attr_flag(bytes, FLAG_SAMPLE_ID_ALL, attrs->big_endian)) {
        attr->trailer_time = trailer_offset(sample_type, SAMPLE_TIME);
        attr->trailer_cpu = trailer_offset(sample_type, SAMPLE_CPU);
        attr->trailer_id = trailer_offset(
            sample_type, sample_type & SAMPLE_IDENTIFIER ? SAMPLE_IDENTIFIER : SAMPLE_ID);
    }
}

gsize perf_attr_size(const guint8 *bytes, gsize available, gboolean swapped)
{
    guint32 size;

    if (available < ATTR_SIZE_VER0) {
        return 0;
    }
    size = bytes_u32(bytes + ATTR_SIZE, swapped);
    if (size == 0) {
        return ATTR_SIZE_VER0; /* written before the member meant anything */
    }
    return size >= ATTR_SIZE_VER0 && size <= available ? size : 0;
}

const char *perf_attrs_add(PerfAttrs *attrs, const guint8 *bytes, gsize size)
{
    PerfAttr attr = {0};

    if (size < ATTR_SIZE_VER0) {
        return "an event attribute is too short";
    }
    if (attrs->attrs->len >= PERF_MAX_ATTRS) {
        return "too many event attributes; the rest are left out";
    }
    attr_fill(&attr, bytes, size, attrs);
    if (attrs->attrs->len == 0) {
        attrs->id_at = attr.sample_id_at;
        attrs->trailer_id = attr.trailer_id;
    }
    g_array_append_val(attrs->attrs, attr);
    if (attr.sample_id_at != attrs->id_at) {
        return "event attributes disagree on where a sample has its id";
    }
    return NULL;
}

gboolean perf_attrs_add_id(PerfAttrs *attrs, guint64 id)
{
    guint bits = 64 - attrs->shift;
    PerfId *entry = perf_attrs_find_id(attrs, id);

    if (entry->attr_plus_1 == 0) {
        if (attrs->n_ids >= PERF_MAX_IDS) {
            return FALSE;
        }
        if (attrs->n_ids >= 1u << (bits - 1)) {
            ids_resize(attrs, bits + 1);
            entry = perf_attrs_find_id(attrs, id);
        }
        attrs->n_ids++;
    }
    *entry = (PerfId){.id = id, .attr_plus_1 = attrs->attrs->len, .cpu = NO_CPU};
    return TRUE;
}

guint64 perf_attrs_trailer_id(const PerfAttrs *attrs, const PerfRecord *record, gsize body)
{
    if (attrs->trailer_id == 0 || record->size < body + attrs->trailer_id) {
        return 0;
    }
    return bytes_u64(record->at + record->size - attrs->trailer_id, attrs->swapped);
}

/* Bytes of a READ member whose group has @n values: perf_event_read_format's description. */
static guint64 read_size(guint64 format, guint64 n)
{
    guint each = 1 + ((format & READ_ID) != 0) + ((format & READ_LOST) != 0);
    guint times =
        ((format & READ_TOTAL_TIME_ENABLED) != 0) + ((format & READ_TOTAL_TIME_RUNNING) != 0);

    return 8 * ((format & READ_GROUP ? 1 : 0) + times + each * n);
}

/* A count of 8-byte values at @at of @record; FALSE when that many are not there. */
static gboolean take_count(const PerfRecord *record, gsize at, gboolean swapped, guint64 *ret_n)
{
    if (at + 8 > record->size) {
        return FALSE;
    }
    *ret_n = bytes_u64(record->at + at, swapped);
    return *ret_n <= (record->size - at) / 8;
}

gsize perf_attr_find_raw(const PerfAttr *attr, const PerfRecord *record, gboolean swapped)
{
    gsize at = attr->raw_at;
    guint64 n = 1;

    if (attr->has_read) {
        if (attr->read_format & READ_GROUP && !take_count(record, at, swapped, &n)) {
            return 0;
        }
        at += read_size(attr->read_format, n);
    }
    if (attr->has_callchain) {
        if (!take_count(record, at, swapped, &n)) {
            return 0;
        }
        at += 8 + 8 * n;
    }
    return at;
}
