/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run with its reports: what merge, show, stat and clock have in common.
 */
#ifndef VIRTCORR_CLI_RUN_H
#define VIRTCORR_CLI_RUN_H

#include "command.h"
#include "inputs.h"
#include "journey/filter.h"
#include "outputs.h"

/**
 * run_reports: join @inputs and write @outputs.
 * @filter: journeys and queues that the reports get, or NULL for all
 */
gboolean run_reports(const Options *options, const Inputs *inputs, JourneyFilter *filter,
                     Outputs *outputs, ExitCode *ret_code, GError **error);

/**
 * run_single_report: run with the one report @format on standard output, filtered by @options.
 * @hide_edges: leave out what the other side's trace does not cover, if both sides are there
 */
gboolean run_single_report(const Options *options, const char *format, gboolean hide_edges,
                           ExitCode *ret_code, GError **error);

#endif
