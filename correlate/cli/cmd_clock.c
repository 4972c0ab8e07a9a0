/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr clock: how the guest's clock was put on the host's time line.
 */
#include "run.h"

static gboolean run_clock(const Options *options, ExitCode *ret_code, GError **error)
{
    return run_single_report(options, "clock", FALSE, ret_code, error);
}

const Command command_clock = {
    .name = "clock",
    .arguments = "HOST… GUEST…",
    .summary = "show how the clocks were aligned, and how well",
    .description = "Prints the method, the bound over time, and what contradicts it.",
    .options = OPTIONS_INPUT | OPTIONS_RUN,
    .run = run_clock,
};
