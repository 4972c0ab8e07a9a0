/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parser of QEMU's trace-events files. Grammar: scripts/tracetool of QEMU 7.2 to 10.2.
 */
#include "trace_events_file.h"

#include "input.h"
#include "trace/source.h"

#include <string.h>

/* QEMU's trace-events-all has about 0.6 MB. */
enum { MAX_FILE_BYTES = 16 << 20 };

void qemu_signature_free(QemuSignature *signature)
{
    if (signature == NULL) {
        return;
    }
    for (guint i = 0; i < signature->n_args; i++) {
        g_free(signature->args[i].name);
    }
    g_free(signature->name);
    g_free(signature);
}

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Start of the word that ends before @end; @end itself when there is none. */
static const char *last_word(const char *begin, const char *end)
{
    while (end > begin && is_word(end[-1])) {
        end--;
    }
    return end;
}

/* Which C types simpletrace stores as text: those of tracetool's is_string(). */
static gboolean is_string_type(const char *type)
{
    gboolean is_char = g_str_has_prefix(type, "const char*") ||
                       g_str_has_prefix(type, "const char *") || g_str_has_prefix(type, "char*") ||
                       g_str_has_prefix(type, "char *");
    const char *star = strchr(type, '*');

    return is_char && strchr(star + 1, '*') == NULL;
}

static QemuArgType classify(const char *type)
{
    static const char *const signed_types[] = {"int",    "long",    "short",    "char",
                                               "signed", "int8",    "int16",    "int32",
                                               "int64",  "ssize_t", "ptrdiff_t"};

    if (is_string_type(type)) {
        return QEMU_ARG_STRING;
    }
    if (strchr(type, '*')) {
        return QEMU_ARG_POINTER;
    }
    if (g_str_has_prefix(type, "const ")) {
        type += strlen("const ");
    }
    for (gsize i = 0; i < G_N_ELEMENTS(signed_types); i++) {
        if (g_str_has_prefix(type, signed_types[i])) {
            return QEMU_ARG_SIGNED;
        }
    }
    return QEMU_ARG_UNSIGNED;
}

static gboolean parse_arg(char *text, QemuArg *ret_arg)
{
    char *arg = g_strstrip(text);
    gsize len = strlen(arg);
    const char *name = last_word(arg, arg + len);
    g_autofree char *type = g_strndup(arg, name - arg);

    g_strstrip(type);
    if (*name == '\0' || *type == '\0') {
        return FALSE;
    }
    ret_arg->name = g_strdup(name);
    ret_arg->type = classify(type);
    return TRUE;
}

static gboolean parse_args(QemuSignature *signature, const char *begin, const char *end)
{
    g_autofree char *text = g_strstrip(g_strndup(begin, end - begin));
    g_auto(GStrv) args = NULL;

    if (*text == '\0' || strcmp(text, "void") == 0) {
        return TRUE;
    }
    args = g_strsplit(text, ",", QEMU_MAX_ARGS + 1);
    for (guint i = 0; args[i] != NULL; i++) {
        if (i == QEMU_MAX_ARGS || !parse_arg(args[i], &signature->args[i])) {
            return FALSE;
        }
        signature->n_args++;
        signature->n_strings += signature->args[i].type == QEMU_ARG_STRING;
    }
    return TRUE;
}

QemuSignature *qemu_signature_parse(const char *line)
{
    const char *open = strchr(line, '(');
    const char *close = open ? strchr(open, ')') : NULL;
    g_autoptr(QemuSignature) signature = NULL;
    const char *name;

    if (close == NULL) {
        return NULL;
    }
    name = last_word(line, open);
    for (const char *at = line; at < name; at++) {
        if (!is_word(*at) && *at != ' ' && *at != '\t') {
            return NULL;
        }
    }
    if (name == open) {
        return NULL;
    }
    signature = g_new0(QemuSignature, 1);
    signature->name = g_strndup(name, open - name);
    return parse_args(signature, open + 1, close) ? g_steal_pointer(&signature) : NULL;
}

static char *read_text(const char *path, GError **error)
{
    g_autoptr(Input) input = input_open(path, error);
    char *text;

    if (input == NULL) {
        return NULL;
    }
    if (input_size(input) > MAX_FILE_BYTES) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                    "%s: too long for a trace-events file (more than %d MiB)", path,
                    MAX_FILE_BYTES >> 20);
        return NULL;
    }
    text = g_malloc0(input_size(input) + 1);
    input_read(input, 0, text, input_size(input));
    return text;
}

gboolean trace_events_file_load(const char *path, GPtrArray *signatures, GError **error)
{
    g_autofree char *text = read_text(path, error);
    g_auto(GStrv) lines = NULL;

    if (text == NULL) {
        return FALSE;
    }
    lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *line = g_strstrip(lines[i]);
        QemuSignature *signature;

        if (*line == '\0' || *line == '#') {
            continue;
        }
        signature = qemu_signature_parse(line);
        if (signature == NULL) {
            g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
                        "%s: line %u is no trace event: expected name(type arg, ...) as in QEMU's "
                        "trace-events-all",
                        path, i + 1);
            return FALSE;
        }
        g_ptr_array_add(signatures, signature);
    }
    return TRUE;
}
