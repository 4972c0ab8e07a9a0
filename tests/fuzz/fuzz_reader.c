/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every reader must stand: any bytes at all.
 */
#include "fuzz_reader.h"

#include "trace/source.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Unlike g_assert() it is never compiled out. */
#define PROMISE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            g_error("broken promise: %s", #condition);                                             \
        }                                                                                          \
    } while (0)

enum { N_DESCRIBED = 64 };

static TraceSource *open_bytes(int fd, const uint8_t *data, size_t len)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autoptr(GError) error = NULL;
    TraceSource *source;

    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, data + done, len - done);

        PROMISE(n > 0);
        done += n;
    }
    source = trace_source_open(path, NULL, &error);
    PROMISE((source == NULL) == (error != NULL));
    PROMISE(source != NULL || strchr(error->message, '\n') == NULL);
    return source;
}

/* Read to the end, in blocks of @max. */
static GArray *read_all(TraceSource *source, gsize max)
{
    GArray *events = g_array_new(FALSE, FALSE, sizeof(Event));
    g_autofree Event *block = g_new(Event, max);
    gsize n;

    while ((n = trace_source_read(source, block, max)) > 0) {
        PROMISE(n <= max);
        g_array_append_vals(events, block, n);
    }
    PROMISE(trace_source_read(source, block, max) == 0);
    return events;
}

/* By either reading of a clock that passes 2⁶³. */
static gboolean is_before(gint64 a, gint64 b)
{
    return a < b && (gint64)((guint64)a - (guint64)b) < 0;
}

static void check_event(TraceSource *source, const Event *event)
{
    PROMISE(event->kind < N_EVENT_KINDS);
    PROMISE(event->source == 0);
    PROMISE(event->name <= trace_source_n_names(source));
    PROMISE(trace_source_name(source, event->name) != NULL);
    PROMISE(trace_source_event_name(source, event) != NULL);
    /* Clocks may pass 2⁶³: only differences are numbers. 0: the beginning is not known. */
    PROMISE(event->kind != EVENT_LOSS || event->ptr[0] == 0 ||
            (gint64)((guint64)event->time - event->ptr[0]) >= 0);
}

static void check_events(TraceSource *source, const GArray *events)
{
    const TraceInfo *info = trace_source_info(source);
    guint64 n_losses = 0;
    gboolean is_ordered = TRUE;
    gint64 last = 0;

    for (guint i = 0; i < events->len; i++) {
        const Event *event = &g_array_index(events, Event, i);

        check_event(source, event);
        n_losses += event->kind == EVENT_LOSS;
        is_ordered &= i == 0 || !is_before(event->time, last);
        last = event->time;
    }
    PROMISE(info->events == events->len - n_losses);
    PROMISE(info->lost >= n_losses);
    /* Disorder that a reader cannot repair must be told. */
    PROMISE(is_ordered || info->problems->len > 0);
}

static void check_field(const char *name, const char *value, gboolean is_number, gpointer user_data)
{
    PROMISE(name != NULL && *name != '\0');
    PROMISE(value != NULL);
    if (is_number) {
        gsize sign = *value == '-';

        PROMISE(value[sign] != '\0' && strspn(value + sign, "0123456789.") == strlen(value + sign));
    }
}

static void describe_some(TraceSource *source, const GArray *events)
{
    guint step = MAX(events->len / N_DESCRIBED, 1);

    for (guint i = 0; i < events->len; i += step) {
        trace_source_describe(source, &g_array_index(events, Event, i), check_field, NULL);
    }
}

static guint64 count_problems(const TraceInfo *info)
{
    guint64 n = 0;

    for (guint i = 0; i < info->problems->len; i++) {
        const TraceProblem *problem = &g_array_index(info->problems, TraceProblem, i);

        PROMISE(problem->count > 0 && problem->text[0] != '\0');
        n += problem->count;
    }
    return n;
}

static void check_source(TraceSource *source)
{
    const TraceInfo *info = trace_source_info(source);
    g_autoptr(GArray) first = read_all(source, 1024);
    g_autoptr(GArray) second = NULL;
    guint64 n_events = info->events;
    guint64 n_lost = info->lost;
    guint64 n_problems = count_problems(info);

    check_events(source, first);
    describe_some(source, first);
    trace_source_rewind(source);
    second = read_all(source, 7);
    PROMISE(first->len == second->len);
    PROMISE(first->len == 0 || memcmp(first->data, second->data, first->len * sizeof(Event)) == 0);
    PROMISE(info->events == n_events && info->lost == n_lost);
    PROMISE(count_problems(info) == n_problems);
}

void fuzz_reader(const char *format, const uint8_t *data, size_t len)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    g_autoptr(TraceSource) source = NULL;

    PROMISE(fd >= 0);
    source = open_bytes(fd, data, len);
    if (source != NULL && strcmp(trace_source_info(source)->format, format) == 0) {
        check_source(source);
    }
    close(fd);
}
