/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of each CPU of a trace.dat, one after another.
 */
#include "trace_dat.h"

/* Read-ahead of one CPU and of all; a CPU always holds one page, which the file does too. */
enum { CPU_WINDOW = 64 << 10, ALL_WINDOWS = 64 << 20 };

static const char cut_short[] = "the file is cut short: the last events of a CPU are missing";

/* Where the pages are once they are decompressed. */
static gboolean find_pages(TraceDat *dat, const DatRegion *region, DatCpu *cpu)
{
    guint64 size = dat->reader.info.size;

    if (dat_buffer(dat, region->buffer)->is_spooled) {
        if (!dat_spool_chunks(dat, region->offset, &cpu->begin)) {
            return FALSE;
        }
        cpu->input = dat->spool;
        cpu->end = input_size(dat->spool);
        cpu->offset_flag = DAT_IN_SPOOL;
        return TRUE;
    }
    cpu->input = dat->reader.input;
    cpu->begin = MIN(region->offset, size);
    cpu->end = cpu->begin + MIN(region->size, size - cpu->begin);
    if (cpu->end - cpu->begin < region->size) {
        reader_problem(&dat->reader, cpu->end, cut_short);
    }
    return TRUE;
}

gboolean dat_is_page_size(guint64 size)
{
    return size >= 1024 && size <= 1 << 20 && (size & (size - 1)) == 0;
}

static gboolean is_readable(TraceDat *dat, const DatRegion *region)
{
    const DatBuffer *buffer = dat_buffer(dat, region->buffer);

    if (!dat_is_page_size(buffer->page_size)) {
        reader_problem(&dat->reader, buffer->offset,
                       "the page size of a trace instance makes no sense; its events are left out");
        return FALSE;
    }
    if (buffer->clock != NULL && g_strcmp0(buffer->clock, dat_buffer(dat, 0)->clock) != 0) {
        reader_problem(&dat->reader, buffer->offset,
                       "a trace instance has another clock than the first; its events are left "
                       "out");
        return FALSE;
    }
    return TRUE;
}

static void make_cpu(TraceDat *dat, const DatRegion *region, guint64 *budget)
{
    DatCpu cpu = {
        .layout = dat->layout,
        .cpu = MIN(region->cpu, NO_CPU),
        .index = dat->cpus->len,
    };
    guint64 size;

    if (!is_readable(dat, region) || !find_pages(dat, region, &cpu)) {
        return;
    }
    cpu.layout.page_size = dat_buffer(dat, region->buffer)->page_size;
    size = (cpu.end - cpu.begin) & ~(guint64)(cpu.layout.page_size - 1);
    if (cpu.offset_flag == 0 && size > *budget) {
        reader_problem(&dat->reader, region->offset,
                       "the events of two CPUs overlap; those of the second are left out");
        return;
    }
    *budget -= cpu.offset_flag == 0 ? size : 0;
    cpu.end = cpu.begin + size;
    dat->total += size;
    if (size > 0) {
        g_array_append_val(dat->cpus, cpu);
    }
}

void dat_make_cpus(TraceDat *dat)
{
    guint64 budget = dat->reader.info.size;

    for (guint i = 0; i < dat->regions->len; i++) {
        make_cpu(dat, &g_array_index(dat->regions, DatRegion, i), &budget);
    }
    dat->window = CLAMP(ALL_WINDOWS / MAX(dat->cpus->len, 1), 4096, CPU_WINDOW);
    dat->heap = g_new0(DatCpu *, dat->cpus->len + 1);
}

void dat_cpu_rewind(DatCpu *cpu)
{
    cpu->next = cpu->begin;
    cpu->page = (DatPage){0};
    cpu->time = cpu->last_time = 0;
    cpu->missed = FALSE;
    cpu->n_missed = 0;
}

/* The page at cpu->next, read ahead if it is not there yet; NULL when it cannot be read. */
static const guint8 *need_page(TraceDat *dat, DatCpu *cpu)
{
    gsize page_size = cpu->layout.page_size;
    gsize capacity = MAX(dat->window, page_size);

    if (cpu->bytes == NULL) {
        cpu->bytes = g_malloc(capacity);
    }
    if (cpu->next < cpu->bytes_offset || cpu->next - cpu->bytes_offset >= cpu->n_bytes) {
        cpu->bytes_offset = cpu->next;
        cpu->n_bytes =
            input_read(cpu->input, cpu->next, cpu->bytes, MIN(capacity, cpu->end - cpu->next));
        cpu->n_bytes &= ~(page_size - 1);
    }
    return cpu->n_bytes > 0 ? cpu->bytes + (cpu->next - cpu->bytes_offset) : NULL;
}

static gboolean load_page(TraceDat *dat, DatCpu *cpu)
{
    if (cpu->next >= cpu->end) {
        return FALSE;
    }
    cpu->page_bytes = need_page(dat, cpu);
    if (cpu->page_bytes == NULL) {
        reader_problem(&dat->reader, cpu->next, cut_short);
        cpu->next = cpu->end;
        return FALSE;
    }
    cpu->page_offset = cpu->next;
    cpu->next += cpu->layout.page_size;
    dat->done += cpu->layout.page_size;
    dat_page_begin(&cpu->page, &cpu->layout, cpu->page_bytes);
    cpu->missed |= cpu->page.missed;
    cpu->n_missed += cpu->page.n_missed;
    return TRUE;
}

gboolean dat_cpu_next(TraceDat *dat, DatCpu *cpu)
{
    cpu->last_time = cpu->time;
    while (!dat_page_next(&cpu->page, &cpu->layout)) {
        if (cpu->page.damaged) {
            reader_problem(&dat->reader, cpu->page_offset,
                           "a page of events is damaged; what follows in it is left out");
        }
        if (!load_page(dat, cpu)) {
            return FALSE;
        }
    }
    cpu->time = cpu->page.time;
    if ((gint64)((guint64)cpu->time - (guint64)cpu->last_time) < 0 && cpu->last_time != 0) {
        reader_problem(&dat->reader, cpu->page_offset, "the time of a CPU goes back");
    }
    return TRUE;
}
