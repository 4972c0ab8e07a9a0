/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of a trace.dat: clock, machine, trace instances.
 */
#include "trace_dat.h"

enum { MAX_OPTION_TEXT = 64 << 10 };

typedef struct ClockName {
    const char *name;
    TraceClockKind kind;
} ClockName;

/* Names of kernel/trace/trace.c; tsc2nsec is trace-cmd's for x86-tsc with a conversion. */
static const ClockName clocks[] = {
    {"local", TRACE_CLOCK_SCHED},
    {"global", TRACE_CLOCK_SCHED},
    {"perf", TRACE_CLOCK_SCHED},
    {"x86-tsc", TRACE_CLOCK_TSC},
    {"tsc2nsec", TRACE_CLOCK_TSC},
    {"mono", TRACE_CLOCK_MONOTONIC},
    {"mono_raw", TRACE_CLOCK_MONOTONIC_RAW},
    {"boot", TRACE_CLOCK_BOOTTIME},
    {"tai", TRACE_CLOCK_TAI},
    {"counter", TRACE_CLOCK_COUNTER},
    {"uptime", TRACE_CLOCK_UPTIME},
};

void dat_set_clock(TraceDat *dat, const char *name)
{
    TraceClock *clock = &dat->reader.info.clock;

    if (name == NULL || *name == '\0') {
        return;
    }
    clock->kind = TRACE_CLOCK_UNKNOWN;
    clock->name = "unknown";
    for (gsize i = 0; i < G_N_ELEMENTS(clocks); i++) {
        if (strcmp(clocks[i].name, name) == 0) {
            clock->kind = clocks[i].kind;
            clock->name = clocks[i].name;
        }
    }
}

gboolean dat_add_region(TraceDat *dat, const DatRegion *region)
{
    if (region->size == 0) {
        return TRUE;
    }
    if (dat->regions->len >= DAT_MAX_CPUS) {
        reader_problem(&dat->reader, region->offset, "too many CPUs; the rest are left out");
        return FALSE;
    }
    g_array_append_val(dat->regions, *region);
    return TRUE;
}

/* An option that is a text; its NUL may be missing. */
static char *option_text(DatStream *stream, guint32 len)
{
    const guint8 *at = len <= MAX_OPTION_TEXT ? dat_stream_bytes(stream, len) : NULL;

    return g_strndup(at ? (const char *)at : "", at ? len : 0);
}

/* The content of the trace_clock file: all clocks, the current one in brackets. */
static void read_clock(TraceDat *dat, guint32 len, DatStream *stream)
{
    g_autofree char *text = option_text(stream, len);
    char *begin = strchr(text, '[');
    char *end = begin ? strchr(begin, ']') : NULL;

    if (end != NULL) {
        *end = '\0';
        dat_set_clock(dat, begin + 1);
        dat->has_clock = TRUE;
    }
}

/* "Linux HOST RELEASE MACHINE" */
static void read_uname(TraceDat *dat, guint32 len, DatStream *stream)
{
    g_autofree char *text = option_text(stream, len);
    g_auto(GStrv) words = g_strsplit(g_strstrip(text), " ", 4);

    if (g_strv_length(words) >= 3) {
        g_free(dat->reader.info.machine);
        g_free(dat->reader.info.release);
        dat->reader.info.machine = g_strdup(words[1]);
        dat->reader.info.release = g_strdup(words[2]);
    }
}

static guint64 stat_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? g_ascii_strtoull(at + strlen(key), NULL, 10) : 0;
}

/* The kernel's count of the events that a CPU's buffer did not keep. */
static void read_cpu_stat(TraceDat *dat, guint32 len, DatStream *stream)
{
    guint64 offset = stream->window.offset;
    g_autofree char *text = option_text(stream, len);

    if (stat_value(text, "\noverrun: ") > 0 || stat_value(text, "\ncommit overrun: ") > 0 ||
        stat_value(text, "\ndropped events: ") > 0) {
        reader_problem(&dat->reader, offset,
                       "the kernel's trace buffer of a CPU overran while recording (trace-cmd "
                       "record -b SIZE makes it larger)");
    }
}

static void read_buffer_cpus(TraceDat *dat, DatStream *stream, guint32 n)
{
    DatRegion region = {.buffer = dat->buffers->len - 1};

    for (guint32 i = 0; i < n; i++) {
        if (!dat_stream_u32(stream, &region.cpu) || !dat_stream_u64(stream, &region.offset) ||
            !dat_stream_u64(stream, &region.size)) {
            reader_problem(&dat->reader, stream->window.offset, "a BUFFER option ends early");
            return;
        }
        if (!dat_add_region(dat, &region)) {
            return;
        }
    }
}

/* Version 6 has but the offset and the name. */
static void read_buffer(TraceDat *dat, guint32 len, DatStream *stream)
{
    guint64 at = stream->window.offset;
    DatBuffer buffer = {.page_size = dat->layout.page_size};
    guint32 n_cpus = 0;

    if (dat->buffers->len >= DAT_MAX_BUFFERS) {
        reader_problem(&dat->reader, at, "too many trace instances; the rest are left out");
        return;
    }
    if (!dat_stream_u64(stream, &buffer.offset)) {
        reader_problem(&dat->reader, at, "a BUFFER option ends early");
        return;
    }
    buffer.name = dat_stream_text(stream, DAT_MAX_TEXT);
    if (dat->reader.info.version >= 7) {
        buffer.clock = dat_stream_text(stream, DAT_MAX_TEXT);
        dat_stream_u32(stream, &buffer.page_size);
        dat_stream_u32(stream, &n_cpus);
    }
    g_array_append_val(dat->buffers, buffer);
    read_buffer_cpus(dat, stream, n_cpus);
}

static void read_time_shift(TraceDat *dat, guint32 len, DatStream *stream)
{
    dat->reader.info.clock.has_offset = TRUE;
}

static void read_tsc(TraceDat *dat, guint32 len, DatStream *stream)
{
    TraceClock *clock = &dat->reader.info.clock;

    clock->has_tsc =
        dat_stream_u32(stream, &clock->tsc_mult) && dat_stream_u32(stream, &clock->tsc_shift) &&
        dat_stream_u64(stream, &clock->tsc_zero) && clock->tsc_mult != 0 && clock->tsc_shift < 64;
}

static void read_header_info(TraceDat *dat, guint32 len, DatStream *stream)
{
    dat_stream_u64(stream, &dat->header_info);
}

static void read_ftrace_events(TraceDat *dat, guint32 len, DatStream *stream)
{
    dat_stream_u64(stream, &dat->ftrace_events);
}

static void read_event_formats(TraceDat *dat, guint32 len, DatStream *stream)
{
    dat_stream_u64(stream, &dat->event_formats);
}

static void read_buffer_text(TraceDat *dat, guint32 len, DatStream *stream)
{
    dat->has_latency = TRUE;
}

/* By id; those without a function are of no use here. */
static void (*const readers[])(TraceDat *dat, guint32 len, DatStream *stream) = {
    [2] = read_cpu_stat,     [3] = read_buffer,         [4] = read_clock,
    [5] = read_uname,        [12] = read_time_shift,    [14] = read_tsc,
    [16] = read_header_info, [17] = read_ftrace_events, [18] = read_event_formats,
    [22] = read_buffer_text,
};

void dat_read_option(TraceDat *dat, guint16 id, guint32 len, DatStream *stream)
{
    if (id < G_N_ELEMENTS(readers) && readers[id] != NULL) {
        readers[id](dat, len, stream);
    }
}
