/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which device and queue of the guest is which of the host.
 */
#include "run_private.h"

#include <net/ethernet.h>
#include <string.h>

/* A buffer holds the virtio-net header (12 bytes; 10 for legacy devices without mergeable
   buffers) and the Ethernet header more than the length that the guest's stack sees. */
static const guint32 ring_deltas[] = {12 + ETH_HLEN, 10 + ETH_HLEN, 0};
static const guint32 tap_rx_deltas[] = {ETH_HLEN, 0};
static const guint32 tap_tx_deltas[] = {0};
static const guint32 header_deltas[] = {12, 10, 0};

static Stretch host_stretch(const Run *run, guint queue)
{
    return queue == HOST_NONE ? (Stretch){0}
                              : stream_longest(g_ptr_array_index(run->host_streams, queue));
}

static Stretch guest_stretch(const Run *run, guint queue)
{
    return queue == GUEST_NONE ? (Stretch){0}
                               : stream_longest(g_ptr_array_index(run->guest_streams, queue));
}

static gboolean is_tap(const Run *run, guint device)
{
    return host_device(run->host, device)->name != NULL;
}

/* Whether the host device has what a network device has: queue 0 written by the device, queue 1
   read by it. */
static gboolean looks_like_net(const Run *run, guint device)
{
    guint rx = host_find_queue(run->host, device, 0);
    guint tx = host_find_queue(run->host, device, 1);

    if (rx == HOST_NONE || tx == HOST_NONE) {
        return FALSE;
    }
    if (is_tap(run, device)) {
        return TRUE;
    }
    return host_queue(run->host, rx)->pushes + host_queue(run->host, tx)->pushes > 0 &&
           host_queue(run->host, rx)->in_buffers == host_queue(run->host, rx)->pushes &&
           host_queue(run->host, tx)->in_buffers == 0;
}

/* The guest's receive queue @index: after GRO only where nothing before it was recorded. */
static guint guest_rx_queue(const Run *run, guint device, guint index)
{
    guint queue = guest_find_queue(run->guest, device, GUEST_RX, index);

    if (queue == GUEST_NONE && index == 0) {
        queue = guest_find_queue(run->guest, device, GUEST_RX_STACK, 0);
    }
    return queue;
}

static Alignment rx_by_content(const Run *run, guint guest, guint host, guint index)
{
    guint rx = host_find_queue(run->host, host, 2 * index);

    return align_by_content(guest_stretch(run, guest_rx_queue(run, guest, index)),
                            host_stretch(run, rx), is_tap(run, host) ? tap_rx_deltas : ring_deltas);
}

static gboolean names_device(const Run *run, guint device, const char *name)
{
    const HostDevice *info = host_device(run->host, device);

    if (info->name != NULL) {
        return strcmp(info->name, name) == 0;
    }
    return g_ascii_strtoull(name, NULL, 16) == info->vdev;
}

static gboolean names_netdev(const Run *run, guint device, const char *name)
{
    const GuestDevice *info = guest_device(run->guest, device);
    g_autofree char *virtio = g_strdup_printf("virtio%u", info->virtio);

    return strcmp(info->name, name) == 0 ||
           (info->virtio != GUEST_NONE && strcmp(virtio, name) == 0);
}

/* Whether the user has said that these two are one device; -1 if the user said otherwise. */
static int mapped_by_user(const Run *run, guint guest, guint host)
{
    for (char **pair = run->options->device_map; pair != NULL && *pair != NULL; pair++) {
        g_auto(GStrv) ends = g_strsplit(*pair, "=", 2);

        if (g_strv_length(ends) != 2) {
            continue;
        }
        if (names_device(run, host, ends[0]) && names_netdev(run, guest, ends[1])) {
            return 1;
        }
        if (names_device(run, host, ends[0]) || names_netdev(run, guest, ends[1])) {
            return -1;
        }
    }
    return 0;
}

/* A pair of --map that names no two devices would be ignored without a word. */
static void check_map(const Run *run)
{
    for (char **pair = run->options->device_map; pair != NULL && *pair != NULL; pair++) {
        g_auto(GStrv) ends = g_strsplit(*pair, "=", 2);
        gboolean has_host = FALSE;
        gboolean has_guest = FALSE;

        for (guint i = 0; run->host && i < host_n_devices(run->host); i++) {
            has_host |= names_device(run, i, ends[0]);
        }
        for (guint i = 0; run->guest && ends[1] && i < guest_n_devices(run->guest); i++) {
            has_guest |= names_netdev(run, i, ends[1]);
        }
        if (!has_host || !has_guest) {
            run_note(run, "map",
                     "--map %s: no such device on the %s; `virtcorr merge` without it shows "
                     "netdevs and vdev addresses",
                     *pair, has_host ? "guest" : "host");
        }
    }
}

/* The taps whose packets are those of a device of QEMU become steps of that device. */
static void attach_taps(Run *run)
{
    for (guint tap = 0; tap < host_n_devices(run->host); tap++) {
        for (guint device = 0; is_tap(run, tap) && device < host_n_devices(run->host); device++) {
            Alignment alignment;

            if (is_tap(run, device) || !looks_like_net(run, device)) {
                continue;
            }
            alignment = align_by_content(host_stretch(run, host_find_queue(run->host, tap, 0)),
                                         host_stretch(run, host_find_queue(run->host, device, 0)),
                                         header_deltas);
            if (alignment.basis != ALIGN_NONE) {
                host_attach_tap(run->host, tap, device, alignment.delta);
                run_note(run, "tap",
                         "tap %s is the backend of vdev 0x%" G_GINT64_MODIFIER
                         "x: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " packet lengths agree",
                         host_device(run->host, tap)->name, host_device(run->host, device)->vdev,
                         alignment.matched, alignment.compared);
            }
        }
    }
}

static gboolean is_attached(const Run *run, guint tap)
{
    guint rx = host_find_queue(run->host, tap, 0);

    return is_tap(run, tap) && host_queue_is_attached(run->host, rx);
}

/**
 * Match of two devices.
 * @score: in bits of content; 0 if only the user or the lack of another choice speaks for it
 * @rx: of the first pair of queues
 */
typedef struct DeviceMatch {
    guint guest;
    guint host;
    gint64 score;
    Alignment rx;
    char *evidence;
} DeviceMatch;

/* Whether the host's device can be the guest's at one shift of what was sent, and at no other. */
static gboolean sends_fit(const Run *run, guint guest, guint host)
{
    Stretch sent = guest_stretch(run, guest_find_queue(run->guest, guest, GUEST_TX, 0));
    Stretch taken = host_stretch(run, host_find_queue(run->host, host, 1));

    return stretch_len(sent) > 0 && stretch_len(taken) > 0 &&
           align_by_time(sent, taken, NULL, &run->prior).basis != ALIGN_NONE;
}

/* When lengths do not tell: the one device whose buffers no clock contradicts. */
static void match_by_time(const Run *run, guint guest, DeviceMatch *ret)
{
    guint fits = 0;

    for (guint host = 0; host < host_n_devices(run->host) && run->has_prior; host++) {
        if (looks_like_net(run, host) && !is_attached(run, host) &&
            mapped_by_user(run, guest, host) == 0 && sends_fit(run, guest, host)) {
            ret->host = host;
            fits++;
        }
    }
    if (fits == 1) {
        ret->score = 0;
        ret->evidence = g_strdup("the only device that sends and receives as the guest does");
    }
}

static gboolean match_devices(const Run *run, guint guest, DeviceMatch *ret)
{
    guint candidates = 0;

    *ret = (DeviceMatch){.guest = guest, .host = HOST_NONE, .score = -1};
    for (guint host = 0; host < host_n_devices(run->host); host++) {
        int said = mapped_by_user(run, guest, host);
        Alignment rx;

        if (said < 0 || (said == 0 && (!looks_like_net(run, host) || is_attached(run, host)))) {
            continue;
        }
        rx = rx_by_content(run, guest, host, 0);
        candidates++;
        if (said > 0) {
            ret->host = host;
            ret->rx = rx;
            ret->evidence = g_strdup("said with --map");
            return TRUE;
        }
        if (rx.basis != ALIGN_NONE && rx.score > ret->score) {
            g_free(ret->evidence);
            ret->host = host;
            ret->score = rx.score;
            ret->rx = rx;
            ret->evidence =
                g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " packet lengths agree",
                                rx.matched, rx.compared);
        } else if (ret->score < 0) {
            ret->host = host;
        }
    }
    if (ret->score < 0 && candidates == 1) {
        ret->score = 0;
        ret->evidence = g_strdup("the only network device of both traces");
    } else if (ret->score < 0) {
        match_by_time(run, guest, ret);
    }
    return ret->score >= 0;
}

static Link *link_new(Run *run, guint guest_queue, guint host_queue)
{
    Link *link = g_new0(Link, 1);

    link->guest_queue = guest_queue;
    link->host_queue = host_queue;
    link->queue.id = run->links->len;
    g_ptr_array_add(run->links, link);
    return link;
}

static void describe_host(const Run *run, Queue *queue, guint host_queue_id)
{
    const HostQueueInfo *info = host_queue(run->host, host_queue_id);
    const HostDevice *device;

    queue->index = info->index == HOST_NONE ? 0 : info->index;
    if (info->device == HOST_NONE) {
        return;
    }
    device = host_device(run->host, info->device);
    if (device->name != NULL) {
        queue->tap = g_strdup(device->name);
    } else {
        queue->host_device = g_strdup_printf("vdev 0x%" G_GINT64_MODIFIER "x", device->vdev);
    }
}

static void describe_guest(const Run *run, Queue *queue, guint guest_queue_id)
{
    const GuestQueueInfo *info = guest_queue(run->guest, guest_queue_id);
    const GuestDevice *device = guest_device(run->guest, info->device);

    queue->direction = info->stream == GUEST_TX ? QUEUE_TX : QUEUE_RX;
    queue->index = 2 * info->index + (info->stream == GUEST_TX);
    queue->ifname = g_strdup(device->name);
    if (device->virtio != GUEST_NONE) {
        queue->device = g_strdup_printf("virtio%u", device->virtio);
        queue->driver = g_strdup("virtio-net");
    }
}

static Link *link_queue(Run *run, guint guest_queue_id, guint host_queue_id, const char *evidence)
{
    Link *link;

    if (guest_queue_id == GUEST_NONE && host_queue_id == HOST_NONE) {
        return NULL;
    }
    link = link_new(run, guest_queue_id, host_queue_id);
    link->queue.direction = QUEUE_OTHER;
    if (host_queue_id != HOST_NONE) {
        describe_host(run, &link->queue, host_queue_id);
    }
    if (guest_queue_id != GUEST_NONE) {
        describe_guest(run, &link->queue, guest_queue_id);
    }
    if (guest_queue_id != GUEST_NONE && host_queue_id != HOST_NONE) {
        link->queue.driver = link->queue.driver ? link->queue.driver : g_strdup("virtio-net");
        link->queue.evidence = g_strdup(evidence);
    }
    return link;
}

/* How many queue pairs the netdev shows. */
static guint n_queue_pairs(const Run *run, guint guest)
{
    guint n = 0;

    for (guint i = 0; i < guest_n_queues(run->guest); i++) {
        const GuestQueueInfo *info = guest_queue(run->guest, i);

        n = info->device == guest ? MAX(n, info->index + 1) : n;
    }
    return MIN(n, 512);
}

/* The control queue is the last of the device: what remains after the pairs. */
static void link_control(Run *run, guint host, guint n_pairs)
{
    guint control = HOST_NONE;

    for (guint i = 0; i < host_n_queues(run->host); i++) {
        const HostQueueInfo *info = host_queue(run->host, i);

        if (info->device == host && info->index != HOST_NONE && info->index >= 2 * n_pairs &&
            info->index % 2 == 0 && info->pushes > 0 && info->in_buffers == 0) {
            control = i;
        }
    }
    if (control != HOST_NONE) {
        link_queue(run, GUEST_NONE, control, NULL)->queue.direction = QUEUE_CONTROL;
    }
}

static void link_device(Run *run, const DeviceMatch *match)
{
    guint n_pairs = n_queue_pairs(run, match->guest);

    for (guint i = 0; i < n_pairs; i++) {
        Link *rx = link_queue(run, guest_rx_queue(run, match->guest, i),
                              host_find_queue(run->host, match->host, 2 * i), match->evidence);

        if (rx != NULL && i == 0) {
            rx->alignment = match->rx;
        }
        link_queue(run, guest_find_queue(run->guest, match->guest, GUEST_TX, i),
                   host_find_queue(run->host, match->host, 2 * i + 1), match->evidence);
    }
    if (!is_tap(run, match->host)) {
        link_control(run, match->host, n_pairs);
    }
}

static gboolean is_both(const Link *link)
{
    return link->guest_queue != GUEST_NONE && link->host_queue != HOST_NONE;
}

static void align_link(Run *run, Link *link, GArray *known, gboolean by_time)
{
    Stretch guest = guest_stretch(run, link->guest_queue);
    Stretch host = host_stretch(run, link->host_queue);
    gboolean is_rx = link->queue.direction == QUEUE_RX;

    if (link->is_aligned || stretch_len(guest) == 0 || stretch_len(host) == 0) {
        return;
    }
    if (by_time) {
        link->alignment = align_by_time(guest, host, known, &run->prior);
    } else if (is_rx && link->alignment.basis == ALIGN_NONE) {
        link->alignment =
            align_by_content(guest, host, link->queue.tap ? tap_rx_deltas : ring_deltas);
    } else if (!is_rx && link->queue.tap != NULL) {
        link->alignment = align_by_content(guest, host, tap_tx_deltas);
    }
    if (link->alignment.basis != ALIGN_NONE) {
        link->is_aligned = TRUE;
        align_name_first(&link->alignment);
        align_add_pairs(known, &link->alignment);
    }
}

/* First what content tells, then what time tells with those pairs: sending queues before
   receiving ones, which time bounds less. */
static GArray *align_links(Run *run)
{
    static const QueueDirection order[] = {QUEUE_TX, QUEUE_RX};
    GArray *known = g_array_new(FALSE, FALSE, sizeof(ClockPair));

    g_array_append_vals(known, run->fixed->data, run->fixed->len);
    for (guint i = 0; i < run->links->len; i++) {
        Link *link = g_ptr_array_index(run->links, i);

        if (is_both(link)) {
            align_link(run, link, known, FALSE);
        }
    }
    for (guint k = 0; k < G_N_ELEMENTS(order) && run->has_prior; k++) {
        for (guint i = 0; i < run->links->len; i++) {
            Link *link = g_ptr_array_index(run->links, i);

            if (is_both(link) && link->queue.direction == order[k]) {
                align_link(run, link, known, TRUE);
            }
        }
    }
    return known;
}

/* Queues that only one side shows are told too, with that side's steps. */
static void link_rest(Run *run)
{
    g_autoptr(GHashTable) linked = g_hash_table_new(g_direct_hash, g_direct_equal);

    for (guint i = 0; i < run->links->len; i++) {
        const Link *link = g_ptr_array_index(run->links, i);

        if (link->host_queue != HOST_NONE) {
            g_hash_table_add(linked, GUINT_TO_POINTER(2 * link->host_queue));
        }
        if (link->guest_queue != GUEST_NONE) {
            g_hash_table_add(linked, GUINT_TO_POINTER(2 * link->guest_queue + 1));
        }
    }
    for (guint i = 0; run->guest != NULL && i < guest_n_queues(run->guest); i++) {
        if (guest_queue(run->guest, i)->stream != GUEST_RX_STACK &&
            !g_hash_table_contains(linked, GUINT_TO_POINTER(2 * i + 1))) {
            link_queue(run, i, HOST_NONE, NULL);
        }
    }
    for (guint i = 0; run->host != NULL && i < host_n_queues(run->host); i++) {
        if (host_queue(run->host, i)->pushes > 0 && !host_queue_is_attached(run->host, i) &&
            !g_hash_table_contains(linked, GUINT_TO_POINTER(2 * i))) {
            link_queue(run, GUEST_NONE, i, NULL);
        }
    }
}

void run_pair_queues(Run *run)
{
    g_autoptr(GArray) known = NULL;

    check_map(run);
    if (run->host != NULL) {
        host_place_queues(run->host);
        attach_taps(run);
    }
    for (guint i = 0; run->guest && run->host && i < guest_n_devices(run->guest); i++) {
        DeviceMatch match;

        if (guest_device(run->guest, i)->packets > 0 && match_devices(run, i, &match)) {
            link_device(run, &match);
            g_free(match.evidence);
        }
    }
    known = align_links(run);
    link_rest(run);
    if (run->has_prior) {
        run->map = align_solve(known, &run->prior, run->fixed->len == 0);
    }
}
