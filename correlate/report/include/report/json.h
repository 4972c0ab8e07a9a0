/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A streaming writer of JSON lines.
 */
#ifndef VIRTCORR_REPORT_JSON_H
#define VIRTCORR_REPORT_JSON_H

#include <glib.h>
#include <stdio.h>

/**
 * Json: one line of JSON in the making.
 * @line: what is written so far
 * @needs_comma: whether the next member or element needs a comma before it
 */
typedef struct Json {
    GString *line;
    gboolean needs_comma;
} Json;

void json_init(Json *json);
void json_clear(Json *json);

/* Begin and end an object or array; @key is NULL for an array's element and the outermost. */
void json_begin_object(Json *json, const char *key);
void json_end_object(Json *json);
void json_begin_array(Json *json, const char *key);
void json_end_array(Json *json);

/* A member, or with @key NULL an element. @value NULL is null. Bytes that are not UTF-8 become
   U+FFFD, control characters are escaped. */
void json_string(Json *json, const char *key, const char *value);
void json_int(Json *json, const char *key, gint64 value);
void json_uint(Json *json, const char *key, guint64 value);
void json_null(Json *json, const char *key);

/* A number that is already text. */
void json_number(Json *json, const char *key, const char *digits);

/* End the line, write it to @out and begin the next. */
void json_end_line(Json *json, FILE *out);

#endif
