/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of an event format: whether it is one that the kernel writes.
 */
#ifndef VIRTCORR_TRACE_KERNEL_TEXT_H
#define VIRTCORR_TRACE_KERNEL_TEXT_H

#include <glib.h>

/**
 * kernel_text_is_plain: whether @text, up to its print fmt, has the form that the kernel gives it.
 *
 * libtraceevent dereferences NULL on some texts that have not: a byte that is not ASCII within the
 * brackets of an array is enough. It must not see them.
 */
gboolean kernel_text_is_plain(const char *text);

#endif
