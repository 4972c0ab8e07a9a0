/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs a fuzz target without libFuzzer: each seed whole, cut short, and with known mutations.
 *
 * Usage: TARGET FOLDER; output is TAP. A broken promise aborts the program in the test it names.
 */
#include "fuzz_reader.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum {
    CUT_EVERY_BYTE = 4096, /* cut at each of so many first bytes */
    N_CUTS = 500,          /* and at so many places after them */
    N_MUTATIONS = 1000,
    MAX_BLOCK = 256,
};

typedef struct Seed {
    char *name;
    guint8 *bytes;
    gsize len;
} Seed;

static void run(const guint8 *bytes, gsize len)
{
    /* A copy of just that length: a sanitizer sees a read past the end. */
    g_autofree guint8 *copy = g_memdup2(bytes, len);

    LLVMFuzzerTestOneInput(copy, len);
}

static void replay_whole(const Seed *seed)
{
    run(seed->bytes, seed->len);
}

static void replay_cut(const Seed *seed)
{
    gsize step = MAX(seed->len / N_CUTS, 1);

    for (gsize len = 0; len < seed->len; len += len < CUT_EVERY_BYTE ? 1 : step) {
        run(seed->bytes, len);
    }
}

static void flip_bit(GByteArray *bytes, GRand *rand)
{
    bytes->data[g_rand_int_range(rand, 0, bytes->len)] ^= 1 << g_rand_int_range(rand, 0, 8);
}

/* Overwrite 4 or 8 bytes by a value at which sums and products overflow, in either byte order. */
static void overwrite(GByteArray *bytes, GRand *rand)
{
    static const guint64 values[] = {0,
                                     1,
                                     7,
                                     8,
                                     0x7f,
                                     0xff,
                                     0xffff,
                                     0x10000,
                                     G_MAXINT32,
                                     0x80000000,
                                     G_MAXUINT32,
                                     G_MAXUINT32 - 7,
                                     G_MAXINT64,
                                     G_MAXUINT64,
                                     G_GUINT64_CONSTANT(1) << 63,
                                     G_MAXUINT64 - 1,
                                     G_MAXUINT64 - 31};
    guint64 value = values[g_rand_int_range(rand, 0, G_N_ELEMENTS(values))];
    gsize len = MIN(g_rand_boolean(rand) ? 4 : 8, bytes->len);
    gsize at = g_rand_int_range(rand, 0, bytes->len - len + 1);

    if (g_rand_boolean(rand)) {
        value = len == 8 ? GUINT64_SWAP_LE_BE(value) : GUINT32_SWAP_LE_BE((guint32)value);
    }
    memcpy(bytes->data + at, &value, len);
}

static void remove_block(GByteArray *bytes, GRand *rand)
{
    gsize at = g_rand_int_range(rand, 0, bytes->len);
    gsize len = g_rand_int_range(rand, 1, MAX_BLOCK);

    g_byte_array_remove_range(bytes, at, MIN(len, bytes->len - at));
}

static void repeat_block(GByteArray *bytes, GRand *rand)
{
    gsize at = g_rand_int_range(rand, 0, bytes->len);
    gsize len = MIN((gsize)g_rand_int_range(rand, 1, MAX_BLOCK), bytes->len - at);
    gsize old = bytes->len;

    g_byte_array_set_size(bytes, old + len);
    memmove(bytes->data + at + len, bytes->data + at, old - at);
}

static void replay_mutated(const Seed *seed)
{
    static void (*const mutate[])(GByteArray *, GRand *) = {flip_bit, overwrite, remove_block,
                                                            repeat_block};
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed->len);

    for (guint i = 0; i < N_MUTATIONS; i++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        guint n = g_rand_int_range(rand, 1, 5);

        g_byte_array_append(bytes, seed->bytes, seed->len);
        for (guint k = 0; k < n && bytes->len > 0; k++) {
            mutate[g_rand_int_range(rand, 0, G_N_ELEMENTS(mutate))](bytes, rand);
        }
        run(bytes->data, bytes->len);
    }
}

static const struct {
    const char *name;
    void (*replay)(const Seed *seed);
} ways[] = {
    {"whole", replay_whole},
    {"cut", replay_cut},
    {"mutated", replay_mutated},
};

/* All ways of one seed; returns the number of the last test. */
static guint replay_seed(const char *path, const char *name, guint n_tests)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    Seed seed = {.name = (char *)name};

    if (!g_file_get_contents(path, &text, &seed.len, &error)) {
        printf("not ok %u %s # %s\n", ++n_tests, name, error->message);
        return n_tests;
    }
    seed.bytes = (guint8 *)text;
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        printf("# %s, %s\n", name, ways[i].name);
        fflush(stdout);
        ways[i].replay(&seed);
        printf("ok %u %s, %s\n", ++n_tests, name, ways[i].name);
    }
    return n_tests;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) folder = argc == 2 ? g_dir_open(argv[1], 0, &error) : NULL;
    const char *name;
    guint n_tests = 0;

    if (folder == NULL) {
        printf("Bail out! %s\n", error ? error->message : "usage: TARGET FOLDER");
        return 1;
    }
    while ((name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *path = g_build_filename(argv[1], name, NULL);

        n_tests = replay_seed(path, name, n_tests);
    }
    if (n_tests == 0) {
        printf("not ok %u no seeds in %s\n", ++n_tests, argv[1]);
    }
    printf("1..%u\n", n_tests);
    return 0;
}
