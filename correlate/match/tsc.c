/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The clock from the TSC offset of the VM, as the user or the host's debugfs gives it.
 */
#include "tsc.h"

#include "run_private.h"

enum {
    RATE_SHIFT = 56, /* a rate is known to 2⁻⁵⁶, so that it fits and 10⁴ s cost no ns */
    ROUNDING_NS = 4, /* of the conversions below: at most one unit each */
};

typedef unsigned __int128 Wide;

/*
 * guest = ((host × ratio) >> frac) + offset, modulo 2⁶⁴ (Documentation/virt/kvm/devices/vcpu.rst);
 * the inverse takes the offset off first and divides.
 */
static guint64 host_tsc(const MatchOptions *options, guint64 guest_tsc)
{
    Wide scaled = (Wide)(guest_tsc - (guint64)options->tsc_offset) << options->tsc_frac;

    return (guint64)(scaled / options->tsc_ratio);
}

/* The guest's TSC at reading @raw, from its TIME_CONV record if the clock is not the TSC itself. */
static guint64 guest_tsc(const TraceClock *clock, gint64 raw)
{
    if (clock->kind == TRACE_CLOCK_TSC) {
        return raw;
    }
    return (guint64)(((Wide)((guint64)raw - clock->tsc_zero) << clock->tsc_shift) /
                     clock->tsc_mult);
}

/* Host ns a unit of the guest's clock × 2⁵⁶, rounded down. */
static Wide scaled_rate(const MatchOptions *options, const TraceClock *clock, const HostClock *host)
{
    Wide rate = ((Wide)1 << RATE_SHIFT) * host->mult >> host->shift;

    rate = (rate << options->tsc_frac) / options->tsc_ratio;
    if (clock->kind != TRACE_CLOCK_TSC) {
        rate = (rate << clock->tsc_shift) / clock->tsc_mult;
    }
    return rate;
}

static const char *what_is_missing(const TraceClock *clock, const HostClock *host)
{
    if (!host->is_tsc) {
        return "the host's trace is not on the TSC (record it with trace-cmd -C tsc2nsec)";
    }
    if (clock->kind != TRACE_CLOCK_TSC && (!clock->has_tsc || clock->tsc_mult == 0)) {
        return "the guest's trace is not on the TSC (record it with -C x86-tsc)";
    }
    return NULL;
}

const char *tsc_offset_apply(const MatchOptions *options, const TraceClock *guest,
                             const HostClock *host, gint64 raw, ClockPrior *ret_prior,
                             ClockPair ret_pairs[2])
{
    const char *missing = what_is_missing(guest, host);
    Wide rate = missing ? 0 : scaled_rate(options, guest, host);
    gint64 ns;

    if (missing != NULL || rate == 0 || rate > (Wide)1 << 62) {
        return missing ? missing : "its ratio cannot be right";
    }
    ns = host_clock_ns(host, host_tsc(options, guest_tsc(guest, raw)));
    *ret_prior = (ClockPrior){.lo = {(gint64)rate, G_GINT64_CONSTANT(1) << RATE_SHIFT},
                              .hi = {(gint64)rate + 1, G_GINT64_CONSTANT(1) << RATE_SHIFT}};
    for (int side = 0; side < 2; side++) {
        ret_pairs[side] = (ClockPair){
            .guest = {0}, /* times are counted from @raw */
            .host = {ns + (side ? -ROUNDING_NS : ROUNDING_NS)},
            .order = side ? CLOCK_HOST_FIRST : CLOCK_GUEST_FIRST,
            .edge = EDGE_TSC_OFFSET,
        };
    }
    return NULL;
}

void run_use_tsc_offset(Run *run)
{
    ClockPair pairs[2];
    const FeedSource *guest;
    const char *missing;

    if (!run->options->has_tsc_offset || run->guest_source == run->n ||
        run->host_source == run->n) {
        return;
    }
    guest = &run->sources[run->guest_source];
    missing =
        tsc_offset_apply(run->options, &trace_source_info(guest->source)->clock,
                         &run->sources[run->host_source].clock, guest->base, &run->prior, pairs);
    if (missing != NULL) {
        run_note(run, "clock", "the TSC offset is not used: %s", missing);
        return;
    }
    run->nominal = run->prior.lo;
    g_array_append_vals(run->fixed, pairs, 2);
}
