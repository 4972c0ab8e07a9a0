/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of QEMU's simpletrace: what event an id stands for, and where its arguments lie.
 */
#include "simpletrace_record.h"

#include <string.h>

/* One argument of a record. */
typedef struct ArgValue {
    guint64 number;
    const char *text; /* of a string, not terminated */
    guint32 text_len;
} ArgValue;

static void type_clear(gpointer data)
{
    g_free(((RecordType *)data)->name);
}

void record_types_init(RecordTypes *types, QemuEvents *events)
{
    types->events = events;
    types->types = g_array_new(FALSE, TRUE, sizeof(RecordType));
    g_array_set_clear_func(types->types, type_clear);
    types->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    types->dense = g_new0(guint32, RECORD_DENSE_IDS);
    types->by_id = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    record_types_add(types, "");
    record_types_add(types, "lost");
}

void record_types_clear(RecordTypes *types)
{
    qemu_events_free(types->events);
    g_hash_table_unref(types->by_name);
    g_hash_table_unref(types->by_id);
    g_array_unref(types->types);
    g_free(types->dense);
}

void record_types_forget_ids(RecordTypes *types)
{
    memset(types->dense, 0, RECORD_DENSE_IDS * sizeof(guint32));
    g_hash_table_remove_all(types->by_id);
}

guint32 record_types_add(RecordTypes *types, const char *name)
{
    gpointer known = g_hash_table_lookup(types->by_name, name);
    guint32 number = types->types->len;
    RecordType type;

    if (known != NULL) {
        return GPOINTER_TO_UINT(known);
    }
    if (number >= RECORD_MAX_TYPES) {
        return TYPE_NONE;
    }
    type = (RecordType){
        .name = g_strdup(name),
        .info = event_kind_find("qemu", name),
        .variants = qemu_events_find(types->events, name),
        .plan.args_len = G_MAXUINT32,
    };
    type.plan.is_wanted = type.info != NULL && type.variants != NULL;
    g_array_append_val(types->types, type);
    g_hash_table_insert(types->by_name, type.name, GUINT_TO_POINTER(number));
    return number;
}

void record_types_map(RecordTypes *types, guint64 id, guint32 type)
{
    if (id < RECORD_DENSE_IDS) {
        types->dense[id] = type;
    } else if (g_hash_table_size(types->by_id) < RECORD_MAX_TYPES) {
        g_hash_table_replace(types->by_id, g_memdup2(&id, sizeof(id)), GUINT_TO_POINTER(type));
    }
}

guint32 record_types_find_large(const RecordTypes *types, guint64 id)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(types->by_id, &id));
}

/* Names are C identifiers. */
static gboolean is_name(const guint8 *name, gsize len)
{
    for (gsize i = 0; i < len; i++) {
        if (!g_ascii_isalnum(name[i]) && name[i] != '_') {
            return FALSE;
        }
    }
    return TRUE;
}

static RecordShape mapping_shape(const guint8 *record, gsize avail, gboolean swapped)
{
    guint32 len = bytes_u32(record + 16, swapped);
    gsize have = MIN(len, avail - RECORD_MAPPING_BYTES);

    if (len == 0 || len > RECORD_MAX_NAME || !is_name(record + RECORD_MAPPING_BYTES, have)) {
        return SHAPE_DAMAGED;
    }
    return have < len ? SHAPE_TORN : SHAPE_MAPPING;
}

RecordShape record_shape(const guint8 *record, gsize avail, gboolean swapped)
{
    guint64 type;
    guint32 len;

    if (avail < RECORD_MAPPING_BYTES) {
        return SHAPE_TORN;
    }
    type = bytes_u64(record, swapped);
    if (type == RECORD_IS_MAPPING) {
        return mapping_shape(record, avail, swapped);
    }
    if (type != RECORD_IS_EVENT) {
        return SHAPE_DAMAGED;
    }
    if (avail < RECORD_ARGS_AT) {
        return SHAPE_TORN;
    }
    len = bytes_u32(record + 24, swapped);
    if (len < RECORD_HEADER_BYTES || len - RECORD_HEADER_BYTES > RECORD_MAX_ARGS_BYTES ||
        bytes_u64(record + 16, swapped) > G_MAXINT64) {
        return SHAPE_DAMAGED;
    }
    return RECORD_TYPE_BYTES + len > avail ? SHAPE_TORN : SHAPE_EVENT;
}

/* Take the argument at @at; FALSE when it does not end before @end. */
static gboolean take_arg(QemuArgType type, const guint8 **at, const guint8 *end, gboolean swapped,
                         ArgValue *ret_value)
{
    gsize rest = end - *at;

    *ret_value = (ArgValue){0};
    if (type != QEMU_ARG_STRING) {
        if (rest < 8) {
            return FALSE;
        }
        ret_value->number = bytes_u64(*at, swapped);
        *at += 8;
        return TRUE;
    }
    if (rest < 4) {
        return FALSE;
    }
    ret_value->text_len = bytes_u32(*at, swapped);
    ret_value->text = (const char *)*at + 4;
    if (ret_value->text_len > rest - 4) {
        return FALSE;
    }
    *at += 4 + ret_value->text_len;
    return TRUE;
}

static gboolean signature_fits(const QemuSignature *signature, const guint8 *args, guint32 len,
                               gboolean swapped)
{
    const guint8 *at = args;

    for (guint i = 0; i < signature->n_args; i++) {
        ArgValue value;

        if (!take_arg(signature->args[i].type, &at, args + len, swapped, &value)) {
            return FALSE;
        }
    }
    return at == args + len;
}

/* The first signature that takes up exactly @len bytes of arguments, or NULL. */
static const QemuSignature *choose_signature(const RecordType *type, const guint8 *args,
                                             guint32 len, gboolean swapped)
{
    for (guint i = 0; type->variants != NULL && i < type->variants->len; i++) {
        const QemuSignature *signature = g_ptr_array_index(type->variants, i);

        if (signature_fits(signature, args, len, swapped)) {
            return signature;
        }
    }
    return NULL;
}

/* The plan for a signature without strings. */
static void make_plan(RecordType *type, const QemuSignature *signature, guint32 args_len)
{
    RecordPlan *plan = &type->plan;

    *plan = (RecordPlan){.args_len = args_len, .kind = type->info->kind, .is_wanted = TRUE};
    for (guint i = 0; i < signature->n_args; i++) {
        guint8 at = RECORD_ARGS_AT + 8 * i;
        EventSlot slot;

        if (!qemu_arg_slot(type->info, signature->args[i].name, &slot) || slot == SLOT_NAME) {
            continue;
        }
        if (slot <= SLOT_PTR1 && plan->n_ptrs < G_N_ELEMENTS(plan->ptr_at)) {
            plan->ptr_at[plan->n_ptrs] = at;
            plan->ptr_slot[plan->n_ptrs++] = slot - SLOT_PTR0;
        } else if (slot > SLOT_PTR1 && plan->n_nums < G_N_ELEMENTS(plan->num_at)) {
            plan->num_at[plan->n_nums] = at;
            plan->num_slot[plan->n_nums++] = slot - SLOT_NUM0;
        }
    }
}

static void fill_from(Reader *reader, const RecordType *type, const QemuSignature *signature,
                      const guint8 *args, guint32 len, gboolean swapped, Event *event)
{
    const guint8 *at = args;

    for (guint i = 0; i < signature->n_args; i++) {
        const QemuArg *arg = &signature->args[i];
        ArgValue value;
        EventSlot slot;

        if (!take_arg(arg->type, &at, args + len, swapped, &value) ||
            !qemu_arg_slot(type->info, arg->name, &slot)) {
            continue;
        }
        if (slot == SLOT_NAME && value.text != NULL) {
            event->name = reader_intern(reader, value.text, value.text_len);
        } else if (slot != SLOT_NAME && value.text == NULL) {
            event_set_slot(event, slot, value.number);
        }
    }
    event->kind = type->info->kind;
}

gboolean record_fill_slowly(Reader *reader, RecordType *type, const guint8 *record,
                            guint32 args_len, gboolean swapped, Event *event)
{
    const guint8 *args = record + RECORD_ARGS_AT;
    const QemuSignature *signature = choose_signature(type, args, args_len, swapped);

    if (signature == NULL) {
        return FALSE;
    }
    fill_from(reader, type, signature, args, args_len, swapped, event);
    if (signature->n_strings == 0) {
        make_plan(type, signature, args_len);
    }
    return TRUE;
}

static void describe_text(const QemuArg *arg, const ArgValue *value, TraceFieldFunc func,
                          gpointer user_data)
{
    g_autofree char *text = g_strndup(value->text, value->text_len);

    func(arg->name, text, FALSE, user_data);
}

/* Arguments of which neither names nor types are known. */
static void describe_words(const guint8 *args, guint32 len, gboolean swapped, TraceFieldFunc func,
                           gpointer user_data)
{
    for (guint i = 0; i < len / 8 && i < QEMU_MAX_ARGS; i++) {
        char name[16];
        QemuArg arg = {.name = name, .type = QEMU_ARG_POINTER};

        g_snprintf(name, sizeof(name), "arg%u", i);
        qemu_describe_number(&arg, bytes_u64(args + 8 * i, swapped), func, user_data);
    }
}

void record_describe(const RecordType *type, const guint8 *args, guint32 len, gboolean swapped,
                     TraceFieldFunc func, gpointer user_data)
{
    const QemuSignature *signature = choose_signature(type, args, len, swapped);
    const guint8 *at = args;

    if (signature == NULL) {
        describe_words(args, len, swapped, func, user_data);
        return;
    }
    for (guint i = 0; i < signature->n_args; i++) {
        const QemuArg *arg = &signature->args[i];
        ArgValue value;

        take_arg(arg->type, &at, args + len, swapped, &value);
        if (value.text != NULL) {
            describe_text(arg, &value, func, user_data);
        } else {
            qemu_describe_number(arg, value.number, func, user_data);
        }
    }
}
