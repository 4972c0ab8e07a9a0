/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of a trace.dat that say what its records look like.
 */
#include "trace_dat.h"

enum { MAX_FORMAT = 64 << 10, MAX_HEADER_TEXT = 16 << 10, MIN_DATA_OFFSET = 12 };

/* The number that follows @key in the line of "header_page" whose field is @field; 0 if none. */
static guint page_field(const char *text, const char *field, const char *key)
{
    const char *line = strstr(text, field);
    const char *end = line ? strchr(line, '\n') : NULL;
    const char *at = line ? strstr(line, key) : NULL;
    guint64 value = 0;

    if (at == NULL || (end != NULL && at > end) || !g_ascii_isdigit(at[strlen(key)])) {
        return 0;
    }
    value = g_ascii_strtoull(at + strlen(key), NULL, 10);
    return value > G_MAXINT ? 0 : value;
}

static void use_page_header(TraceDat *dat, const char *text, guint64 offset)
{
    guint commit = page_field(text, " commit;", "size:");
    guint data = page_field(text, " data;", "offset:");

    if ((commit != 4 && commit != 8) || data < MIN_DATA_OFFSET || data > 64) {
        reader_problem(&dat->reader, offset,
                       "the layout of the pages is not understood; the usual one is taken");
        return;
    }
    dat->layout.commit_size = commit;
    dat->layout.data_offset = MAX(data, sizeof(guint64) + commit);
}

/* A u64 length and so many bytes of text; more than @max bytes are skipped and "" given. */
static gboolean read_text(DatStream *stream, gsize max, char **ret_text)
{
    guint64 len;

    if (!dat_stream_u64(stream, &len)) {
        return FALSE;
    }
    if (len > max) {
        *ret_text = g_strdup("");
        return dat_stream_skip(stream, len);
    }
    *ret_text = (char *)dat_stream_bytes(stream, len);
    if (*ret_text == NULL) {
        return FALSE;
    }
    *ret_text = g_strndup(*ret_text, len);
    return TRUE;
}

gboolean dat_read_header_info(TraceDat *dat, DatStream *stream)
{
    guint64 offset = stream->window.offset;
    g_autofree char *page = NULL;
    g_autofree char *event = NULL;

    if (!dat_stream_expect(stream, "header_page") || !read_text(stream, MAX_HEADER_TEXT, &page)) {
        return FALSE;
    }
    use_page_header(dat, page, offset);
    return dat_stream_expect(stream, "header_event") && read_text(stream, MAX_HEADER_TEXT, &event);
}

static gboolean read_format(TraceDat *dat, DatStream *stream, const char *system)
{
    guint64 offset = stream->window.offset;
    const guint8 *text;
    guint64 len;

    if (!dat_stream_u64(stream, &len)) {
        return FALSE;
    }
    if (len > MAX_FORMAT) {
        reader_problem(&dat->reader, offset,
                       "an event format is longer than 64 KiB; its events are not decoded");
        return dat_stream_skip(stream, len);
    }
    text = dat_stream_bytes(stream, len);
    if (text == NULL) {
        return FALSE;
    }
    kernel_events_add(dat->events, system, (const char *)text, len, offset);
    return TRUE;
}

static gboolean read_formats(TraceDat *dat, DatStream *stream, const char *system)
{
    guint32 n;

    if (!dat_stream_u32(stream, &n)) {
        return FALSE;
    }
    for (guint32 i = 0; i < n; i++) {
        if (!read_format(dat, stream, system)) {
            return FALSE;
        }
    }
    return TRUE;
}

gboolean dat_read_ftrace_events(TraceDat *dat, DatStream *stream)
{
    return read_formats(dat, stream, "ftrace");
}

gboolean dat_read_event_formats(TraceDat *dat, DatStream *stream)
{
    guint32 n;

    if (!dat_stream_u32(stream, &n)) {
        return FALSE;
    }
    for (guint32 i = 0; i < n; i++) {
        g_autofree char *system = dat_stream_text(stream, DAT_MAX_TEXT);

        if (system == NULL || !read_formats(dat, stream, system)) {
            return FALSE;
        }
    }
    return TRUE;
}
