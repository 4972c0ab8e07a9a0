/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the generator was asked for.
 */
#ifndef VIRTCORR_GEN_CONFIG_H
#define VIRTCORR_GEN_CONFIG_H

#include "guest_clock.h"

typedef enum Pattern {
    PATTERN_MIXED,    /* bursts of packets of many lengths */
    PATTERN_PINGPONG, /* a request, its answer, a pause */
    PATTERN_BULK,     /* long bursts, large sends, merged receives */
    PATTERN_CONSTANT, /* every packet has the same length */
} Pattern;

enum { MAX_PAIRS = 8 };

/**
 * GenConfig: the options, see the table in config.c.
 * @packets: each way
 * @events: stop when both sides have so many records; 0: stop by @packets
 * @guest_begin, @guest_end, @host_begin, @host_end: part of the run that the traces cover, in
 *                                                   1/1000
 * @drop_ppm, @rx_drop_ppm: packets per million that get lost
 */
typedef struct GenConfig {
    char *out;
    guint64 seed;
    guint64 packets;
    guint64 events;
    gboolean mergeable;
    guint pairs;
    guint cpus;
    guint ring;
    guint guest_begin;
    guint guest_end;
    guint host_begin;
    guint host_end;
    guint host_losses;
    guint guest_losses;
    guint resets;
    ClockModel clock;
    gboolean has_offset;
    guint64 offset;
    gboolean coalesce;
    guint drop_ppm;
    guint rx_drop_ppm;
    Pattern pattern;
    gboolean no_tx;
    gboolean no_rx;
    gboolean noise;
    gboolean write_host;
    gboolean write_perf;
    gboolean write_dat;
    gboolean write_tap;
    gboolean write_truth;
} GenConfig;

/* Fill @config from the command line; FALSE with @error if that makes no sense. */
gboolean gen_config_parse(GenConfig *config, int *argc, char ***argv, GError **error);
void gen_config_clear(GenConfig *config);

#endif
