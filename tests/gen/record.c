/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From what happens to what the traces hold: their begin and end, their losses, their clock.
 */
#include "model.h"

static void tell_guest_files(Model *model, const KernelRecord *record)
{
    guint8 payload[MAX_PAYLOAD];
    guint size = tracepoint_encode(record, payload);

    for (guint i = 0; i < G_N_ELEMENTS(model->guest_files); i++) {
        if (model->guest_files[i]) {
            model->guest_files[i]->record(model->guest_files[i], record, payload, size);
        }
    }
}

static void end_cpu_loss(Model *model, guint cpu, const TrueStep *step)
{
    CpuLoss *loss = &model->cpu_losses[cpu];

    for (guint i = 0; i < G_N_ELEMENTS(model->guest_files); i++) {
        if (model->guest_files[i]) {
            model->guest_files[i]->lost(model->guest_files[i], cpu, loss->lost, step->raw);
        }
    }
    truth_loss(model, "guest", loss->last_time, step->time, loss->lost);
    loss->lost = 0;
}

static Fate guest_fate(Model *model, guint cpu)
{
    enum { MIN_LOST = 20, MAX_LOST = 1500 };
    CpuLoss *loss = &model->cpu_losses[cpu];
    guint progress = model_progress(model);

    if (progress < model->config->guest_begin || progress > model->config->guest_end) {
        return FATE_OUTSIDE;
    }
    if (loss->last_time && loss_plan_due(&model->guest_losses, progress)) {
        loss->remaining = random_between(&model->random, MIN_LOST, MAX_LOST);
    }
    if (loss->remaining > 0) {
        loss->remaining--;
        loss->lost++;
        return FATE_LOST;
    }
    return FATE_RECORDED;
}

static TrueStep record_kernel(Model *model, guint cpu, KernelRecord record)
{
    CpuLoss *loss = &model->cpu_losses[cpu];
    TrueStep step = {.time = model->cpus[cpu].now, .fate = guest_fate(model, cpu)};

    step.raw = guest_clock_read(&model->clock, step.time);
    if (step.fate == FATE_RECORDED) {
        if (loss->lost > 0) {
            end_cpu_loss(model, cpu, &step);
        }
        record.cpu = cpu;
        record.tid = model->cpus[cpu].tid;
        record.raw = step.raw;
        tell_guest_files(model, &record);
        loss->last_time = step.time;
        model->n_guest_records++;
    }
    cpu_spend(model, cpu, 60, 120);
    return step;
}

/* The addresses that the kernel gives as the place of a free. */
enum { LOCATION_FREE = 0x1000 };

TrueStep record_guest(Model *model, guint cpu, TracepointId id, guint64 ptr, guint32 a, guint32 b)
{
    KernelRecord record = {
        .id = id,
        .name = "eth0",
        .ptr = ptr,
        .ptr2 = 0xffffffffc0560000 + LOCATION_FREE,
        .num = {a, b, id == TP_NAPI_RECEIVE ? 0x2000 + b : 0},
    };

    return record_kernel(model, cpu, record);
}

TrueStep record_guest_named(Model *model, guint cpu, TracepointId id, const char *name, guint32 a,
                            guint32 b)
{
    KernelRecord record = {.id = id, .name = name, .num = {a, b}};

    return record_kernel(model, cpu, record);
}

/* QEMU loses records only while its buffer is full. */
static Fate host_fate(Model *model)
{
    enum { MIN_LOST = 10, MAX_LOST = 3000 };
    LossPlan *plan = &model->host_losses;
    guint progress = model_progress(model);

    if (progress < model->config->host_begin || progress > model->config->host_end) {
        return FATE_OUTSIDE;
    }
    if (!plan->is_waiting && plan->remaining == 0 && loss_plan_due(plan, progress)) {
        plan->is_waiting = TRUE;
        simpletrace_stall(model->host);
    }
    if (plan->is_waiting && simpletrace_is_full(model->host)) {
        plan->is_waiting = FALSE;
        plan->remaining = random_between(&model->random, MIN_LOST, MAX_LOST);
    }
    return plan->remaining > 0 ? FATE_LOST : FATE_RECORDED;
}

static void lose_host_record(Model *model)
{
    LossPlan *plan = &model->host_losses;

    plan->lost++;
    if (--plan->remaining == 0) {
        SimpletraceLoss loss =
            simpletrace_resume(model->host, model->last_host_time + 100, plan->lost);

        truth_loss(model, "host", loss.begin, loss.end, loss.records);
        plan->lost = 0;
    }
}

TrueStep record_host(Model *model, const QemuRecord *record)
{
    TrueStep step = {record->time, record->time, FATE_OUTSIDE};

    if (!model->host) {
        model->n_host_records++;
        return step;
    }
    step.fate = host_fate(model);
    model->last_host_time = MAX(model->last_host_time, record->time);
    if (step.fate == FATE_RECORDED) {
        simpletrace_record(model->host, record, model->now);
        model->n_host_records++;
    } else if (step.fate == FATE_LOST) {
        lose_host_record(model);
    }
    return step;
}

TrueStep record_tap(Model *model, guint cpu, guint64 time, KernelRecord record)
{
    TrueStep step = {time, time, FATE_OUTSIDE};
    guint8 payload[MAX_PAYLOAD];

    if (model->tap_file) {
        record.cpu = cpu;
        record.raw = time;
        record.name = "tap0";
        record.ptr2 = 0xffffffff81000000;
        model->tap_file->record(model->tap_file, &record, payload,
                                tracepoint_encode(&record, payload));
        step.fate = FATE_RECORDED;
    }
    return step;
}

/* Losses that no record followed are not in the files. */
void record_end(Model *model)
{
    for (guint cpu = 0; cpu < model->config->cpus; cpu++) {
        CpuLoss *loss = &model->cpu_losses[cpu];

        if (loss->lost > 0) {
            truth_loss(model, "guest", loss->last_time, model->cpus[cpu].now, loss->lost);
        }
    }
    if (model->host_losses.lost > 0) {
        model->host_losses.remaining = 1;
        lose_host_record(model);
    }
}
