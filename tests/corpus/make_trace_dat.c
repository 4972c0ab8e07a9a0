/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes the synthetic seeds of trace_dat/: make_trace_dat DIRECTORY.
 */
#include "dat_builder.h"

typedef struct Seed {
    const char *name;
    DatVariant variant;
} Seed;

static const Seed seeds[] = {
    {"v6-le64", {.version = 6, .long_size = 8}},
    {"v6-be32", {.version = 6, .long_size = 4, .big_endian = TRUE}},
    {"v7-le64-none", {.version = 7, .long_size = 8}},
    {"v7-be32-none", {.version = 7, .long_size = 4, .big_endian = TRUE}},
    {"v7-le64-zstd", {.version = 7, .long_size = 8, .zstd = TRUE}},
    {"v7-le64-zlib", {.version = 7, .long_size = 8, .algorithm = "zlib"}},
};

/* Every kind of record and of page header. */
static void fill(DatPages *pages, guint64 time)
{
    dat_pages_begin(pages, time);
    dat_pages_xmit(pages, 10, 0xffff888000001000, "eth0");
    dat_pages_head(pages, 30, 5);
    dat_pages_word(pages, 1);
    dat_pages_irq(pages, 20, 26, "virtio3-output.0");
    dat_pages_head(pages, 29, 40);
    dat_pages_word(pages, 8);
    dat_pages_word(pages, 0);
    dat_pages_begin(pages, time + 1000000000);
    dat_pages_head(pages, 0, 3);
    dat_pages_word(pages, 16);
    dat_pages_word(pages, 5);
    dat_pages_word(pages, 0);
    dat_pages_word(pages, 0);
    dat_pages_head(pages, 31, 9);
    dat_pages_word(pages, 100);
    dat_pages_xmit(pages, 1, 0xffff888000002000, "eth1");
    dat_pages_head(pages, 29, 0);
    dat_pages_missed(pages, 17, TRUE);
}

static void write_seed(const char *directory, const Seed *seed)
{
    g_autofree char *path = g_strdup_printf("%s/%s.dat", directory, seed->name);
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(GError) error = NULL;
    DatPages cpus[2];
    DatInstance instances[2] = {
        {.name = "", .cpus = cpus, .n_cpus = 2},
        {.name = "virtio", .cpus = cpus, .n_cpus = 2},
    };

    for (guint i = 0; i < 2; i++) {
        dat_pages_init(&cpus[i], &seed->variant);
        fill(&cpus[i], 1000 + 7 * i);
    }
    file = dat_build(&seed->variant, instances, 2);
    if (!g_file_set_contents(path, (const char *)file->data, file->len, &error)) {
        g_error("%s", error->message);
    }
    dat_pages_clear(&cpus[0]);
    dat_pages_clear(&cpus[1]);
}

int main(int argc, char **argv)
{
    for (gsize i = 0; argc == 2 && i < G_N_ELEMENTS(seeds); i++) {
        write_seed(argv[1], &seeds[i]);
    }
    return argc == 2 ? 0 : 1;
}
