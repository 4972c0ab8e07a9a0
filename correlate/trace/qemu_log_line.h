/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A line of QEMU's log that holds a trace event, in the three forms that QEMU has written.
 */
#ifndef VIRTCORR_TRACE_QEMU_LOG_LINE_H
#define VIRTCORR_TRACE_QEMU_LOG_LINE_H

#include "qemu_events.h"

/**
 * LogLine: the parts of a line; texts point into it and are not terminated.
 * @has_time: whether the line is stamped
 * @is_marked: whether it begins as only trace events do (TID@TIME:)
 * @time: ns since 1970, CLOCK_REALTIME
 * @tid: 0 when the line does not tell
 */
typedef struct LogLine {
    gboolean has_time;
    gboolean is_marked;
    gint64 time;
    guint32 tid;
    const char *name;
    gsize name_len;
    const char *args;
    gsize args_len;
} LogLine;

/* Split @len bytes at @text, a line without its newline; FALSE when no event name is there. */
gboolean log_line_parse(const char *text, gsize len, LogLine *ret_line);

/* The value of an argument: @text for a string, else @number. */
typedef struct LogValue {
    guint64 number;
    const char *text;
    gsize text_len;
} LogValue;

/* Find the arguments of @signature in @line; FALSE when one is missing. */
gboolean log_line_args(const LogLine *line, const QemuSignature *signature,
                       LogValue ret_values[QEMU_MAX_ARGS]);

#endif
