/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reader of trace.dat, the file of trace-cmd.
 */
#include "trace_dat.h"

enum { MAX_VERSION_TEXT = 16 };

static const guint8 magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static gboolean probe(const guint8 *head, gsize len)
{
    return len >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

void dat_stream_at(TraceDat *dat, DatStream *stream, guint64 offset)
{
    dat_stream_init(stream, dat->reader.input, offset, G_MAXUINT64, dat->layout.swapped);
}

void dat_corrupt(const TraceDat *dat, guint64 offset, const char *what, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_CORRUPT,
                "%s: at offset %" G_GUINT64_FORMAT ": %s; record again, or copy the file again",
                dat->reader.info.path, offset, what);
}

static void buffer_clear(gpointer data)
{
    DatBuffer *buffer = data;

    g_free(buffer->name);
    g_free(buffer->clock);
}

static void cpu_clear(gpointer data)
{
    g_free(((DatCpu *)data)->bytes);
}

static TraceDat *dat_new(Input *input)
{
    TraceDat *dat = g_new0(TraceDat, 1);

    reader_init(&dat->reader, &format_trace_dat, input);
    dat->buffers = g_array_new(FALSE, TRUE, sizeof(DatBuffer));
    g_array_set_clear_func(dat->buffers, buffer_clear);
    dat->regions = g_array_new(FALSE, TRUE, sizeof(DatRegion));
    dat->cpus = g_array_new(FALSE, TRUE, sizeof(DatCpu));
    g_array_set_clear_func(dat->cpus, cpu_clear);
    return dat;
}

static void dat_close(Reader *reader)
{
    TraceDat *dat = (TraceDat *)reader;

    kernel_events_free(dat->events);
    input_free(dat->spool);
    g_array_unref(dat->buffers);
    g_array_unref(dat->regions);
    g_array_unref(dat->cpus);
    g_free(dat->heap);
    g_free(dat);
}

/* Byte order, size of a long and of a page. */
static gboolean read_machine(TraceDat *dat, DatStream *stream, GError **error)
{
    guint8 big_endian, long_size;
    guint32 page_size;

    if (!dat_stream_u8(stream, &big_endian) || !dat_stream_u8(stream, &long_size)) {
        dat_corrupt(dat, stream->window.offset, "the header is cut off", error);
        return FALSE;
    }
    stream->swapped = (big_endian != 0) != (G_BYTE_ORDER == G_BIG_ENDIAN);
    if (!dat_stream_u32(stream, &page_size) || big_endian > 1 ||
        (long_size != 4 && long_size != 8)) {
        dat_corrupt(dat, stream->window.offset, "the header makes no sense", error);
        return FALSE;
    }
    dat->layout = (DatLayout){
        .commit_size = long_size,
        .data_offset = sizeof(guint64) + long_size,
        .page_size = page_size,
        .big_endian = big_endian,
        .swapped = stream->swapped,
    };
    dat->events = kernel_events_new(&dat->reader, big_endian, long_size);
    return TRUE;
}

static gboolean read_file(TraceDat *dat, GError **error)
{
    g_auto(DatStream) stream = {0};
    g_autofree char *version = NULL;

    dat_stream_at(dat, &stream, sizeof(magic));
    version = dat_stream_text(&stream, MAX_VERSION_TEXT);
    if (version == NULL) {
        dat_corrupt(dat, sizeof(magic), "the header is cut off", error);
        return FALSE;
    }
    dat->reader.info.version = g_ascii_strtoull(version, NULL, 10);
    if (dat->reader.info.version != 6 && dat->reader.info.version != 7) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                    "%s: trace.dat of version %u; versions 6 and 7 can be read (trace-cmd convert "
                    "--file-version 7)",
                    dat->reader.info.path, dat->reader.info.version);
        return FALSE;
    }
    if (!read_machine(dat, &stream, error)) {
        return FALSE;
    }
    return dat->reader.info.version == 6 ? dat_open_v6(dat, &stream, error)
                                         : dat_open_v7(dat, &stream, error);
}

/* Whether there are events, as opposed to a latency tracer's text. */
static gboolean check_kind(const TraceDat *dat, GError **error)
{
    if (!dat->has_latency || dat->buffers->len > 0) {
        return TRUE;
    }
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                "%s: holds the text of a latency tracer, not events; record with: trace-cmd record "
                "-e EVENT",
                dat->reader.info.path);
    return FALSE;
}

static Reader *dat_open(Input *input, const TraceOptions *options, GError **error)
{
    TraceDat *dat = dat_new(input);

    if (!read_file(dat, error) || !check_kind(dat, error)) {
        reader_clear(&dat->reader);
        dat_close(&dat->reader);
        return NULL;
    }
    dat_set_clock(dat, dat_buffer(dat, 0)->clock);
    dat_make_cpus(dat);
    dat_merge_rewind(dat);
    return &dat->reader;
}

static gsize dat_read(Reader *reader, Event *ret_events, gsize max)
{
    TraceDat *dat = (TraceDat *)reader;
    gsize n = dat_merge_read(dat, ret_events, max);

    if (n == 0) {
        reader->info.side = kernel_events_side(dat->events);
    }
    return n;
}

static void dat_rewind(Reader *reader)
{
    dat_merge_rewind((TraceDat *)reader);
}

static const char *dat_event_name(const Reader *reader, guint32 type)
{
    return type == DAT_TYPE_LOSS ? "lost" : kernel_events_name(((TraceDat *)reader)->events, type);
}

static const DatCpu *find_cpu(const TraceDat *dat, guint64 offset)
{
    guint64 flag = offset & DAT_IN_SPOOL;

    offset &= ~DAT_IN_SPOOL;
    for (guint i = 0; i < dat->cpus->len; i++) {
        const DatCpu *cpu = dat_cpu(dat, i);

        if (cpu->offset_flag == flag && offset >= cpu->begin && offset < cpu->end) {
            return cpu;
        }
    }
    return NULL;
}

static void describe_loss(const Event *event, TraceFieldFunc func, gpointer user_data)
{
    g_autofree char *records = g_strdup_printf("%u", event->num[0]);

    func("records", records, TRUE, user_data);
}

/* The length of a record is told by what stands before it: walk the page to it. */
static void dat_describe(Reader *reader, const Event *event, TraceFieldFunc func,
                         gpointer user_data)
{
    TraceDat *dat = (TraceDat *)reader;
    const DatCpu *cpu = find_cpu(dat, event->offset);
    g_autofree guint8 *bytes = NULL;
    guint64 in_region, page_begin;
    DatPage page;

    if (event->kind == EVENT_LOSS || cpu == NULL) {
        describe_loss(event, func, user_data);
        return;
    }
    in_region = (event->offset & ~DAT_IN_SPOOL) - cpu->begin;
    page_begin = in_region & ~(guint64)(cpu->layout.page_size - 1);
    bytes = g_malloc0(cpu->layout.page_size);
    input_read(cpu->input, cpu->begin + page_begin, bytes, cpu->layout.page_size);
    dat_page_begin(&page, &cpu->layout, bytes);
    while (dat_page_next(&page, &cpu->layout)) {
        if ((guint64)(page.payload - bytes) == in_region - page_begin) {
            kernel_events_describe(dat->events, page.payload, page.len, func, user_data);
            return;
        }
    }
}

static guint64 dat_position(const Reader *reader)
{
    const TraceDat *dat = (const TraceDat *)reader;
    guint64 done = MIN(dat->done, dat->total);

    return dat->total == 0 ? reader->info.size
                           : (guint64)((unsigned __int128)reader->info.size * done / dat->total);
}

const TraceFormat format_trace_dat = {
    .name = "trace.dat",
    .probe = probe,
    .open = dat_open,
    .read = dat_read,
    .rewind = dat_rewind,
    .event_name = dat_event_name,
    .describe = dat_describe,
    .position = dat_position,
    .close = dat_close,
};
