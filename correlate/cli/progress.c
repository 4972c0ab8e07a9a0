/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far long work is, on standard error.
 */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATIENCE_US = 1000000, /* shorter work has no bar */
    PERIOD_US = 100000,
    BAR_WIDTH = 40,
};

gboolean progress_begin(Progress *progress, const Options *options, GError **error)
{
    const char *how = options->progress != NULL ? options->progress : "auto";

    if (!g_strv_contains((const char *[]){"auto", "none", "json", NULL}, how)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
                    "--progress is auto, none or json, not '%s'", how);
        return FALSE;
    }
    *progress = (Progress){
        .is_bar = strcmp(how, "auto") == 0 && isatty(STDERR_FILENO),
        .is_json = strcmp(how, "json") == 0,
        .begin = g_get_monotonic_time(),
    };
    return TRUE;
}

static void show_bar(guint64 done, guint64 total)
{
    guint filled = done / (total / BAR_WIDTH + 1);
    guint percent = done / (total / 100 + 1);

    fprintf(stderr, "\r[%.*s%*s] %3u %%", (int)filled, "########################################",
            (int)(BAR_WIDTH - filled), "", percent);
    fflush(stderr);
}

void progress_update(Progress *progress, guint64 done, guint64 total)
{
    if (!progress->is_bar && !progress->is_json) {
        return;
    }
    gint64 now = g_get_monotonic_time();

    done = MIN(done, total);
    if (now - progress->last < PERIOD_US) {
        return;
    }
    if (progress->is_json) {
        progress->last = now;
        fprintf(stderr,
                "{\"type\":\"progress\",\"done\":%" G_GUINT64_FORMAT ",\"total\":%" G_GUINT64_FORMAT
                "}\n",
                done, total);
    } else if (now - progress->begin > PATIENCE_US) {
        progress->last = now;
        progress->is_shown = TRUE;
        show_bar(done, total);
    }
}

void progress_end(Progress *progress)
{
    if (progress->is_shown) {
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 16, "");
        fflush(stderr);
        progress->is_shown = FALSE;
    }
}
