/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * trace.dat version 6, see trace-cmd.dat.v6(5); pages as in the kernel's ring_buffer.c.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "bytes_out.h"
#include "kernel_trace.h"

enum {
    PAGE_SIZE = 4096,
    PAGE_HEADER = 16,
    PAGE_DATA = PAGE_SIZE - PAGE_HEADER,
    OPTION_TRACECLOCK = 4,
    OPTION_UNAME = 5,
    MAX_CPUS = 16,
    TYPE_LEN_MAX = 28,
    TYPE_TIME_EXTEND = 30,
    DELTA_BITS = 27,
    MISSED_EVENTS = 1u << 31,
    MISSED_STORED = 1 << 30,
};

/* A CPU's pages go to a temporary file, since the real one holds CPU after CPU. */
typedef struct CpuPages {
    FILE *spool;
    guint64 size;
    guint64 last;
    guint used; /* bytes of data in @page */
    guint room;
    guint64 missed;
    guint8 page[PAGE_SIZE];
} CpuPages;

typedef struct TraceDat {
    KernelFile base;
    FILE *out;
    guint n_cpus;
    CpuPages cpus[MAX_CPUS];
} TraceDat;

static void flush_page(CpuPages *cpu)
{
    guint64 commit = cpu->used;

    if (cpu->used == 0) {
        return;
    }
    if (cpu->missed) {
        memcpy(cpu->page + PAGE_HEADER + cpu->used, &cpu->missed, sizeof(cpu->missed));
        commit |= MISSED_EVENTS | MISSED_STORED;
    }
    memcpy(cpu->page + 8, &commit, sizeof(commit));
    fwrite(cpu->page, PAGE_SIZE, 1, cpu->spool);
    cpu->size += PAGE_SIZE;
    cpu->missed = 0;
    cpu->used = 0;
}

static void begin_page(CpuPages *cpu, guint64 raw)
{
    memset(cpu->page, 0, PAGE_SIZE);
    memcpy(cpu->page, &raw, sizeof(raw));
    cpu->last = raw;
    cpu->room = PAGE_DATA - (cpu->missed ? sizeof(cpu->missed) : 0);
}

static void put(CpuPages *cpu, gconstpointer data, guint size)
{
    memcpy(cpu->page + PAGE_HEADER + cpu->used, data, size);
    cpu->used += size;
}

static void put_u32(CpuPages *cpu, guint32 value)
{
    put(cpu, &value, sizeof(value));
}

static void put_event(CpuPages *cpu, guint64 raw, const guint8 *payload, guint size)
{
    guint64 delta = raw - cpu->last;

    if (delta >> DELTA_BITS) {
        put_u32(cpu, TYPE_TIME_EXTEND | (guint32)(delta & ((1 << DELTA_BITS) - 1)) << 5);
        put_u32(cpu, delta >> DELTA_BITS);
        delta = 0;
    }
    if (size <= TYPE_LEN_MAX * 4) {
        put_u32(cpu, size / 4 | (guint32)delta << 5);
    } else {
        put_u32(cpu, (guint32)delta << 5);
        put_u32(cpu, size + 4);
    }
    put(cpu, payload, size);
    cpu->last = raw;
}

static void trace_dat_record(KernelFile *file, const KernelRecord *record, const guint8 *payload,
                             guint size)
{
    enum { MAX_OVERHEAD = 16 };
    CpuPages *cpu = &((TraceDat *)file)->cpus[record->cpu];

    if (cpu->used > 0 && cpu->used + size + MAX_OVERHEAD > cpu->room) {
        flush_page(cpu);
    }
    if (cpu->used == 0) {
        begin_page(cpu, record->raw);
    }
    put_event(cpu, record->raw, payload, size);
}

/* Loss is known a page at a time: the flag is of the page that follows. */
static void trace_dat_lost(KernelFile *file, guint cpu, guint n, guint64 raw)
{
    CpuPages *pages = &((TraceDat *)file)->cpus[cpu];

    flush_page(pages);
    pages->missed += n;
}

static void append_option(GByteArray *out, guint16 id, const char *text)
{
    bytes_append_u16(out, id);
    bytes_append_u32(out, strlen(text) + 1);
    bytes_append(out, text, strlen(text) + 1);
}

static GByteArray *build_header(const KernelFileOptions *options)
{
    static const guint8 magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g', '6', 0,
                                   G_BYTE_ORDER == G_BIG_ENDIAN, sizeof(long)};
    g_autofree char *clock = g_strdup_printf("local global counter [%s]\n", options->clock);
    g_autoptr(GString) comms = g_string_new(NULL);
    GByteArray *out = g_byte_array_new();

    if (g_str_equal(options->clock, "local")) {
        g_free(clock);
        clock = g_strdup("[local] global counter\n");
    }
    bytes_append(out, magic, sizeof(magic));
    bytes_append_u32(out, PAGE_SIZE);
    tracepoint_append_formats(out, options->ids, options->n_ids);
    bytes_append_u32(out, 0); /* kallsyms */
    bytes_append_u32(out, 0); /* trace_printk formats */
    for (const ThreadName *thread = options->threads; thread->comm; thread++) {
        g_string_append_printf(comms, "%u %s\n", thread->tid, thread->comm);
    }
    bytes_append_text64(out, comms->str);
    bytes_append_u32(out, options->n_cpus);
    bytes_append(out, "options  ", 10);
    append_option(out, OPTION_TRACECLOCK, clock);
    append_option(out, OPTION_UNAME, "Linux generated 6.12.0-generated #1 x86_64");
    bytes_append_u16(out, 0);
    bytes_append(out, "flyrecord", 10);
    return out;
}

/* The table of CPUs, the clock once more, and zeros up to the first page. */
static void append_cpu_table(const TraceDat *dat, GByteArray *out, const char *clock)
{
    g_autofree char *text = g_strdup_printf("[%s]\n", clock);
    gsize table = dat->n_cpus * 2 * sizeof(guint64) + sizeof(guint64) + strlen(text);
    guint64 offset = (out->len + table + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;

    for (guint i = 0; i < dat->n_cpus; i++) {
        bytes_append_u64(out, offset);
        bytes_append_u64(out, dat->cpus[i].size);
        offset += dat->cpus[i].size;
    }
    bytes_append_text64(out, text);
    bytes_pad(out, PAGE_SIZE);
}

static void copy_spool(FILE *out, FILE *spool)
{
    enum { CHUNK = 1 << 16 };
    g_autofree guint8 *chunk = g_malloc(CHUNK);
    gsize n;

    rewind(spool);
    while ((n = fread(chunk, 1, CHUNK, spool)) > 0) {
        fwrite(chunk, 1, n, out);
    }
}

/* What finish() needs beside the pages is kept at the end of the struct. */
typedef struct TraceDatFile {
    TraceDat dat;
    KernelFileOptions options;
} TraceDatFile;

static gboolean trace_dat_finish(KernelFile *file, GError **error)
{
    g_autofree TraceDatFile *self = (TraceDatFile *)file;
    TraceDat *dat = &self->dat;
    g_autoptr(GByteArray) header = build_header(&self->options);

    for (guint i = 0; i < dat->n_cpus; i++) {
        flush_page(&dat->cpus[i]);
    }
    append_cpu_table(dat, header, self->options.clock);
    fwrite(header->data, header->len, 1, dat->out);
    for (guint i = 0; i < dat->n_cpus; i++) {
        copy_spool(dat->out, dat->cpus[i].spool);
        fclose(dat->cpus[i].spool);
    }
    if (ferror(dat->out) || fclose(dat->out) != 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot write trace.dat: %s",
                    g_strerror(errno));
        return FALSE;
    }
    return TRUE;
}

static FILE *open_spool(const char *path)
{
    FILE *spool = fopen(path, "w+b");

    if (spool) {
        unlink(path);
    }
    return spool;
}

KernelFile *trace_dat_create(const char *path, const KernelFileOptions *options, GError **error)
{
    TraceDatFile *self = g_new0(TraceDatFile, 1);
    TraceDat *dat = &self->dat;

    g_assert(options->n_cpus <= MAX_CPUS);
    dat->base = (KernelFile){trace_dat_record, trace_dat_lost, trace_dat_finish};
    self->options = *options;
    dat->n_cpus = options->n_cpus;
    dat->out = fopen(path, "wb");
    for (guint i = 0; dat->out && i < dat->n_cpus; i++) {
        g_autofree char *spool = g_strdup_printf("%s.cpu%u", path, i);

        dat->cpus[i].spool = open_spool(spool);
        if (!dat->cpus[i].spool) {
            g_clear_pointer(&dat->out, fclose);
        }
    }
    if (!dat->out) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot create '%s': %s", path,
                    g_strerror(errno));
        g_free(self);
        return NULL;
    }
    return &dat->base;
}
