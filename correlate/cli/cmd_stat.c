/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr stat: how the times of each hop are distributed.
 */
#include "run.h"

static gboolean run_stat(const Options *options, ExitCode *ret_code, GError **error)
{
    return run_single_report(options, "stat", FALSE, ret_code, error);
}

const Command command_stat = {
    .name = "stat",
    .arguments = "[tx] [rx] [dev=NAME] HOST… GUEST…",
    .summary = "show how the times of each hop are distributed",
    .description = "Prints quantiles and a histogram of each hop of each queue, how full the device\n"
                   "and the driver were, and how many buffers a kick or an irq stands for.",
    .options = OPTIONS_INPUT | OPTIONS_RUN | OPTIONS_FILTER,
    .run = run_stat,
};
