/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns of text, aligned.
 */
#include "table.h"

#include <string.h>

struct Table {
    const char *alignment;
    guint n_columns;
    GPtrArray *cells;
    guint *widths;
};

Table *table_new(const char *alignment)
{
    Table *table = g_new0(Table, 1);

    table->alignment = alignment;
    table->n_columns = strlen(alignment);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    table->widths = g_new0(guint, table->n_columns);
    return table;
}

void table_free(Table *table)
{
    if (table == NULL) {
        return;
    }
    g_ptr_array_unref(table->cells);
    g_free(table->widths);
    g_free(table);
}

guint text_width(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        gunichar c = g_utf8_get_char(text);

        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

void table_take(Table *table, char *text)
{
    guint column = table->cells->len % table->n_columns;

    table->widths[column] = MAX(table->widths[column], text_width(text));
    g_ptr_array_add(table->cells, text);
}

void table_add(Table *table, const char *text)
{
    table_take(table, g_strdup(text));
}

static void print_spaces(FILE *out, guint n)
{
    fprintf(out, "%*s", (int)n, "");
}

/* Blanks are printed late, so that no line ends in them. */
static void print_row(const Table *table, FILE *out, guint row)
{
    guint pending = 0;

    for (guint column = 0; column < table->n_columns; column++) {
        const char *text = g_ptr_array_index(table->cells, row * table->n_columns + column);
        guint padding = table->widths[column] - text_width(text);

        if (table->widths[column] == 0) {
            continue;
        }
        if (*text == '\0') {
            pending += padding + 2;
            continue;
        }
        print_spaces(out, pending + (table->alignment[column] == 'r' ? padding : 0));
        fputs(text, out);
        pending = 2 + (table->alignment[column] == 'r' ? 0 : padding);
    }
    fputc('\n', out);
}

void table_print(const Table *table, FILE *out, guint indent)
{
    for (guint row = 0; row < table->cells->len / table->n_columns; row++) {
        print_spaces(out, indent);
        print_row(table, out, row);
    }
}
