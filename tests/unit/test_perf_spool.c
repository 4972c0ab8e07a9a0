/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compressed perf.data that is cut, damaged, or made to fill the disk.
 */
#include "perf_subject.h"

#include <string.h>

static GByteArray *compressed_file(guint n_events)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});

    perf_build_compress(build, RECORD_COMPRESSED, 200);
    for (guint i = 0; i < n_events; i++) {
        perf_build_xmit(build, 0, 1000 + i, 812, skb, 98);
    }
    return perf_build_finish(build);
}

/* A compressed file cut anywhere gives the first events, and what is missing is said. */
static void test_compressed_cut(void)
{
    g_autoptr(GByteArray) file = compressed_file(20);
    gsize last_n = 0;

    for (gsize len = 1600; len < file->len; len += 5) {
        g_autoptr(Subject) subject = subject_new(file->data, len);

        g_assert_cmpuint(subject->n, >=, last_n);
        g_assert_cmpuint(subject->n, <=, 20);
        for (gsize i = 0; i < subject->n; i++) {
            g_assert_cmpint(subject->events[i].time, ==, 1000 + i);
        }
        last_n = subject->n;
    }
    g_assert_cmpuint(last_n, >=, 18);
}

/* Damage in the zstd stream: the events before it are kept. */
static void test_compressed_damage(void)
{
    g_autoptr(GByteArray) file = compressed_file(200);
    g_autoptr(Subject) subject = NULL;

    memset(file->data + file->len - 100, 0xff, 8);
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(subject->n, >, 100);
    g_assert_cmpuint(subject->n, <, 200);
    g_assert_cmpint(subject->events[0].time, ==, 1000);
    g_assert_cmpuint(subject_info(subject)->problems->len, ==, 1);
}

/* A small file that expands to a thousand times its size is cut off. */
static void test_compressed_bomb(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});
    g_autoptr(Subject) subject = NULL;
    g_autofree guint8 *zeros = g_malloc0(8184);

    perf_build_compress(build, RECORD_COMPRESSED, 4 << 20);
    for (guint i = 0; i < 2000; i++) {
        perf_build_values(build, 200, 0, (guint64 *)zeros, 1023);
    }
    subject = subject_of(build);
    g_assert_cmpuint(subject_problems(subject, "without end"), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/perf/compressed/cut", test_compressed_cut);
    g_test_add_func("/perf/compressed/damage", test_compressed_damage);
    g_test_add_func("/perf/compressed/bomb", test_compressed_bomb);
    return g_test_run();
}
