/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Temporary files that vanish also when a signal ends the program.
 */
#ifndef VIRTCORR_CLI_TEMPORARY_H
#define VIRTCORR_CLI_TEMPORARY_H

#include <glib.h>

/* From now on, signals that end the program remove its temporary files first. */
void temporary_watch_signals(void);

/**
 * temporary_create: make a file for writing.
 * @name: ends in XXXXXX, which is replaced; it must stay until the file is renamed or removed
 *
 * Returns: its descriptor, or -1 with errno set
 */
int temporary_create(char *name, int mode);

/* The file is complete: give it its name. FALSE with errno set if that fails. */
gboolean temporary_rename(char *name, const char *path);

void temporary_remove(char *name);

#endif
