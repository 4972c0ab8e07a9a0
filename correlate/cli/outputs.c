/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files that reports are written to.
 */
#include "outputs.h"

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * Output: one report.
 * @path: where it will be, NULL for standard output
 * @temporary: where it is until it is complete, NULL if it is written in place
 * @has_ended: whether the report has been finished
 */
typedef struct Output {
    ReportSink sink;
    char *path;
    char *temporary;
    FILE *file;
    gboolean has_ended;
} Output;

struct Outputs {
    ReportOptions options;
    GPtrArray *list;
};

/* Let a report that comes to nothing free its state, without a word to anybody. */
static void abandon(Output *output)
{
    FILE *nowhere = fopen("/dev/null", "we");
    RunTotals totals = {0};

    if (nowhere != NULL) {
        output->sink.out = nowhere;
        report_end(&output->sink, &totals, NULL);
        fclose(nowhere);
    }
}

static void output_free(Output *output)
{
    if (output->sink.type != NULL && !output->has_ended) {
        abandon(output);
    }
    if (output->file != NULL && output->file != stdout) {
        fclose(output->file);
    }
    if (output->temporary != NULL) {
        temporary_remove(output->temporary);
    }
    g_free(output->temporary);
    g_free(output->path);
    g_free(output);
}

Outputs *outputs_new(const ReportOptions *options)
{
    Outputs *outputs = g_new0(Outputs, 1);

    outputs->options = *options;
    outputs->list = g_ptr_array_new_with_free_func((GDestroyNotify)output_free);
    return outputs;
}

void outputs_free(Outputs *outputs)
{
    if (outputs != NULL) {
        g_ptr_array_unref(outputs->list);
        g_free(outputs);
    }
}

void outputs_add_stdout(Outputs *outputs, const ReportType *type)
{
    Output *output = g_new0(Output, 1);

    output->file = stdout;
    report_begin(&output->sink, type, stdout, &outputs->options);
    g_ptr_array_add(outputs->list, output);
}

static gboolean set_errno(GError **error, const char *path, int code)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FAILED, "%s: %s", path, g_strerror(code));
    return FALSE;
}

/* The temporary file lies beside its target, so that renaming it is atomic. */
static gboolean open_temporary(Output *output, GError **error)
{
    mode_t mask = umask(0);
    int fd;

    umask(mask);
    output->temporary = g_strdup_printf("%s.XXXXXX", output->path);
    fd = temporary_create(output->temporary, 0666 & ~mask);
    if (fd < 0) {
        int code = errno;

        g_clear_pointer(&output->temporary, g_free);
        return set_errno(error, output->path, code);
    }
    output->file = fdopen(fd, "w");
    return TRUE;
}

static gboolean open_output(Output *output, const Inputs *inputs, GError **error)
{
    struct stat target;

    if (stat(output->path, &target) != 0) {
        return errno == ENOENT ? open_temporary(output, error)
                               : set_errno(error, output->path, errno);
    }
    if (inputs_find(inputs, &target) != NULL) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FAILED,
                    "%s: is an input and would be overwritten; choose another name", output->path);
        return FALSE;
    }
    if (S_ISREG(target.st_mode)) {
        /* Replace what a symbolic link points to, not the link. */
        char *real = realpath(output->path, NULL);

        if (real != NULL) {
            g_free(output->path);
            output->path = g_strdup(real);
            free(real);
        }
        return open_temporary(output, error);
    }
    output->file = fopen(output->path, "we"); /* a pipe or device */
    return output->file != NULL || set_errno(error, output->path, errno);
}

gboolean outputs_add_file(Outputs *outputs, const ReportType *type, const char *path,
                          const Inputs *inputs, GError **error)
{
    Output *output = g_new0(Output, 1);
    ReportOptions options = {0};

    output->path = g_strdup(path);
    if (!open_output(output, inputs, error)) {
        output_free(output);
        return FALSE;
    }
    report_begin(&output->sink, type, output->file, &options);
    g_ptr_array_add(outputs->list, output);
    return TRUE;
}

ReportSink *outputs_at(const Outputs *outputs, guint i)
{
    Output *output = i < outputs->list->len ? g_ptr_array_index(outputs->list, i) : NULL;

    return output != NULL ? &output->sink : NULL;
}

static gboolean output_end(Output *output, const RunTotals *totals, GError **error)
{
    const char *name = output->path != NULL ? output->path : "standard output";

    output->has_ended = TRUE;
    if (!report_end(&output->sink, totals, error)) {
        g_prefix_error(error, "%s: ", name);
        return FALSE;
    }
    if (output->path == NULL) {
        return TRUE;
    }
    if (fclose(g_steal_pointer(&output->file)) != 0) {
        return set_errno(error, name, errno);
    }
    if (output->temporary != NULL && !temporary_rename(output->temporary, output->path)) {
        return set_errno(error, name, errno);
    }
    g_clear_pointer(&output->temporary, g_free);
    return TRUE;
}

gboolean outputs_end(Outputs *outputs, const RunTotals *totals, GError **error)
{
    gboolean is_fine = TRUE;

    /* Whoever reads standard output may go away early; the files must be whole by then. */
    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < outputs->list->len; i++) {
            Output *output = g_ptr_array_index(outputs->list, i);

            if ((output->path == NULL) == (pass == 1)) {
                /* The first error is told; the others are finished all the same. */
                is_fine &= output_end(output, totals, is_fine ? error : NULL);
            }
        }
    }
    return is_fine;
}

static guint terminal_width(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

gboolean outputs_terminal(const Options *options, ReportOptions *ret_options, GError **error)
{
    const char *when = options->color != NULL ? options->color : "auto";
    const char *no_color = g_getenv("NO_COLOR");
    gboolean is_terminal = isatty(STDOUT_FILENO);

    if (!g_strv_contains((const char *[]){"auto", "always", "never", NULL}, when)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "--color is auto, always or never, not '%s'", when);
        return FALSE;
    }
    ret_options->width = is_terminal ? terminal_width() : 0;
    ret_options->colour =
        strcmp(when, "always") == 0 ||
        (strcmp(when, "auto") == 0 && is_terminal && (no_color == NULL || *no_color == '\0'));
    return TRUE;
}
