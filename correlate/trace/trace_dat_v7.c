/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.dat version 7: sections, which options point to; they may be compressed.
 */
#include "trace_dat.h"

enum {
    SECTION_OPTIONS = 0,
    OPTION_DONE = 0,
    MAX_OPTIONS = 65536,
    MAX_OPTION_SECTIONS = 256,
};

gboolean dat_read_section(TraceDat *dat, guint64 offset, DatSection *ret_section)
{
    g_auto(DatStream) stream = {0};
    guint32 description;

    dat_stream_at(dat, &stream, offset);
    if (!dat_stream_u16(&stream, &ret_section->id) ||
        !dat_stream_u16(&stream, &ret_section->flags) || !dat_stream_u32(&stream, &description) ||
        !dat_stream_u64(&stream, &ret_section->size)) {
        return FALSE;
    }
    ret_section->begin = stream.window.offset;
    return TRUE;
}

/* A stream of the section's content, which is spooled when it is compressed. */
static gboolean open_section(TraceDat *dat, guint64 offset, guint16 id, DatStream *ret_stream)
{
    g_auto(DatStream) packed = {0};
    gboolean swapped = dat->layout.swapped;
    guint64 begin;
    DatSection section;

    if (!dat_read_section(dat, offset, &section) || section.id != id) {
        return FALSE;
    }
    if (!(section.flags & DAT_SECTION_COMPRESSED)) {
        guint64 limit = section.begin + MIN(section.size, dat->reader.info.size);

        dat_stream_init(ret_stream, dat->reader.input, section.begin, limit, swapped);
        return TRUE;
    }
    dat_stream_at(dat, &packed, section.begin);
    if (!dat->is_zstd || !dat_spool_section(dat, &packed, &begin)) {
        return FALSE;
    }
    dat_stream_init(ret_stream, dat->spool, begin, input_size(dat->spool), swapped);
    return TRUE;
}

static gboolean read_option(TraceDat *dat, DatStream *stream, guint16 id, guint32 len)
{
    g_auto(DatStream) option = {0};
    guint64 begin = stream->window.offset;

    dat_stream_init(&option, stream->window.input, begin, begin + len, stream->swapped);
    dat_read_option(dat, id, len, &option);
    return dat_stream_skip(stream, len);
}

/* FALSE when the section ends early; @ret_next is where the next one is, 0 if none. @left bounds
   the work on sections that point to each other. */
static gboolean read_options(TraceDat *dat, DatStream *stream, guint *left, guint64 *ret_next)
{
    *ret_next = 0;
    for (; *left > 0; (*left)--) {
        guint16 id;
        guint32 len;

        if (!dat_stream_u16(stream, &id) || !dat_stream_u32(stream, &len)) {
            return FALSE;
        }
        if (id == OPTION_DONE) {
            return len < sizeof(*ret_next) || dat_stream_u64(stream, ret_next);
        }
        if (!read_option(dat, stream, id, len)) {
            return FALSE;
        }
    }
    return FALSE;
}

static gboolean read_option_section(TraceDat *dat, guint64 offset, guint *left, guint64 *ret_next)
{
    g_auto(DatStream) stream = {0};

    *ret_next = 0;
    return open_section(dat, offset, SECTION_OPTIONS, &stream) &&
           read_options(dat, &stream, left, ret_next);
}

/* @sections: where the sections begin, for a file whose options are missing. */
static gboolean read_all_options(TraceDat *dat, guint64 offset, guint64 sections, GError **error)
{
    guint64 first = offset;
    guint left = MAX_OPTIONS;
    gboolean whole = TRUE;

    for (guint i = 0; i < MAX_OPTION_SECTIONS && offset != 0; i++) {
        guint64 next;

        if (!read_option_section(dat, offset, &left, &next)) {
            reader_problem(&dat->reader, offset, "an options section is damaged or cut off");
            whole = FALSE;
        }
        offset = next;
    }
    if (dat->has_latency || (dat->buffers->len > 0 && (whole || dat->regions->len > 0))) {
        return TRUE;
    }
    /* A BUFFER option may be cut before its CPUs. */
    if (dat_recover_v7(dat, sections) || dat->buffers->len > 0) {
        return TRUE;
    }
    dat_corrupt(dat, first,
                "the options that say where the events are are missing (was trace-cmd killed, or "
                "the file cut short?)",
                error);
    return FALSE;
}

typedef gboolean (*SectionReader)(TraceDat *dat, DatStream *stream);

static void read_content(TraceDat *dat, guint64 offset, guint16 id, SectionReader read)
{
    g_auto(DatStream) stream = {0};

    if (offset == 0 || !open_section(dat, offset, id, &stream) || !read(dat, &stream)) {
        reader_problem(&dat->reader, offset,
                       "a section that describes the events is missing or damaged");
    }
}

static void find_spooled(TraceDat *dat)
{
    for (guint i = 0; i < dat->buffers->len; i++) {
        DatBuffer *buffer = dat_buffer(dat, i);
        DatSection section;

        buffer->is_spooled = dat->is_zstd && dat_read_section(dat, buffer->offset, &section) &&
                             section.id == DAT_SECTION_BUFFER &&
                             (section.flags & DAT_SECTION_COMPRESSED);
    }
}

/* Lower-case letters and digits only: the name comes from the file and goes to a terminal. */
static char *printable(const char *name)
{
    return g_strcanon(g_strndup(name, 16), "abcdefghijklmnopqrstuvwxyz0123456789", '?');
}

static gboolean read_algorithm(TraceDat *dat, const char *name, GError **error)
{
    g_autofree char *shown = printable(name);

    dat->is_zstd = strcmp(name, "zstd") == 0;
    if (dat->is_zstd || strcmp(name, "none") == 0) {
        return TRUE;
    }
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                "%s: compressed with %s, only zstd can be read; convert it with: trace-cmd convert "
                "-i FILE -o NEWFILE --compression none",
                dat->reader.info.path, shown);
    return FALSE;
}

gboolean dat_open_v7(TraceDat *dat, DatStream *stream, GError **error)
{
    g_autofree char *algorithm = dat_stream_text(stream, DAT_MAX_TEXT);
    g_autofree char *version = dat_stream_text(stream, DAT_MAX_TEXT);
    guint64 options;

    if (algorithm == NULL || version == NULL || !dat_stream_u64(stream, &options)) {
        dat_corrupt(dat, stream->window.offset, "the header is cut off", error);
        return FALSE;
    }
    if (!read_algorithm(dat, algorithm, error) ||
        !read_all_options(dat, options, stream->window.offset, error)) {
        return FALSE;
    }
    read_content(dat, dat->header_info, DAT_SECTION_HEADER_INFO, dat_read_header_info);
    read_content(dat, dat->ftrace_events, DAT_SECTION_FTRACE_EVENTS, dat_read_ftrace_events);
    read_content(dat, dat->event_formats, DAT_SECTION_EVENT_FORMATS, dat_read_event_formats);
    find_spooled(dat);
    return TRUE;
}
