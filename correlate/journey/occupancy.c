/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many buffers are in one place at a time.
 */
#include "journey/occupancy.h"

/* Something comes (+1) or goes (-1). */
typedef struct Edge {
    gint64 time;
    gint change;
} Edge;

struct Occupancy {
    GArray *edges; /* not yet counted */
    gint64 present;
    Histogram *levels;
};

Occupancy *occupancy_new(void)
{
    Occupancy *occupancy = g_new0(Occupancy, 1);

    occupancy->edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    occupancy->levels = histogram_new();
    return occupancy;
}

void occupancy_free(Occupancy *occupancy)
{
    if (occupancy == NULL) {
        return;
    }
    g_array_unref(occupancy->edges);
    histogram_free(occupancy->levels);
    g_free(occupancy);
}

/* At the same time, who goes makes room for who comes. */
static gint compare_edges(gconstpointer a, gconstpointer b)
{
    const Edge *left = a;
    const Edge *right = b;

    if (left->time != right->time) {
        return left->time < right->time ? -1 : 1;
    }
    return left->change - right->change;
}

/* Count the first @n edges. */
static void drain(Occupancy *occupancy, guint n)
{
    for (guint i = 0; i < n; i++) {
        const Edge *edge = &g_array_index(occupancy->edges, Edge, i);

        occupancy->present += edge->change;
        if (edge->change > 0) {
            histogram_add(occupancy->levels, occupancy->present);
        }
    }
    g_array_remove_range(occupancy->edges, 0, n);
}

void occupancy_add(Occupancy *occupancy, gint64 from, gint64 to)
{
    Edge edges[] = {{from, 1}, {MAX(from + 1, to), -1}};

    g_array_append_vals(occupancy->edges, edges, G_N_ELEMENTS(edges));
    if (occupancy->edges->len >= 2 * OCCUPANCY_WINDOW) {
        g_array_sort(occupancy->edges, compare_edges);
        drain(occupancy, occupancy->edges->len / 2);
    }
}

Histogram *occupancy_finish(Occupancy *occupancy)
{
    g_array_sort(occupancy->edges, compare_edges);
    drain(occupancy, occupancy->edges->len);
    return occupancy->levels;
}
