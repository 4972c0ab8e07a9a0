/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far long work is, on standard error.
 */
#ifndef VIRTCORR_CLI_PROGRESS_H
#define VIRTCORR_CLI_PROGRESS_H

#include "options.h"

/**
 * Progress:
 * @is_bar, @is_json: how it is shown; neither: not at all
 * @begin, @last: when the work began and when it was shown last, µs of the monotonic clock
 * @is_shown: whether there is a bar on the screen
 */
typedef struct Progress {
    gboolean is_bar;
    gboolean is_json;
    gint64 begin;
    gint64 last;
    gboolean is_shown;
} Progress;

gboolean progress_begin(Progress *progress, const Options *options, GError **error);

/* @done of @total units; cheap enough to be called often. */
void progress_update(Progress *progress, guint64 done, guint64 total);

/* Take the bar away. */
void progress_end(Progress *progress);

#endif
