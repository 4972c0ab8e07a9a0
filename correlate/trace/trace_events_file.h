/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What QEMU's trace events are called and which arguments they have, as its trace-events files say.
 */
#ifndef VIRTCORR_TRACE_TRACE_EVENTS_FILE_H
#define VIRTCORR_TRACE_TRACE_EVENTS_FILE_H

#include <glib.h>

/* QEMU's own limit (scripts/tracetool). */
enum { QEMU_MAX_ARGS = 10 };

typedef enum QemuArgType {
    QEMU_ARG_UNSIGNED,
    QEMU_ARG_SIGNED,
    QEMU_ARG_POINTER,
    QEMU_ARG_STRING,
} QemuArgType;

typedef struct QemuArg {
    char *name;
    QemuArgType type;
} QemuArg;

/**
 * QemuSignature: a trace event and its arguments.
 * @n_strings: how many of the arguments are strings
 */
typedef struct QemuSignature {
    char *name;
    guint n_args;
    guint n_strings;
    QemuArg args[QEMU_MAX_ARGS];
} QemuSignature;

void qemu_signature_free(QemuSignature *signature);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QemuSignature, qemu_signature_free)

/* Parse "[property ]name(type arg, …)[ "format"]"; NULL when @line is not that. */
QemuSignature *qemu_signature_parse(const char *line);

/* Append the signatures in the trace-events file @path to @signatures, which owns them. */
gboolean trace_events_file_load(const char *path, GPtrArray *signatures, GError **error);

#endif
