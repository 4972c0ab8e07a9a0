/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel trace events: decodes raw records with the formats that a file carries.
 */
#include "kernel_event.h"

#include "kernel_describe.h"
#include "kernel_field.h"
#include "kernel_format.h"

enum {
    N_TYPES = 65536, /* common_type is 16 bit */
    MAX_FORMAT_TEXT = 64 << 10,
    MAX_ALL_TEXT = 32 << 20,
    MAX_FORMATS = 16384,
    CACHED_NAME = 32,
};

/* Takes one field of a record to its slot of the event. */
typedef struct FieldLoad {
    FieldPlace place;
    EventSlot slot;
} FieldLoad;

/**
 * KernelEvent: one event format.
 * @format: owned by the tep handle
 * @kind: EVENT_OTHER has no loads
 * @pid: common_pid; size 0 if the format has none
 * @name: "net:net_dev_xmit"
 * @seen: records decoded
 * @cached, @cached_len, @cached_id: the last string that was interned, so that the hash table is
 *                                   not asked for every event
 */
typedef struct KernelEvent {
    struct tep_event *format;
    EventKind kind;
    FieldPlace pid;
    FieldLoad loads[MAX_EVENT_FIELDS];
    guint n_loads;
    char *name;
    guint64 seen;
    guint8 cached[CACHED_NAME];
    gsize cached_len;
    guint32 cached_id;
} KernelEvent;

struct KernelEvents {
    Reader *reader;
    struct tep_handle *tep;
    gboolean swapped;
    KernelEvent **by_type;
    GPtrArray *all;
    GHashTable *systems;
    GHashTable *unknown_names; /* type → text */
    gsize text_left;
    gboolean saw_virtio_irq;
};

static void kernel_event_free(gpointer data)
{
    KernelEvent *self = data;

    g_free(self->name);
    g_free(self);
}

KernelEvents *kernel_events_new(Reader *reader, gboolean big_endian, int long_size)
{
    KernelEvents *events = g_new0(KernelEvents, 1);

    events->reader = reader;
    events->swapped = big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
    events->tep = tep_alloc();
    tep_set_loglevel(TEP_LOG_NONE);
    tep_set_file_bigendian(events->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
    tep_set_long_size(events->tep, long_size);
    events->by_type = g_new0(KernelEvent *, N_TYPES);
    events->all = g_ptr_array_new_with_free_func(kernel_event_free);
    events->systems = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    events->unknown_names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    events->text_left = MAX_ALL_TEXT;
    return events;
}

void kernel_events_free(KernelEvents *events)
{
    if (events == NULL) {
        return;
    }
    g_hash_table_unref(events->unknown_names);
    g_hash_table_unref(events->systems);
    g_ptr_array_unref(events->all);
    g_free(events->by_type);
    tep_free(events->tep);
    g_free(events);
}

static const char *refuse_text(const KernelEvents *events, gsize len)
{
    if (len > MAX_FORMAT_TEXT) {
        return "an event format is longer than 64 KiB; its events are not decoded";
    }
    if (len > events->text_left || events->all->len >= MAX_FORMATS) {
        return "too many event formats; the rest are not decoded";
    }
    return NULL;
}

/* Whether the fields were read: that some could not be is not always told as an error. */
static gboolean is_whole(struct tep_event *format)
{
    const struct tep_format_field *type = tep_find_common_field(format, "common_type");

    return format->id >= 0 && format->id < N_TYPES && type != NULL && type->offset == 0 &&
           type->size == sizeof(guint16);
}

static struct tep_event *parse_text(KernelEvents *events, const char *system, const char *text,
                                    gsize len)
{
    struct tep_event *format = NULL;
    g_autofree char *clean = kernel_format_clean(text, len);

    if (clean == NULL ||
        tep_parse_format(events->tep, &format, clean, strlen(clean), system) != 0) {
        return NULL;
    }
    return format != NULL && is_whole(format) ? format : NULL;
}

static void add_load(KernelEvent *self, const EventField *field)
{
    struct tep_format_field *found = tep_find_field(self->format, field->name);
    FieldLoad load = {.slot = field->slot};

    if (found == NULL || !field_place(found, &load.place)) {
        return;
    }
    if (load.slot == SLOT_NAME ? field_is_text(found) : field_is_number(found)) {
        self->loads[self->n_loads++] = load;
    }
}

static KernelEvent *kernel_event_new(struct tep_event *format)
{
    const EventKindInfo *info = event_kind_find(format->system, format->name);
    struct tep_format_field *pid = tep_find_common_field(format, "common_pid");
    KernelEvent *self = g_new0(KernelEvent, 1);

    self->format = format;
    self->name = g_strdup_printf("%s:%s", format->system, format->name);
    if (pid == NULL || !field_place(pid, &self->pid) || self->pid.size != sizeof(guint32)) {
        self->pid = (FieldPlace){.size = 0};
    }
    if (info != NULL) {
        self->kind = info->kind;
        for (const EventField *field = info->fields; field->name != NULL; field++) {
            add_load(self, field);
        }
    }
    return self;
}

gboolean kernel_events_add(KernelEvents *events, const char *system, const char *text, gsize len,
                           guint64 offset)
{
    const char *refused = refuse_text(events, len);
    struct tep_event *format;
    KernelEvent *self;

    if (refused != NULL) {
        reader_problem(events->reader, offset, refused);
        return FALSE;
    }
    events->text_left -= len;
    format = parse_text(events, system, text, len);
    if (format == NULL) {
        reader_problem(events->reader, offset,
                       "an event format cannot be parsed; its events are not decoded");
        return FALSE;
    }
    if (events->by_type[format->id] != NULL) {
        reader_problem(events->reader, offset,
                       "two event formats have the same id; the first is used");
        return FALSE;
    }
    self = kernel_event_new(format);
    g_ptr_array_add(events->all, self);
    events->by_type[format->id] = self;
    g_hash_table_add(events->systems, g_strdup(format->system));
    return TRUE;
}

/* Whether @name is the action of a virtio interrupt: "virtio3-input.0", or "virtio3" with MMIO. */
static gboolean is_virtio_irq(const char *name)
{
    gsize digits;

    if (!g_str_has_prefix(name, "virtio")) {
        return FALSE;
    }
    name += strlen("virtio");
    digits = strspn(name, "0123456789");
    return digits > 0 && (name[digits] == '-' || name[digits] == '\0');
}

static guint32 intern_new(KernelEvents *events, KernelEvent *self, FieldBytes text)
{
    guint32 id = reader_intern(events->reader, (const char *)text.at, text.len);

    if (self->kind == EVENT_IRQ_ENTRY && !events->saw_virtio_irq) {
        events->saw_virtio_irq = is_virtio_irq(g_ptr_array_index(events->reader->names, id));
    }
    if (text.len <= CACHED_NAME) {
        memcpy(self->cached, text.at, text.len);
        self->cached_len = text.len;
        self->cached_id = id;
    }
    return id;
}

static inline guint32 intern(KernelEvents *events, KernelEvent *self, FieldBytes text)
{
    if (text.len == self->cached_len && memcmp(text.at, self->cached, text.len) == 0) {
        return self->cached_id;
    }
    return intern_new(events, self, text);
}

static inline void load_field(KernelEvents *events, KernelEvent *self, const FieldLoad *load,
                              FieldBytes bytes, Event *event)
{
    guint64 number;

    if (load->slot == SLOT_NAME) {
        event->name = intern(events, self, bytes);
        return;
    }
    number = field_number(bytes.at, bytes.len, load->place.is_signed, events->swapped);
    if (load->slot <= SLOT_PTR1) {
        event->ptr[load->slot - SLOT_PTR0] = number;
    } else {
        event->num[load->slot - SLOT_NUM0] = number;
    }
}

static inline KernelEvent *find_event(const KernelEvents *events, const guint8 *raw, gsize size,
                                      guint32 *ret_type)
{
    *ret_type = size >= sizeof(guint16) ? bytes_u16(raw, events->swapped) : 0;
    return events->by_type[*ret_type];
}

gboolean kernel_events_decode(KernelEvents *events, const guint8 *raw, gsize size, Event *event)
{
    KernelEvent *self = find_event(events, raw, size, &event->type);
    FieldBytes bytes;

    event->kind = EVENT_OTHER;
    event->name = NO_NAME;
    memset(event->ptr, 0, sizeof(event->ptr));
    memset(event->num, 0, sizeof(event->num));
    if (self == NULL) {
        return FALSE;
    }
    self->seen++;
    event->kind = self->kind;
    if (event->tid == 0 && self->pid.size != 0 &&
        field_bytes(&self->pid, raw, size, events->swapped, &bytes)) {
        event->tid = bytes_u32(bytes.at, events->swapped);
    }
    for (guint i = 0; i < self->n_loads; i++) {
        if (field_bytes(&self->loads[i].place, raw, size, events->swapped, &bytes)) {
            load_field(events, self, &self->loads[i], bytes, event);
        }
    }
    return TRUE;
}

const char *kernel_events_name(const KernelEvents *events, guint32 type)
{
    char *text;

    if (type < N_TYPES && events->by_type[type] != NULL) {
        return events->by_type[type]->name;
    }
    text = g_hash_table_lookup(events->unknown_names, GUINT_TO_POINTER(type));
    if (text == NULL) {
        text = g_strdup_printf("type %u", type);
        g_hash_table_insert(events->unknown_names, GUINT_TO_POINTER(type), text);
    }
    return text;
}

gboolean kernel_events_has_system(const KernelEvents *events, const char *system)
{
    return g_hash_table_contains(events->systems, system);
}

void kernel_events_describe(KernelEvents *events, const guint8 *raw, gsize size,
                            TraceFieldFunc func, gpointer user_data)
{
    guint32 type;
    const KernelEvent *self = find_event(events, raw, size, &type);

    if (self != NULL) {
        kernel_describe(self->format, raw, size, events->swapped, func, user_data);
    }
}

TraceSide kernel_events_side(const KernelEvents *events)
{
    for (guint i = 0; i < events->all->len; i++) {
        const KernelEvent *self = g_ptr_array_index(events->all, i);

        if (self->seen > 0 && (self->kind == EVENT_KVM_ENTRY || self->kind == EVENT_KVM_EXIT)) {
            return TRACE_SIDE_HOST;
        }
    }
    return events->saw_virtio_irq ? TRACE_SIDE_GUEST : TRACE_SIDE_UNKNOWN;
}
