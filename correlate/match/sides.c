/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which file is the host's and which the guest's, and which clocks can be used.
 */
#include "run_private.h"

enum { PEEK_EVENTS = 1 << 20, PEEK_BLOCK = 256, RATE_PPM = 1000 };

GQuark match_error_quark(void)
{
    return g_quark_from_static_string("virtcorr-match-error");
}

const char *run_source_path(const Run *run, guint source)
{
    return trace_source_info(run->sources[source].source)->path;
}

/* Read until the events tell the side, then start again. */
static TraceSide peek_side(TraceSource *source, gint64 *ret_first)
{
    Event events[PEEK_BLOCK];
    gsize read = 0;
    gsize n;

    while ((read == 0 || trace_source_info(source)->side == TRACE_SIDE_UNKNOWN) &&
           read < PEEK_EVENTS && (n = trace_source_read(source, events, PEEK_BLOCK)) > 0) {
        *ret_first = read == 0 ? events[0].time : *ret_first;
        read += n;
    }
    trace_source_rewind(source);
    return trace_source_info(source)->side;
}

/* With one file of unknown side and all others known, it is the side that is missing. */
static gboolean guess_missing_side(Run *run, GError **error)
{
    guint unknown = run->n;
    guint n_unknown = 0;
    gboolean has[3] = {FALSE};

    for (guint i = 0; i < run->n; i++) {
        has[run->sources[i].side] = TRUE;
        if (run->sources[i].side == TRACE_SIDE_UNKNOWN) {
            unknown = i;
            n_unknown++;
        }
    }
    if (n_unknown == 0) {
        return TRUE;
    }
    if (n_unknown == 1 && has[TRACE_SIDE_HOST] && has[TRACE_SIDE_GUEST]) {
        /* There is one guest; the host's kernel may have been recorded without any KVM event. */
        run->sources[unknown].side = TRACE_SIDE_HOST;
        return TRUE;
    }
    if (n_unknown > 1 || has[TRACE_SIDE_HOST] == has[TRACE_SIDE_GUEST]) {
        g_set_error(error, MATCH_ERROR, MATCH_ERROR_SIDE,
                    "%s: cannot tell whether this is the host's or the guest's trace; "
                    "say --host FILE or --guest FILE",
                    run_source_path(run, unknown));
        return FALSE;
    }
    run->sources[unknown].side = has[TRACE_SIDE_HOST] ? TRACE_SIDE_GUEST : TRACE_SIDE_HOST;
    return TRUE;
}

static gboolean clock_is_ns(TraceClockKind kind)
{
    return kind != TRACE_CLOCK_UNKNOWN && kind != TRACE_CLOCK_TSC && kind != TRACE_CLOCK_COUNTER &&
           kind != TRACE_CLOCK_UPTIME;
}

/* Whether the times of @source can stand on the host's line; says why not. */
static gboolean use_host(Run *run, guint index)
{
    FeedSource *source = &run->sources[index];
    const TraceClock *clock = &trace_source_info(source->source)->clock;

    source->clock = (HostClock){.step_ns = clock->step_ns};
    if (clock->kind == TRACE_CLOCK_TSC && clock->has_tsc) {
        source->clock.is_tsc = TRUE;
        source->clock.mult = clock->tsc_mult;
        source->clock.shift = MIN(clock->tsc_shift, 63);
        source->clock.zero = clock->tsc_zero;
    } else if (!clock_is_ns(clock->kind)) {
        run_note(run, "clock",
                 "%s: left out: its clock (%s) is not a time in ns; record the host "
                 "with -C mono, or QEMU's log with -msg timestamp=on",
                 run_source_path(run, index), clock->name);
        return FALSE;
    }
    if (run->host_source == run->n) {
        run->host_source = index;
        return TRUE;
    }
    if (trace_source_info(run->sources[run->host_source].source)->clock.kind != clock->kind) {
        run_note(run, "clock",
                 "%s: left out: its clock (%s) is not the one of %s (%s); record "
                 "both on one clock, such as monotonic",
                 run_source_path(run, index), clock->name, run_source_path(run, run->host_source),
                 trace_source_info(run->sources[run->host_source].source)->clock.name);
        return FALSE;
    }
    return TRUE;
}

static void use_guest(Run *run, guint index)
{
    const TraceClock *clock = &trace_source_info(run->sources[index].source)->clock;

    run->guest_source = index;
    run->has_prior = TRUE;
    if (clock_is_ns(clock->kind)) {
        run->nominal = (ClockRate){1, 1};
        run->prior = clock_prior_within(run->nominal, RATE_PPM);
    } else if (clock->kind == TRACE_CLOCK_TSC && clock->has_tsc && clock->tsc_shift < 62) {
        run->nominal =
            (ClockRate){MAX(clock->tsc_mult, 1), G_GINT64_CONSTANT(1) << clock->tsc_shift};
        run->prior = clock_prior_within(run->nominal, RATE_PPM);
    } else if (clock->kind == TRACE_CLOCK_TSC) { /* 100 MHz to 10 GHz */
        run->prior = (ClockPrior){.lo = {1, 10}, .hi = {10, 1}};
    } else {
        run->has_prior = FALSE;
        run_note(run, "clock",
                 "%s: its clock (%s) is not a time, so it cannot be put on the "
                 "host's line; record the guest with another trace clock",
                 run_source_path(run, index), clock->name);
    }
}

static gboolean choose_clocks(Run *run, GError **error)
{
    for (guint i = 0; i < run->n; i++) {
        FeedSource *source = &run->sources[i];

        if (source->side == TRACE_SIDE_HOST) {
            source->use = use_host(run, i);
            run->step_ns = MAX(run->step_ns, source->use ? source->clock.step_ns : 0);
        } else if (run->guest_source == run->n) {
            source->use = TRUE;
            use_guest(run, i);
        } else {
            g_set_error(error, MATCH_ERROR, MATCH_ERROR_SIDE,
                        "%s: a second guest trace beside %s; merge one at a time",
                        run_source_path(run, i), run_source_path(run, run->guest_source));
            return FALSE;
        }
    }
    return TRUE;
}

gboolean run_choose_sides(Run *run, const MatchInput *inputs, GError **error)
{
    for (guint i = 0; i < run->n; i++) {
        FeedSource *source = &run->sources[i];

        source->source = inputs[i].source;
        source->losses = g_array_new(FALSE, FALSE, sizeof(Loss));
        source->side = peek_side(source->source, &source->base);
        if (inputs[i].side != TRACE_SIDE_UNKNOWN) {
            source->side = inputs[i].side;
        }
    }
    run->guest_source = run->host_source = run->n;
    return guess_missing_side(run, error) && choose_clocks(run, error);
}
