/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Event formats that the kernel writes, and texts that must not reach libtraceevent.
 */
#include "kernel_text.h"

typedef struct TextCase {
    const char *path;
    const char *field; /* between "\tfield:" and ";\toffset" */
    gboolean is_plain;
} TextCase;

static const TextCase cases[] = {
    {"/kernel-text/pointer", "const struct sk_buff * skbaddr", TRUE},
    {"/kernel-text/string-elsewhere", "__data_loc char[] name", TRUE},
    {"/kernel-text/array", "char comm[16]", TRUE},
    {"/kernel-text/array-of-a-named-size", "char comm[TASK_COMM_LEN]", TRUE},
    {"/kernel-text/no-name", "unsigned", FALSE},
    {"/kernel-text/name-is-missing", "char *", FALSE},
    {"/kernel-text/empty", "", FALSE},
    {"/kernel-text/bracket-is-open", "char comm[16", FALSE},
    {"/kernel-text/bracket-is-not-opened", "char comm]", FALSE},
    {"/kernel-text/bracket-comes-first", "[] char name", FALSE},
    {"/kernel-text/byte-in-brackets-crashes-libtraceevent", "__data_loc char[\240] name", FALSE},
    {"/kernel-text/quote", "char \"name", FALSE},
    {"/kernel-text/expression", "char name[((((1", FALSE},
};

static void test_field(gconstpointer data)
{
    const TextCase *row = data;
    g_autofree char *text = g_strdup_printf("name: an_event\nID: 7\nformat:\n"
                                            "\tfield:%s;\toffset:8;\tsize:4;\tsigned:0;\n\n"
                                            "print fmt: \"%%s\", (((\n",
                                            row->field);

    g_assert_cmpint(kernel_text_is_plain(text), ==, row->is_plain);
}

/* What stands around the declarations is checked too. */
static void test_frame(void)
{
    static const char *const bad[] = {
        "",
        "name: an_event\n",
        "name: an_event\nID: x\nformat:\n",
        "name: an event\nID: 7\nformat:\n",
        "name: an_event\nID: 7\nformat:\n\tfield:int a;\toffset:8;\tsize:4;",
        "name: an_event\nID: 7\nformat:\n\tfield:int a;\toffset:-8;\tsize:4;\tsigned:1;\n",
        "name: an_event\nID: 7\nformat:\n\tfield:int a;\toffset:8;\tsize:9999999999;\tsigned:1;\n",
        "name: an_event\nID: 7\nformat:\nfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_false(kernel_text_is_plain(bad[i]));
    }
    g_assert_true(kernel_text_is_plain("name: an_event\nID: 7\nformat:\n"));
    g_assert_true(kernel_text_is_plain("name: old\nID: 7\nformat:\n\tfield:int a;\toffset:8;\t"
                                       "size:4;\n\nprint fmt: \"\"\n"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_add_data_func(cases[i].path, &cases[i], test_field);
    }
    g_test_add_func("/kernel-text/frame", test_frame);
    return g_test_run();
}
