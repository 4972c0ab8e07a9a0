/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The simpletrace reader on files that are cut short or damaged.
 */
#include "simpletrace_file.h"

static void build_string_too_long(File *file)
{
    put_maps(file);
    put_head(file, VHOST, 1000, 8 + 4);
    put_u64(file, 0xd0);
    put_u32(file, G_MAXUINT32);
    PUT(file, FLUSH, 1001, 0xa0, 1);
}

static void build_cut_args(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    PUT(file, POP, 1001, 0xa0, 0xe0, 1, 2);
    cut(file, 1);
}

static void build_cut_head(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_u32(file, 1);
}

static void build_cut_mapping(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_map(file, 70, "virtqueue_flush");
    cut(file, 3);
}

static void build_bad_length(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_head(file, POP, 1001, 1 << 20);
    PUT(file, FLUSH, 1002, 0xa0, 2);
    PUT(file, FLUSH, 1003, 0xa0, 3);
}

static void build_short_length(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_head(file, POP, 1001, (guint32)-1);
    PUT(file, FLUSH, 1002, 0xa0, 2);
}

static void build_bad_type(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_u64(file, 2);
    put_map(file, 70, "virtio_notify");
    PUT(file, 70, 1002, 0xd0, 0xa0);
}

static void build_bad_time(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    PUT(file, FLUSH, G_MAXUINT64, 0xa0, 2);
    PUT(file, FLUSH, 1002, 0xa0, 3);
}

static void build_bad_name(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_map(file, 70, "\033[2Jx");
    PUT(file, FLUSH, 1002, 0xa0, 3);
}

static void build_zeros(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    for (guint i = 0; i < 100; i++) {
        put_u64(file, 0);
    }
}

static void build_wild_stamp_in_damage(File *file)
{
    put_maps(file);
    PUT(file, FLUSH, 1000, 0xa0, 1);
    put_u32(file, 7);
    PUT(file, FLUSH, G_GUINT64_CONSTANT(1) << 60, 0xa0, 2);
    PUT(file, FLUSH, 1002, 0xa0, 3);
}

static const Row rows[] = {
    {"string-too-long", "a string that is longer than its record is not read",
     build_string_too_long, "1000 vhost_dev_start\n1001 virtqueue_flush 4 ptr a0 num 1\n",
     "2 events, 0 lost\n@275 x1 an event has other arguments than known; name its QEMU's "
     "trace-events-all with --trace-events\n"},
    {"cut-args", "a record that the end of the file cuts in its arguments is left out",
     build_cut_args, "1000 virtqueue_flush 4 ptr a0 num 1\n",
     "1 events, 0 lost\n@323 x1 the last record is cut off; QEMU was killed or still runs\n"},
    {"cut-head", "four bytes of a record are left", build_cut_head,
     "1000 virtqueue_flush 4 ptr a0 num 1\n",
     "1 events, 0 lost\n@323 x1 the last record is cut off; QEMU was killed or still runs\n"},
    {"cut-mapping", "a mapping is cut in its name", build_cut_mapping,
     "1000 virtqueue_flush 4 ptr a0 num 1\n",
     "1 events, 0 lost\n@323 x1 the last record is cut off; QEMU was killed or still runs\n"},
    {"bad-length", "after a length that cannot be the next record is found; the gap is loss",
     build_bad_length,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtqueue_flush 4 ptr a0 num 2\n"
     "1003 virtqueue_flush 4 ptr a0 num 3\n",
     "3 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"short-length", "a length shorter than the header is damage, not an endless loop",
     build_short_length,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtqueue_flush 4 ptr a0 num 2\n",
     "2 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"bad-type", "a mapping behind damage is used", build_bad_type,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtio_notify 6 ptr a0 d0\n",
     "2 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"bad-time", "a stamp of more than 63 bits is damage", build_bad_time,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtqueue_flush 4 ptr a0 num 3\n",
     "2 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"bad-name", "an event name with control characters is damage", build_bad_name,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtqueue_flush 4 ptr a0 num 3\n",
     "2 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"zeros", "zeros at the end, as a crashed file system leaves them, are one gap", build_zeros,
     "1000 virtqueue_flush 4 ptr a0 num 1\n1000 lost 0 since 1000\n",
     "1 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
    {"wild-stamp", "after damage a record with a stamp from far away is not believed",
     build_wild_stamp_in_damage,
     "1000 virtqueue_flush 4 ptr a0 num 1\n"
     "1002 lost 0 since 1000\n"
     "1002 virtqueue_flush 4 ptr a0 num 3\n",
     "2 events, 1 lost\n@323 x1 a record is damaged; skipped to the next whole one\n"},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/simpletrace-damage/%s", rows[i].name);

        g_test_add_data_func(path, &rows[i], test_row);
    }
    return g_test_run();
}
