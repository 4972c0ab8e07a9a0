/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of the kernel's ring buffer: records and their times.
 *
 * Layout: include/linux/ring_buffer.h and kernel/trace/ring_buffer.c of Linux. A page is untrusted:
 * nothing outside its committed bytes is read.
 */
#ifndef VIRTCORR_TRACE_DAT_PAGE_H
#define VIRTCORR_TRACE_DAT_PAGE_H

#include "bytes.h"

/**
 * DatLayout: what pages look like on the traced machine.
 * @commit_size: 4 or 8
 * @data_offset: where the records begin
 * @page_size: a power of two
 */
typedef struct DatLayout {
    guint commit_size;
    guint data_offset;
    guint page_size;
    gboolean big_endian;
    gboolean swapped;
} DatLayout;

/**
 * DatPage: a place in a page.
 * @at, @end: what was not read yet of the committed bytes
 * @time: of the last record
 * @payload, @len: the last record
 * @missed: whether records were lost before the page
 * @n_missed: how many, 0 if unknown
 * @damaged: the rest makes no sense and is left out
 */
typedef struct DatPage {
    const guint8 *at;
    const guint8 *end;
    guint64 time;
    const guint8 *payload;
    guint32 len;
    gboolean missed;
    guint64 n_missed;
    gboolean damaged;
} DatPage;

/* Begin with the first record of the page of layout->page_size bytes at @bytes. */
void dat_page_begin(DatPage *page, const DatLayout *layout, const guint8 *bytes);

/* Go to the next record that is not padding or a time; FALSE when there is none. */
gboolean dat_page_next(DatPage *page, const DatLayout *layout);

#endif
