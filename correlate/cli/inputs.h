/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The trace files that a command reads.
 */
#ifndef VIRTCORR_CLI_INPUTS_H
#define VIRTCORR_CLI_INPUTS_H

#include <sys/stat.h>

#include "match/run.h"
#include "options.h"

/**
 * Inputs:
 * @list: MatchInput, each with its source
 * @paths: the same files by name, NULL-terminated
 */
typedef struct Inputs {
    GArray *list;
    GPtrArray *paths;
} Inputs;

/* Open all files that @options names. */
Inputs *inputs_open(const Options *options, GError **error);
void inputs_free(Inputs *inputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Inputs, inputs_free)

/* The name of the input that is @file, NULL if none is. */
const char *inputs_find(const Inputs *inputs, const struct stat *file);

/* Open one file. */
TraceSource *inputs_open_source(const Options *options, const char *path, GError **error);

#endif
