/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Solves the pairs on stdin and prints the map at the times asked for; driven by clock_oracle.py.
 *
 * One command a line, numbers in decimal, guest times modulo 2^64:
 *   prior LO_NUM LO_DEN HI_NUM HI_DEN MAY_CUT    begins a new solver
 *   u GUEST HOST TAG / l GUEST HOST TAG          an upper (guest first) or a lower pair
 *   end                                          prints the segments and the contradictions
 *   q GUEST                                      prints where GUEST lies
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock/map.h"

typedef struct Tool {
    ClockSolver *solver;
    ClockMap *map;
} Tool;

static void tool_clear(Tool *tool)
{
    g_clear_pointer(&tool->solver, clock_solver_free);
    g_clear_pointer(&tool->map, clock_map_free);
}

static gboolean on_prior(Tool *tool, const char *args)
{
    ClockPrior prior;
    int may_cut;

    if (sscanf(args, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %d", &prior.lo.num,
               &prior.lo.den, &prior.hi.num, &prior.hi.den, &may_cut) != 5) {
        return FALSE;
    }
    tool_clear(tool);
    tool->solver = clock_solver_new(&prior, may_cut);
    return TRUE;
}

static gboolean on_pair(Tool *tool, const char *args, ClockSideOf order)
{
    guint64 guest;
    ClockPair pair = {.order = order};

    if (tool->solver == NULL ||
        sscanf(args, "%" SCNu64 " %" SCNd64 " %" SCNu64, &guest, &pair.host.ns, &pair.tag) != 3) {
        return FALSE;
    }
    pair.guest.raw = (gint64)guest;
    clock_solver_add(tool->solver, &pair);
    return TRUE;
}

static gboolean on_upper(Tool *tool, const char *args)
{
    return on_pair(tool, args, CLOCK_GUEST_FIRST);
}

static gboolean on_lower(Tool *tool, const char *args)
{
    return on_pair(tool, args, CLOCK_HOST_FIRST);
}

static void print_tags(const ClockPair *pairs, guint n)
{
    for (guint i = 0; i < n; i++) {
        printf(" %" PRIu64, pairs[i].tag);
    }
    printf("\n");
}

static void print_segment(const ClockSegment *segment)
{
    printf("segment %" PRIu64 " %" PRIu64, (guint64)segment->begin.raw, (guint64)segment->end.raw);
    printf(" %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, segment->rate_lo.num,
           segment->rate_lo.den, segment->rate_hi.num, segment->rate_hi.den);
    printf(" %" PRId64 " %" PRId64 " %" PRIu64 " %u", segment->half_width,
           segment->worst_half_width, segment->n_pairs, segment->n_hull);
    print_tags(segment->cut_by, segment->n_cut_by);
}

static gboolean on_end(Tool *tool, const char *args)
{
    ClockPair witnesses[3];
    guint n;

    if (tool->solver == NULL) {
        return FALSE;
    }
    g_clear_pointer(&tool->map, clock_map_free);
    tool->map = clock_solver_finish(tool->solver);
    for (guint i = 0; i < clock_map_n_segments(tool->map); i++) {
        ClockSegment segment = clock_map_segment(tool->map, i);

        print_segment(&segment);
    }
    n = clock_map_witnesses(tool->map, witnesses);
    printf("contradictions %" PRIu64, clock_map_n_contradictions(tool->map));
    print_tags(witnesses, n);
    return TRUE;
}

static gboolean on_query(Tool *tool, const char *args)
{
    guint64 guest;
    HostSpan span;

    if (tool->map == NULL || sscanf(args, "%" SCNu64, &guest) != 1) {
        return FALSE;
    }
    span = clock_map_place(tool->map, (GuestTime){(gint64)guest});
    printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", span.lo.ns, span.at.ns, span.hi.ns);
    return TRUE;
}

static const struct {
    const char *name;
    gboolean (*run)(Tool *tool, const char *args);
} commands[] = {
    {"prior ", on_prior}, {"u ", on_upper}, {"l ", on_lower}, {"end", on_end}, {"q ", on_query},
};

static gboolean run_line(Tool *tool, const char *line)
{
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (g_str_has_prefix(line, commands[i].name)) {
            return commands[i].run(tool, line + strlen(commands[i].name));
        }
    }
    return FALSE;
}

int main(void)
{
    char line[256];
    Tool tool = {0};
    int status = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (!run_line(&tool, line)) {
            fprintf(stderr, "clock_tool: not understood: %s", line);
            status = 1;
        }
    }
    tool_clear(&tool);
    return status;
}
