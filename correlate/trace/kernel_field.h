/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fields of a raw kernel record: numbers and strings out of untrusted bytes.
 */
#ifndef VIRTCORR_TRACE_KERNEL_FIELD_H
#define VIRTCORR_TRACE_KERNEL_FIELD_H

#include <traceevent/event-parse.h>

#include "bytes.h"

/**
 * FieldPlace: where a field lies in a record.
 * @offset, @size: of the field itself; for dynamic ones, of the word that locates the data
 * @is_dynamic: __data_loc or __rel_loc
 * @is_relative: __rel_loc: the data's offset counts from the end of the word
 * @is_signed: sign-extend numbers
 */
typedef struct FieldPlace {
    guint32 offset;
    guint32 size;
    gboolean is_dynamic;
    gboolean is_relative;
    gboolean is_signed;
} FieldPlace;

/* Bytes inside a record. */
typedef struct FieldBytes {
    const guint8 *at;
    gsize len;
} FieldBytes;

/* The place of @field; FALSE when its offset and size make no sense. */
gboolean field_place(const struct tep_format_field *field, FieldPlace *ret_place);

/* Whether @field is one number, of 1, 2, 4 or 8 bytes. */
gboolean field_is_number(const struct tep_format_field *field);

/* Whether @field is a string: an array of char, in the record or located by it. */
gboolean field_is_text(const struct tep_format_field *field);

/* The number at @at, of a field that field_is_number() accepts. */
static inline guint64 field_number(const guint8 *at, gsize size, gboolean is_signed,
                                   gboolean swapped)
{
    switch (size) {
    case 1:
        return is_signed ? (guint64)(gint8)*at : *at;
    case 2:
        return is_signed ? (guint64)(gint16)bytes_u16(at, swapped) : bytes_u16(at, swapped);
    case 4:
        return is_signed ? (guint64)(gint32)bytes_u32(at, swapped) : bytes_u32(at, swapped);
    default:
        return bytes_u64(at, swapped);
    }
}

/*
 * The bytes of a field; FALSE when they are not all inside the record. A dynamic field's word holds
 * the length in its upper and the offset in its lower half (include/trace/stages of Linux).
 */
static inline gboolean field_bytes(const FieldPlace *place, const guint8 *raw, gsize size,
                                   gboolean swapped, FieldBytes *ret_bytes)
{
    gsize begin = place->offset;
    gsize len = place->size;

    if (begin > size || len > size - begin) {
        return FALSE;
    }
    if (place->is_dynamic) {
        guint32 word = bytes_u32(raw + begin, swapped);

        begin = (word & 0xffff) + (place->is_relative ? begin + len : 0);
        len = word >> 16;
        if (begin > size || len > size - begin) {
            return FALSE;
        }
    }
    ret_bytes->at = raw + begin;
    ret_bytes->len = len;
    return TRUE;
}

#endif
