/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run: scan the sources, find the clock, join.
 *
 * The sources are read three times. The first pass learns what is there (devices, queues, losses)
 * and keeps the beginning of each queue, from which the first alignment is made. The second joins
 * packet with packet to collect every causal pair for the clock. The third joins again, with the
 * clock known for the whole time, and tells the journeys. Memory does not grow with the traces.
 */
#include "run_private.h"

#include <string.h>

enum { PAIR_WINDOW = 4096 };

typedef struct Pass {
    Run *run;
    GArray *host_links; /* queue → link index + 1 */
    GArray *guest_links;
    void (*pair)(Run *run, const Link *link, const Half *guest, const Half *host, Grade grade);
    void (*orphan)(Run *run, const Link *link, const Half *guest, const Half *host,
                   OrphanReason reason);
} Pass;

static gboolean is_guest(const Run *run, guint source)
{
    return source == run->guest_source;
}

static void tell_progress(guint64 done, gpointer user_data)
{
    Pass *pass = user_data;
    Run *run = pass->run;

    if (run->listener->progress != NULL) {
        run->listener->progress(run->work_done + done, run->work_total, run->listener->user_data);
    }
}

static void take_event(Run *run, guint source, const Event *event)
{
    const char *name =
        event->name == NO_NAME ? "" : trace_source_name(run->sources[source].source, event->name);

    if (is_guest(run, source)) {
        guest_event(run->guest, event, name);
    } else {
        host_event(run->host, event, name);
    }
}

static guint64 total_size(const Run *run)
{
    guint64 size = 0;

    for (guint i = 0; i < run->n; i++) {
        size += run->sources[i].use ? trace_source_info(run->sources[i].source)->size : 0;
    }
    return size;
}

/* First pass. */

static Stream *stream_of(GPtrArray *streams, guint queue)
{
    while (streams->len <= queue) {
        g_ptr_array_add(streams, stream_new());
    }
    return g_ptr_array_index(streams, queue);
}

static void scan_host_half(guint queue, const Half *half, gpointer user_data)
{
    stream_add(stream_of(((Pass *)user_data)->run->host_streams, queue), half);
}

static void scan_guest_half(guint queue, const Half *half, gpointer user_data)
{
    stream_add(stream_of(((Pass *)user_data)->run->guest_streams, queue), half);
}

static void set_suspect(Run *run, guint source, gboolean suspect)
{
    if (is_guest(run, source)) {
        guest_set_suspect(run->guest, suspect);
    } else {
        host_set_suspect(run->host, source, suspect);
    }
}

static void scan_event(guint index, const Event *event, gpointer user_data)
{
    Run *run = ((Pass *)user_data)->run;
    FeedSource *source = &run->sources[index];

    if (event->kind == EVENT_LOSS) {
        feed_source_add_loss(source, event);
        /* Where it began is known only now; the items made since are marked after the pass. */
        set_suspect(run, index, TRUE);
        set_suspect(run, index, FALSE);
        return;
    }
    source->first = source->has_events ? source->first : event->time;
    source->last = event->time;
    source->has_events = TRUE;
    take_event(run, index, event);
}

static void begin_sides(Run *run, HalfFunc host_half, HalfFunc guest_half, Pass *pass)
{
    if (run->host != NULL) {
        host_begin(run->host, run->step_ns, host_half, pass);
    }
    if (run->guest != NULL) {
        guest_begin(run->guest, guest_half, pass);
    }
}

static void end_sides(Run *run)
{
    if (run->host != NULL) {
        host_end(run->host);
    }
    if (run->guest != NULL) {
        guest_end(run->guest);
    }
}

static void mark_losses(Run *run)
{
    for (guint i = 0; run->host && i < host_n_queues(run->host); i++) {
        stream_mark_losses(stream_of(run->host_streams, i),
                           run->sources[host_queue(run->host, i)->source].losses);
    }
    for (guint i = 0; run->guest && i < guest_n_queues(run->guest); i++) {
        stream_mark_losses(stream_of(run->guest_streams, i),
                           run->sources[run->guest_source].losses);
    }
}

static void scan(Run *run)
{
    Pass pass = {.run = run};
    FeedFuncs funcs = {.event = scan_event, .progress = tell_progress, .user_data = &pass};

    begin_sides(run, scan_host_half, scan_guest_half, &pass);
    feed_run(run->sources, run->n, NULL, &funcs);
    end_sides(run);
    mark_losses(run);
    run->work_done += total_size(run);
}

/* Second and third pass. */

static Link *link_of(const Pass *pass, const GArray *links, guint queue)
{
    guint link = queue < links->len ? g_array_index(links, guint, queue) : 0;

    return link > 0 ? g_ptr_array_index(pass->run->links, link - 1) : NULL;
}

static void join_host_half(guint queue, const Half *half, gpointer user_data)
{
    Pass *pass = user_data;
    Link *link = link_of(pass, pass->host_links, queue);

    if (link != NULL && link->join != NULL) {
        join_host(link->join, half);
    } else if (link != NULL && pass->orphan != NULL) {
        pass->orphan(pass->run, link, NULL, half,
                     half->reason != ORPHAN_NONE ? half->reason : ORPHAN_NOT_TRACED);
    }
}

static void join_guest_half(guint queue, const Half *half, gpointer user_data)
{
    Pass *pass = user_data;
    Link *link = link_of(pass, pass->guest_links, queue);

    if (link != NULL && link->join != NULL) {
        join_guest(link->join, half);
    } else if (link != NULL && pass->orphan != NULL) {
        pass->orphan(pass->run, link, half, NULL, ORPHAN_NOT_TRACED);
    }
}

static void on_pair(guint link, const Half *guest, const Half *host, Grade grade,
                    gpointer user_data)
{
    Pass *pass = user_data;

    pass->pair(pass->run, g_ptr_array_index(pass->run->links, link), guest, host, grade);
}

static void on_orphan(guint link, const Half *guest, const Half *host, OrphanReason reason,
                      gpointer user_data)
{
    Pass *pass = user_data;

    if (pass->orphan != NULL) {
        pass->orphan(pass->run, g_ptr_array_index(pass->run->links, link), guest, host, reason);
    }
}

/* Pairs go to the solver in the order of guest time, as far as a window of them allows. */
static void feed_solver(Run *run, gsize keep)
{
    gsize n = run->pairs->len > keep ? run->pairs->len - keep : 0;

    for (gsize i = 0; i < n; i++) {
        clock_solver_add(run->solver, &g_array_index(run->pairs, ClockPair, i));
    }
    if (n > 0) {
        g_array_remove_range(run->pairs, 0, n);
    }
}

/* Insert in order; pairs come nearly so. */
static void keep_pair(GArray *pairs, const ClockPair *pair)
{
    guint at = pairs->len;
    ClockPair *all;

    g_array_append_vals(pairs, pair, 1);
    all = (ClockPair *)pairs->data;
    while (at > 0 && all[at - 1].guest.raw > pair->guest.raw) {
        at--;
    }
    memmove(all + at + 1, all + at, (pairs->len - 1 - at) * sizeof(ClockPair));
    all[at] = *pair;
}

/* The clock as far as the second pass knows it. */
static const ClockMap *map_now(gpointer user_data)
{
    Run *run = ((Pass *)user_data)->run;

    if (run->solver != NULL && run->n_pairs > run->map_pairs + run->map_pairs / 16) {
        feed_solver(run, 0);
        clock_map_free(run->newest_map);
        run->newest_map = clock_solver_finish(run->solver);
        run->map_pairs = run->n_pairs;
    }
    return run->newest_map ? run->newest_map : run->map;
}

static void set_link(GArray *links, guint queue, guint link)
{
    if (queue != G_MAXUINT) {
        if (links->len <= queue) {
            g_array_set_size(links, queue + 1);
        }
        g_array_index(links, guint, queue) = link + 1;
    }
}

/* When both sides' traces end; the host's queue counts on its own source. */
static void set_ends(const Run *run, const Link *link)
{
    const FeedSource *guest = &run->sources[run->guest_source];
    const FeedSource *host = &run->sources[host_queue(run->host, link->host_queue)->source];

    if (guest->has_events && host->has_events) {
        join_set_ends(link->join, (GuestTime){guest->last}, (HostTime){host->last});
    }
}

static void begin_joins(Pass *pass)
{
    JoinFuncs funcs = {.pair = on_pair, .orphan = on_orphan, .map = map_now, .user_data = pass};

    pass->host_links = g_array_new(FALSE, TRUE, sizeof(guint));
    pass->guest_links = g_array_new(FALSE, TRUE, sizeof(guint));
    for (guint i = 0; i < pass->run->links->len; i++) {
        Link *link = g_ptr_array_index(pass->run->links, i);

        set_link(pass->host_links, link->host_queue, i);
        set_link(pass->guest_links, link->guest_queue, i);
        if (link->guest_queue != GUEST_NONE && link->host_queue != HOST_NONE) {
            link->join = join_new(i, &funcs, &link->alignment);
            set_ends(pass->run, link);
        }
    }
}

static void end_joins(Pass *pass)
{
    for (guint i = 0; i < pass->run->links->len; i++) {
        Link *link = g_ptr_array_index(pass->run->links, i);

        if (link->join != NULL) {
            join_end(link->join);
            g_clear_pointer(&link->join, join_free);
        }
    }
    g_array_unref(pass->host_links);
    g_array_unref(pass->guest_links);
}

static void join_event(guint source, const Event *event, gpointer user_data)
{
    take_event(((Pass *)user_data)->run, source, event);
}

static void join_suspect(guint source, gboolean suspect, gpointer user_data)
{
    set_suspect(((Pass *)user_data)->run, source, suspect);
}

static void join_pass(Run *run, Pass *pass)
{
    FeedFuncs funcs = {
        .event = join_event, .suspect = join_suspect, .progress = tell_progress, .user_data = pass};

    begin_joins(pass);
    begin_sides(run, join_host_half, join_guest_half, pass);
    feed_run(run->sources, run->n, run->map, &funcs);
    end_sides(run);
    end_joins(pass);
    run->work_done += total_size(run);
}

static void solve_pair(Run *run, const Link *link, const Half *guest, const Half *host, Grade grade)
{
    ClockPair pairs[HALF_MAX_PAIRS];
    guint n;

    if (grade != GRADE_ORDERED || host->part > 0) {
        return;
    }
    n = half_pairs(&guest->times, &host->times, pairs);
    for (guint i = 0; i < n; i++) {
        keep_pair(run->pairs, &pairs[i]);
    }
    run->n_pairs++;
    if (run->pairs->len >= 2 * PAIR_WINDOW) {
        feed_solver(run, PAIR_WINDOW);
    }
}

static void solve_clock(Run *run)
{
    Pass pass = {.run = run, .pair = solve_pair};

    if (run->map == NULL) {
        return;
    }
    run->solver = clock_solver_new(&run->prior, run->fixed->len == 0);
    for (guint i = 0; i < run->fixed->len; i++) {
        clock_solver_add(run->solver, &g_array_index(run->fixed, ClockPair, i));
    }
    join_pass(run, &pass);
    feed_solver(run, 0);
    if (run->n_pairs > 0) {
        clock_map_free(run->map);
        run->map = clock_solver_finish(run->solver);
    }
    g_clear_pointer(&run->newest_map, clock_map_free);
    g_clear_pointer(&run->solver, clock_solver_free);
}

static void tell_journeys(Run *run)
{
    Pass pass = {.run = run, .pair = run_emit_pair, .orphan = run_emit_orphan};

    for (guint i = 0; i < run->links->len; i++) {
        Link *link = g_ptr_array_index(run->links, i);

        run->totals->queues++;
        if (run->listener->queue != NULL) {
            run->listener->queue(&link->queue, run->listener->user_data);
        }
    }
    run_tell_clock(run);
    join_pass(run, &pass);
    run_tell_losses(run);
}

static gboolean has_events(const Run *run, GError **error)
{
    for (guint i = 0; i < run->n; i++) {
        if (run->sources[i].has_events) {
            return TRUE;
        }
    }
    g_set_error(error, MATCH_ERROR, MATCH_ERROR_NOTHING, "%s: no event can be used",
                run_source_path(run, 0));
    return FALSE;
}

/* Say what the user may wonder about. */
static void explain(const Run *run)
{
    if (run->guest == NULL) {
        run_note(run, "one-side",
                 "no guest trace: hops are those of the host alone; record the "
                 "guest too (perf record or trace-cmd record -e net -e napi -e "
                 "irq -e skb)");
    } else if (run->host == NULL) {
        run_note(run, "one-side",
                 "no host trace: hops are those of the guest alone; record the "
                 "host too (qemu -trace 'virtio*' -trace 'virtqueue*')");
    } else if (run->map == NULL) {
        run_note(run, "no-common-traffic",
                 "no packet could be told to be the same on both sides: are both traces of the "
                 "same VM, boot and time? Traffic that repeats itself, so that more than one place "
                 "fits, cannot be told either");
    }
    if (run->host != NULL && host_vhost_starts(run->host) > 0) {
        run_note(run, "vhost",
                 "vhost=on: the kernel moves the buffers, so QEMU's virtqueue "
                 "events are silent but for the control queue; the host kernel's "
                 "net events on the tap stand in for them "
                 "(on the host: trace-cmd record -C mono -e net -e kvm)");
    }
}

static void run_clear(Run *run)
{
    for (guint i = 0; i < run->n; i++) {
        g_clear_pointer(&run->sources[i].losses, g_array_unref);
    }
    host_free(run->host);
    guest_free(run->guest);
    g_ptr_array_unref(run->host_streams);
    g_ptr_array_unref(run->guest_streams);
    g_ptr_array_unref(run->links);
    g_array_unref(run->fixed);
    g_array_unref(run->pairs);
    clock_map_free(run->map);
}

static void link_free(gpointer data)
{
    Link *link = data;

    g_free(link->queue.device);
    g_free(link->queue.host_device);
    g_free(link->queue.driver);
    g_free(link->queue.ifname);
    g_free(link->queue.tap);
    g_free(link->queue.evidence);
    g_free(link);
}

static gboolean run_all(Run *run, const MatchInput *inputs, GError **error)
{
    if (!run_choose_sides(run, inputs, error)) {
        return FALSE;
    }
    run->host = run->host_source < run->n ? host_new() : NULL;
    run->guest = run->guest_source < run->n ? guest_new() : NULL;
    run->work_total = 3 * total_size(run);
    scan(run);
    if (!has_events(run, error)) {
        return FALSE;
    }
    run_use_tsc_offset(run);
    run_pair_queues(run);
    g_ptr_array_set_size(run->host_streams, 0);
    g_ptr_array_set_size(run->guest_streams, 0);
    run_tell_sources(run);
    solve_clock(run);
    tell_journeys(run);
    explain(run);
    if (run->listener->end != NULL) {
        run->listener->end(run->totals, run->listener->user_data);
    }
    return TRUE;
}

gboolean match_run(const MatchInput *inputs, guint n, const MatchOptions *options,
                   const RunListener *listener, RunTotals *ret_totals, GError **error)
{
    Run run = {
        .options = options,
        .listener = listener,
        .totals = ret_totals,
        .n = n,
        .host_streams = g_ptr_array_new_with_free_func((GDestroyNotify)stream_free),
        .guest_streams = g_ptr_array_new_with_free_func((GDestroyNotify)stream_free),
        .links = g_ptr_array_new_with_free_func(link_free),
        .fixed = g_array_new(FALSE, FALSE, sizeof(ClockPair)),
        .pairs = g_array_new(FALSE, FALSE, sizeof(ClockPair)),
    };
    gboolean ok = FALSE;

    *ret_totals = (RunTotals){0};
    if (n > FEED_MAX_SOURCES) {
        g_set_error(error, MATCH_ERROR, MATCH_ERROR_SIDE, "more than %d trace files",
                    FEED_MAX_SOURCES);
    } else {
        ok = run_all(&run, inputs, error);
    }
    run.n = MIN(n, FEED_MAX_SOURCES);
    run_clear(&run);
    return ok;
}
