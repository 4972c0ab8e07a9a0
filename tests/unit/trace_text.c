/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For tests of the readers: bytes in, what was read as text out.
 */
#include "trace_text.h"

#include <sys/mman.h>
#include <unistd.h>

TraceSource *trace_text_open(const void *bytes, gsize len, const TraceOptions *options,
                             GError **error)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(write(fd, bytes, len), ==, len);
    return trace_source_open(path, options, error);
}

static void append_members(GString *text, const TraceSource *source, const Event *event)
{
    if (event->ptr[0] || event->ptr[1]) {
        g_string_append_printf(text, " ptr %" G_GINT64_MODIFIER "x", event->ptr[0]);
    }
    if (event->ptr[1]) {
        g_string_append_printf(text, " %" G_GINT64_MODIFIER "x", event->ptr[1]);
    }
    if (event->num[0] || event->num[1]) {
        g_string_append_printf(text, " num %u", event->num[0]);
    }
    if (event->num[1]) {
        g_string_append_printf(text, " %u", event->num[1]);
    }
    if (event->name != NO_NAME) {
        g_string_append_printf(text, " name %s", trace_source_name(source, event->name));
    }
    if (event->tid != 0) {
        g_string_append_printf(text, " tid %u", event->tid);
    }
}

static void append_event(GString *text, const TraceSource *source, const Event *event)
{
    g_string_append_printf(text, "%" G_GINT64_FORMAT " ", event->time);
    g_assert_cmpuint(event->cpu, ==, NO_CPU);
    if (event->kind == EVENT_LOSS) {
        g_string_append_printf(text, "lost %u since %" G_GINT64_FORMAT "\n", event->num[0],
                               (gint64)event->ptr[0]);
        return;
    }
    g_string_append(text, trace_source_event_name(source, event));
    if (event->kind != EVENT_OTHER) {
        g_string_append_printf(text, " %u", event->kind);
    }
    append_members(text, source, event);
    g_string_append_c(text, '\n');
}

char *trace_text_read(TraceSource *source, gsize max)
{
    GString *text = g_string_new(NULL);
    g_autofree Event *events = g_new(Event, max);
    gsize n;

    while ((n = trace_source_read(source, events, max)) > 0) {
        g_assert_cmpuint(n, <=, max);
        for (gsize i = 0; i < n; i++) {
            append_event(text, source, &events[i]);
        }
    }
    return g_string_free(text, FALSE);
}

char *trace_text_info(const TraceSource *source)
{
    const TraceInfo *info = trace_source_info(source);
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "%" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT " lost\n",
                           info->events, info->lost);
    for (guint i = 0; i < info->problems->len; i++) {
        const TraceProblem *problem = &g_array_index(info->problems, TraceProblem, i);

        g_string_append_printf(text, "@%" G_GUINT64_FORMAT " x%" G_GUINT64_FORMAT " %s\n",
                               problem->offset, problem->count, problem->text);
    }
    return g_string_free(text, FALSE);
}

void trace_text_check(TraceSource *source, const char *events, const char *info)
{
    static const gsize blocks[] = {100, 1};

    for (gsize i = 0; i < G_N_ELEMENTS(blocks); i++) {
        g_autofree char *read = trace_text_read(source, blocks[i]);
        g_autofree char *told = trace_text_info(source);

        g_assert_cmpstr(read, ==, events);
        g_assert_cmpstr(told, ==, info);
        trace_source_rewind(source);
    }
}

static void append_field(const char *name, const char *value, gboolean is_number,
                         gpointer user_data)
{
    GString *text = user_data;

    g_string_append_printf(text, "%s%s=%s%s%s", text->len > 0 ? " " : "", name,
                           is_number ? "" : "'", value, is_number ? "" : "'");
}

char *trace_text_describe(TraceSource *source, guint i)
{
    GString *text = g_string_new(NULL);
    Event event;

    trace_source_rewind(source);
    for (guint k = 0; k <= i; k++) {
        g_assert_cmpuint(trace_source_read(source, &event, 1), ==, 1);
    }
    trace_source_describe(source, &event, append_field, text);
    return g_string_free(text, FALSE);
}
