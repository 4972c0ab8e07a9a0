/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The generator's options: one table.
 */
#include "config.h"

/* Options as GOption gives them, before their words are understood. */
typedef struct RawOptions {
    gint64 seed;
    gint64 packets;
    gint64 events;
    char *rx_mode;
    int pairs;
    int cpus;
    int ring;
    double guest_begin;
    double guest_end;
    double host_begin;
    double host_end;
    char **losses;
    int resets;
    char *clock;
    char *offset;
    gboolean coalesce;
    double drop_rate;
    double rx_drop_rate;
    char *burst;
    char *one_way;
    gboolean quiet_host;
    char *write;
} RawOptions;

static void raw_options_clear(RawOptions *raw)
{
    g_free(raw->rx_mode);
    g_strfreev(raw->losses);
    g_free(raw->clock);
    g_free(raw->offset);
    g_free(raw->burst);
    g_free(raw->one_way);
    g_free(raw->write);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RawOptions, raw_options_clear)

static gboolean parse_options(RawOptions *raw, GenConfig *config, int *argc, char ***argv,
                              GError **error)
{
    const GOptionEntry entries[] = {
        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &config->out, "folder for the files", "DIR"},
        {"seed", 0, 0, G_OPTION_ARG_INT64, &raw->seed, "everything random follows from it", "N"},
        {"packets", 0, 0, G_OPTION_ARG_INT64, &raw->packets, "packets each way", "N"},
        {"events", 0, 0, G_OPTION_ARG_INT64, &raw->events, "records on each side instead", "N"},
        {"rx-mode", 0, 0, G_OPTION_ARG_STRING, &raw->rx_mode, "receive buffers",
         "small|mergeable"},
        {"queues", 0, 0, G_OPTION_ARG_INT, &raw->pairs, "queue pairs", "N"},
        {"cpus", 0, 0, G_OPTION_ARG_INT, &raw->cpus, "vCPUs", "N"},
        {"ring", 0, 0, G_OPTION_ARG_INT, &raw->ring, "buffers of a queue", "N"},
        {"guest-begin", 0, 0, G_OPTION_ARG_DOUBLE, &raw->guest_begin,
         "where in the run the guest's trace begins", "0..1"},
        {"guest-end", 0, 0, G_OPTION_ARG_DOUBLE, &raw->guest_end, "and ends", "0..1"},
        {"host-begin", 0, 0, G_OPTION_ARG_DOUBLE, &raw->host_begin, "the same for the host",
         "0..1"},
        {"host-end", 0, 0, G_OPTION_ARG_DOUBLE, &raw->host_end, "", "0..1"},
        {"loss", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->losses,
         "lose records in K places; may be given twice", "host:K|guest:K"},
        {"reset", 0, 0, G_OPTION_ARG_INT, &raw->resets, "device resets", "K"},
        {"clock", 0, 0, G_OPTION_ARG_STRING, &raw->clock, "the guest's clock",
         "kvm|tsc|drift|step"},
        {"offset", 0, 0, G_OPTION_ARG_STRING, &raw->offset,
         "what the guest's clock shows when the host's trace begins", "N"},
        {"coalesce", 0, 0, G_OPTION_ARG_NONE, &raw->coalesce,
         "suppress kicks and irqs by event index", NULL},
        {"drop-rate", 0, 0, G_OPTION_ARG_DOUBLE, &raw->drop_rate,
         "share of sends that are dropped or refused", "0..1"},
        {"rx-drop-rate", 0, 0, G_OPTION_ARG_DOUBLE, &raw->rx_drop_rate,
         "share of receives that the guest's driver drops without a trace", "0..1"},
        {"burst", 0, 0, G_OPTION_ARG_STRING, &raw->burst, "traffic",
         "mixed|pingpong|bulk|constant"},
        {"one-way", 0, 0, G_OPTION_ARG_STRING, &raw->one_way, "only one direction", "tx|rx"},
        {"quiet-host", 0, 0, G_OPTION_ARG_NONE, &raw->quiet_host, "no other devices", NULL},
        {"write", 0, 0, G_OPTION_ARG_STRING, &raw->write,
         "files wanted: host,perf,dat,tap,truth (all by default)", "LIST"},
        {NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("- traces of a VM with known truth");

    g_option_context_add_main_entries(context, entries, NULL);
    return g_option_context_parse(context, argc, argv, error);
}

static gboolean fail(GError **error, const char *option, const char *value)
{
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s: cannot use '%s'", option,
                value);
    return FALSE;
}

/* The place of @word in @words, or FALSE with @error. */
static gboolean choose(const char *option, const char *word, const char *const *words,
                       guint *ret_index, GError **error)
{
    *ret_index = 0;
    for (guint i = 0; word && words[i]; i++) {
        if (g_str_equal(word, words[i])) {
            *ret_index = i;
            return TRUE;
        }
    }
    return word ? fail(error, option, word) : TRUE;
}

static gboolean apply_words(const RawOptions *raw, GenConfig *config, GError **error)
{
    static const char *const modes[] = {"small", "mergeable", NULL};
    static const char *const clocks[] = {"kvm", "tsc", "drift", "step", NULL};
    static const char *const bursts[] = {"mixed", "pingpong", "bulk", "constant", NULL};
    static const char *const ways[] = {"both", "tx", "rx", NULL};
    guint mode, clock, burst, way;

    if (!choose("rx-mode", raw->rx_mode, modes, &mode, error) ||
        !choose("clock", raw->clock, clocks, &clock, error) ||
        !choose("burst", raw->burst, bursts, &burst, error) ||
        !choose("one-way", raw->one_way, ways, &way, error)) {
        return FALSE;
    }
    config->mergeable = mode == 1;
    config->clock = clock;
    config->pattern = burst;
    config->no_rx = way == 1;
    config->no_tx = way == 2;
    return TRUE;
}

static gboolean apply_losses(const RawOptions *raw, GenConfig *config, GError **error)
{
    for (guint i = 0; raw->losses && raw->losses[i]; i++) {
        const char *text = raw->losses[i];

        if (g_str_has_prefix(text, "host:")) {
            config->host_losses = atoi(text + strlen("host:"));
        } else if (g_str_has_prefix(text, "guest:")) {
            config->guest_losses = atoi(text + strlen("guest:"));
        } else {
            return fail(error, "loss", text);
        }
    }
    return TRUE;
}

static gboolean wants(const char *list, const char *word)
{
    g_auto(GStrv) words = list ? g_strsplit(list, ",", -1) : NULL;

    return !words || g_strv_contains((const char *const *)words, word);
}

static gboolean apply_numbers(const RawOptions *raw, GenConfig *config, GError **error)
{
    if (raw->pairs < 1 || raw->pairs > MAX_PAIRS || raw->cpus < 1 || raw->cpus > 8) {
        return fail(error, "queues", "that number");
    }
    if (raw->ring < 2 || raw->ring > 32768 || (raw->ring & (raw->ring - 1))) {
        return fail(error, "ring", "a size that is not a power of two");
    }
    if (raw->offset &&
        !g_ascii_string_to_unsigned(raw->offset, 10, 0, G_MAXUINT64, &config->offset, error)) {
        return FALSE;
    }
    config->has_offset = raw->offset != NULL;
    config->seed = raw->seed;
    config->packets = raw->packets;
    config->events = raw->events;
    config->pairs = raw->pairs;
    config->cpus = raw->cpus;
    config->ring = raw->ring;
    config->guest_begin = raw->guest_begin * 1000;
    config->guest_end = raw->guest_end * 1000;
    config->host_begin = raw->host_begin * 1000;
    config->host_end = raw->host_end * 1000;
    config->resets = raw->resets;
    config->drop_ppm = raw->drop_rate * 1e6;
    config->rx_drop_ppm = raw->rx_drop_rate * 1e6;
    return TRUE;
}

gboolean gen_config_parse(GenConfig *config, int *argc, char ***argv, GError **error)
{
    g_auto(RawOptions) raw = {
        .seed = 1,
        .packets = 1000,
        .pairs = 1,
        .cpus = 2,
        .ring = 256,
        .guest_end = 1,
        .host_end = 1,
    };

    if (!parse_options(&raw, config, argc, argv, error)) {
        return FALSE;
    }
    config->coalesce = raw.coalesce;
    config->noise = !raw.quiet_host;
    config->write_host = wants(raw.write, "host");
    config->write_perf = wants(raw.write, "perf");
    config->write_dat = wants(raw.write, "dat");
    config->write_tap = wants(raw.write, "tap");
    config->write_truth = wants(raw.write, "truth");
    if (!config->out) {
        config->out = g_strdup(".");
    }
    return apply_words(&raw, config, error) && apply_losses(&raw, config, error) &&
           apply_numbers(&raw, config, error);
}

void gen_config_clear(GenConfig *config)
{
    g_free(config->out);
}
