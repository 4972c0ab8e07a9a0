/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A line of QEMU's log that holds a trace event, in the three forms that QEMU has written:
 *
 *   [TID@SECONDS.MICROSECONDS:]NAME ARGS                               up to 10.0
 *   [ISO-TIME ]NAME ARGS                                               later
 *   [ISO-TIME ][GUEST ]PROGRAM: (TID:THREAD): NAME ARGS                proposed for 11
 *
 * ISO-TIME is UTC and has no fraction when the microseconds are 0 (g_date_time_format_iso8601).
 */
#include "qemu_log_line.h"

#include <string.h>

/* A place in a line. */
typedef struct Cursor {
    const char *at;
    const char *end;
} Cursor;

enum { MAX_DIGITS = 19 };

/* Later stamps are nonsense; their ns still fit 64 bits. */
#define MAX_SECONDS (G_GINT64_CONSTANT(1) << 33)

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static gboolean take_char(Cursor *cursor, char c)
{
    if (cursor->at == cursor->end || *cursor->at != c) {
        return FALSE;
    }
    cursor->at++;
    return TRUE;
}

/* Take a decimal number; returns how many digits it has, 0 if there is none or it is too long. */
static guint take_digits(Cursor *cursor, guint max, gint64 *ret_number)
{
    guint n = 0;

    *ret_number = 0;
    while (cursor->at < cursor->end && g_ascii_isdigit(*cursor->at)) {
        if (++n > max) {
            return 0;
        }
        *ret_number = *ret_number * 10 + (*cursor->at++ - '0');
    }
    return n;
}

/* "TID@SECONDS.MICROSECONDS:" */
static gboolean take_mark(Cursor *cursor, LogLine *line)
{
    Cursor at = *cursor;
    gint64 tid;
    gint64 seconds;
    gint64 micros;

    if (!take_digits(&at, 10, &tid) || !take_char(&at, '@') || !take_digits(&at, 10, &seconds) ||
        !take_char(&at, '.') || take_digits(&at, 6, &micros) != 6 || !take_char(&at, ':') ||
        tid > G_MAXINT32 || seconds >= MAX_SECONDS) {
        return FALSE;
    }
    line->is_marked = line->has_time = TRUE;
    line->tid = tid;
    line->time = (seconds * G_USEC_PER_SEC + micros) * 1000;
    *cursor = at;
    return TRUE;
}

/* Days since 1970 of a day of the Gregorian calendar; years count from March. */
static gint64 days_from_date(gint64 year, gint64 month, gint64 day)
{
    gint64 y = month <= 2 ? year - 1 : year;
    gint64 day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
}

/* Take "NN" and @after, if that is not 0. */
static gboolean take_two(Cursor *cursor, char after, gint64 max, gint64 *ret_number)
{
    return take_digits(cursor, 2, ret_number) == 2 && *ret_number <= max &&
           (after == '\0' || take_char(cursor, after));
}

/* "YYYY-MM-DDTHH:MM:SS[.FRACTION]Z " */
static gboolean take_iso_time(Cursor *cursor, LogLine *line)
{
    Cursor at = *cursor;
    gint64 year, month, day, hour, minute, second;
    gint64 micros = 0;

    if (take_digits(&at, 4, &year) != 4 || !take_char(&at, '-') ||
        !take_two(&at, '-', 12, &month) || !take_two(&at, 'T', 31, &day) ||
        !take_two(&at, ':', 23, &hour) || !take_two(&at, ':', 59, &minute) ||
        !take_two(&at, '\0', 60, &second) || year < 1970 || month == 0 || day == 0) {
        return FALSE;
    }
    if (take_char(&at, '.') && take_digits(&at, 6, &micros) != 6) {
        return FALSE;
    }
    if (!take_char(&at, 'Z') || !take_char(&at, ' ')) {
        return FALSE;
    }
    second += (days_from_date(year, month, day) * 24 + hour) * 3600 + minute * 60;
    if (second >= MAX_SECONDS) {
        return FALSE;
    }
    line->has_time = TRUE;
    line->time = (second * G_USEC_PER_SEC + micros) * 1000;
    *cursor = at;
    return TRUE;
}

/* "PROGRAM: " or "GUEST PROGRAM: ". */
static gboolean take_program(Cursor *cursor)
{
    const char *at = cursor->at;

    for (guint word = 0; word < 2; word++) {
        const char *space = memchr(at, ' ', cursor->end - at);

        if (space == NULL || space == at) {
            return FALSE;
        }
        if (space[-1] == ':') {
            cursor->at = space + 1;
            return TRUE;
        }
        at = space + 1;
    }
    return FALSE;
}

/* "(TID:THREAD): " */
static void take_thread(Cursor *cursor, LogLine *line)
{
    Cursor at = *cursor;
    const char *close;
    gint64 tid;

    if (!take_char(&at, '(') || !take_digits(&at, 10, &tid) || !take_char(&at, ':') ||
        tid > G_MAXINT32) {
        return;
    }
    close = g_strstr_len(at.at, at.end - at.at, "): ");
    if (close != NULL) {
        line->tid = tid;
        cursor->at = close + strlen("): ");
    }
}

gboolean log_line_parse(const char *text, gsize len, LogLine *ret_line)
{
    Cursor cursor = {text, text + len};
    const char *name;

    *ret_line = (LogLine){0};
    if (len > 0 && text[len - 1] == '\r') {
        cursor.end--;
    }
    if (!take_mark(&cursor, ret_line)) {
        take_iso_time(&cursor, ret_line);
        if (take_program(&cursor)) {
            take_thread(&cursor, ret_line);
        }
    }
    name = cursor.at;
    while (cursor.at < cursor.end && is_word(*cursor.at)) {
        cursor.at++;
    }
    ret_line->name = name;
    ret_line->name_len = cursor.at - name;
    if (ret_line->name_len == 0 || g_ascii_isdigit(*name) ||
        (cursor.at < cursor.end && *cursor.at != ' ')) {
        return FALSE;
    }
    ret_line->args = cursor.at;
    ret_line->args_len = cursor.end - cursor.at;
    return TRUE;
}

static gboolean is_separator(char c)
{
    return strchr(" ,:=@", c) != NULL && c != '\0';
}

static void skip_separators(Cursor *cursor)
{
    while (cursor->at < cursor->end && is_separator(*cursor->at)) {
        cursor->at++;
    }
}

/* Go behind @name where it stands as a word before its value; stay where it does not. */
static void skip_arg_name(Cursor *cursor, const char *name)
{
    gsize len = strlen(name);

    for (const char *at = cursor->at; at + len < cursor->end; at++) {
        if (*at == *name && is_separator(at[len]) && memcmp(at, name, len) == 0 &&
            (at == cursor->at || !is_word(at[-1]))) {
            cursor->at = at + len;
            return;
        }
    }
}

static gboolean take_hex(Cursor *cursor, guint64 *ret_number)
{
    guint n = 0;

    *ret_number = 0;
    while (cursor->at < cursor->end && g_ascii_isxdigit(*cursor->at)) {
        *ret_number = *ret_number << 4 | g_ascii_xdigit_value(*cursor->at++);
        n++;
    }
    return n > 0 && n <= 16;
}

/* A number in decimal or with 0x, or "(nil)", as printf writes them. */
static gboolean take_number(Cursor *cursor, guint64 *ret_number)
{
    static const char nil[] = "(nil)";
    gsize rest = cursor->end - cursor->at;
    gint64 number;
    gboolean is_negative;

    if (rest >= strlen(nil) && memcmp(cursor->at, nil, strlen(nil)) == 0) {
        cursor->at += strlen(nil);
        *ret_number = 0;
        return TRUE;
    }
    if (rest > 2 && cursor->at[0] == '0' && cursor->at[1] == 'x') {
        cursor->at += 2;
        return take_hex(cursor, ret_number);
    }
    is_negative = take_char(cursor, '-');
    if (!take_digits(cursor, MAX_DIGITS - 1, &number)) {
        return FALSE;
    }
    *ret_number = is_negative ? -number : number;
    return TRUE;
}

/* The next word that is a number; words before it label it otherwise than its argument is named. */
static gboolean take_next_number(Cursor *cursor, guint64 *ret_number)
{
    while (cursor->at < cursor->end) {
        if (take_number(cursor, ret_number) &&
            (cursor->at == cursor->end || !is_word(*cursor->at))) {
            return TRUE;
        }
        while (cursor->at < cursor->end && !is_separator(*cursor->at)) {
            cursor->at++;
        }
        skip_separators(cursor);
    }
    return FALSE;
}

static gboolean take_value(Cursor *cursor, QemuArgType type, LogValue *ret_value)
{
    const char *begin;

    skip_separators(cursor);
    *ret_value = (LogValue){0};
    if (type != QEMU_ARG_STRING) {
        return take_next_number(cursor, &ret_value->number);
    }
    begin = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != ' ') {
        cursor->at++;
    }
    ret_value->text = begin;
    ret_value->text_len = cursor->at - begin;
    return TRUE;
}

gboolean log_line_args(const LogLine *line, const QemuSignature *signature,
                       LogValue ret_values[QEMU_MAX_ARGS])
{
    Cursor cursor = {line->args, line->args + line->args_len};

    for (guint i = 0; i < signature->n_args; i++) {
        skip_arg_name(&cursor, signature->args[i].name);
        if (!take_value(&cursor, signature->args[i].type, &ret_values[i])) {
            return FALSE;
        }
    }
    return TRUE;
}
