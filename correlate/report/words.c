/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How reports for people spell names, times and counts.
 */
#include "words.h"

#include <string.h>

enum { MAX_TEXT = 512 };

/* Whether a terminal shows @c as it is, and only it. */
static gboolean is_plain(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT: /* turns the direction of writing */
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
        return FALSE;
    default:
        return TRUE;
    }
}

char *words_escape(const char *text)
{
    GString *result = g_string_new(NULL);

    if (text == NULL) {
        text = "-";
    }
    while (*text != '\0' && result->len < MAX_TEXT) {
        gunichar c = g_utf8_get_char_validated(text, -1);

        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_printf(result, "\\x%02x", (guint8)*text);
            text++;
            continue;
        }
        if (c == '\\') {
            g_string_append(result, "\\\\");
        } else if (is_plain(c)) {
            g_string_append_unichar(result, c);
        } else {
            g_string_append_printf(result, c < 0x100 ? "\\x%02x" : "\\u{%x}", c);
        }
        text = g_utf8_next_char(text);
    }
    if (*text != '\0') {
        g_string_append(result, "…");
    }
    return g_string_free(result, FALSE);
}

static const struct {
    guint64 ns;
    const char *name;
} units[] = {
    {1, "ns"}, {1000, "µs"}, {1000000, "ms"}, {1000000000, "s"},
};

/* Values are rounded to the nearest, bounds up: a bound that was rounded down would be wrong. */
typedef enum Rounding {
    ROUND_NEAREST,
    ROUND_UP,
} Rounding;

static guint64 rounded(guint64 ns, guint64 divisor, Rounding rounding)
{
    guint64 rest = ns % divisor;

    return ns / divisor + (rounding == ROUND_UP ? rest > 0 : rest >= divisor - rest);
}

/* @ns with @n_digits digits in the unit that leaves 1 to 3 of them before the point. */
static char *spell(gint64 ns, guint n_digits, const char *space, Rounding rounding)
{
    static const guint64 scales[] = {1, 10, 100, 1000};
    guint64 magnitude = ns < 0 ? -(guint64)ns : (guint64)ns;
    const char *sign = ns < 0 ? "-" : "";

    for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
        for (guint before = 1; before <= 3; before++) {
            guint decimals = u == 0 || before >= n_digits ? 0 : n_digits - before;
            guint64 scale = scales[decimals];
            guint64 value = rounded(magnitude, units[u].ns / scale, rounding);

            if (value >= scales[before] * scale) {
                continue;
            }
            if (decimals == 0) {
                return g_strdup_printf("%s%" G_GUINT64_FORMAT "%s%s", sign, value, space,
                                       units[u].name);
            }
            return g_strdup_printf("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT "%s%s", sign,
                                   value / scale, (int)decimals, value % scale, space,
                                   units[u].name);
        }
    }
    return g_strdup_printf("%s%" G_GUINT64_FORMAT "%ss", sign,
                           rounded(magnitude, 1000000000, rounding), space);
}

char *words_duration(gint64 ns)
{
    return spell(ns, 4, " ", ROUND_NEAREST);
}

char *words_bound(gint64 ns)
{
    return spell(ns, 2, "", ROUND_UP);
}

char *words_half_width(gint64 half_width)
{
    g_autofree char *bound = half_width < 0 ? NULL : words_bound(half_width);

    return bound == NULL ? g_strdup("unbounded") : g_strdup_printf("±%s", bound);
}

gint64 latency_error(Latency latency)
{
    gint64 below;
    gint64 above;

    if (latency.lo == G_MININT64 || latency.hi == G_MAXINT64 ||
        __builtin_sub_overflow(latency.ns, latency.lo, &below) ||
        __builtin_sub_overflow(latency.hi, latency.ns, &above)) {
        return -1;
    }
    return MAX(below, above);
}

char *words_latency(Latency latency, gboolean with_bound)
{
    gint64 error = latency_error(latency);

    if (error == 0) {
        return words_duration(latency.ns);
    }
    if (latency.lo <= 0 && latency.hi == G_MAXINT64) {
        return g_strdup("?");
    }
    if (latency.lo <= 0) {
        g_autofree char *hi = spell(latency.hi, 4, " ", ROUND_UP);

        return g_strdup_printf("< %s", hi);
    }
    if (error < 0) {
        g_autofree char *lo = words_duration(latency.lo);

        return g_strdup_printf("> %s", lo);
    }
    g_autofree char *value = words_duration(latency.ns);
    g_autofree char *bound = words_bound(error);

    return with_bound ? g_strdup_printf("%s ±%s", value, bound) : g_steal_pointer(&value);
}

char *words_time(HostTime time)
{
    guint64 magnitude = time.ns < 0 ? -(guint64)time.ns : (guint64)time.ns;

    return g_strdup_printf("%s%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT, time.ns < 0 ? "-" : "",
                           magnitude / 1000000000, magnitude % 1000000000);
}

char *words_count(guint64 count)
{
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, count);
    GString *result = g_string_new(NULL);

    for (gsize left = strlen(digits), i = 0; left > 0; left--, i++) {
        g_string_append_c(result, digits[i]);
        if (left > 1 && left % 3 == 1) {
            g_string_append_c(result, ',');
        }
    }
    return g_string_free(result, FALSE);
}

char *words_queue_name(const Queue *queue)
{
    const char *names[] = {queue->ifname, queue->tap, queue->device, queue->host_device};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (names[i] != NULL && names[i][0] != '\0') {
            return words_escape(names[i]);
        }
    }
    return g_strdup("-");
}

char *words_plural(guint64 count, const char *noun)
{
    g_autofree char *number = words_count(count);

    return g_strdup_printf("%s %s%s", number, noun, count == 1 ? "" : "s");
}

char *words_loss(const RunLoss *loss)
{
    g_autofree char *source = words_escape(loss->source);
    g_autofree char *begin = words_time(loss->begin);
    g_autofree char *end = words_time(loss->end);
    g_autofree char *records =
        loss->records == 0 ? g_strdup("records") : words_plural(loss->records, "record");

    if (loss->begin.ns == G_MININT64) {
        return g_strdup_printf("%s: %s lost before %s s", source, records, end);
    }
    return g_strdup_printf("%s: %s lost between %s s and %s s", source, records, begin, end);
}
