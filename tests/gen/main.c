/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr-gen: writes host.trace, guest.perf.data, guest.dat, hosttap.dat and truth.jsonl of a
 * VM that never was.
 */
#include <errno.h>
#include <string.h>

#include "model.h"

static const TracepointId guest_ids[] = {
    TP_NET_QUEUE, TP_NET_START_XMIT, TP_NET_XMIT, TP_NETIF_RECEIVE, TP_NAPI_RECEIVE,
    TP_NAPI_POLL, TP_IRQ_ENTRY, TP_IRQ_EXIT, TP_SOFTIRQ_RAISE, TP_SOFTIRQ_ENTRY,
    TP_SOFTIRQ_EXIT, TP_SKB_CONSUME, TP_SKB_KFREE, TP_SKB_COPY,
};

static const TracepointId tap_ids[] = {TP_NET_XMIT, TP_NETIF_RECEIVE, TP_KVM_ENTRY, TP_KVM_EXIT};

static const ThreadName guest_threads[] = {
    {400, "sender-0"}, {401, "sender-1"}, {402, "sender-2"}, {403, "sender-3"},
    {404, "sender-4"}, {405, "sender-5"}, {406, "sender-6"}, {407, "sender-7"}, {0, NULL},
};

static const ThreadName tap_threads[] = {
    {2718, "qemu-system-x86"}, {3000, "CPU 0/KVM"}, {3001, "CPU 1/KVM"}, {0, NULL},
};

static gboolean open_guest_files(Model *model, const GenConfig *config, GError **error)
{
    g_autofree char *perf = g_build_filename(config->out, "guest.perf.data", NULL);
    g_autofree char *dat = g_build_filename(config->out, "guest.dat", NULL);
    gboolean is_tsc = config->clock == CLOCK_MODEL_TSC;
    KernelFileOptions options = {
        .machine = "generated-guest",
        .ids = guest_ids,
        .n_ids = G_N_ELEMENTS(guest_ids),
        .threads = guest_threads,
        .n_cpus = config->cpus,
        .clock = is_tsc ? "x86-tsc" : "local",
        .tsc_khz = is_tsc ? TSC_KHZ : 0,
    };

    if (config->write_perf) {
        model->guest_files[0] = perf_data_create(perf, &options, error);
    }
    if (config->write_dat && !*error) {
        model->guest_files[1] = trace_dat_create(dat, &options, error);
    }
    return !*error;
}

static gboolean open_host_files(Model *model, const GenConfig *config, GError **error)
{
    g_autofree char *host = g_build_filename(config->out, "host.trace", NULL);
    g_autofree char *tap = g_build_filename(config->out, "hosttap.dat", NULL);
    g_autofree char *truth = g_build_filename(config->out, "truth.jsonl", NULL);
    KernelFileOptions options = {
        .machine = "generated-host",
        .ids = tap_ids,
        .n_ids = G_N_ELEMENTS(tap_ids),
        .threads = tap_threads,
        .n_cpus = TAP_CPU_VCPU + config->cpus,
        .clock = "mono",
    };

    if (config->write_host) {
        model->host = simpletrace_create(host, error);
    }
    if (config->write_tap && !*error) {
        model->tap_file = trace_dat_create(tap, &options, error);
    }
    if (config->write_truth && !*error) {
        model->truth = fopen(truth, "w");
        if (!model->truth) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot create '%s': %s", truth,
                        g_strerror(errno));
        }
    }
    return !*error;
}

static gboolean finish_kernel_file(KernelFile *file, GError **error)
{
    return !file || file->finish(file, error);
}

static gboolean finish_files(Model *model, GError **error)
{
    if (model->truth && fclose(model->truth) != 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot write truth.jsonl");
        return FALSE;
    }
    return (!model->host || simpletrace_finish(model->host, error)) &&
           finish_kernel_file(model->guest_files[0], error) &&
           finish_kernel_file(model->guest_files[1], error) &&
           finish_kernel_file(model->tap_file, error);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree Model *model = g_new0(Model, 1);
    GenConfig config = {0};
    gboolean is_done = FALSE;

    if (gen_config_parse(&config, &argc, &argv, &error)) {
        model_init(model, &config);
        if (open_host_files(model, &config, &error) && open_guest_files(model, &config, &error)) {
            model_run(model);
            is_done = TRUE;
        }
        model_clear(model);
        is_done = is_done && finish_files(model, &error);
    }
    if (!is_done) {
        g_printerr("virtcorr-gen: %s\n", error->message);
    }
    gen_config_clear(&config);
    return is_done ? 0 : 1;
}
