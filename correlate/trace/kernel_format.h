/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Event format texts, cleaned of all that is not a plain field.
 */
#ifndef VIRTCORR_TRACE_KERNEL_FORMAT_H
#define VIRTCORR_TRACE_KERNEL_FORMAT_H

#include <glib.h>

/**
 * kernel_format_clean: the same format, written anew from what is understood of @text.
 *
 * libtraceevent is made for the texts of a kernel: it leaks on texts that break off, and recurses
 * on the expression in print fmt as deep as that goes. So it gets only lines of a strict form, and
 * an empty print fmt. A field that is not of that form is left out, as if the event did not have
 * it.
 *
 * Returns: NULL if there is no name, no id, or more than KERNEL_FORMAT_MAX_FIELDS fields
 */
char *kernel_format_clean(const char *text, gsize len);

enum { KERNEL_FORMAT_MAX_FIELDS = 512 };

#endif
