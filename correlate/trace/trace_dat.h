/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of the trace.dat reader share.
 *
 * Layout of the file: trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5) of trace-cmd 3.1.6.
 */
#ifndef VIRTCORR_TRACE_DAT_H
#define VIRTCORR_TRACE_DAT_H

#include "format.h"
#include "kernel_event.h"
#include "trace_dat_page.h"
#include "trace_dat_stream.h"

enum {
    DAT_MAX_CPUS = 4096,
    DAT_MAX_BUFFERS = 256,
    DAT_MAX_TEXT = 4096,
    DAT_TYPE_LOSS = 65536, /* Event.type of EVENT_LOSS; the kernel's types are 16 bit */
};

/* The ids of version 7's sections, and the flag of those that are compressed. */
enum {
    DAT_SECTION_BUFFER = 3,
    DAT_SECTION_HEADER_INFO = 16,
    DAT_SECTION_FTRACE_EVENTS = 17,
    DAT_SECTION_EVENT_FORMATS = 18,
    DAT_SECTION_COMPRESSED = 1,
};

/* A section of version 7; @begin is after its header. */
typedef struct DatSection {
    guint16 id;
    guint16 flags;
    guint64 begin;
    guint64 size;
} DatSection;

/* Set in Event.offset when the record is in the spool, not in the file. */
#define DAT_IN_SPOOL ((guint64)1 << 63)

/* A trace instance, whose events are merged with those of the others. */
typedef struct DatBuffer {
    guint64 offset;
    char *name;
    char *clock; /* NULL if not told */
    guint page_size;
    gboolean is_spooled;
} DatBuffer;

/* The pages of one CPU in one buffer, as the file tells. */
typedef struct DatRegion {
    guint buffer;
    guint32 cpu;
    guint64 offset;
    guint64 size;
} DatRegion;

/**
 * DatCpu: the pages of one CPU while they are read.
 * @input: the file or the spool
 * @begin, @end: whole pages
 * @offset_flag: DAT_IN_SPOOL or 0, for Event.offset
 * @next: the page that comes after @page
 * @bytes, @n_bytes, @bytes_offset: pages that were read ahead
 * @page, @page_bytes: the current page, in @bytes
 * @page_offset: where it is in @input
 * @time: of the current record
 * @last_time: of the record before
 * @missed, @n_missed: records were lost before the current record
 * @cpu: its number; @index: its place in TraceDat.cpus, which orders equal times
 */
typedef struct DatCpu {
    Input *input;
    guint64 begin;
    guint64 end;
    guint64 next;
    guint64 offset_flag;
    DatLayout layout;
    guint8 *bytes;
    gsize n_bytes;
    guint64 bytes_offset;
    DatPage page;
    const guint8 *page_bytes;
    guint64 page_offset;
    gint64 time;
    gint64 last_time;
    gboolean missed;
    guint64 n_missed;
    guint16 cpu;
    guint index;
} DatCpu;

/**
 * TraceDat: a trace.dat.
 * @is_zstd: sections may be compressed
 * @layout: of the pages; its page_size is that of the header
 * @header_info, @ftrace_events, @event_formats: offsets of v7's sections, 0 if not there
 * @has_clock: an option tells the clock
 * @has_latency: it holds a latency tracer's text
 * @regions: what the file tells; @cpus: what of it can be read
 * @heap: CPUs that have a record, the earliest first
 * @window: bytes that a CPU reads ahead
 * @total, @done: bytes of all pages, and of those read in this pass
 */
typedef struct TraceDat {
    Reader reader;
    KernelEvents *events;
    Input *spool;
    gboolean is_zstd;
    DatLayout layout;
    guint64 header_info;
    guint64 ftrace_events;
    guint64 event_formats;
    gboolean has_clock;
    gboolean has_latency;
    GArray *buffers;
    GArray *regions;
    GArray *cpus;
    DatCpu **heap;
    guint n_heap;
    gsize window;
    guint64 total;
    guint64 done;
} TraceDat;

static inline DatBuffer *dat_buffer(const TraceDat *dat, guint i)
{
    return &g_array_index(dat->buffers, DatBuffer, i);
}

static inline DatCpu *dat_cpu(const TraceDat *dat, guint i)
{
    return &g_array_index(dat->cpus, DatCpu, i);
}

/* A stream of the file from @offset to its end. */
void dat_stream_at(TraceDat *dat, DatStream *stream, guint64 offset);

/* Sets a TRACE_ERROR_CORRUPT that names the file and @offset. */
void dat_corrupt(const TraceDat *dat, guint64 offset, const char *what, GError **error);

/* trace_dat_v6.c, trace_dat_v7.c: all up to the events; @stream is after the page size. */
gboolean dat_open_v6(TraceDat *dat, DatStream *stream, GError **error);
gboolean dat_open_v7(TraceDat *dat, DatStream *stream, GError **error);

/* trace_dat_v7.c: the header of the section at @offset. */
gboolean dat_read_section(TraceDat *dat, guint64 offset, DatSection *ret_section);

/* trace_dat_cut.c: without the last options, find formats and events in the sections from @first
   on; FALSE when there are no events. Says so in a problem. */
gboolean dat_recover_v7(TraceDat *dat, guint64 first);

/* trace_dat_format.c: FALSE when the stream ends early. */
gboolean dat_read_header_info(TraceDat *dat, DatStream *stream);
gboolean dat_read_ftrace_events(TraceDat *dat, DatStream *stream);
gboolean dat_read_event_formats(TraceDat *dat, DatStream *stream);

/* trace_dat_option.c: one option of @len bytes; @stream ends with it. */
void dat_read_option(TraceDat *dat, guint16 id, guint32 len, DatStream *stream);

/* Set info.clock from the clock's name; NULL and "" leave it as it is. */
void dat_set_clock(TraceDat *dat, const char *name);

/* Note a region; FALSE (and a problem) when there are too many. */
gboolean dat_add_region(TraceDat *dat, const DatRegion *region);

/* trace_dat_zstd.c: decompress to the end of the spool, from *ret_begin on. FALSE when there is
   nothing; what is whole of a damaged or short stretch is kept, with a problem. */
gboolean dat_spool_section(TraceDat *dat, DatStream *stream, guint64 *ret_begin);
gboolean dat_spool_chunks(TraceDat *dat, guint64 offset, guint64 *ret_begin);

/* trace_dat_cpu.c */
gboolean dat_is_page_size(guint64 size);

/* Make dat->cpus of dat->regions. */
void dat_make_cpus(TraceDat *dat);
void dat_cpu_rewind(DatCpu *cpu);

/* Go to the next record; FALSE at the end. */
gboolean dat_cpu_next(TraceDat *dat, DatCpu *cpu);

/* trace_dat_merge.c */
void dat_merge_rewind(TraceDat *dat);
gsize dat_merge_read(TraceDat *dat, Event *ret_events, gsize max);

#endif
