/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf.data in file mode, as perf 6.1 writes it for tracepoints (perf.data-file-format.txt,
 * linux/perf_event.h). Records of the CPUs come in rounds, as perf drains one buffer after the
 * other.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "bytes_out.h"
#include "kernel_trace.h"

enum {
    MAX_CPUS = 16,
    FILE_HEADER_SIZE = 104,
    ATTR_SIZE = 128, /* PERF_ATTR_SIZE_VER7 */
    CPU_BUFFER = 512 * 1024,
    CHUNK_LIMIT = CPU_BUFFER - 1024,
    RECORD_FINISHED_ROUND = 68,
    RECORD_TIME_CONV = 79,
    FEATURE_TRACING_DATA = 1,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_ARCH = 6,
    FEATURE_NRCPUS = 7,
    SAMPLE_TYPE_DUMMY = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                        PERF_SAMPLE_IDENTIFIER,
    SAMPLE_TYPE = SAMPLE_TYPE_DUMMY | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
    TSC_SHIFT = 31,
};

typedef struct SampleHead {
    struct perf_event_header header;
    guint64 id;
    guint64 ip;
    guint32 pid;
    guint32 tid;
    guint64 time;
    guint32 cpu;
    guint32 res;
    guint64 period;
    guint32 raw_size;
} __attribute__((packed)) SampleHead;

/* What follows a record that is no sample: sample_id_all. */
typedef struct IdTrailer {
    guint32 pid;
    guint32 tid;
    guint64 time;
    guint32 cpu;
    guint32 res;
    guint64 id;
} IdTrailer;

typedef struct LostRecord {
    struct perf_event_header header;
    guint64 id;
    guint64 lost;
    IdTrailer trailer;
} LostRecord;

typedef struct TimeConvRecord {
    struct perf_event_header header;
    guint64 time_shift;
    guint64 time_mult;
    guint64 time_zero;
} TimeConvRecord;

typedef struct CpuChunk {
    guint used;
    guint8 *data;
} CpuChunk;

typedef struct PerfData {
    KernelFile base;
    KernelFileOptions options;
    FILE *out;
    guint slots[N_TRACEPOINTS];
    guint64 data_begin;
    guint64 tsc_mult;
    CpuChunk cpus[MAX_CPUS];
} PerfData;

/* Ids count up, a range of the CPUs for each event; the dummy event is the last. */
static guint64 event_id(const PerfData *perf, guint slot, guint cpu)
{
    return 12 + slot * perf->options.n_cpus + cpu;
}

/* perf's clock is in ns: a TSC reading goes through the kernel's multiplication. */
static guint64 perf_time(const PerfData *perf, guint64 raw)
{
    if (perf->tsc_mult == 0) {
        return raw;
    }
    return (guint64)(((unsigned __int128)raw * perf->tsc_mult) >> TSC_SHIFT);
}

static void flush_round(PerfData *perf)
{
    struct perf_event_header end = {.type = RECORD_FINISHED_ROUND, .size = sizeof(end)};

    for (guint i = 0; i < perf->options.n_cpus; i++) {
        fwrite(perf->cpus[i].data, 1, perf->cpus[i].used, perf->out);
        perf->cpus[i].used = 0;
    }
    fwrite(&end, sizeof(end), 1, perf->out);
}

static void put(PerfData *perf, guint cpu, gconstpointer data, guint size)
{
    memcpy(perf->cpus[cpu].data + perf->cpus[cpu].used, data, size);
    perf->cpus[cpu].used += size;
}

static void perf_data_record(KernelFile *file, const KernelRecord *record, const guint8 *payload,
                             guint size)
{
    PerfData *perf = (PerfData *)file;
    guint padded = ((size + 4 + 7) & ~7u) - 4;
    SampleHead head = {
        .header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, sizeof(head) + padded},
        .id = event_id(perf, perf->slots[record->id], record->cpu),
        .ip = 0xffffffff81000000,
        .pid = record->tid,
        .tid = record->tid,
        .time = perf_time(perf, record->raw),
        .cpu = record->cpu,
        .period = 1,
        .raw_size = padded,
    };

    if (perf->cpus[record->cpu].used > CHUNK_LIMIT) {
        flush_round(perf);
    }
    put(perf, record->cpu, &head, sizeof(head));
    put(perf, record->cpu, payload, padded);
}

static void perf_data_lost(KernelFile *file, guint cpu, guint n, guint64 raw)
{
    PerfData *perf = (PerfData *)file;
    LostRecord lost = {
        .header = {PERF_RECORD_LOST, 0, sizeof(lost)},
        .id = event_id(perf, 0, cpu),
        .lost = n,
        .trailer = {0, 0, perf_time(perf, raw), cpu, 0, event_id(perf, 0, cpu)},
    };

    if (perf->cpus[cpu].used > CHUNK_LIMIT) {
        flush_round(perf);
    }
    put(perf, cpu, &lost, sizeof(lost));
}

static void append_comm(GByteArray *out, const PerfData *perf, const ThreadName *thread)
{
    char comm[16] = "";
    struct perf_event_header header = {PERF_RECORD_COMM, 0, 0};
    IdTrailer trailer = {.id = event_id(perf, perf->options.n_ids, 0)};

    g_strlcpy(comm, thread->comm, sizeof(comm));
    header.size = sizeof(header) + 8 + sizeof(comm) + sizeof(trailer);
    bytes_append(out, &header, sizeof(header));
    bytes_append_u32(out, thread->tid);
    bytes_append_u32(out, thread->tid);
    bytes_append(out, comm, sizeof(comm));
    bytes_append(out, &trailer, sizeof(trailer));
}

static void append_first_records(GByteArray *out, const PerfData *perf)
{
    if (perf->tsc_mult) {
        TimeConvRecord conv = {
            {RECORD_TIME_CONV, 0, sizeof(conv)}, TSC_SHIFT, perf->tsc_mult, 0};

        bytes_append(out, &conv, sizeof(conv));
    }
    for (const ThreadName *thread = perf->options.threads; thread->comm; thread++) {
        append_comm(out, perf, thread);
    }
}

/* Section of the ids of event @slot: they lie one after the other behind the file header. */
static void append_attr(GByteArray *out, const PerfData *perf, guint slot)
{
    gboolean is_dummy = slot == perf->options.n_ids;
    struct perf_event_attr attr = {
        .type = is_dummy ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT,
        .size = ATTR_SIZE,
        .config = is_dummy ? PERF_COUNT_SW_DUMMY : tracepoint_type(perf->options.ids[slot]),
        .sample_period = 1,
        .sample_type = is_dummy ? SAMPLE_TYPE_DUMMY : SAMPLE_TYPE,
        .read_format = PERF_FORMAT_ID,
        .inherit = 1,
        .comm = is_dummy,
        .task = is_dummy,
        .sample_id_all = 1,
    };

    bytes_append(out, &attr, ATTR_SIZE);
    bytes_append_u64(out, FILE_HEADER_SIZE + slot * perf->options.n_cpus * sizeof(guint64));
    bytes_append_u64(out, perf->options.n_cpus * sizeof(guint64));
}

static void write_head(PerfData *perf)
{
    g_autoptr(GByteArray) out = g_byte_array_new();

    g_byte_array_set_size(out, FILE_HEADER_SIZE);
    memset(out->data, 0, out->len);
    for (guint slot = 0; slot <= perf->options.n_ids; slot++) {
        for (guint cpu = 0; cpu < perf->options.n_cpus; cpu++) {
            bytes_append_u64(out, event_id(perf, slot, cpu));
        }
    }
    for (guint slot = 0; slot <= perf->options.n_ids; slot++) {
        append_attr(out, perf, slot);
    }
    perf->data_begin = out->len;
    append_first_records(out, perf);
    fwrite(out->data, out->len, 1, perf->out);
}

static void append_string(GByteArray *out, const char *text)
{
    guint32 size = (strlen(text) + 1 + 63) & ~63u;
    guint at;

    bytes_append_u32(out, size);
    at = out->len;
    g_byte_array_set_size(out, at + size);
    memset(out->data + at, 0, size);
    memcpy(out->data + at, text, strlen(text));
}

static void append_tracing_data(GByteArray *out, const PerfData *perf)
{
    static const guint8 magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g', '0', '.',
                                   '6', 0, G_BYTE_ORDER == G_BIG_ENDIAN, sizeof(long)};

    bytes_append(out, magic, sizeof(magic));
    bytes_append_u32(out, 4096);
    tracepoint_append_formats(out, perf->options.ids, perf->options.n_ids);
    bytes_append_u32(out, 0); /* kallsyms */
    bytes_append_u32(out, 0); /* trace_printk formats */
    bytes_append_u64(out, 0); /* saved command lines */
}

static void append_feature(GByteArray *out, const PerfData *perf, guint feature)
{
    switch (feature) {
    case FEATURE_TRACING_DATA:
        append_tracing_data(out, perf);
        break;
    case FEATURE_HOSTNAME:
        append_string(out, perf->options.machine);
        break;
    case FEATURE_OSRELEASE:
        append_string(out, "6.12.0-generated");
        break;
    case FEATURE_ARCH:
        append_string(out, "x86_64");
        break;
    case FEATURE_NRCPUS:
        bytes_append_u32(out, perf->options.n_cpus);
        bytes_append_u32(out, perf->options.n_cpus);
        break;
    }
}

static const guint features[] = {FEATURE_TRACING_DATA, FEATURE_HOSTNAME, FEATURE_OSRELEASE,
                                 FEATURE_ARCH, FEATURE_NRCPUS};

static void write_features(PerfData *perf, guint64 begin)
{
    g_autoptr(GByteArray) table = g_byte_array_new();
    g_autoptr(GByteArray) body = g_byte_array_new();
    gsize table_size = G_N_ELEMENTS(features) * 2 * sizeof(guint64);

    for (guint i = 0; i < G_N_ELEMENTS(features); i++) {
        guint at = body->len;

        append_feature(body, perf, features[i]);
        bytes_append_u64(table, begin + table_size + at);
        bytes_append_u64(table, body->len - at);
    }
    fwrite(table->data, table->len, 1, perf->out);
    fwrite(body->data, body->len, 1, perf->out);
}

/* struct perf_file_header of perf's util/header.h. */
static void write_file_header(PerfData *perf, guint64 data_size)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    guint n_attrs = perf->options.n_ids + 1;
    guint attr_size = ATTR_SIZE + 2 * sizeof(guint64);
    guint64 bits = 0;

    for (guint i = 0; i < G_N_ELEMENTS(features); i++) {
        bits |= 1u << features[i];
    }
    bytes_append(out, "PERFILE2", 8);
    bytes_append_u64(out, FILE_HEADER_SIZE);
    bytes_append_u64(out, attr_size);
    bytes_append_u64(out, perf->data_begin - n_attrs * attr_size);
    bytes_append_u64(out, n_attrs * attr_size);
    bytes_append_u64(out, perf->data_begin);
    bytes_append_u64(out, data_size);
    bytes_append_u64(out, 0);
    bytes_append_u64(out, 0);
    bytes_append_u64(out, bits);
    rewind(perf->out);
    fwrite(out->data, out->len, 1, perf->out);
}

static gboolean perf_data_finish(KernelFile *file, GError **error)
{
    g_autofree PerfData *perf = (PerfData *)file;
    guint64 data_end;
    gboolean is_written;

    flush_round(perf);
    for (guint i = 0; i < perf->options.n_cpus; i++) {
        g_free(perf->cpus[i].data);
    }
    data_end = ftello(perf->out);
    write_features(perf, data_end);
    write_file_header(perf, data_end - perf->data_begin);
    is_written = !ferror(perf->out);
    if (fclose(perf->out) != 0 || !is_written) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot write perf.data: %s",
                    g_strerror(errno));
        return FALSE;
    }
    return TRUE;
}

KernelFile *perf_data_create(const char *path, const KernelFileOptions *options, GError **error)
{
    FILE *out = fopen(path, "wb");
    PerfData *perf;

    g_assert(options->n_cpus <= MAX_CPUS);
    if (!out) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot create '%s': %s", path,
                    g_strerror(errno));
        return NULL;
    }
    perf = g_new0(PerfData, 1);
    perf->base = (KernelFile){perf_data_record, perf_data_lost, perf_data_finish};
    perf->options = *options;
    perf->out = out;
    if (options->tsc_khz) {
        perf->tsc_mult = ((guint64)1000000 << TSC_SHIFT) / options->tsc_khz;
    }
    for (guint i = 0; i < options->n_ids; i++) {
        perf->slots[options->ids[i]] = i;
    }
    for (guint i = 0; i < options->n_cpus; i++) {
        perf->cpus[i].data = g_malloc(CPU_BUFFER);
    }
    write_head(perf);
    return &perf->base;
}
