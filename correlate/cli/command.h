/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The commands of virtcorr: one table, from which help texts come and man pages are checked.
 */
#ifndef VIRTCORR_CLI_COMMAND_H
#define VIRTCORR_CLI_COMMAND_H

#include "options.h"

/* What the program tells whoever started it. */
typedef enum ExitCode {
    EXIT_FINE = 0,
    EXIT_ERROR = 1,        /* wrong usage or input */
    EXIT_CONTRADICTION = 2, /* the data contradicts itself; the report says where */
    EXIT_THRESHOLD = 3,    /* a threshold that was asked for was exceeded */
} ExitCode;

/**
 * Command:
 * @name: what the user types
 * @arguments: the positional arguments, for help texts
 * @summary: one clause
 * @description: a paragraph for the command's own help
 * @options: sets of options it takes, a set of OptionSet
 * @run: does the work; returns FALSE with @error set for EXIT_ERROR
 */
typedef struct Command {
    const char *name;
    const char *arguments;
    const char *summary;
    const char *description;
    guint options;
    gboolean (*run)(const Options *options, ExitCode *ret_code, GError **error);
} Command;

extern const Command command_merge;
extern const Command command_show;
extern const Command command_stat;
extern const Command command_clock;
extern const Command command_dump;

#endif
