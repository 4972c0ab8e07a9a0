/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The floor of the benchmark: walks the records of a simpletrace file by their lengths and does
 * nothing else.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_HEADER = 24,
    MAPPING_HEADER = 20,
    EVENT_HEADER = 32,
};

static uint64_t walk(const uint8_t *data, uint64_t size)
{
    uint64_t at = FILE_HEADER, n = 0;

    while (at + EVENT_HEADER <= size) {
        uint64_t type;
        uint32_t length;

        memcpy(&type, data + at, sizeof(type));
        if (type == 0) {
            memcpy(&length, data + at + 16, sizeof(length));
            at += MAPPING_HEADER + length;
        } else {
            memcpy(&length, data + at + 24, sizeof(length));
            at += sizeof(type) + length;
            n++;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    struct stat info;
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    const uint8_t *data;

    if (fd < 0 || fstat(fd, &info) != 0) {
        fprintf(stderr, "usage: walk FILE\n");
        return 1;
    }
    data = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
        perror("walk");
        return 1;
    }
    printf("%" PRIu64 "\n", walk(data, info.st_size));
    return 0;
}
