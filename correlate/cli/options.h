/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options of all commands, as text from the command line.
 */
#ifndef VIRTCORR_CLI_OPTIONS_H
#define VIRTCORR_CLI_OPTIONS_H

#include <glib.h>

#define CLI_ERROR cli_error_quark()
GQuark cli_error_quark(void);

typedef enum CliError {
    CLI_ERROR_USAGE,  /* followed by a hint at --help */
    CLI_ERROR_FAILED, /* anything else */
} CliError;

/**
 * Options: what was given; NULL, 0 or FALSE for what was not.
 * @files: positional arguments
 * @tx, @rx: `tx` and `rx` stood among them
 */
typedef struct Options {
    gboolean help;
    char **files;
    char **host;
    char **guest;
    char *tsc_offset;
    char **map;
    char **trace_events;
    char *color;
    char *progress;
    char **output;
    char *format;
    char *dev;
    char *queue;
    char *from;
    char *to;
    char *slower_than;
    char *limit;
    gboolean tx;
    gboolean rx;
    gboolean orphans;
    gboolean json;
    gboolean count;
    char *name;
} Options;

/* Options that commands share. */
typedef enum OptionSet {
    OPTIONS_INPUT = 1 << 0,
    OPTIONS_RUN = 1 << 1,
    OPTIONS_OUTPUT = 1 << 2,
    OPTIONS_FILTER = 1 << 3,
    OPTIONS_DUMP = 1 << 4,
    OPTIONS_SHOW = 1 << 5,
} OptionSet;

/* Parse @argv (without the command's name); @sets are those that are taken. */
gboolean options_parse(Options *options, guint sets, char **argv, GError **error);
void options_clear(Options *options);

/* The help text of the options in @sets. */
char *options_help(guint sets, const char *usage, const char *description);

#endif
