/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is counted of each queue while journeys go by.
 */
#include "journey/tally.h"

#include <string.h>

struct Tally {
    HopDetail detail;
    GPtrArray *queues;   /* QueueTally */
    GHashTable *by_queue; /* Queue → QueueTally */
    gboolean has_host;
    gboolean has_guest;
};

static void queue_tally_free(QueueTally *queue)
{
    hop_table_free(queue->hops);
    occupancy_free(queue->in_device);
    histogram_free(queue->held);
    g_free(queue);
}

Tally *tally_new(HopDetail detail)
{
    Tally *tally = g_new0(Tally, 1);

    tally->detail = detail;
    tally->queues = g_ptr_array_new_with_free_func((GDestroyNotify)queue_tally_free);
    tally->by_queue = g_hash_table_new(NULL, NULL);
    return tally;
}

void tally_free(Tally *tally)
{
    if (tally == NULL) {
        return;
    }
    g_hash_table_unref(tally->by_queue);
    g_ptr_array_unref(tally->queues);
    g_free(tally);
}

void tally_add_source(Tally *tally, const RunSource *source)
{
    tally->has_host |= strcmp(source->side, "host") == 0;
    tally->has_guest |= strcmp(source->side, "guest") == 0;
}

/* Orphans have hops too where there is one side only, so that nothing can be joined. */
static gboolean is_timed(const Tally *tally, Grade grade)
{
    if (grade == GRADE_ORPHAN) {
        return !tally->has_host || !tally->has_guest;
    }
    return grade != GRADE_AMBIGUOUS;
}

static QueueTally *find(Tally *tally, const Queue *queue)
{
    QueueTally *found = g_hash_table_lookup(tally->by_queue, queue);

    if (found == NULL) {
        found = g_new0(QueueTally, 1);
        found->queue = queue;
        found->hops = hop_table_new(tally->detail);
        found->in_device = occupancy_new();
        found->held = histogram_new();
        g_ptr_array_add(tally->queues, found);
        g_hash_table_insert(tally->by_queue, (gpointer)queue, found);
    }
    return found;
}

void tally_add_queue(Tally *tally, const Queue *queue)
{
    find(tally, queue);
}

/* Buffers that share a notification have the same stamp and come one after the other. */
static void count_stamps(QueueTally *queue, const Journey *journey)
{
    for (guint i = 0; i < journey->n_steps; i++) {
        const Step *step = &journey->steps[i];

        if (queue->stamps[step->step] == 0 || queue->last_stamp[step->step] != step->raw) {
            queue->stamps[step->step]++;
            queue->last_stamp[step->step] = step->raw;
        }
    }
}

static void measure(QueueTally *queue, const Journey *journey)
{
    const Step *pop = journey_step(journey, STEP_POP);
    const Step *push = journey_step(journey, STEP_PUSH);

    queue->timed++;
    hop_table_add(queue->hops, journey);
    count_stamps(queue, journey);
    if (pop != NULL && push != NULL) {
        occupancy_add(queue->in_device, pop->when.at.ns, push->when.at.ns);
    }
    if (journey->held >= 0) {
        histogram_add(queue->held, journey->held);
    }
}

void tally_add(Tally *tally, const Journey *journey)
{
    QueueTally *queue = find(tally, journey->queue);

    queue->grades[journey->grade]++;
    if (journey->grade == GRADE_ORPHAN) {
        queue->reasons[journey->reason]++;
    } else {
        queue->joined++;
        queue->packets += journey->part == 0;
    }
    if (is_timed(tally, journey->grade)) {
        measure(queue, journey);
    }
}

QueueTally *tally_at(const Tally *tally, guint i)
{
    return i < tally->queues->len ? g_ptr_array_index(tally->queues, i) : NULL;
}
