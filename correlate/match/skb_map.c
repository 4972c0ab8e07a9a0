/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From an skb's address to the packet that holds it now.
 */
#include "skb_map.h"

#include <string.h>

enum { SET_BITS = 12, WAYS = 8 };

struct SkbMap {
    guint32 age;
    SkbEntry sets[1 << SET_BITS][WAYS];
};

SkbMap *skb_map_new(void)
{
    return g_new0(SkbMap, 1);
}

void skb_map_free(SkbMap *map)
{
    g_free(map);
}

void skb_map_reset(SkbMap *map)
{
    memset(map, 0, sizeof(*map));
}

/* Fibonacci hashing: slab addresses differ in their middle bits only. */
static SkbEntry *set_of(SkbMap *map, guint64 skb)
{
    return map->sets[(skb * 0x9e3779b97f4a7c15u) >> (64 - SET_BITS)];
}

SkbEntry *skb_map_find(SkbMap *map, guint64 skb)
{
    SkbEntry *set = set_of(map, skb);

    for (guint i = 0; i < WAYS; i++) {
        if (set[i].skb == skb && skb != 0) {
            return &set[i];
        }
    }
    return NULL;
}

SkbEntry *skb_map_put(SkbMap *map, guint64 skb)
{
    SkbEntry *set = set_of(map, skb);
    SkbEntry *entry = skb_map_find(map, skb);

    for (guint i = 0; i < WAYS && entry == NULL; i++) {
        if (set[i].skb == 0) {
            entry = &set[i];
        }
    }
    if (entry == NULL) {
        entry = &set[0];
        for (guint i = 1; i < WAYS; i++) {
            if (set[i].age - map->age < entry->age - map->age) {
                entry = &set[i];
            }
        }
    }
    *entry = (SkbEntry){.skb = skb, .age = map->age++};
    return entry;
}

void skb_map_remove(SkbMap *map, SkbEntry *entry)
{
    entry->skb = 0;
}
