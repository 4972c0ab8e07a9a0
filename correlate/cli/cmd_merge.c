/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr merge: join the traces, print the summary, write the reports.
 */
#include "run.h"

static const ReportType *find_format(const Options *options, const char *path, GError **error)
{
    const ReportType *type = options->format != NULL ? report_type_by_name(options->format)
                                                     : report_type_by_path(path);
    g_autoptr(GString) known = g_string_new(NULL);

    if (type != NULL) {
        return type;
    }
    for (guint i = 0; report_type_at(i) != NULL; i++) {
        g_string_append_printf(known, " %s", report_type_at(i)->name);
    }
    if (options->format != NULL) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "there is no format '%s'; there are:%s", options->format, known->str);
    } else {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "%s: its suffix stands for no format; give --format, one of:%s", path,
                    known->str);
    }
    return NULL;
}

/* Before any file is read: a wrong format must not cost the user a run. */
static gboolean check_formats(const Options *options, GError **error)
{
    for (guint i = 0; options->output != NULL && options->output[i] != NULL; i++) {
        if (find_format(options, options->output[i], error) == NULL) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean add_files(const Options *options, const Inputs *inputs, Outputs *outputs,
                          GError **error)
{
    for (guint i = 0; options->output != NULL && options->output[i] != NULL; i++) {
        const char *path = options->output[i];
        const ReportType *type = find_format(options, path, error);

        if (type == NULL || !outputs_add_file(outputs, type, path, inputs, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The summary; without -o, --format stands for standard output. */
static gboolean add_summary(const Options *options, Outputs *outputs, GError **error)
{
    const ReportType *type = report_type_by_name("text");

    if (options->output == NULL && options->format != NULL) {
        type = find_format(options, NULL, error);
        if (type == NULL) {
            return FALSE;
        }
    }
    outputs_add_stdout(outputs, type);
    return TRUE;
}

static gboolean run_merge(const Options *options, ExitCode *ret_code, GError **error)
{
    ReportOptions report = {0};

    if (!outputs_terminal(options, &report, error) || !check_formats(options, error)) {
        return FALSE;
    }
    g_autoptr(Outputs) outputs = outputs_new(&report);

    if (!add_summary(options, outputs, error)) {
        return FALSE;
    }
    g_autoptr(Inputs) inputs = inputs_open(options, error);

    return inputs != NULL && add_files(options, inputs, outputs, error) &&
           run_reports(options, inputs, NULL, outputs, ret_code, error);
}

const Command command_merge = {
    .name = "merge",
    .arguments = "HOST… GUEST…",
    .summary = "join traces of host and guest and print where the time went",
    .description =
        "Joins the traces of one virtual machine: QEMU's, the host kernel's, the guest kernel's.\n"
        "Format and side of each file are told from its content.",
    .options = OPTIONS_INPUT | OPTIONS_RUN | OPTIONS_OUTPUT,
    .run = run_merge,
};
