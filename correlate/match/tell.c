/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a run says of its sources, losses and clock.
 */
#include "run_private.h"

static const char *const edge_names[] = {
    [EDGE_XMIT_POP] = "xmit before pop",
    [EDGE_PUSH_RETURN] = "push before free or receive",
    [EDGE_BORDER] = "end of a poll before the next push",
    [EDGE_TSC_OFFSET] = "the TSC offset",
};

const char *edge_name(guint32 edge)
{
    return edge < G_N_ELEMENTS(edge_names) ? edge_names[edge] : "?";
}

void run_note(const Run *run, const char *kind, const char *format, ...)
{
    g_autofree char *text = NULL;
    RunNote note;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    note = (RunNote){.kind = kind, .text = text};
    if (run->listener->note != NULL) {
        run->listener->note(&note, run->listener->user_data);
    }
}

static void tell_source(const Run *run, const FeedSource *source)
{
    const TraceInfo *info = trace_source_info(source->source);
    g_autofree RunProblem *problems = g_new0(RunProblem, info->problems->len + 1);
    RunSource told = {
        .file = info->path,
        .format = info->format,
        .side = source->side == TRACE_SIDE_HOST ? "host" : "guest",
        .clock = info->clock.name,
        .events = info->events,
        .lost = info->lost,
        .problems = problems,
        .n_problems = info->problems->len,
    };

    for (guint i = 0; i < info->problems->len; i++) {
        const TraceProblem *problem = &g_array_index(info->problems, TraceProblem, i);

        problems[i] = (RunProblem){problem->text, problem->offset, problem->count};
    }
    run->listener->source(&told, run->listener->user_data);
}

void run_tell_sources(const Run *run)
{
    for (guint i = 0; i < run->n; i++) {
        run->totals->lost += trace_source_info(run->sources[i].source)->lost;
        if (run->listener->source != NULL) {
            tell_source(run, &run->sources[i]);
        }
    }
}

/* A moment of @source's loss on the host's line; the outer side of a guest's bound. */
static HostTime loss_time(const Run *run, const FeedSource *source, gint64 raw, gboolean is_end)
{
    HostSpan span;

    if (source->side == TRACE_SIDE_HOST || run->map == NULL || raw == G_MININT64) {
        return (HostTime){raw};
    }
    span = clock_map_place(run->map, (GuestTime){raw});
    return is_end ? span.hi : span.lo;
}

void run_tell_losses(const Run *run)
{
    for (guint i = 0; i < run->n && run->listener->loss != NULL; i++) {
        const FeedSource *source = &run->sources[i];

        for (guint k = 0; k < source->losses->len; k++) {
            const Loss *loss = &g_array_index(source->losses, Loss, k);
            RunLoss told = {.source = run_source_path(run, i),
                            .begin = loss_time(run, source, loss->begin, FALSE),
                            .end = loss_time(run, source, loss->end, TRUE),
                            .records = loss->records};

            run->listener->loss(&told, run->listener->user_data);
        }
    }
}

/* @rate relative to @nominal, in parts per 10⁹; for display. */
static gint64 rate_ppb(ClockRate rate, ClockRate nominal)
{
    __int128 ratio = (__int128)rate.num * 1000000000 / rate.den;
    __int128 unit = (__int128)nominal.num * 1000000000 / nominal.den;

    return unit > 0 ? (gint64)((ratio - unit) * 1000000000 / unit) : 0;
}

/* The reading as the guest's file has it. */
static gint64 guest_raw(const Run *run, GuestTime guest)
{
    return (gint64)((guint64)guest.raw + (guint64)run->sources[run->guest_source].base);
}

static char *cut_reason(const Run *run, const ClockSegment *segment)
{
    GString *text;

    if (segment->n_cut_by == 0) {
        return NULL;
    }
    text = g_string_new("no one line fits");
    for (guint i = 0; i < segment->n_cut_by; i++) {
        const ClockPair *pair = &segment->cut_by[i];

        g_string_append_printf(text, "%s %s at guest %" G_GINT64_FORMAT, i > 0 ? "," : "",
                               edge_name(pair->edge), guest_raw(run, pair->guest));
    }
    return g_string_free(text, FALSE);
}

static RunClockSegment tell_segment(const Run *run, guint i, ClockRate nominal)
{
    ClockSegment segment = clock_map_segment(run->map, i);

    return (RunClockSegment){
        .begin = clock_map_place(run->map, segment.begin).at,
        .end = clock_map_place(run->map, segment.end).at,
        .half_width = segment.half_width,
        .worst_half_width = segment.worst_half_width,
        .n_pairs = segment.n_pairs,
        .n_hull = segment.n_hull,
        .bounded_below = segment.bounded_below,
        .bounded_above = segment.bounded_above,
        .rate_lo_ppb = rate_ppb(segment.rate_lo, nominal),
        .rate_hi_ppb = rate_ppb(segment.rate_hi, nominal),
        .cut_by = cut_reason(run, &segment),
    };
}

/* The rate that the clock's unit stands for; of cycles whose rate is not told, the one found. */
static ClockRate nominal_rate(const Run *run)
{
    return run->nominal.den > 0 ? run->nominal : clock_map_segment(run->map, 0).rate_lo;
}

static char *contradiction(const Run *run)
{
    ClockPair pairs[3];
    guint n = clock_map_witnesses(run->map, pairs);
    GString *text;

    if (clock_map_n_contradictions(run->map) == 0) {
        return NULL;
    }
    text = g_string_new(run->fixed->len > 0 ? "the TSC offset contradicts causality:"
                                            : "no clock fits:");
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(
            text, "%s %s (guest %" G_GINT64_FORMAT ", host %" G_GINT64_FORMAT ")", i > 0 ? "," : "",
            edge_name(pairs[i].edge), guest_raw(run, pairs[i].guest), pairs[i].host.ns);
    }
    return g_string_free(text, FALSE);
}

static char *clock_label(const Run *run, guint source)
{
    g_autofree char *base = g_path_get_basename(run_source_path(run, source));

    return g_strdup_printf("%s:%s", base,
                           trace_source_info(run->sources[source].source)->clock.name);
}

void run_tell_clock(Run *run)
{
    guint n = run->map ? clock_map_n_segments(run->map) : 0;
    g_autofree RunClockSegment *segments = g_new0(RunClockSegment, n + 1);
    g_autofree char *from = NULL;
    g_autofree char *to = NULL;
    g_autofree char *witnesses = NULL;
    RunClock told = {.segments = segments, .n_segments = n};

    if (run->guest_source == run->n || run->host_source == run->n || run->listener->clock == NULL) {
        return;
    }
    from = clock_label(run, run->guest_source);
    to = clock_label(run, run->host_source);
    for (guint i = 0; i < n; i++) {
        segments[i] = tell_segment(run, i, nominal_rate(run));
        told.pairs += segments[i].n_pairs;
    }
    if (run->map != NULL) {
        witnesses = contradiction(run);
        told.violations = clock_map_n_contradictions(run->map);
    }
    told.from = from;
    told.to = to;
    told.method = run->map == NULL ? "none" : run->fixed->len > 0 ? "tsc-offset" : "causality";
    told.reason = run->map == NULL ? "no packet could be told to be the same on both sides" : NULL;
    told.contradiction = witnesses;
    run->listener->clock(&told, run->listener->user_data);
    for (guint i = 0; i < n; i++) {
        g_free((char *)segments[i].cut_by);
    }
}
