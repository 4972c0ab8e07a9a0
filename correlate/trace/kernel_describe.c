/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fields of a kernel record as text.
 */
#include "kernel_describe.h"

#include "kernel_field.h"

/* More bytes of an array than anyone reads are cut. */
enum { MAX_HEX_BYTES = 256 };

static gboolean is_address(const struct tep_format_field *field)
{
    return (field->flags & TEP_FIELD_IS_POINTER) ||
           ((field->flags & TEP_FIELD_IS_LONG) && !(field->flags & TEP_FIELD_IS_SIGNED));
}

static char *hex_text(FieldBytes bytes)
{
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < MIN(bytes.len, MAX_HEX_BYTES); i++) {
        g_string_append_printf(text, "%02x", bytes.at[i]);
    }
    if (bytes.len > MAX_HEX_BYTES) {
        g_string_append(text, "...");
    }
    return g_string_free(text, FALSE);
}

static char *number_text(const struct tep_format_field *field, guint64 number)
{
    if (is_address(field)) {
        return g_strdup_printf("0x%" G_GINT64_MODIFIER "x", number);
    }
    if (field->flags & TEP_FIELD_IS_SIGNED) {
        return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)number);
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT, number);
}

static char *field_text(const struct tep_format_field *field, FieldBytes bytes, gboolean swapped)
{
    gboolean is_signed = (field->flags & TEP_FIELD_IS_SIGNED) != 0;

    if (field_is_number(field)) {
        return number_text(field, field_number(bytes.at, bytes.len, is_signed, swapped));
    }
    if (field_is_text(field)) {
        return g_strndup((const char *)bytes.at, bytes.len);
    }
    return hex_text(bytes);
}

void kernel_describe(const struct tep_event *format, const guint8 *raw, gsize size,
                     gboolean swapped, TraceFieldFunc func, gpointer user_data)
{
    for (const struct tep_format_field *field = format->format.fields; field != NULL;
         field = field->next) {
        FieldPlace place;
        FieldBytes bytes;
        g_autofree char *text = NULL;

        if (!field_place(field, &place) || !field_bytes(&place, raw, size, swapped, &bytes)) {
            continue;
        }
        text = field_text(field, bytes, swapped);
        func(field->name, text, field_is_number(field) && !is_address(field), user_data);
    }
}
