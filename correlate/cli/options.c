/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of options, and how it is handed to GOption.
 */
#include "options.h"

#include <string.h>

G_DEFINE_QUARK(virtcorr-cli-error, cli_error)

/**
 * OptionSpec: a GOptionEntry whose value goes to a member of Options.
 * @set: the OptionSet it belongs to; 0 for all
 */
typedef struct OptionSpec {
    guint set;
    const char *name;
    char letter;
    GOptionArg arg;
    gsize offset;
    const char *description;
    const char *value;
} OptionSpec;

static const OptionSpec specs[] = {
    {0, "help", 'h', G_OPTION_ARG_NONE, G_STRUCT_OFFSET(Options, help), "Show this help", NULL},
    {OPTIONS_OUTPUT, "output", 'o', G_OPTION_ARG_FILENAME_ARRAY, G_STRUCT_OFFSET(Options, output),
     "Also write a report to FILE; its suffix tells the format", "FILE"},
    {OPTIONS_OUTPUT, "format", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, format),
     "Format of the files of -o, or without -o of standard output", "NAME"},
    {OPTIONS_FILTER, "dev", 0, G_OPTION_ARG_FILENAME, G_STRUCT_OFFSET(Options, dev),
     "Only this netdev, tap or device; dev=NAME works too", "NAME"},
    {OPTIONS_FILTER, "queue", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, queue),
     "Only queue N, as numbered by merge", "N"},
    {OPTIONS_FILTER, "from", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, from),
     "From this time of the host's clock on, in s; +S counts from the first journey", "[+]S"},
    {OPTIONS_FILTER, "to", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, to),
     "Up to this time, as with --from", "[+]S"},
    {OPTIONS_FILTER, "slower-than", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, slower_than),
     "Only journeys that took at least this long, such as 2ms", "TIME"},
    {OPTIONS_FILTER, "limit", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, limit),
     "At most N journeys", "N"},
    {OPTIONS_SHOW, "orphans", 0, G_OPTION_ARG_NONE, G_STRUCT_OFFSET(Options, orphans),
     "Also buffers that the other side's trace does not cover", NULL},
    {OPTIONS_DUMP, "json", 0, G_OPTION_ARG_NONE, G_STRUCT_OFFSET(Options, json),
     "One JSON object a line", NULL},
    {OPTIONS_DUMP, "count", 0, G_OPTION_ARG_NONE, G_STRUCT_OFFSET(Options, count),
     "Only the number of events", NULL},
    {OPTIONS_DUMP, "name", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, name),
     "Only events whose name matches the pattern, with * and ?", "PATTERN"},
    {OPTIONS_RUN, "host", 0, G_OPTION_ARG_FILENAME_ARRAY, G_STRUCT_OFFSET(Options, host),
     "Read FILE as a trace of the host, whatever it looks like", "FILE"},
    {OPTIONS_RUN, "guest", 0, G_OPTION_ARG_FILENAME_ARRAY, G_STRUCT_OFFSET(Options, guest),
     "Read FILE as a trace of the guest, whatever it looks like", "FILE"},
    {OPTIONS_RUN, "tsc-offset", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, tsc_offset),
     "The guest's TSC offset, and scaling if there is any", "N[,RATIO,FRAC]"},
    {OPTIONS_RUN, "map", 0, G_OPTION_ARG_STRING_ARRAY, G_STRUCT_OFFSET(Options, map),
     "Take a device of the host for one of the guest", "HOSTDEV=GUESTDEV"},
    {OPTIONS_INPUT, "trace-events", 0, G_OPTION_ARG_FILENAME_ARRAY,
     G_STRUCT_OFFSET(Options, trace_events), "QEMU's trace-events file, for names of arguments",
     "FILE"},
    {OPTIONS_RUN, "color", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, color),
     "Colours: auto (default), always or never; NO_COLOR is honoured", "WHEN"},
    {OPTIONS_RUN, "progress", 0, G_OPTION_ARG_STRING, G_STRUCT_OFFSET(Options, progress),
     "Progress on standard error: auto (default), none or json", "HOW"},
};

/* The entries for @sets, with their values in @options. */
static GArray *make_entries(guint sets, Options *options)
{
    GArray *entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        const OptionSpec *spec = &specs[i];
        GOptionEntry entry = {
            .long_name = spec->name,
            .short_name = spec->letter,
            .arg = spec->arg,
            .arg_data = (char *)options + spec->offset,
            .description = spec->description,
            .arg_description = spec->value,
        };

        if (spec->set == 0 || (spec->set & sets) != 0) {
            g_array_append_val(entries, entry);
        }
    }
    GOptionEntry rest = {
        .long_name = G_OPTION_REMAINING,
        .arg = G_OPTION_ARG_FILENAME_ARRAY,
        .arg_data = &options->files,
    };

    g_array_append_val(entries, rest);
    return entries;
}

static GOptionContext *make_context(GArray *entries, const char *usage)
{
    GOptionContext *context = g_option_context_new(usage);

    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, (const GOptionEntry *)entries->data, NULL);
    return context;
}

/* netdev-times takes `tx`, `rx` and `dev=NAME` as words between the others. */
static void take_words(Options *options)
{
    guint kept = 0;

    for (guint i = 0; options->files != NULL && options->files[i] != NULL; i++) {
        char *word = options->files[i];

        if (strcmp(word, "tx") == 0) {
            options->tx = TRUE;
        } else if (strcmp(word, "rx") == 0) {
            options->rx = TRUE;
        } else if (g_str_has_prefix(word, "dev=")) {
            g_free(options->dev);
            options->dev = g_strdup(word + strlen("dev="));
        } else {
            options->files[kept++] = word;
            continue;
        }
        g_free(word);
    }
    if (options->files != NULL) {
        options->files[kept] = NULL;
    }
}

gboolean options_parse(Options *options, guint sets, char **argv, GError **error)
{
    g_autoptr(GArray) entries = make_entries(sets, options);
    g_autoptr(GOptionContext) context = make_context(entries, NULL);
    g_autoptr(GError) inner = NULL;
    g_auto(GStrv) copy = g_strdupv(argv);

    if (!g_option_context_parse_strv(context, &copy, &inner)) {
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, inner->message);
        return FALSE;
    }
    if ((sets & OPTIONS_FILTER) != 0) {
        take_words(options);
    }
    return TRUE;
}

void options_clear(Options *options)
{
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        gpointer member = (char *)options + specs[i].offset;

        if (specs[i].arg == G_OPTION_ARG_STRING || specs[i].arg == G_OPTION_ARG_FILENAME) {
            g_clear_pointer((char **)member, g_free);
        } else if (specs[i].arg != G_OPTION_ARG_NONE) {
            g_clear_pointer((char ***)member, g_strfreev);
        }
    }
    g_clear_pointer(&options->files, g_strfreev);
}

char *options_help(guint sets, const char *usage, const char *description)
{
    Options unused = {0};
    g_autoptr(GArray) entries = make_entries(sets, &unused);
    g_autoptr(GOptionContext) context = make_context(entries, usage);

    g_option_context_set_summary(context, description);
    return g_option_context_get_help(context, TRUE, NULL);
}
