/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tracing data of a perf.data file: the kernel's event formats.
 *
 * Layout: tools/perf/util/trace-event-info.c, the header that trace.dat had up to version 6.
 */
#include "perf_tracing.h"

#include "bytes.h"

enum {
    TRACING_WINDOW = 64 << 10,
    MAX_NAME = 256,
    MAX_FORMAT = 1 << 20, /* the largest of Linux 6.12 has 12 KiB */
    MAX_FORMATS = 65536,  /* a type number has 16 bits */
};

typedef struct Tracing {
    Window window;
    Reader *reader;
    KernelEvents *events;
    gboolean swapped;
    guint n_formats;
} Tracing;

static const guint8 magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static gboolean take_u8(Tracing *tracing, guint8 *ret_value)
{
    if (!window_need(&tracing->window, 1)) {
        return FALSE;
    }
    *ret_value = *tracing->window.at;
    window_skip(&tracing->window, 1);
    return TRUE;
}

static gboolean take_u32(Tracing *tracing, guint32 *ret_value)
{
    if (!window_need(&tracing->window, 4)) {
        return FALSE;
    }
    *ret_value = bytes_u32(tracing->window.at, tracing->swapped);
    window_skip(&tracing->window, 4);
    return TRUE;
}

static gboolean take_u64(Tracing *tracing, guint64 *ret_value)
{
    if (!window_need(&tracing->window, 8)) {
        return FALSE;
    }
    *ret_value = bytes_u64(tracing->window.at, tracing->swapped);
    window_skip(&tracing->window, 8);
    return TRUE;
}

static gboolean take_name(Tracing *tracing, char ret_name[MAX_NAME])
{
    for (gsize i = 0; i < MAX_NAME; i++) {
        if (!take_u8(tracing, (guint8 *)&ret_name[i])) {
            return FALSE;
        }
        if (ret_name[i] == '\0') {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean skip(Tracing *tracing, guint64 size)
{
    Window *window = &tracing->window;

    if (size > window->limit - window->offset) {
        return FALSE;
    }
    window_seek(window, window->offset + size);
    return TRUE;
}

/* "header_page" or "header_event", u64 size, text: the layout of ftrace's own ring buffer. */
static gboolean skip_named(Tracing *tracing, const char *name)
{
    char found[MAX_NAME];
    guint64 size;

    return take_name(tracing, found) && g_str_equal(found, name) && take_u64(tracing, &size) &&
           skip(tracing, size);
}

static gboolean take_format(Tracing *tracing, const char *system)
{
    Window *window = &tracing->window;
    guint64 size;

    if (!take_u64(tracing, &size)) {
        return FALSE;
    }
    if (size > MAX_FORMAT || tracing->n_formats >= MAX_FORMATS) {
        reader_problem(tracing->reader, window->offset, "an event format is too large");
        return skip(tracing, size);
    }
    if (!window_need(window, size)) {
        return FALSE;
    }
    kernel_events_add(tracing->events, system, (const char *)window->at, size, window->offset);
    tracing->n_formats++;
    window_skip(window, size);
    return TRUE;
}

static gboolean take_system(Tracing *tracing, const char *system)
{
    guint32 n;

    if (!take_u32(tracing, &n)) {
        return FALSE;
    }
    while (n-- > 0) {
        if (!take_format(tracing, system)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean take_formats(Tracing *tracing)
{
    char system[MAX_NAME];
    guint32 n;

    if (!skip_named(tracing, "header_page") || !skip_named(tracing, "header_event") ||
        !take_system(tracing, "ftrace") || !take_u32(tracing, &n)) {
        return FALSE;
    }
    while (n-- > 0) {
        if (!take_name(tracing, system) || !take_system(tracing, system)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Magic, version text, u8 byte order, u8 size of a long, u32 size of a page. */
static gboolean take_header(Tracing *tracing)
{
    Window *window = &tracing->window;
    char version[MAX_NAME];
    guint8 big_endian;
    guint8 long_size;
    guint32 page_size;

    if (!window_need(window, sizeof(magic)) || memcmp(window->at, magic, sizeof(magic)) != 0) {
        return FALSE;
    }
    window_skip(window, sizeof(magic));
    if (!take_name(tracing, version) || !take_u8(tracing, &big_endian) || big_endian > 1 ||
        !take_u8(tracing, &long_size) || (long_size != 4 && long_size != 8)) {
        return FALSE;
    }
    tracing->swapped = big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
    tracing->events = kernel_events_new(tracing->reader, big_endian, long_size);
    return take_u32(tracing, &page_size);
}

KernelEvents *perf_tracing_read(Reader *reader, Input *input, guint64 offset, guint64 size)
{
    Tracing tracing = {.reader = reader};

    window_init(&tracing.window, input, offset, offset + size, TRACING_WINDOW);
    if (!take_header(&tracing) || !take_formats(&tracing)) {
        reader_problem(reader, tracing.window.offset, "the event formats are damaged or cut short");
    }
    window_clear(&tracing.window);
    return tracing.events;
}
