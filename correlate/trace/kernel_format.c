/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Event format texts, cleaned of all that is not a plain field.
 */
#include "kernel_format.h"

#include <string.h>

enum { MAX_NUMBER = 1 << 20 };

static gboolean take_word(const char **at, const char *word)
{
    if (!g_str_has_prefix(*at, word)) {
        return FALSE;
    }
    *at += strlen(word);
    *at += strspn(*at, " \t");
    return TRUE;
}

static gboolean take_number(const char **at, guint *ret_number)
{
    guint64 number;
    char *end;

    if (!g_ascii_isdigit(**at)) {
        return FALSE;
    }
    number = g_ascii_strtoull(*at, &end, 10);
    *ret_number = MIN(number, MAX_NUMBER);
    *at = end + strspn(end, " \t");
    return number <= MAX_NUMBER;
}

/* "offset:8;" */
static gboolean take_attribute(const char **at, const char *key, guint *ret_number)
{
    return take_word(at, key) && take_number(at, ret_number) && take_word(at, ";");
}

static gboolean is_identifier(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Words and stars outside of brackets; words outside are counted. */
static const char *skip_words(const char *at, guint *words)
{
    while (is_identifier(*at) || *at == ' ' || *at == '*') {
        *words += is_identifier(*at) && !is_identifier(at[1]);
        at++;
    }
    return at;
}

/*
 * Whether @text is a plain declaration: words, the last of them the name, and at most one pair of
 * brackets with an expression: "u8 mac[6]", "__data_loc char[] name", "const char * p".
 */
static gboolean is_declaration(const char *text)
{
    static const char in_brackets[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_ +-*/()";
    gboolean is_located =
        g_str_has_prefix(text, "__data_loc ") || g_str_has_prefix(text, "__rel_loc ");
    guint words = 0;

    if (!is_identifier(*text)) {
        return FALSE;
    }
    text = skip_words(text, &words);
    if (*text == '[') {
        if (words < 2) {
            return FALSE;
        }
        text++;
        text += strspn(text, in_brackets);
        if (*text != ']') {
            return FALSE;
        }
        text = skip_words(text + 1, &words);
    } else if (is_located) {
        return FALSE;
    }
    return *text == '\0' && words >= (is_located ? 3 : 2) && text[-1] != ' ' && text[-1] != '*';
}

/* "field:int irq; offset:8; size:4; signed:1;" - kernels before 2.6.34 do not tell the sign. */
static gboolean add_field(GString *out, const char *line)
{
    guint offset, size, is_signed = 0;
    g_autofree char *declaration = NULL;
    const char *end;

    if (!take_word(&line, "field:")) {
        return FALSE;
    }
    end = strchr(line, ';');
    if (end == NULL) {
        return FALSE;
    }
    declaration = g_strndup(line, end - line);
    line = end;
    if (!is_declaration(declaration) || !take_word(&line, ";") ||
        !take_attribute(&line, "offset:", &offset) || !take_attribute(&line, "size:", &size)) {
        return FALSE;
    }
    take_attribute(&line, "signed:", &is_signed);
    g_string_append_printf(out, "\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%u;\n", declaration,
                           offset, size, is_signed != 0);
    return TRUE;
}

static gboolean add_head(GString *out, char **lines)
{
    const char *name = lines[0];
    const char *id = name ? lines[1] : NULL;
    guint number;

    if (id == NULL || lines[2] == NULL || !take_word(&name, "name:") || !take_word(&id, "ID:") ||
        !take_number(&id, &number) || *id != '\0' || *name == '\0' ||
        !g_str_has_prefix(lines[2], "format:")) {
        return FALSE;
    }
    for (const char *at = name; *at != '\0'; at++) {
        if (!is_identifier(*at)) {
            return FALSE;
        }
    }
    g_string_append_printf(out, "name: %s\nID: %u\nformat:\n", name, number);
    return TRUE;
}

/* A blank line divides the common fields from the event's own. */
char *kernel_format_clean(const char *text, gsize len)
{
    g_autofree char *copy = g_strndup(text, len);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    g_autoptr(GString) out = g_string_new(NULL);
    gboolean divided = FALSE;
    guint n_fields = 0;

    if (!add_head(out, lines)) {
        return NULL;
    }
    for (char **line = lines + 3; *line != NULL; line++) {
        g_strstrip(*line);
        if (g_str_has_prefix(*line, "print fmt:")) {
            break;
        }
        if (add_field(out, *line)) {
            n_fields++;
        } else if (**line == '\0' && n_fields > 0 && !divided) {
            g_string_append_c(out, '\n');
            divided = TRUE;
        }
    }
    g_string_append(out, divided ? "\nprint fmt: \"\"\n" : "\n\nprint fmt: \"\"\n");
    return n_fields <= KERNEL_FORMAT_MAX_FIELDS ? g_string_free(g_steal_pointer(&out), FALSE)
                                                : NULL;
}
