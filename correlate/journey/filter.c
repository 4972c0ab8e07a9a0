/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which journeys the user wants to see.
 */
#include "journey/filter.h"

#include <string.h>

static const struct {
    const char *suffix;
    gint64 ns;
} units[] = {
    {"", 1}, {"ns", 1}, {"us", 1000}, {"µs", 1000}, {"ms", 1000000}, {"s", 1000000000},
};

static gboolean has_direction(const JourneyFilter *filter, const Queue *queue)
{
    if (filter->tx == filter->rx) {
        return !filter->tx || queue->direction == QUEUE_TX || queue->direction == QUEUE_RX;
    }
    return queue->direction == (filter->tx ? QUEUE_TX : QUEUE_RX);
}

static gboolean has_device(const JourneyFilter *filter, const Queue *queue)
{
    const char *names[] = {queue->ifname, queue->tap, queue->device, queue->host_device};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (names[i] != NULL && strcmp(names[i], filter->device) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean journey_filter_queue(const JourneyFilter *filter, const Queue *queue)
{
    if (filter->has_queue && queue->id != filter->queue) {
        return FALSE;
    }
    return has_direction(filter, queue) &&
           (filter->device == NULL || has_device(filter, queue));
}

static gint64 absolute(const JourneyFilter *filter, const FilterTime *time)
{
    gint64 ns = time->ns;

    if (time->is_relative && __builtin_add_overflow(ns, filter->origin, &ns)) {
        return time->ns < 0 ? G_MININT64 : G_MAXINT64;
    }
    return ns;
}

static gboolean in_time(const JourneyFilter *filter, const Journey *journey)
{
    const Step *first = &journey->steps[0];
    const Step *last = &journey->steps[journey->n_steps - 1];

    return (!filter->from.is_set || last->when.at.ns >= absolute(filter, &filter->from)) &&
           (!filter->to.is_set || first->when.at.ns <= absolute(filter, &filter->to));
}

static gboolean is_slow(const JourneyFilter *filter, const Journey *journey)
{
    Hop whole;

    return filter->slower_than <= 0 || (journey_whole(journey, HOPS_ALL, &whole) &&
                                        whole.latency.ns >= filter->slower_than);
}

static gboolean is_edge(const Journey *journey)
{
    return journey->grade == GRADE_ORPHAN && (journey->reason == ORPHAN_OTHER_SIDE_BEGINS ||
                                              journey->reason == ORPHAN_OTHER_SIDE_ENDS ||
                                              journey->reason == ORPHAN_NOT_TRACED);
}

gboolean journey_filter_pass(JourneyFilter *filter, const Journey *journey)
{
    if (journey->n_steps == 0 || (filter->hide_edges && is_edge(journey))) {
        return FALSE;
    }
    if (!filter->has_origin) {
        filter->has_origin = TRUE;
        filter->origin = journey->steps[0].when.at.ns;
    }
    if ((filter->limit > 0 && filter->passed >= filter->limit) ||
        !journey_filter_queue(filter, journey->queue) || !in_time(filter, journey) ||
        !is_slow(filter, journey)) {
        return FALSE;
    }
    filter->passed++;
    return TRUE;
}

/* Digits with an optional fraction, times @scale (a power of ten); *@ret_end is what follows. */
static gboolean parse_decimal(const char *text, gint64 scale, gint64 *ret_value,
                              const char **ret_end)
{
    gint64 value = 0;
    gboolean in_fraction = FALSE;

    if (!g_ascii_isdigit(*text)) {
        return FALSE;
    }
    for (; g_ascii_isdigit(*text) || (*text == '.' && !in_fraction); text++) {
        if (*text == '.') {
            in_fraction = TRUE;
            continue;
        }
        if (in_fraction) {
            scale /= 10; /* digits below a ns are dropped */
        }
        gint64 digit;

        if (__builtin_mul_overflow((gint64)(*text - '0'), scale, &digit) ||
            (!in_fraction && __builtin_mul_overflow(value, (gint64)10, &value)) ||
            __builtin_add_overflow(value, digit, &value)) {
            return FALSE;
        }
    }
    *ret_value = value;
    *ret_end = text;
    return TRUE;
}

gboolean journey_filter_parse_duration(const char *text, gint64 *ret_ns)
{
    gsize digits = strspn(text, "0123456789.");

    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        const char *end;
        gint64 ns;

        if (strcmp(text + digits, units[i].suffix) == 0) {
            if (!parse_decimal(text, units[i].ns, &ns, &end) || end != text + digits) {
                return FALSE;
            }
            *ret_ns = ns;
            return TRUE;
        }
    }
    return FALSE;
}

gboolean journey_filter_parse_time(const char *text, FilterTime *ret_time)
{
    gboolean is_relative = *text == '+';
    const char *end;
    gint64 ns;

    if (!parse_decimal(text + is_relative, 1000000000, &ns, &end) ||
        (*end != '\0' && strcmp(end, "s") != 0)) {
        return FALSE;
    }
    *ret_time = (FilterTime){.is_set = TRUE, .is_relative = is_relative, .ns = ns};
    return TRUE;
}
