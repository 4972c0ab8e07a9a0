/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The trace files that a command reads.
 */
#include "inputs.h"

/* Event.source is a byte. */
enum { MAX_INPUTS = 64 };

static void clear_input(gpointer input)
{
    trace_source_free(((MatchInput *)input)->source);
}

void inputs_free(Inputs *inputs)
{
    if (inputs != NULL) {
        g_array_unref(inputs->list);
        g_ptr_array_unref(inputs->paths);
        g_free(inputs);
    }
}

TraceSource *inputs_open_source(const Options *options, const char *path, GError **error)
{
    TraceOptions trace_options = {.trace_events = options->trace_events};

    return trace_source_open(path, &trace_options, error);
}

const char *inputs_find(const Inputs *inputs, const struct stat *file)
{
    for (guint i = 0; i + 1 < inputs->paths->len; i++) {
        const char *given = g_ptr_array_index(inputs->paths, i);
        struct stat other;

        if (stat(given, &other) == 0 && other.st_dev == file->st_dev &&
            other.st_ino == file->st_ino) {
            return given;
        }
    }
    return NULL;
}

/* A file that is given twice would have all its events twice. Pipes cannot be told apart. */
static gboolean check_not_given(const Inputs *inputs, const char *path, GError **error)
{
    struct stat file;
    const char *given;

    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return TRUE;
    }
    given = inputs_find(inputs, &file);
    if (given != NULL) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FAILED,
                    "%s: is the same file as %s; give each trace once", path, given);
    }
    return given == NULL;
}

static gboolean add_files(Inputs *inputs, const Options *options, char **paths, TraceSide side,
                          GError **error)
{
    for (guint i = 0; paths != NULL && paths[i] != NULL; i++) {
        MatchInput input = {.side = side};

        if (inputs->list->len == MAX_INPUTS) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FAILED, "%s: more than %u files", paths[i],
                        (guint)MAX_INPUTS);
            return FALSE;
        }
        if (!check_not_given(inputs, paths[i], error)) {
            return FALSE;
        }
        input.source = inputs_open_source(options, paths[i], error);
        if (input.source == NULL) {
            return FALSE;
        }
        g_array_append_val(inputs->list, input);
        g_ptr_array_insert(inputs->paths, inputs->paths->len - 1, g_strdup(paths[i]));
    }
    return TRUE;
}

Inputs *inputs_open(const Options *options, GError **error)
{
    g_autoptr(Inputs) inputs = g_new0(Inputs, 1);

    inputs->list = g_array_new(FALSE, FALSE, sizeof(MatchInput));
    g_array_set_clear_func(inputs->list, clear_input);
    inputs->paths = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(inputs->paths, NULL);
    if (!add_files(inputs, options, options->files, TRACE_SIDE_UNKNOWN, error) ||
        !add_files(inputs, options, options->host, TRACE_SIDE_HOST, error) ||
        !add_files(inputs, options, options->guest, TRACE_SIDE_GUEST, error)) {
        return NULL;
    }
    if (inputs->list->len == 0) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "no trace file given");
        return NULL;
    }
    return g_steal_pointer(&inputs);
}
