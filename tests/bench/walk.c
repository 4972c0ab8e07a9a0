/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The floor of the benchmark: walks the records of a simpletrace file by their lengths and does
 * nothing else. It reads in pieces, since page faults of a mapped file would cost more than that.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FILE_HEADER = 24,
    MAPPING_HEADER = 20,
    EVENT_HEADER = 32,
    PIECE = 1 << 18,
};

typedef struct {
    int fd;
    off_t start;  /* file offset of data[0] */
    ssize_t size; /* bytes of data that are filled */
    uint8_t data[PIECE];
} Window;

/* The record header at file offset @at, or NULL at the end of the file. */
static const uint8_t *window_at(Window *window, off_t at)
{
    if (at < window->start || at + EVENT_HEADER > window->start + window->size) {
        window->start = at;
        window->size = pread(window->fd, window->data, PIECE, at);
        if (window->size < EVENT_HEADER) {
            return NULL;
        }
    }
    return window->data + (at - window->start);
}

static uint64_t walk(Window *window)
{
    off_t at = FILE_HEADER;
    const uint8_t *head;
    uint64_t n = 0;

    while ((head = window_at(window, at))) {
        uint64_t type;
        uint32_t length;

        memcpy(&type, head, sizeof(type));
        if (type == 0) {
            memcpy(&length, head + 16, sizeof(length));
            at += MAPPING_HEADER + length;
        } else {
            memcpy(&length, head + 24, sizeof(length));
            at += sizeof(type) + length;
            n++;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    static Window window;

    window.fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (window.fd < 0) {
        fprintf(stderr, "usage: walk FILE\n");
        return 1;
    }
    printf("%" PRIu64 "\n", walk(&window));
    return 0;
}
