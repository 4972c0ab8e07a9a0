/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes of a file through bounded windows: the one checked way in for every reader.
 */
#include "input.h"

#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Input {
    char *path;
    int fd;
    guint64 size;
};

enum { COPY_BLOCK = 1 << 20 };

GQuark trace_error_quark(void)
{
    return g_quark_from_static_string("virtcorr-trace-error");
}

static void set_errno_error(GError **error, const char *path, const char *what, int errnum)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNREADABLE, "%s: %s: %s", path, what,
                g_strerror(errnum));
}

Input *input_new_spool(const char *path, GError **error)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(), "virtcorr-XXXXXX", NULL);
    int fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
    Input *input;

    if (fd < 0) {
        set_errno_error(error, path, "cannot make a temporary file (set TMPDIR)", errno);
        return NULL;
    }
    g_unlink(name);

    input = g_new0(Input, 1);
    input->path = g_strdup(path);
    input->fd = fd;
    return input;
}

gboolean input_append(Input *input, const void *bytes, gsize len, GError **error)
{
    const guint8 *at = bytes;

    while (len > 0) {
        ssize_t n = pwrite(input->fd, at, len, input->size);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            set_errno_error(error, input->path, "cannot spool to a temporary file (set TMPDIR)",
                            n < 0 ? errno : ENOSPC);
            return FALSE;
        }
        at += n;
        len -= n;
        input->size += n;
    }
    return TRUE;
}

static Input *spool_stream(const char *path, int fd, GError **error)
{
    g_autoptr(Input) spool = input_new_spool(path, error);
    g_autofree guint8 *block = g_malloc(COPY_BLOCK);

    if (spool == NULL) {
        return NULL;
    }
    for (;;) {
        ssize_t n = read(fd, block, COPY_BLOCK);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            set_errno_error(error, path, "cannot read", errno);
            return NULL;
        }
        if (n == 0) {
            return g_steal_pointer(&spool);
        }
        if (!input_append(spool, block, n, error)) {
            return NULL;
        }
    }
}

static Input *open_fd(const char *path, int fd, GError **error)
{
    struct stat st;
    Input *input;

    if (fstat(fd, &st) < 0) {
        set_errno_error(error, path, "cannot read", errno);
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                    "%s: is a directory; if perf record --threads made it, record without "
                    "--threads",
                    path);
        return NULL;
    }
    if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)) {
        /* Some of them never end, and would be spooled until the disk is full. */
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                    "%s: is a device or terminal, not a trace; give a file or a pipe", path);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        return spool_stream(path, fd, error);
    }
    input = g_new0(Input, 1);
    input->path = g_strdup(path);
    input->fd = dup(fd);
    input->size = st.st_size;
    return input;
}

Input *input_open(const char *path, GError **error)
{
    gboolean is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : g_open(path, O_RDONLY | O_CLOEXEC, 0);
    Input *input;

    if (fd < 0) {
        set_errno_error(error, path, "cannot open", errno);
        return NULL;
    }
    input = open_fd(path, fd, error);
    if (!is_stdin) {
        close(fd);
    }
    return input;
}

void input_free(Input *input)
{
    if (input == NULL) {
        return;
    }
    close(input->fd);
    g_free(input->path);
    g_free(input);
}

const char *input_path(const Input *input)
{
    return input->path;
}

guint64 input_size(const Input *input)
{
    return input->size;
}

gsize input_read(const Input *input, guint64 offset, void *ret_bytes, gsize len)
{
    gsize done = 0;

    while (done < len && offset + done < input->size) {
        ssize_t n = pread(input->fd, (guint8 *)ret_bytes + done, len - done, offset + done);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break;
        }
        done += n;
    }
    return done;
}

void window_init(Window *window, Input *input, guint64 offset, guint64 limit, gsize capacity)
{
    *window = (Window){
        .input = input,
        .buffer = g_malloc(capacity),
        .capacity = capacity,
        .limit = MIN(limit, input_size(input)),
    };
    window_seek(window, offset);
}

void window_clear(Window *window)
{
    g_clear_pointer(&window->buffer, g_free);
    window->at = window->end = NULL;
}

void window_seek(Window *window, guint64 offset)
{
    window->offset = offset;
    window->at = window->end = window->buffer;
}

gboolean window_refill(Window *window, gsize len)
{
    gsize kept = window->end - window->at;
    guint64 next = window->offset + kept;
    guint64 rest = window->limit > next ? window->limit - next : 0;
    gsize got;

    if (len - kept > rest) {
        return FALSE;
    }
    if (len > window->capacity) {
        guint8 *larger = g_malloc(len);

        memcpy(larger, window->at, kept);
        g_free(window->buffer);
        window->buffer = larger;
        window->capacity = len;
    } else {
        memmove(window->buffer, window->at, kept);
    }
    got = input_read(window->input, next, window->buffer + kept,
                     MIN(window->capacity - kept, rest));
    window->at = window->buffer;
    window->end = window->buffer + kept + got;
    return kept + got >= len;
}
