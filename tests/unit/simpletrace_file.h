/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A simpletrace file made by a test, in either byte order, and a check of what is read from it.
 */
#ifndef VIRTCORR_TEST_SIMPLETRACE_FILE_H
#define VIRTCORR_TEST_SIMPLETRACE_FILE_H

#include "trace_text.h"

#define DROPPED_ID G_GUINT64_CONSTANT(0xfffffffffffffffe)

/* Ids that put_maps() maps. */
enum { POP = 5, FILL, FLUSH, HANDLE, IRQ, VHOST, BLK };

/* A file being made. */
typedef struct File {
    GByteArray *bytes;
    gboolean swapped;
} File;

void put_u64(File *file, guint64 v);
void put_u32(File *file, guint32 v);
void put_text(File *file, const char *text);
void put_map(File *file, guint64 id, const char *name);
void put_head(File *file, guint64 id, guint64 time, guint32 args_len);
void put_event(File *file, guint64 id, guint64 time, guint n, const guint64 *args);
void put_vhost_start(File *file, guint64 time, const char *name);
void put_header(File *file, guint64 version);
void put_maps(File *file);
void cut(File *file, guint n);

#define PUT(file, id, time, ...)                                                                   \
    put_event(file, id, time, G_N_ELEMENTS(((guint64[]){__VA_ARGS__})), (guint64[]){__VA_ARGS__})

/**
 * Row: a file and what must be read from it.
 * @events, @info: as trace_text_read() and trace_text_info() write them
 *
 * put_maps() writes 275 bytes, an event with n arguments that are numbers has 32 + 8 n.
 */
typedef struct Row {
    const char *name;
    const char *what;
    void (*build)(File *file);
    const char *events;
    const char *info;
} Row;

TraceSource *open_file(void (*build)(File *file), gboolean swapped);

/* The test function of a Row: both byte orders, and again after a rewind. */
void test_row(gconstpointer row);

#endif
