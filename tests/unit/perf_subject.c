/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf.data file on disk that is read, and what most tests put into one.
 */
#include "perf_subject.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(Subject *subject)
{
    gsize n;

    subject->n = 0;
    do {
        n = trace_source_read(subject->source, subject->events + subject->n,
                              MIN(7, MAX_EVENTS - subject->n));
        subject->n += n;
    } while (n > 0);
}

Subject *subject_new(const guint8 *bytes, gsize len)
{
    Subject *subject = g_new0(Subject, 1);

    /* In memory, for tests that open thousands. */
    subject->fd = memfd_create("perf", MFD_CLOEXEC);
    g_assert_cmpint(subject->fd, >=, 0);
    g_assert_cmpint(write(subject->fd, bytes, len), ==, len);
    subject->path = g_strdup_printf("/proc/self/fd/%d", subject->fd);
    subject->source = trace_source_open(subject->path, NULL, &subject->error);
    if (subject->source != NULL) {
        read_all(subject);
    }
    return subject;
}

Subject *subject_of(PerfBuild *build)
{
    g_autoptr(GByteArray) file = perf_build_finish(build);

    return subject_new(file->data, file->len);
}

void subject_free(Subject *subject)
{
    trace_source_free(subject->source);
    g_clear_error(&subject->error);
    close(subject->fd);
    g_free(subject->path);
    g_free(subject);
}
void subject_reread(Subject *subject)
{
    trace_source_rewind(subject->source);
    read_all(subject);
}

const TraceInfo *subject_info(const Subject *subject)
{
    g_assert_no_error(subject->error);
    return trace_source_info(subject->source);
}

guint64 subject_problems(const Subject *subject, const char *part)
{
    const GArray *problems = subject_info(subject)->problems;

    for (guint i = 0; i < problems->len; i++) {
        const TraceProblem *problem = &g_array_index(problems, TraceProblem, i);

        if (strstr(problem->text, part) != NULL) {
            return problem->count;
        }
    }
    return 0;
}

void subject_assert_no_problems(const Subject *subject)
{
    const GArray *problems = subject_info(subject)->problems;

    for (guint i = 0; i < problems->len; i++) {
        g_test_message("%s", g_array_index(problems, TraceProblem, i).text);
    }
    g_assert_cmpuint(problems->len, ==, 0);
}

static void add_field(const char *name, const char *value, gboolean is_number, gpointer user_data)
{
    g_string_append_printf(user_data, "%s=%s ", name, value);
}

void subject_add_usual(PerfBuild *build)
{
    perf_build_irq(build, 1, 2000, 25);
    if (perf_build_layout(build)->n_attrs > ATTR_CYCLES) {
        perf_build_cycles(build, 1, 2500);
    }
    perf_build_irq(build, 1, 3000, 26);
    perf_build_xmit(build, 0, 1000, 812, skb, 98);
    perf_build_xmit(build, 0, 2200, G_MAXUINT32, skb + 8, 60);
    perf_build_round(build);
    perf_build_xmit(build, 3, 2800, 0, skb + 16, 61);
    perf_build_round(build);
}

void subject_assert_xmit(const Subject *subject, const Event *event)
{
    g_autoptr(GString) fields = g_string_new(NULL);

    g_assert_cmpint(event->kind, ==, EVENT_NET_XMIT);
    g_assert_cmpint(event->time, ==, 1000);
    g_assert_cmpuint(event->num[0], ==, 98);
    g_assert_cmpuint(event->type, ==, TYPE_XMIT);
    g_assert_cmpstr(trace_source_name(subject->source, event->name), ==, "eth0");
    g_assert_cmpstr(trace_source_event_name(subject->source, event), ==, "net:net_dev_xmit");
    trace_source_describe(subject->source, event, add_field, fields);
    g_assert_nonnull(strstr(fields->str, "len=98 "));
    g_assert_nonnull(strstr(fields->str, "name=eth0 "));
}

void subject_assert_usual(const Subject *subject, const PerfLayout *layout)
{
    static const gint64 times[] = {1000, 2000, 2200, 2800, 3000};
    const guint16 cpus[] = {0, 1, 0, 3, 1};
    const guint64 mask = layout->long_size == 8 ? G_MAXUINT64 : G_MAXUINT32;

    g_assert_cmpuint(subject->n, ==, G_N_ELEMENTS(times));
    for (gsize i = 0; i < subject->n; i++) {
        g_assert_cmpint(subject->events[i].time, ==, times[i]);
        g_assert_cmpint(subject->events[i].cpu, ==,
                        layout->sample_type & SAMPLE_CPU ? cpus[i] : NO_CPU);
    }
    subject_assert_xmit(subject, &subject->events[0]);
    g_assert_cmphex(subject->events[0].ptr[0], ==, skb & mask);
    g_assert_cmphex(subject->events[3].ptr[0], ==, (skb + 16) & mask);
    /* Without a thread, or with the -1 of one that has exited, common_pid stands in. */
    g_assert_cmpuint(subject->events[0].tid, ==, layout->sample_type & SAMPLE_TID ? 812 : 99);
    g_assert_cmpuint(subject->events[2].tid, ==, 99);
    g_assert_cmpint(subject->events[1].kind, ==, EVENT_IRQ_ENTRY);
    g_assert_cmpuint(subject->events[1].num[0], ==, 25);
    g_assert_cmpuint(subject_info(subject)->events, ==, subject->n);
    g_assert_cmpuint(subject_info(subject)->lost, ==, 0);
}
