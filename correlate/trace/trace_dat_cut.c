/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The events of a trace.dat version 7 whose last options are missing: trace-cmd writes them last,
 * so a file that is cut short, or whose trace-cmd was killed, has none.
 *
 * The sections stand one after another. Pages of one CPU ascend in time, those of the next CPU
 * begin again earlier; compressed CPUs tell themselves how many chunks they have.
 */
#include "trace_dat.h"

enum { MAX_SECTIONS = 1024 };

static void add_region(TraceDat *dat, guint32 cpu, guint64 begin, guint64 end)
{
    DatRegion region = {
        .buffer = dat->buffers->len - 1,
        .cpu = cpu,
        .offset = begin,
        .size = end - begin,
    };

    dat_add_region(dat, &region);
}

/* A CPU that wrote nothing has no page, so later numbers may be too low. */
static void find_plain_cpus(TraceDat *dat, guint64 begin, guint64 end)
{
    g_auto(DatStream) stream = {0};
    guint page_size = dat->layout.page_size;
    guint64 time, last = 0;
    guint32 cpu = 0;

    begin = (begin + page_size - 1) & ~(guint64)(page_size - 1);
    dat_stream_init(&stream, dat->reader.input, begin, end, dat->layout.swapped);
    for (guint64 at = begin; at + page_size <= end && cpu < DAT_MAX_CPUS; at += page_size) {
        if (!dat_stream_u64(&stream, &time) ||
            !dat_stream_skip(&stream, page_size - sizeof(time))) {
            end = at;
            break;
        }
        if (time < last) {
            add_region(dat, cpu++, begin, at);
            begin = at;
        }
        last = time;
    }
    if (end > begin && cpu < DAT_MAX_CPUS) {
        add_region(dat, cpu, begin, end);
    }
}

/* FALSE when the chunks end early. */
static gboolean skip_chunks(DatStream *stream, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        guint32 len, expected;

        if (!dat_stream_u32(stream, &len) || !dat_stream_u32(stream, &expected) ||
            !dat_stream_skip(stream, len)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* trace-cmd begins each CPU at a multiple of the page size, with zeros before. */
static guint64 skip_padding(TraceDat *dat, guint64 begin, guint64 end)
{
    g_auto(DatStream) stream = {0};
    guint page_size = dat->layout.page_size;
    guint64 aligned = (begin + page_size - 1) & ~(guint64)(page_size - 1);
    guint8 byte;

    dat_stream_init(&stream, dat->reader.input, begin, end, dat->layout.swapped);
    while (stream.window.offset < aligned) {
        if (!dat_stream_u8(&stream, &byte) || byte != 0) {
            return begin;
        }
    }
    return aligned;
}

static void find_packed_cpus(TraceDat *dat, guint64 begin, guint64 end)
{
    gboolean whole = TRUE;

    for (guint32 cpu = 0; whole && cpu < DAT_MAX_CPUS; cpu++) {
        g_auto(DatStream) stream = {0};
        guint32 n_chunks;

        begin = skip_padding(dat, begin, end);
        dat_stream_init(&stream, dat->reader.input, begin, end, dat->layout.swapped);
        if (!dat_stream_u32(&stream, &n_chunks)) {
            return;
        }
        whole = skip_chunks(&stream, n_chunks);
        if (n_chunks > 0) {
            add_region(dat, cpu, begin, whole ? stream.window.offset : end);
        }
        begin = stream.window.offset;
    }
}

static void add_buffer(TraceDat *dat, guint64 offset, const DatSection *section, guint64 end)
{
    DatBuffer buffer = {.offset = offset, .page_size = dat->layout.page_size};

    if (dat->buffers->len >= DAT_MAX_BUFFERS) {
        return;
    }
    g_array_append_val(dat->buffers, buffer);
    if (dat->is_zstd && (section->flags & DAT_SECTION_COMPRESSED)) {
        find_packed_cpus(dat, section->begin, end);
    } else {
        find_plain_cpus(dat, section->begin, end);
    }
}

static void use_section(TraceDat *dat, guint64 offset, const DatSection *section, guint64 end)
{
    switch (section->id) {
    case DAT_SECTION_BUFFER:
        add_buffer(dat, offset, section, end);
        break;
    case DAT_SECTION_HEADER_INFO:
        dat->header_info = offset;
        break;
    case DAT_SECTION_FTRACE_EVENTS:
        dat->ftrace_events = offset;
        break;
    case DAT_SECTION_EVENT_FORMATS:
        dat->event_formats = offset;
        break;
    }
}

/* The clock is told by the first options, which stand before the events. */
static void note_recovery(TraceDat *dat, guint64 offset)
{
    TraceClock *clock = &dat->reader.info.clock;

    if (dat->has_clock) {
        reader_problem(&dat->reader, offset,
                       "the last options are missing (was trace-cmd killed, or the file cut "
                       "short?); CPUs are told apart by the times of their events");
        return;
    }
    clock->kind = TRACE_CLOCK_SCHED;
    clock->name = "unknown (taken for local)";
    reader_problem(&dat->reader, offset,
                   "all options are missing (was trace-cmd killed, or the file cut short?); CPUs "
                   "are told apart by the times of their events, and the clock is taken for "
                   "local, which is wrong if trace-cmd record had -C");
}

gboolean dat_recover_v7(TraceDat *dat, guint64 first)
{
    guint64 size = dat->reader.info.size;
    guint64 offset = first;

    if (!dat_is_page_size(dat->layout.page_size)) {
        return FALSE;
    }
    for (guint i = 0; i < MAX_SECTIONS && offset < size; i++) {
        DatSection section;
        guint64 end;

        if (!dat_read_section(dat, offset, &section)) {
            break;
        }
        end = section.begin + MIN(section.size, size - section.begin);
        /* Its size is written when it is complete. */
        if (section.id == DAT_SECTION_BUFFER && section.size == 0) {
            end = size;
        }
        use_section(dat, offset, &section, end);
        offset = end;
    }
    if (dat->regions->len == 0) {
        return FALSE;
    }
    note_recovery(dat, offset);
    return TRUE;
}
