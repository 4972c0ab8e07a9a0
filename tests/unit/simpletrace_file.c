/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A simpletrace file made by a test, in either byte order, and a check of what is read from it.
 */
#include "simpletrace_file.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT(0xf2b177cb0aa429b4)

void put_u64(File *file, guint64 v)
{
    v = file->swapped ? GUINT64_SWAP_LE_BE(v) : v;
    g_byte_array_append(file->bytes, (guint8 *)&v, sizeof(v));
}

void put_u32(File *file, guint32 v)
{
    v = file->swapped ? GUINT32_SWAP_LE_BE(v) : v;
    g_byte_array_append(file->bytes, (guint8 *)&v, sizeof(v));
}

void put_text(File *file, const char *text)
{
    put_u32(file, strlen(text));
    g_byte_array_append(file->bytes, (const guint8 *)text, strlen(text));
}

void put_map(File *file, guint64 id, const char *name)
{
    put_u64(file, 0);
    put_u64(file, id);
    put_text(file, name);
}

void put_head(File *file, guint64 id, guint64 time, guint32 args_len)
{
    put_u64(file, 1);
    put_u64(file, id);
    put_u64(file, time);
    put_u32(file, 24 + args_len);
    put_u32(file, 4242);
}

void put_event(File *file, guint64 id, guint64 time, guint n, const guint64 *args)
{
    put_head(file, id, time, 8 * n);
    for (guint i = 0; i < n; i++) {
        put_u64(file, args[i]);
    }
}

void put_vhost_start(File *file, guint64 time, const char *name)
{
    put_head(file, VHOST, time, 8 + 4 + strlen(name) + 8);
    put_u64(file, 0xd0);
    put_text(file, name);
    put_u64(file, 1);
}

void put_header(File *file, guint64 version)
{
    put_u64(file, G_MAXUINT64);
    put_u64(file, MAGIC);
    put_u64(file, version);
}

void put_maps(File *file)
{
    put_header(file, 4);
    put_map(file, POP, "virtqueue_pop");
    put_map(file, FILL, "virtqueue_fill");
    put_map(file, FLUSH, "virtqueue_flush");
    put_map(file, HANDLE, "virtio_queue_notify");
    put_map(file, IRQ, "virtio_notify");
    put_map(file, VHOST, "vhost_dev_start");
    put_map(file, BLK, "virtio_blk_rw_complete");
}

void cut(File *file, guint n)
{
    g_byte_array_set_size(file->bytes, file->bytes->len - n);
}

TraceSource *open_file(void (*build)(File *), gboolean swapped)
{
    File file = {.bytes = g_byte_array_new(), .swapped = swapped};
    g_autoptr(GError) error = NULL;
    TraceSource *source;

    build(&file);
    source = trace_text_open(file.bytes->data, file.bytes->len, NULL, &error);
    g_assert_no_error(error);
    g_byte_array_unref(file.bytes);
    return source;
}

static void check_row(const Row *row, gboolean swapped)
{
    g_autoptr(TraceSource) source = open_file(row->build, swapped);

    trace_text_check(source, row->events, row->info);
}

void test_row(gconstpointer data)
{
    check_row(data, FALSE);
    check_row(data, TRUE);
}
