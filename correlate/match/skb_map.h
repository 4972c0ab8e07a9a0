/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From an skb's address to the packet that holds it now.
 */
#ifndef VIRTCORR_MATCH_SKB_MAP_H
#define VIRTCORR_MATCH_SKB_MAP_H

#include <glib.h>

/**
 * SkbMap: address → 64-bit value and tag, of bounded size.
 *
 * Addresses are reused within microseconds, so an entry is only the latest. The table is
 * set-associative: with more packets in flight than it holds, the oldest of a set is forgotten,
 * which loses a step of a journey but never invents one.
 */
typedef struct SkbMap SkbMap;

/* What is kept for an skb; meaning is the owner's. */
typedef struct SkbEntry {
    guint64 skb; /* 0: free */
    gint64 value;
    guint32 a;
    guint32 b;
    guint32 age;
} SkbEntry;

SkbMap *skb_map_new(void);
void skb_map_free(SkbMap *map);
void skb_map_reset(SkbMap *map);

/* The entry of @skb or NULL; valid until the next put. */
SkbEntry *skb_map_find(SkbMap *map, guint64 skb);

/* The entry of @skb, made if there is none. */
SkbEntry *skb_map_put(SkbMap *map, guint64 skb);

void skb_map_remove(SkbMap *map, SkbEntry *entry);

#endif
