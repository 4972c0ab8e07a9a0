/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fields of a raw kernel record: where the format text says they are.
 */
#include "kernel_field.h"

/* A record's length is at most a ring-buffer page; perf's raw size is 16 bit. */
enum { MAX_FIELD_END = 1 << 20, DATA_LOC_SIZE = 4 };

gboolean field_place(const struct tep_format_field *field, FieldPlace *ret_place)
{
    gboolean is_dynamic = (field->flags & TEP_FIELD_IS_DYNAMIC) != 0;

    if (field->offset < 0 || field->size < 0 || field->offset > MAX_FIELD_END ||
        field->size > MAX_FIELD_END) {
        return FALSE;
    }
    if (is_dynamic && field->size != DATA_LOC_SIZE) {
        return FALSE;
    }
    *ret_place = (FieldPlace){
        .offset = field->offset,
        .size = field->size,
        .is_dynamic = is_dynamic,
        .is_relative = (field->flags & TEP_FIELD_IS_RELATIVE) != 0,
        .is_signed = (field->flags & TEP_FIELD_IS_SIGNED) != 0,
    };
    return TRUE;
}

gboolean field_is_number(const struct tep_format_field *field)
{
    if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC)) {
        return FALSE;
    }
    return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

gboolean field_is_text(const struct tep_format_field *field)
{
    /* libtraceevent also calls arrays of u8 strings: they hold addresses and packets. */
    return (field->flags & TEP_FIELD_IS_STRING) && strstr(field->type, "char") != NULL &&
           strstr(field->type, "unsigned") == NULL;
}
