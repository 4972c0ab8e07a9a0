/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A streaming writer of JSON lines.
 */
#include "report/json.h"

void json_init(Json *json)
{
    json->line = g_string_sized_new(4096);
    json->needs_comma = FALSE;
}

void json_clear(Json *json)
{
    g_string_free(json->line, TRUE);
    json->line = NULL;
}

/* One character; those that JSON or a terminal could take for more are escaped (RFC 8259, 7). */
static void append_char(GString *line, gunichar c)
{
    if (c == '"' || c == '\\') {
        g_string_append_c(line, '\\');
        g_string_append_c(line, c);
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        g_string_append_printf(line, "\\u%04x", c);
    } else {
        g_string_append_unichar(line, c);
    }
}

static void append_quoted(GString *line, const char *text)
{
    enum { REPLACEMENT = 0xfffd };

    g_string_append_c(line, '"');
    while (*text != '\0') {
        gunichar c = g_utf8_get_char_validated(text, -1);

        if (c == (gunichar)-1 || c == (gunichar)-2) {
            append_char(line, REPLACEMENT);
            text++;
        } else {
            append_char(line, c);
            text = g_utf8_next_char(text);
        }
    }
    g_string_append_c(line, '"');
}

static void begin_value(Json *json, const char *key)
{
    if (json->needs_comma) {
        g_string_append_c(json->line, ',');
    }
    if (key != NULL) {
        append_quoted(json->line, key);
        g_string_append_c(json->line, ':');
    }
    json->needs_comma = TRUE;
}

static void begin(Json *json, const char *key, char bracket)
{
    begin_value(json, key);
    g_string_append_c(json->line, bracket);
    json->needs_comma = FALSE;
}

static void end(Json *json, char bracket)
{
    g_string_append_c(json->line, bracket);
    json->needs_comma = TRUE;
}

void json_begin_object(Json *json, const char *key)
{
    begin(json, key, '{');
}

void json_end_object(Json *json)
{
    end(json, '}');
}

void json_begin_array(Json *json, const char *key)
{
    begin(json, key, '[');
}

void json_end_array(Json *json)
{
    end(json, ']');
}

void json_string(Json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value != NULL) {
        append_quoted(json->line, value);
    } else {
        g_string_append(json->line, "null");
    }
}

void json_int(Json *json, const char *key, gint64 value)
{
    begin_value(json, key);
    g_string_append_printf(json->line, "%" G_GINT64_FORMAT, value);
}

void json_uint(Json *json, const char *key, guint64 value)
{
    begin_value(json, key);
    g_string_append_printf(json->line, "%" G_GUINT64_FORMAT, value);
}

void json_null(Json *json, const char *key)
{
    json_string(json, key, NULL);
}

void json_number(Json *json, const char *key, const char *digits)
{
    begin_value(json, key);
    g_string_append(json->line, digits);
}

void json_end_line(Json *json, FILE *out)
{
    g_string_append_c(json->line, '\n');
    fwrite(json->line->str, 1, json->line->len, out);
    g_string_truncate(json->line, 0);
    json->needs_comma = FALSE;
}
