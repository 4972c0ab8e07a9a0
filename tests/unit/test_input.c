/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Input and Window: bytes of a file, of a pipe and of a spool, and never one past the end.
 */
#include "input.h"
#include "trace/source.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEN = 10000 };

static guint8 byte_at(gsize i)
{
    return i * 7 + i / 256;
}

static guint8 *make_bytes(void)
{
    guint8 *bytes = g_malloc(LEN);

    for (gsize i = 0; i < LEN; i++) {
        bytes[i] = byte_at(i);
    }
    return bytes;
}

static Input *open_fd(int fd)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autoptr(GError) error = NULL;
    Input *input = input_open(path, &error);

    g_assert_no_error(error);
    g_assert_cmpstr(input_path(input), ==, path);
    return input;
}

static int make_file(void)
{
    g_autofree guint8 *bytes = make_bytes();
    int fd = memfd_create("input", MFD_CLOEXEC);

    g_assert_cmpint(write(fd, bytes, LEN), ==, LEN);
    return fd;
}

static Input *input_of_file(void)
{
    int fd = make_file();
    Input *input = open_fd(fd);

    close(fd);
    return input;
}

static Input *input_of_pipe(void)
{
    g_autofree guint8 *bytes = make_bytes();
    int fds[2];
    Input *input;

    g_assert_cmpint(pipe(fds), ==, 0);
    g_assert_cmpint(write(fds[1], bytes, LEN), ==, LEN);
    close(fds[1]);
    input = open_fd(fds[0]);
    close(fds[0]);
    return input;
}

static Input *input_of_spool(void)
{
    g_autofree guint8 *bytes = make_bytes();
    g_autoptr(GError) error = NULL;
    Input *input = input_new_spool("name", &error);

    g_assert_no_error(error);
    g_assert_cmpstr(input_path(input), ==, "name");
    g_assert_true(input_append(input, bytes, 3, &error));
    g_assert_true(input_append(input, bytes + 3, LEN - 3, &error));
    return input;
}

typedef struct Row {
    const char *name;
    const char *what;
    Input *(*make)(void);
} Row;

static const Row rows[] = {
    {"file", "a file is read in place", input_of_file},
    {"pipe", "a pipe is spooled, so that it can be read again", input_of_pipe},
    {"spool", "what was appended is read", input_of_spool},
};

static void assert_bytes(const guint8 *bytes, gsize first, gsize len)
{
    for (gsize i = 0; i < len; i++) {
        g_assert_cmpuint(bytes[i], ==, byte_at(first + i));
    }
}

static void test_read(gconstpointer data)
{
    const Row *row = data;
    g_autoptr(Input) input = row->make();
    guint8 bytes[100];

    g_assert_cmpuint(input_size(input), ==, LEN);
    g_assert_cmpuint(input_read(input, 0, bytes, 100), ==, 100);
    assert_bytes(bytes, 0, 100);
    g_assert_cmpuint(input_read(input, 5000, bytes, 100), ==, 100);
    assert_bytes(bytes, 5000, 100);
    g_assert_cmpuint(input_read(input, LEN - 7, bytes, 100), ==, 7);
    assert_bytes(bytes, LEN - 7, 7);
    g_assert_cmpuint(input_read(input, LEN, bytes, 100), ==, 0);
    g_assert_cmpuint(input_read(input, G_MAXUINT64, bytes, 100), ==, 0);
}

/* Walk through all bytes in steps that do not divide the window. */
static void test_window_walk(gconstpointer data)
{
    const Row *row = data;
    g_autoptr(Input) input = row->make();
    Window window;
    gsize at = 0;

    window_init(&window, input, 0, G_MAXUINT64, 64);
    for (gsize len = 1; at + len <= LEN; len = len % 61 + 1) {
        g_assert_true(window_need(&window, len));
        g_assert_cmpuint(window.offset, ==, at);
        assert_bytes(window.at, at, len);
        window_skip(&window, len);
        at += len;
    }
    g_assert_false(window_need(&window, LEN - at + 1));
    g_assert_true(window_need(&window, LEN - at));
    window_clear(&window);
}

static void test_window_limit(void)
{
    g_autoptr(Input) input = input_of_file();
    Window window;

    window_init(&window, input, 100, 150, 16);
    g_assert_true(window_need(&window, 50));
    assert_bytes(window.at, 100, 50);
    g_assert_false(window_need(&window, 51));
    g_assert_cmpuint(window.offset, ==, 100);

    window_seek(&window, 149);
    g_assert_true(window_need(&window, 1));
    assert_bytes(window.at, 149, 1);
    g_assert_false(window_need(&window, 2));

    window_seek(&window, 151);
    g_assert_false(window_need(&window, 1));
    window_seek(&window, G_MAXUINT64);
    g_assert_false(window_need(&window, 1));
    window_clear(&window);
}

/* The file gets shorter after it was opened: less is read, nothing breaks. */
static void test_shrinks(void)
{
    int fd = make_file();
    g_autoptr(Input) input = open_fd(fd);
    guint8 bytes[100];
    Window window;

    window_init(&window, input, 0, G_MAXUINT64, 64);
    g_assert_cmpint(ftruncate(fd, 40), ==, 0);
    g_assert_cmpuint(input_read(input, 0, bytes, 100), ==, 40);
    g_assert_false(window_need(&window, 50));
    g_assert_true(window_need(&window, 40));
    window_clear(&window);
    close(fd);
}

static void test_errors(void)
{
    g_autofree char *missing = g_build_filename(g_get_tmp_dir(), "virtcorr-no-such-file", NULL);
    g_autoptr(GError) error = NULL;

    g_assert_null(input_open(missing, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_UNREADABLE);
    g_assert_true(g_str_has_prefix(error->message, missing));
    g_clear_error(&error);
    g_assert_null(input_open(g_get_tmp_dir(), &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED);
}

static void test_empty(void)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autoptr(GError) error = NULL;

    g_assert_null(trace_source_open(path, NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_EMPTY);
    close(fd);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *read_path = g_strdup_printf("/input/read/%s", rows[i].name);
        g_autofree char *walk_path = g_strdup_printf("/input/walk/%s", rows[i].name);

        g_test_add_data_func(read_path, &rows[i], test_read);
        g_test_add_data_func(walk_path, &rows[i], test_window_walk);
    }
    g_test_add_func("/input/window-limit", test_window_limit);
    g_test_add_func("/input/shrinks", test_shrinks);
    g_test_add_func("/input/errors", test_errors);
    g_test_add_func("/input/empty", test_empty);
    return g_test_run();
}
