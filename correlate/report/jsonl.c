/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * JSON lines: the contract for scripts. Every key is described in docs/json.md.
 */
#include "formats.h"

#include "report/json.h"

enum { CONTRACT_VERSION = 1 };

/**
 * Jsonl:
 * @json: the line in the making; until the first line is out it is the "run" line
 * @run_is_open: whether sources can still be added to it
 */
typedef struct Jsonl {
    Json json;
    gboolean run_is_open;
} Jsonl;

static void jsonl_begin(ReportSink *sink)
{
    Jsonl *self = g_new0(Jsonl, 1);

    sink->state = self;
    json_init(&self->json);
    json_begin_object(&self->json, NULL);
    json_string(&self->json, "type", "run");
    json_int(&self->json, "version", CONTRACT_VERSION);
    json_begin_array(&self->json, "sources");
    self->run_is_open = TRUE;
}

static void close_run(ReportSink *sink)
{
    Jsonl *self = sink->state;

    if (self->run_is_open) {
        json_end_array(&self->json);
        json_end_object(&self->json);
        json_end_line(&self->json, sink->out);
        self->run_is_open = FALSE;
    }
}

static Json *begin_line(ReportSink *sink, const char *type)
{
    Jsonl *self = sink->state;

    close_run(sink);
    json_begin_object(&self->json, NULL);
    json_string(&self->json, "type", type);
    return &self->json;
}

static void end_line(ReportSink *sink, Json *json)
{
    json_end_object(json);
    json_end_line(json, sink->out);
}

static void jsonl_source(ReportSink *sink, const RunSource *source)
{
    Json *json = &((Jsonl *)sink->state)->json;

    json_begin_object(json, NULL);
    json_string(json, "file", source->file);
    json_string(json, "format", source->format);
    json_string(json, "side", source->side);
    json_uint(json, "events", source->events);
    json_uint(json, "lost", source->lost);
    json_string(json, "clock", source->clock);
    json_begin_array(json, "problems");
    for (guint i = 0; i < source->n_problems; i++) {
        json_begin_object(json, NULL);
        json_string(json, "text", source->problems[i].text);
        json_uint(json, "offset", source->problems[i].offset);
        json_uint(json, "count", source->problems[i].count);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void put_queue_id(Json *json, const Queue *queue)
{
    char id[16];

    g_snprintf(id, sizeof(id), "q%u", queue->id);
    json_string(json, "queue", id);
}

static void jsonl_queue(ReportSink *sink, const Queue *queue)
{
    Json *json = begin_line(sink, "queue");

    put_queue_id(json, queue);
    json_string(json, "device", queue->device);
    json_string(json, "host_device", queue->host_device);
    json_string(json, "driver", queue->driver);
    json_string(json, "ifname", queue->ifname);
    json_string(json, "tap", queue->tap);
    json_uint(json, "index", queue->index);
    json_string(json, "dir", queue_direction_name(queue->direction));
    json_string(json, "evidence", queue->evidence);
    end_line(sink, json);
}

/* -1 stands for unbounded. */
static void put_width(Json *json, const char *key, gint64 width)
{
    if (width < 0) {
        json_null(json, key);
    } else {
        json_int(json, key, width);
    }
}

static void put_segment(Json *json, const RunClockSegment *segment)
{
    json_begin_object(json, NULL);
    json_int(json, "begin", segment->begin.ns);
    json_int(json, "end", segment->end.ns);
    put_width(json, "half_width", segment->half_width);
    put_width(json, "worst_half_width", segment->worst_half_width);
    json_uint(json, "pairs", segment->n_pairs);
    json_uint(json, "hull", segment->n_hull);
    json_int(json, "rate_lo_ppb", segment->rate_lo_ppb);
    json_int(json, "rate_hi_ppb", segment->rate_hi_ppb);
    json_string(json, "cut_by", segment->cut_by);
    json_end_object(json);
}

static void jsonl_clock(ReportSink *sink, const RunClock *clock)
{
    Json *json = begin_line(sink, "clock");

    json_string(json, "from", clock->from);
    json_string(json, "to", clock->to);
    json_begin_array(json, "segments");
    for (guint i = 0; i < clock->n_segments; i++) {
        put_segment(json, &clock->segments[i]);
    }
    json_end_array(json);
    json_uint(json, "pairs", clock->pairs);
    json_uint(json, "violations", clock->violations);
    json_string(json, "method", clock->method);
    json_string(json, "reason", clock->reason);
    json_string(json, "contradiction", clock->contradiction);
    end_line(sink, json);
}

/* An end of a bound; null if there is none. */
static void put_end(Json *json, const char *key, gint64 ns)
{
    if (ns == G_MININT64 || ns == G_MAXINT64) {
        json_null(json, key);
    } else {
        json_int(json, key, ns);
    }
}

/* A value that nothing bounds is no value. */
static void put_value(Json *json, const char *key, gint64 lo, gint64 value, gint64 hi)
{
    if (lo == G_MININT64 && hi == G_MAXINT64) {
        json_null(json, key);
    } else {
        json_int(json, key, value);
    }
}

static void put_step(Json *json, const Step *step)
{
    const HostSpan *when = &step->when;

    json_begin_object(json, NULL);
    json_string(json, "step", step_info(step->step)->name);
    json_string(json, "side", step_is_guest(step->step) ? "guest" : "host");
    put_value(json, "t", when->lo.ns, when->at.ns, when->hi.ns);
    put_end(json, "lo", when->lo.ns);
    put_end(json, "hi", when->hi.ns);
    json_uint(json, "raw", step->raw);
    if (step->cpu != G_MAXUINT16) {
        json_uint(json, "cpu", step->cpu);
    }
    if (step->tid != 0) {
        json_uint(json, "tid", step->tid);
    }
    json_end_object(json);
}

static void put_steps(Json *json, const Journey *journey)
{
    json_begin_array(json, "steps");
    for (guint i = 0; i < journey->n_steps; i++) {
        put_step(json, &journey->steps[i]);
    }
    json_end_array(json);
}

static void put_hops(Json *json, const Journey *journey)
{
    Hop hops[JOURNEY_MAX_STEPS];
    guint n = journey_hops(journey, HOPS_ALL, hops);

    json_begin_array(json, "hops");
    for (guint i = 0; i < n; i++) {
        const Latency *latency = &hops[i].latency;

        json_begin_object(json, NULL);
        json_string(json, "from", step_info(hops[i].from)->name);
        json_string(json, "to", step_info(hops[i].to)->name);
        put_value(json, "ns", latency->lo, latency->ns, latency->hi);
        put_end(json, "lo", latency->lo);
        put_end(json, "hi", latency->hi);
        json_string(json, "whose", party_name(hops[i].whose));
        json_end_object(json);
    }
    json_end_array(json);
}

/* Facts of the packet, as far as they are known. */
static void put_packet(Json *json, const Journey *journey)
{
    if (journey->len > 0) {
        json_uint(json, "len", journey->len);
    }
    if (journey->n_parts > 1) {
        json_uint(json, "part", journey->part);
        json_uint(json, "parts", journey->n_parts);
    }
    if (journey->held >= 0) {
        json_int(json, "held", journey->held);
    }
    if (journey->skb != 0) {
        char skb[32];

        g_snprintf(skb, sizeof(skb), "0x%" G_GINT64_MODIFIER "x", journey->skb);
        json_string(json, "skb", skb);
    }
}

static void jsonl_journey(ReportSink *sink, const Journey *journey)
{
    gboolean is_orphan = journey->grade == GRADE_ORPHAN;
    Json *json = begin_line(sink, is_orphan ? "orphan" : "journey");

    put_queue_id(json, journey->queue);
    json_uint(json, "seq", journey->seq);
    if (is_orphan) {
        json_string(json, "reason", orphan_reason_name(journey->reason));
    } else {
        json_string(json, "grade", grade_name(journey->grade));
    }
    put_packet(json, journey);
    put_steps(json, journey);
    put_hops(json, journey);
    end_line(sink, json);
}

static void jsonl_loss(ReportSink *sink, const RunLoss *loss)
{
    Json *json = begin_line(sink, "loss");

    json_string(json, "source", loss->source);
    put_end(json, "begin", loss->begin.ns);
    put_end(json, "end", loss->end.ns);
    put_width(json, "records", loss->records == 0 ? -1 : (gint64)loss->records);
    end_line(sink, json);
}

static void jsonl_note(ReportSink *sink, const RunNote *note)
{
    Json *json = begin_line(sink, "note");

    json_string(json, "kind", note->kind);
    json_string(json, "text", note->text);
    end_line(sink, json);
}

static void put_summary(Json *json, const RunTotals *totals)
{
    json_uint(json, "queues", totals->queues);
    json_uint(json, "journeys", totals->journeys);
    json_uint(json, "exact", totals->grades[GRADE_EXACT]);
    json_uint(json, "ordered", totals->grades[GRADE_ORDERED]);
    json_uint(json, "ambiguous", totals->grades[GRADE_AMBIGUOUS]);
    json_uint(json, "orphans", totals->grades[GRADE_ORPHAN]);
    json_uint(json, "lost", totals->lost);
    json_uint(json, "violations", totals->violations);
    json_uint(json, "packets_tx", totals->packets_tx);
    json_uint(json, "packets_rx", totals->packets_rx);
    json_begin_object(json, "orphan_reasons");
    for (guint i = ORPHAN_NONE + 1; i < N_ORPHAN_REASONS; i++) {
        if (totals->orphan_reasons[i] > 0) {
            json_uint(json, orphan_reason_name(i), totals->orphan_reasons[i]);
        }
    }
    json_end_object(json);
}

static gboolean jsonl_end(ReportSink *sink, const RunTotals *totals, GError **error)
{
    Jsonl *self = sink->state;
    Json *json = begin_line(sink, "summary");

    put_summary(json, totals);
    end_line(sink, json);
    json_clear(&self->json);
    g_free(self);
    return TRUE;
}

const ReportType report_jsonl = {
    .name = "jsonl",
    .suffix = ".jsonl",
    .summary = "one JSON object a line, for scripts",
    .begin = jsonl_begin,
    .source = jsonl_source,
    .queue = jsonl_queue,
    .clock = jsonl_clock,
    .journey = jsonl_journey,
    .loss = jsonl_loss,
    .note = jsonl_note,
    .end = jsonl_end,
};
