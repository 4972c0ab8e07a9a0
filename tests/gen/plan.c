/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In which places of the run something rare happens.
 */
#include "model.h"

static int compare_descending(const void *a, const void *b)
{
    return (int)*(const guint *)b - (int)*(const guint *)a;
}

void loss_plan_init(LossPlan *plan, Random *random, guint n)
{
    enum { FIRST = 150, LAST = 850 };

    plan->n_places = MIN(n, MAX_PLACES);
    for (guint i = 0; i < plan->n_places; i++) {
        plan->places[i] = random_between(random, FIRST, LAST);
    }
    qsort(plan->places, plan->n_places, sizeof(guint), compare_descending);
}

gboolean loss_plan_due(LossPlan *plan, guint progress)
{
    if (plan->n_places == 0 || progress < plan->places[plan->n_places - 1]) {
        return FALSE;
    }
    plan->n_places--;
    return TRUE;
}
