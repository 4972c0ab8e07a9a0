/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Builds trace.dat files, for tests and as seeds for fuzzing.
 */
#ifndef VIRTCORR_TESTS_DAT_BUILDER_H
#define VIRTCORR_TESTS_DAT_BUILDER_H

#include <glib.h>

enum { DAT_PAGE_SIZE = 1024, DAT_XMIT_ID = 1500, DAT_IRQ_ID = 77 };

/* What kind of file; all zero is version 6, little endian, 32 bit. */
typedef struct DatVariant {
    guint version;
    gboolean big_endian;
    guint long_size;
    gboolean zstd;
    const char *algorithm; /* overrides "none" and "zstd" */
    const char *clock;
} DatVariant;

/**
 * DatPages: the pages of one CPU in the making.
 * @used: bytes of the last page that are committed
 */
typedef struct DatPages {
    const DatVariant *variant;
    GByteArray *bytes;
    gsize used;
} DatPages;

/* A trace instance. */
typedef struct DatInstance {
    const char *name;
    const char *clock;
    DatPages *cpus;
    guint n_cpus;
} DatInstance;

void dat_pages_init(DatPages *pages, const DatVariant *variant);
void dat_pages_clear(DatPages *pages);

/* Begin a page; @flags are those of the commit word, @n_missed is put behind the data at its end.
 */
void dat_pages_begin(DatPages *pages, guint64 time);
void dat_pages_missed(DatPages *pages, guint64 n_missed, gboolean is_stored);

/* Set the commit word itself. */
void dat_pages_commit(DatPages *pages, guint64 commit);

/* A net_dev_xmit record, @delta after the record before; its skb is @skb. */
void dat_pages_xmit(DatPages *pages, guint32 delta, guint64 skb, const char *device);

/* An irq_handler_entry record. */
void dat_pages_irq(DatPages *pages, guint32 delta, guint32 irq, const char *action);

/* A record's first word by hand, and words behind it. */
void dat_pages_head(DatPages *pages, guint32 type, guint32 delta);
void dat_pages_word(DatPages *pages, guint32 word);

/* The whole file; instances but the first are named. */
GByteArray *dat_build(const DatVariant *variant, const DatInstance *instances, guint n);

#endif
