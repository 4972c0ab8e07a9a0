/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What really happened, a line a buffer: for tests/prop/check_truth.py.
 */
#include <inttypes.h>

#include "model.h"

static const char *const fates[] = {
    [FATE_RECORDED] = "recorded",
    [FATE_LOST] = "lost",
    [FATE_OUTSIDE] = "outside",
};

static void print_step(FILE *out, const char **separator, const char *name, const TrueStep *step)
{
    if (step->fate != FATE_NONE) {
        fprintf(out, "%s\"%s\":[%" PRIu64 ",%" PRId64 ",\"%s\"]", *separator, name, step->time,
                (gint64)step->raw, fates[step->fate]);
        *separator = ",";
    }
}

static void print_part(Model *model, const Packet *packet, guint i)
{
    const TruePart *part = &packet->parts[i];
    gboolean is_tx = model->rings[packet->queue].is_tx;
    const char *separator = "";
    FILE *out = model->truth;

    fprintf(out,
            "{\"type\":\"buffer\",\"packet\":%" PRIu64 ",\"queue\":%u,\"dir\":\"%s\",\"life\":%u,"
            "\"seq\":%" PRIu64 ",\"part\":%u,\"parts\":%u,\"len\":%u",
            packet->number, packet->queue, is_tx ? "tx" : "rx", packet->life, part->seq, i,
            packet->n_parts, packet->len);
    if (part->pop.fate == FATE_RECORDED) {
        fprintf(out, ",\"k\":%" PRIu64, part->k);
    }
    if (packet->n_refused) {
        fprintf(out, ",\"refused\":%u", packet->n_refused);
    }
    if (packet->merged_into) {
        fprintf(out, ",\"merged_into\":%" PRIu64, packet->merged_into);
    }
    fprintf(out, "%s%s,\"steps\":{", packet->is_reset ? ",\"reset\":true" : "",
            packet->is_dropped ? ",\"dropped\":true" : "");
    for (guint step = 0; step < N_STEPS; step++) {
        print_step(out, &separator, step_info(step)->name, &packet->guest[step]);
    }
    print_step(out, &separator, is_tx ? "tap-out" : "tap-in", &packet->tap);
    print_step(out, &separator, "pop", &part->pop);
    print_step(out, &separator, "fill", &part->fill);
    print_step(out, &separator, "push", &part->push);
    fprintf(out, "}}\n");
}

void truth_packet(Model *model, const Packet *packet)
{
    for (guint i = 0; model->truth && i < packet->n_parts; i++) {
        print_part(model, packet, i);
    }
}

void truth_loss(Model *model, const char *side, guint64 begin, guint64 end, guint64 n)
{
    if (model->truth) {
        fprintf(model->truth,
                "{\"type\":\"loss\",\"side\":\"%s\",\"begin\":%" PRIu64 ",\"end\":%" PRIu64
                ",\"records\":%" PRIu64 "}\n",
                side, begin, end, n);
    }
}

void truth_reset(Model *model, guint64 time)
{
    if (model->truth) {
        fprintf(model->truth, "{\"type\":\"reset\",\"time\":%" PRIu64 "}\n", time);
    }
}

static void print_clock(Model *model)
{
    FILE *out = model->truth;

    fprintf(out, "{\"type\":\"clock\",\"pieces\":[");
    for (guint i = 0; i < model->clock.pieces->len; i++) {
        const ClockPiece *piece = &g_array_index(model->clock.pieces, ClockPiece, i);

        fprintf(out,
                "%s{\"begin\":%" PRIu64 ",\"raw\":%" PRIu64 ",\"num\":%" PRIu64 ",\"den\":%" PRIu64
                "}",
                i ? "," : "", piece->begin, piece->raw, piece->num, piece->den);
    }
    fprintf(out, "],\"tsc_khz\":%u}\n", model->clock.model == CLOCK_MODEL_TSC ? TSC_KHZ : 0);
}

void truth_end(Model *model)
{
    if (model->truth) {
        print_clock(model);
        fprintf(model->truth, "{\"type\":\"end\",\"host_records\":%" PRIu64 ",\"guest_records\":%"
                PRIu64 "}\n", model->n_host_records, model->n_guest_records);
    }
}
