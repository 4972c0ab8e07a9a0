/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of an event format: whether it is one that the kernel writes.
 *
 * Form: f_show() in kernel/trace/trace_events.c.
 */
#include "kernel_text.h"

#include <string.h>

/* Go over @word if it comes next. */
static gboolean take(const char **at, const char *word)
{
    gsize len = strlen(word);

    if (strncmp(*at, word, len) != 0) {
        return FALSE;
    }
    *at += len;
    return TRUE;
}

static gboolean take_number(const char **at)
{
    enum { MAX_DIGITS = 9 };
    gsize n = strspn(*at, "0123456789");

    *at += n;
    return n > 0 && n <= MAX_DIGITS;
}

static gboolean take_identifier(const char **at)
{
    const char *begin = *at;

    while (g_ascii_isalnum(**at) || **at == '_') {
        (*at)++;
    }
    return *at > begin && !g_ascii_isdigit(*begin);
}

/* "[]", "[16]", "[TASK_COMM_LEN]" */
static gboolean take_brackets(const char **at)
{
    (*at)++;
    while (g_ascii_isalnum(**at) || **at == '_') {
        (*at)++;
    }
    return take(at, "]");
}

/* A declaration as of "__data_loc char[] name": words, asterisks, arrays, and a name in the end. */
static gboolean take_declaration(const char **at)
{
    guint n_words = 0;
    gboolean has_name = FALSE;

    while (**at != ';') {
        if (**at == ' ') {
            (*at)++;
        } else if (**at == '*') {
            (*at)++;
            has_name = FALSE;
        } else if (**at == '[') {
            if (n_words == 0 || !take_brackets(at)) {
                return FALSE;
            }
        } else if (take_identifier(at)) {
            n_words++;
            has_name = TRUE;
        } else {
            return FALSE;
        }
    }
    return n_words >= 2 && has_name;
}

static gboolean take_field(const char **at)
{
    if (!take(at, "\tfield:") || !take_declaration(at) || !take(at, ";\toffset:") ||
        !take_number(at) || !take(at, ";\tsize:") || !take_number(at) || !take(at, ";")) {
        return FALSE;
    }
    if (take(at, "\tsigned:") && (!take_number(at) || !take(at, ";"))) {
        return FALSE; /* kernels before 2.6.32 do not say */
    }
    return take(at, "\n");
}

gboolean kernel_text_is_plain(const char *text)
{
    const char *at = text;

    if (!take(&at, "name: ") || !take_identifier(&at) || !take(&at, "\nID: ") ||
        !take_number(&at) || !take(&at, "\nformat:\n")) {
        return FALSE;
    }
    while (*at != '\0' && !g_str_has_prefix(at, "print fmt:")) {
        if (*at == '\n') {
            at++;
        } else if (!take_field(&at)) {
            return FALSE;
        }
    }
    return TRUE;
}
