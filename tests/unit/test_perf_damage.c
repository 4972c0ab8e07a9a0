/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Damaged perf.data: what is whole is kept, what is not is said, nothing crashes.
 */
#include "perf_subject.h"

#include <glib/gstdio.h>
#include <string.h>

static void damage_size_zero(PerfBuild *build)
{
    perf_build_bytes(build, "\1\0\0\0\0\0\0\0", 8);
}

static void damage_unknown_record(PerfBuild *build)
{
    const guint64 body[] = {1, 2, 3};

    perf_build_values(build, 200, 0, body, G_N_ELEMENTS(body));
    perf_build_values(build, G_MAXUINT32, 0, body, G_N_ELEMENTS(body));
}

static void damage_unknown_id(PerfBuild *build)
{
    const guint64 body[] = {12345, 0, 0, 1500, 0, 1, 0};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_short_sample(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, 1500};

    perf_build_values(build, 9, 0, body, 0);
    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_raw_size(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, 1500, 0, 1, G_MAXUINT64};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_time(PerfBuild *build)
{
    const guint64 body[] = {10, 0, 0, G_MAXUINT64, 0, 1, 0};

    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_unknown_type(PerfBuild *build)
{
    guint64 body[] = {10, 0, 0, 1500, 0, 1, 0, 0};
    guint8 raw[16] = {0};

    perf_build_put(build, raw, 12, 4);
    perf_build_put(build, raw + 4, 321, 2); /* common_type */
    memcpy(&body[6], raw, sizeof(raw));
    perf_build_values(build, 9, 0, body, G_N_ELEMENTS(body));
}

static void damage_string_feature(PerfBuild *build)
{
    guint8 length[8];

    perf_build_put(build, length, G_GUINT64_CONSTANT(3013029764), 8);
    perf_build_feature(build, FEATURE_HOSTNAME, length, sizeof(length));
    perf_build_feature(build, FEATURE_OSRELEASE, length, 2);
    perf_build_feature(build, FEATURE_CLOCKID, length, 3);
    perf_build_feature(build, FEATURE_CLOCK_DATA, length, sizeof(length));
}

static void damage_directory(PerfBuild *build)
{
    perf_build_feature(build, 24, "\1\0\0\0\0\0\0\0", 8);
}

static void damage_plain_then_compressed(PerfBuild *build)
{
    perf_build_values(build, RECORD_COMPRESSED, 0, &skb, 1);
}

static void damage_short_records(PerfBuild *build)
{
    static const guint32 types[] = {RECORD_LOST, RECORD_LOST_SAMPLES, 64, 69, 78, 79, 80, 71};

    for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
        perf_build_values(build, types[i], 0, NULL, 0);
    }
}

static void damage_attr_record(PerfBuild *build)
{
    guint64 body[12] = {0};

    perf_build_put(build, (guint8 *)body + 4, 100000, 4); /* its size */
    perf_build_values(build, 64, 0, body, G_N_ELEMENTS(body));
}

/* What is put between two events, how many events there are then, what is said how often. */
typedef struct DamageCase {
    const char *path;
    void (*damage)(PerfBuild *build);
    gsize want_n;
    const char *problem;
    guint64 count;
} DamageCase;

static const DamageCase damage_cases[] = {
    {"/perf/damage/record-of-size-0", damage_size_zero, 1, "impossible size", 1},
    {"/perf/damage/unknown-records-are-skipped", damage_unknown_record, 2, NULL, 0},
    {"/perf/damage/unknown-id", damage_unknown_id, 2, "id is unknown", 1},
    {"/perf/damage/short-sample", damage_short_sample, 2, "too short", 1},
    {"/perf/damage/raw-data-runs-over", damage_raw_size, 2, "too short", 1},
    {"/perf/damage/time-out-of-range", damage_time, 2, "time is out of range", 1},
    {"/perf/damage/event-without-format", damage_unknown_type, 3, "format is not in the file", 1},
    {"/perf/damage/features", damage_string_feature, 2, "feature is damaged", 4},
    {"/perf/damage/part-of-a-directory", damage_directory, 2, "--threads", 1},
    {"/perf/damage/plain-then-compressed", damage_plain_then_compressed, 2, "compressed", 1},
    {"/perf/damage/records-without-a-body", damage_short_records, 2, "attribute is damaged", 1},
    {"/perf/damage/attr-larger-than-its-record", damage_attr_record, 2, "attribute is damaged", 1},
};

/* What is whole is kept: of a damaged place only that is lost which cannot be told any more. */
static void test_damage(gconstpointer data)
{
    const DamageCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;

    perf_build_xmit(build, 0, 1000, 812, skb, 98);
    row->damage(build);
    perf_build_xmit(build, 0, 2000, 812, skb, 98);
    subject = subject_of(build);
    g_assert_cmpuint(subject->n, ==, row->want_n);
    subject_assert_xmit(subject, &subject->events[0]);
    if (row->problem == NULL) {
        subject_assert_no_problems(subject);
    } else {
        g_assert_cmpuint(subject_problems(subject, row->problem), ==, row->count);
    }
}

/* An event that has no format is an event all the same, with its number for a name. */
static void test_unknown_type(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(Subject) subject = NULL;

    damage_unknown_type(build);
    subject = subject_of(build);
    g_assert_cmpint(subject->events[0].kind, ==, EVENT_OTHER);
    g_assert_cmpuint(subject->events[0].type, ==, 321);
    g_assert_nonnull(strstr(trace_source_event_name(subject->source, &subject->events[0]), "321"));
}

/* A u64 of the header is changed: where, to what. */
typedef struct HeaderCase {
    const char *path;
    gsize at;
    guint64 value;
    gsize want_n;
    const char *problem;
} HeaderCase;

static const HeaderCase header_cases[] = {
    {"/perf/header/perf-was-killed", 48, 0, 5, "did not finish"},
    {"/perf/header/copy-was-cut", 48, 1 << 20, 5, "cut short"},
    {"/perf/header/no-attr-size", 16, 0, 0, "attributes are damaged"},
    {"/perf/header/attr-size-of-a-section", 16, 16, 0, "attributes are damaged"},
    {"/perf/header/huge-attr-size", 16, G_MAXUINT64 - 7, 0, "attributes are damaged"},
    {"/perf/header/attrs-beyond-the-file", 24, G_MAXUINT64 - 100, 0, "attributes are damaged"},
    {"/perf/header/records-beyond-the-file", 40, G_MAXUINT64 - 100, 0, "cut short"},
    {"/perf/header/features-that-are-not-there", 96, G_MAXUINT64, 5, "feature"},
};

static void test_header(gconstpointer data)
{
    const HeaderCase *row = data;
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(Subject) subject = NULL;

    subject_add_usual(build);
    file = perf_build_finish(build);
    perf_build_put(build, file->data + row->at, row->value, 8);
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(subject_problems(subject, row->problem), >=, 1);
    /* Without its features the file still has the events, but not their formats; what follows the
       records is then taken for one. */
    g_assert_cmpuint(subject->n, ==, row->want_n);
}

typedef struct RefusedCase {
    const char *path;
    const char *bytes;
    gsize len;
    TraceError code;
    const char *message;
} RefusedCase;

static const RefusedCase refused_cases[] = {
    {"/perf/refused/magic-alone", "PERFILE2", 8, TRACE_ERROR_CORRUPT, "header is damaged"},
    {"/perf/refused/torn-pipe-header", "PERFILE2\20\0\0", 11, TRACE_ERROR_CORRUPT,
     "header is damaged"},
    {"/perf/refused/version-1", "PERFFILE\150\0\0\0\0\0\0\0", 16, TRACE_ERROR_UNSUPPORTED,
     "version 1"},
};

static void test_refused(gconstpointer data)
{
    const RefusedCase *row = data;
    g_autoptr(Subject) subject = subject_new((const guint8 *)row->bytes, row->len);

    g_assert_error(subject->error, TRACE_ERROR, row->code);
    g_assert_nonnull(strstr(subject->error->message, row->message));
    g_assert_nonnull(strstr(subject->error->message, subject->path));
}

/* perf record --threads makes a directory: the message says what to do. */
static void test_directory(void)
{
    g_autofree char *path = g_dir_make_tmp("perf-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;

    g_assert_null(trace_source_open(path, NULL, &error));
    g_assert_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED);
    g_assert_nonnull(strstr(error->message, "--threads"));
    g_rmdir(path);
}

/* Formats that are damaged in the middle: the events before are named, the others are numbers. */
static void test_damaged_formats(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){0});
    g_autoptr(GByteArray) file = NULL;
    g_autoptr(Subject) subject = NULL;
    guint8 *irq;

    subject_add_usual(build);
    file = perf_build_finish(build);
    irq = memmem(file->data, file->len, "irq\0", 4);
    memset(irq + 4, 0xff, 4); /* the number of formats, then their size */
    subject = subject_new(file->data, file->len);
    g_assert_cmpuint(subject->n, ==, 5);
    subject_assert_xmit(subject, &subject->events[0]);
    g_assert_cmpuint(subject_problems(subject, "formats are damaged"), ==, 1);
    g_assert_cmpint(subject->events[1].kind, ==, EVENT_IRQ_ENTRY);
}

/* A pipe's data cut at any byte gives the first events. */
static void test_cut_anywhere(void)
{
    g_autoptr(PerfBuild) build = perf_build_new(&(PerfLayout){.is_pipe = TRUE});
    g_autoptr(GByteArray) file = NULL;
    gsize last_n = 0;

    for (guint i = 0; i < 5; i++) {
        perf_build_xmit(build, 0, 1000 + i, 812, skb, 98);
    }
    file = perf_build_finish(build);
    for (gsize len = 16; len <= file->len; len += len < file->len - 300 ? 20 : 1) {
        g_autoptr(Subject) subject = subject_new(file->data, len);

        g_assert_cmpuint(subject->n, >=, last_n);
        last_n = subject->n;
    }
    g_assert_cmpuint(last_n, ==, 5);
}

/* A byte that is changed may cost events, but no more than that. */
static void test_change_anywhere(gconstpointer data)
{
    g_autoptr(PerfBuild) build = perf_build_new(data);
    g_autoptr(GByteArray) file = NULL;

    perf_build_compress(build, perf_build_layout(build)->is_pipe ? RECORD_COMPRESSED : 0, 100);
    subject_add_usual(build);
    file = perf_build_finish(build);
    for (gsize at = 8; at < file->len; at += 13) {
        for (guint bit = 0; bit < 8; bit += 7) {
            g_autoptr(Subject) subject = NULL;

            file->data[at] ^= 1 << bit;
            subject = subject_new(file->data, file->len);
            file->data[at] ^= 1 << bit;
            g_assert_cmpuint(subject->n, <=, 64);
        }
    }
}

int main(int argc, char **argv)
{
    static const PerfLayout usual;
    static const PerfLayout pipe = {.is_pipe = TRUE};

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(damage_cases); i++) {
        g_test_add_data_func(damage_cases[i].path, &damage_cases[i], test_damage);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(header_cases); i++) {
        g_test_add_data_func(header_cases[i].path, &header_cases[i], test_header);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(refused_cases); i++) {
        g_test_add_data_func(refused_cases[i].path, &refused_cases[i], test_refused);
    }
    g_test_add_func("/perf/damage/unknown-type", test_unknown_type);
    g_test_add_func("/perf/damage/formats", test_damaged_formats);
    g_test_add_func("/perf/damage/cut-anywhere", test_cut_anywhere);
    g_test_add_data_func("/perf/damage/change-anywhere-in-a-file", &usual, test_change_anywhere);
    g_test_add_data_func("/perf/damage/change-anywhere-in-a-compressed-pipe", &pipe,
                         test_change_anywhere);
    g_test_add_func("/perf/refused/directory", test_directory);
    return g_test_run();
}
