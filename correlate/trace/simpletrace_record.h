/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of QEMU's simpletrace: what event an id stands for, and where its arguments lie.
 *
 * Layout: trace/simple.c of QEMU. A record is u64 type (0 mapping, 1 event), then
 *   mapping: u64 id, u32 name length, name
 *   event:   u64 id, u64 ns, u32 length (of all but the type), u32 pid, arguments
 * An argument is a u64, or for a string u32 length and bytes. Integers are in the writer's order.
 */
#ifndef VIRTCORR_TRACE_SIMPLETRACE_RECORD_H
#define VIRTCORR_TRACE_SIMPLETRACE_RECORD_H

#include "bytes.h"
#include "format.h"
#include "qemu_events.h"

/* Whether the @len bytes at @head begin a simpletrace file of any version. */
gboolean simpletrace_probe(const guint8 *head, gsize len);

/* Check that @input's version can be read; @ret_swapped: whether its byte order is not ours. */
gboolean simpletrace_check_header(const Input *input, gboolean *ret_swapped, GError **error);

enum {
    SIMPLETRACE_HEADER_BYTES = 24,
    SIMPLETRACE_VERSION = 4,
    RECORD_IS_MAPPING = 0,
    RECORD_IS_EVENT = 1,
    RECORD_TYPE_BYTES = 8,
    RECORD_MAPPING_BYTES = 20, /* before the name */
    RECORD_HEADER_BYTES = 24,  /* counted by the record's length */
    RECORD_ARGS_AT = RECORD_TYPE_BYTES + RECORD_HEADER_BYTES,
    /* QEMU cuts strings at 512 bytes and has at most 10 arguments. */
    RECORD_MAX_ARGS_BYTES = QEMU_MAX_ARGS * (4 + 512),
    RECORD_MAX_BYTES = RECORD_ARGS_AT + RECORD_MAX_ARGS_BYTES,
    RECORD_MAX_NAME = 255,
};

#define RECORD_DROPPED_ID G_GUINT64_CONSTANT(0xfffffffffffffffe)

/* Event types that no mapping record gave. */
enum { TYPE_NONE, TYPE_LOST };

typedef enum RecordShape {
    SHAPE_MAPPING,
    SHAPE_EVENT,
    SHAPE_TORN, /* could be whole if the file were longer */
    SHAPE_DAMAGED,
} RecordShape;

/* What lies at @record, of which @avail bytes are there; @avail is short only at the file's end. */
RecordShape record_shape(const guint8 *record, gsize avail, gboolean swapped);

/**
 * RecordPlan: where the wanted arguments lie, counted from the record's first byte.
 * @args_len: length of the arguments for which this holds; G_MAXUINT32 when it must be worked out
 *            for each record
 * @is_wanted: whether the event has arguments that are wanted
 * @ptr_at, @ptr_slot: offset and index in Event.ptr; likewise for num
 */
typedef struct RecordPlan {
    guint32 args_len;
    guint8 kind;
    guint8 is_wanted;
    guint8 n_ptrs;
    guint8 n_nums;
    guint8 ptr_at[2];
    guint8 ptr_slot[2];
    guint8 num_at[4];
    guint8 num_slot[4];
} RecordPlan;

typedef struct RecordType {
    char *name;
    const EventKindInfo *info; /* NULL when the join does not need it */
    const GPtrArray *variants; /* QemuSignature, NULL when its arguments are not known */
    RecordPlan plan;
} RecordType;

/* Ids up to here are looked up in an array: QEMU numbers its 4,000 events from 0. */
enum { RECORD_DENSE_IDS = 16384, RECORD_MAX_TYPES = 65536 };

/* The event types of a file. Types stay over a rewind, which id means which does not. */
typedef struct RecordTypes {
    QemuEvents *events;
    GArray *types;       /* RecordType, by Event.type */
    GHashTable *by_name; /* name owned by the type → number */
    guint32 *dense;      /* id → type, 0 when not mapped */
    GHashTable *by_id;   /* larger ids */
} RecordTypes;

/* Takes @events. */
void record_types_init(RecordTypes *types, QemuEvents *events);
void record_types_clear(RecordTypes *types);
void record_types_forget_ids(RecordTypes *types);

/* The number of the type called @name; TYPE_NONE when there are too many. */
guint32 record_types_add(RecordTypes *types, const char *name);

/* From now on @id means @type. */
void record_types_map(RecordTypes *types, guint64 id, guint32 type);

guint32 record_types_find_large(const RecordTypes *types, guint64 id);

/* The type that @id means now, TYPE_NONE if none. */
static inline guint32 record_types_find(const RecordTypes *types, guint64 id)
{
    return G_LIKELY(id < RECORD_DENSE_IDS) ? types->dense[id] : record_types_find_large(types, id);
}

static inline RecordType *record_type_at(const RecordTypes *types, guint32 type)
{
    return &g_array_index(types->types, RecordType, type);
}

/**
 * record_fill_slowly: fill @event from arguments for which the type's plan does not hold.
 *
 * Returns: FALSE when no known signature fits the arguments; kind is then EVENT_OTHER
 */
gboolean record_fill_slowly(Reader *reader, RecordType *type, const guint8 *record,
                            guint32 args_len, gboolean swapped, Event *event);

/* Fill kind, ptr, num and name of @event, the rest of which is zero. */
static inline gboolean record_fill(Reader *reader, RecordType *type, const guint8 *record,
                                   guint32 args_len, gboolean swapped, Event *event)
{
    const RecordPlan *plan = &type->plan;

    if (!plan->is_wanted) {
        return TRUE;
    }
    if (G_UNLIKELY(plan->args_len != args_len)) {
        return record_fill_slowly(reader, type, record, args_len, swapped, event);
    }
    event->kind = plan->kind;
    for (guint i = 0; i < plan->n_ptrs; i++) {
        event->ptr[plan->ptr_slot[i]] = bytes_u64(record + plan->ptr_at[i], swapped);
    }
    for (guint i = 0; i < plan->n_nums; i++) {
        event->num[plan->num_slot[i]] = (guint32)bytes_u64(record + plan->num_at[i], swapped);
    }
    return TRUE;
}

/* Call @func for each argument. */
void record_describe(const RecordType *type, const guint8 *args, guint32 len, gboolean swapped,
                     TraceFieldFunc func, gpointer user_data);

#endif
