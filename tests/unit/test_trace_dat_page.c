/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pages of the kernel's ring buffer in a trace.dat: times, padding, lost records, damage.
 */
#include "dat_test.h"

typedef struct PageRow {
    const char *path;
    void (*fill)(DatPages *pages);
    const char *expected;
    guint n_problems;
} PageRow;

static void fill_extend(DatPages *pages)
{
    dat_pages_head(pages, 30, 5);
    dat_pages_word(pages, 2);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_stamp(DatPages *pages)
{
    dat_pages_head(pages, 31, 9);
    dat_pages_word(pages, 100);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_discarded(DatPages *pages)
{
    dat_pages_head(pages, 29, 40);
    dat_pages_word(pages, 12);
    dat_pages_word(pages, 0);
    dat_pages_word(pages, 0);
    dat_pages_xmit(pages, 2, 1, "eth0");
}

static void fill_rest_padding(DatPages *pages)
{
    dat_pages_xmit(pages, 0, 1, "eth0");
    dat_pages_head(pages, 29, 0);
    dat_pages_xmit(pages, 0, 1, "eth1");
}

static void fill_long(DatPages *pages)
{
    dat_pages_head(pages, 0, 3);
    dat_pages_word(pages, 4 + 10);
    dat_pages_word(pages, pages->variant->big_endian ? 4711u << 16 : 4711);
    dat_pages_word(pages, 0);
    dat_pages_word(pages, 0);
    dat_pages_xmit(pages, 1, 1, "eth0");
}

static void fill_too_long(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_head(pages, 28, 1);
    dat_pages_word(pages, 0);
}

static void fill_long_wild(DatPages *pages)
{
    dat_pages_head(pages, 0, 1);
    dat_pages_word(pages, G_MAXUINT32);
}

static void fill_long_zero(DatPages *pages)
{
    dat_pages_head(pages, 0, 1);
    dat_pages_word(pages, 0);
}

static void fill_padding_zero(DatPages *pages)
{
    dat_pages_head(pages, 29, 1);
    dat_pages_word(pages, 0);
}

static void fill_half_time(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_head(pages, 30, 1);
}

static void fill_wild_commit(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_commit(pages, DAT_PAGE_SIZE);
}

static void fill_odd_commit(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_commit(pages, pages->used + 3);
}

static void fill_missed(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_begin(pages, 6000);
    dat_pages_xmit(pages, 2, 1, "eth1");
    dat_pages_missed(pages, 0, FALSE);
}

static void fill_missed_count(DatPages *pages)
{
    dat_pages_xmit(pages, 1, 1, "eth0");
    dat_pages_begin(pages, 6000);
    dat_pages_xmit(pages, 2, 1, "eth1");
    dat_pages_missed(pages, 70001, TRUE);
}

/* The page's own time is 5000. */
static const PageRow page_rows[] = {
    {"time-extend", fill_extend, "268440462/0 eth0", 0},
    {"time-stamp", fill_stamp, "13421772810/0 eth0", 0},
    {"discarded-record-counts-its-time", fill_discarded, "5042/0 eth0", 0},
    {"padding-to-the-end", fill_rest_padding, "5000/0 eth0", 0},
    {"length-in-first-word", fill_long, "5003/0 type 4711 5004/0 eth0", 0},
    {"record-past-the-commit", fill_too_long, "5001/0 eth0", 1},
    {"wild-length", fill_long_wild, "", 1},
    {"zero-length", fill_long_zero, "", 1},
    {"padding-without-length", fill_padding_zero, "", 1},
    {"half-a-time", fill_half_time, "5001/0 eth0", 1},
    {"commit-past-the-page", fill_wild_commit, "", 1},
    {"commit-of-odd-size", fill_odd_commit, "5001/0 eth0", 1},
    {"missed-unknown", fill_missed, "5001/0 eth0 6002/0 lost:0>5001 6002/0 eth1", 0},
    {"missed-counted", fill_missed_count, "5001/0 eth0 6002/0 lost:70001>5001 6002/0 eth1", 0},
};

static void check_page(const PageRow *row, const DatVariant *variant)
{
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, variant);
    dat_pages_begin(&pages, 5000);
    row->fill(&pages);
    source = dat_test_open_instances(variant, &instance, 1);
    dat_test_assert_reads(source, row->expected);
    g_assert_cmpuint(dat_test_n_problems(source), ==, row->n_problems);
    dat_pages_clear(&pages);
}

static void test_page(gconstpointer data)
{
    for (gsize i = 0; i < N_DAT_VARIANTS; i++) {
        check_page(data, &dat_variants[i]);
    }
}

/* A stamp holds 59 bits: the upper ones come from the page, and carry when it wraps. */
static void test_stamp_wrap(void)
{
    static const DatVariant variant = {.version = 6, .long_size = 8};
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, &variant);
    dat_pages_begin(&pages, ((guint64)3 << 59) - 1);
    dat_pages_head(&pages, 31, 8);
    dat_pages_word(&pages, 0);
    dat_pages_xmit(&pages, 0, 1, "eth0");
    source = dat_test_open_instances(&variant, &instance, 1);
    dat_test_assert_reads(source, "1729382256910270472/0 eth0");
    dat_pages_clear(&pages);
}

/* Lost records are counted once, an unknown number as one. */
static void test_loss_count(void)
{
    static const DatVariant variant = {.version = 7, .long_size = 8};
    DatPages pages;
    DatInstance instance = {.name = "", .cpus = &pages, .n_cpus = 1};
    g_autoptr(TraceSource) source = NULL;

    dat_pages_init(&pages, &variant);
    dat_pages_begin(&pages, 1);
    fill_missed(&pages);
    dat_pages_begin(&pages, 9000);
    fill_missed_count(&pages);
    source = dat_test_open_instances(&variant, &instance, 1);
    for (int pass = 0; pass < 2; pass++) {
        g_autofree char *text = dat_test_read(source);

        g_assert_cmpuint(trace_source_info(source)->lost, ==, 70002);
        trace_source_rewind(source);
    }
    dat_pages_clear(&pages);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(page_rows); i++) {
        g_autofree char *name = g_strconcat("/trace-dat-page/", page_rows[i].path, NULL);

        g_test_add_data_func(name, &page_rows[i], test_page);
    }
    g_test_add_func("/trace-dat-page/stamp-wrap", test_stamp_wrap);
    g_test_add_func("/trace-dat-page/loss-count", test_loss_count);
    return g_test_run();
}
