/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.dat version 6: everything in one fixed order, the events last.
 */
#include "trace_dat.h"

enum { MAX_OPTIONS = 65536 };

/* kallsyms and printk formats, then command lines: not used. */
static gboolean skip_texts(DatStream *stream)
{
    guint32 kallsyms, printk;
    guint64 cmdlines;

    return dat_stream_u32(stream, &kallsyms) && dat_stream_skip(stream, kallsyms) &&
           dat_stream_u32(stream, &printk) && dat_stream_skip(stream, printk) &&
           dat_stream_u64(stream, &cmdlines) && dat_stream_skip(stream, cmdlines);
}

static gboolean read_option(TraceDat *dat, DatStream *stream, guint16 id)
{
    g_auto(DatStream) option = {0};
    guint64 end;
    guint32 len;

    if (!dat_stream_u32(stream, &len)) {
        return FALSE;
    }
    end = stream->window.offset + len;
    dat_stream_init(&option, dat->reader.input, stream->window.offset, end, stream->swapped);
    dat_read_option(dat, id, len, &option);
    return dat_stream_skip(stream, len);
}

static gboolean read_options(TraceDat *dat, DatStream *stream)
{
    for (guint i = 0; i < MAX_OPTIONS; i++) {
        guint16 id;

        if (!dat_stream_u16(stream, &id)) {
            return FALSE;
        }
        if (id == 0) {
            return TRUE;
        }
        if (!read_option(dat, stream, id)) {
            return FALSE;
        }
    }
    return FALSE;
}

/* Where each CPU's pages are; the CPUs have no numbers of their own. */
static gboolean read_cpu_table(TraceDat *dat, DatStream *stream, guint32 n_cpus, guint buffer)
{
    for (guint32 i = 0; i < n_cpus; i++) {
        DatRegion region = {.buffer = buffer, .cpu = i};

        if (!dat_stream_u64(stream, &region.offset) || !dat_stream_u64(stream, &region.size)) {
            return FALSE;
        }
        if (!dat_add_region(dat, &region)) {
            return TRUE;
        }
    }
    return TRUE;
}

static void read_instance(TraceDat *dat, guint32 n_cpus, guint i)
{
    g_auto(DatStream) stream = {0};
    guint64 offset = dat_buffer(dat, i)->offset;

    dat_stream_at(dat, &stream, offset);
    if (!dat_stream_expect(&stream, "flyrecord") || !read_cpu_table(dat, &stream, n_cpus, i)) {
        reader_problem(&dat->reader, offset, "the events of a trace instance cannot be read");
    }
}

static gboolean read_events(TraceDat *dat, DatStream *stream, guint32 n_cpus, GError **error)
{
    guint64 offset = stream->window.offset;
    guint n_instances = dat->buffers->len;
    DatBuffer top = {.page_size = dat->layout.page_size};

    if (dat_stream_expect(stream, "latency  ")) {
        dat->has_latency = TRUE;
        return TRUE;
    }
    g_array_append_val(dat->buffers, top);
    if (!dat_stream_expect(stream, "flyrecord") ||
        !read_cpu_table(dat, stream, n_cpus, n_instances)) {
        dat_corrupt(dat, offset, "the table of the CPUs' events is damaged or cut off", error);
        return FALSE;
    }
    for (guint i = 0; i < n_instances; i++) {
        read_instance(dat, n_cpus, i);
    }
    return TRUE;
}

gboolean dat_open_v6(TraceDat *dat, DatStream *stream, GError **error)
{
    guint32 n_cpus;

    if (!dat_read_header_info(dat, stream) || !dat_read_ftrace_events(dat, stream) ||
        !dat_read_event_formats(dat, stream) || !skip_texts(stream) ||
        !dat_stream_u32(stream, &n_cpus)) {
        dat_corrupt(dat, stream->window.offset, "the description of the events is cut off", error);
        return FALSE;
    }
    if (n_cpus > DAT_MAX_CPUS) {
        dat_corrupt(dat, stream->window.offset, "it claims more than 4096 CPUs", error);
        return FALSE;
    }
    if (dat_stream_expect(stream, "options  ") && !read_options(dat, stream)) {
        dat_corrupt(dat, stream->window.offset, "the options are damaged or cut off", error);
        return FALSE;
    }
    return read_events(dat, stream, n_cpus, error);
}
