/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr show: the journeys one by one.
 */
#include "run.h"

static gboolean run_show(const Options *options, ExitCode *ret_code, GError **error)
{
    return run_single_report(options, "chart", !options->orphans, ret_code, error);
}

const Command command_show = {
    .name = "show",
    .arguments = "[tx] [rx] [dev=NAME] HOST… GUEST…",
    .summary = "show each packet's way, guest and host side by side",
    .description = "Shows received packets as charts, one for each run of the NET_RX softirq, and\n"
                   "sent packets as a table, one line a packet.",
    .options = OPTIONS_INPUT | OPTIONS_RUN | OPTIONS_FILTER | OPTIONS_SHOW,
    .run = run_show,
};
