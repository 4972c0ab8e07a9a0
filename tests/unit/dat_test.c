/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tests of the trace.dat reader share.
 */
#include "dat_test.h"

#include <glib/gstdio.h>

const DatVariant dat_variants[N_DAT_VARIANTS] = {
    {.version = 6, .long_size = 8},
    {.version = 6, .long_size = 4},
    {.version = 6, .long_size = 8, .big_endian = TRUE},
    {.version = 6, .long_size = 4, .big_endian = TRUE},
    {.version = 7, .long_size = 8},
    {.version = 7, .long_size = 4, .big_endian = TRUE},
    {.version = 7, .long_size = 8, .zstd = TRUE},
    {.version = 7, .long_size = 8, .zstd = TRUE, .big_endian = TRUE},
};

TraceSource *dat_test_open(const guint8 *bytes, gsize len, GError **error)
{
    g_autofree char *path = NULL;
    TraceSource *source;
    int fd = g_file_open_tmp("virtcorr-test-XXXXXX", &path, NULL);

    g_assert_cmpint(fd, >=, 0);
    g_close(fd, NULL);
    g_assert_true(g_file_set_contents(path, (const char *)bytes, len, NULL));
    source = trace_source_open(path, NULL, error);
    g_unlink(path);
    return source;
}

TraceSource *dat_test_open_instances(const DatVariant *variant, const DatInstance *instances,
                                     guint n)
{
    g_autoptr(GByteArray) file = dat_build(variant, instances, n);
    g_autoptr(GError) error = NULL;
    TraceSource *source = dat_test_open(file->data, file->len, &error);

    g_assert_no_error(error);
    return source;
}

char *dat_test_read(TraceSource *source)
{
    GString *text = g_string_new(NULL);
    Event events[3];
    gsize n;

    while ((n = trace_source_read(source, events, G_N_ELEMENTS(events))) > 0) {
        for (gsize i = 0; i < n; i++) {
            const char *name = trace_source_name(source, events[i].name);

            g_string_append_printf(text, "%s%" G_GINT64_FORMAT "/%u ", text->len ? " " : "",
                                   events[i].time, events[i].cpu);
            if (events[i].kind == EVENT_LOSS) {
                g_string_append_printf(text, "lost:%u>%" G_GUINT64_FORMAT, events[i].num[0],
                                       events[i].ptr[0]);
            } else {
                g_string_append(text, *name ? name : trace_source_event_name(source, &events[i]));
            }
        }
    }
    return g_string_free(text, FALSE);
}

void dat_test_assert_reads(TraceSource *source, const char *expected)
{
    g_autofree char *text = dat_test_read(source);

    g_assert_cmpstr(text, ==, expected);
}

guint dat_test_n_problems(TraceSource *source)
{
    return trace_source_info(source)->problems->len;
}
