/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns of text, aligned. Unlike libsmartcols it does not depend on the locale: the same run
 * gives the same bytes.
 */
#ifndef VIRTCORR_REPORT_TABLE_H
#define VIRTCORR_REPORT_TABLE_H

#include <glib.h>
#include <stdio.h>

typedef struct Table Table;

/* One letter a column: 'l' to align left, 'r' right. @alignment must outlive the table. */
Table *table_new(const char *alignment);
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Add a cell to the current row; the text is copied. A full row is followed by the next. */
void table_add(Table *table, const char *text);

/* The same, and frees @text. */
void table_take(Table *table, char *text);

/* Print all rows, each behind @indent spaces. Columns that are empty everywhere are left out. */
void table_print(const Table *table, FILE *out, guint indent);

/* Columns that @text takes on a terminal. */
guint text_width(const char *text);

#endif
