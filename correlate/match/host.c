/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host's side: QEMU's virtqueue events and the tap's packets become halves.
 */
#include "host.h"

#include "host_private.h"

#include <string.h>

enum {
    /* sizeof(VirtQueue) of QEMU 7.2 … 10.2 on 64-bit hosts; queues of a device are an array. */
    VIRTQUEUE_STRIDE = 152,
    VIRTIO_QUEUE_MAX = 1024,
    MAX_DEVICES = 4096,
};

static void queue_free(gpointer data)
{
    HostQueue *queue = data;

    g_array_unref(queue->pending);
    g_array_unref(queue->filled);
    g_array_unref(queue->arrivals);
    half_ring_clear(&queue->ring);
    g_free(queue);
}

static void device_clear(gpointer data)
{
    g_free(((HostDevice *)data)->name);
}

Host *host_new(void)
{
    Host *host = g_new0(Host, 1);

    host->queues = g_ptr_array_new_with_free_func(queue_free);
    host->by_vq = g_hash_table_new(g_direct_hash, g_direct_equal);
    host->by_vdev = g_hash_table_new(g_direct_hash, g_direct_equal);
    host->taps = g_hash_table_new(g_str_hash, g_str_equal);
    host->devices = g_array_new(FALSE, TRUE, sizeof(HostDevice));
    g_array_set_clear_func(host->devices, device_clear);
    return host;
}

void host_free(Host *host)
{
    if (host == NULL) {
        return;
    }
    g_ptr_array_unref(host->queues);
    g_hash_table_unref(host->by_vq);
    g_hash_table_unref(host->by_vdev);
    g_hash_table_unref(host->taps);
    g_array_unref(host->devices);
    g_free(host);
}

static HostQueue *new_queue(Host *host, guint device, guint index)
{
    HostQueue *queue = g_new0(HostQueue, 1);

    queue->id = host->queues->len;
    queue->info.device = device;
    queue->info.index = index;
    queue->attached = HOST_NONE;
    queue->pending = g_array_new(FALSE, FALSE, sizeof(HostBuffer));
    queue->filled = g_array_new(FALSE, FALSE, sizeof(HostBuffer));
    queue->arrivals = g_array_new(FALSE, FALSE, sizeof(HostArrival));
    g_ptr_array_add(host->queues, queue);
    return queue;
}

static guint new_device(Host *host, guint64 vdev, const char *name)
{
    HostDevice device = {.vdev = vdev, .name = g_strdup(name)};

    g_array_append_val(host->devices, device);
    return host->devices->len - 1;
}

static HostQueue *queue_of(Host *host, guint64 vq)
{
    HostQueue **recent = &host->recent[vq / VIRTQUEUE_STRIDE % HOST_RECENT];
    HostQueue *queue = *recent;

    if (queue != NULL && queue->info.vq == vq) {
        return queue;
    }
    queue = g_hash_table_lookup(host->by_vq, (gpointer)(gsize)vq);
    if (queue == NULL && host->queues->len < HOST_MAX_QUEUES) {
        queue = new_queue(host, HOST_NONE, HOST_NONE);
        queue->info.vq = vq;
        g_hash_table_insert(host->by_vq, (gpointer)(gsize)vq, queue);
    }
    if (queue != NULL) {
        *recent = queue;
    }
    return queue;
}

static guint device_of(Host *host, guint64 vdev)
{
    gpointer id = g_hash_table_lookup(host->by_vdev, (gpointer)(gsize)vdev);

    if (id != NULL) {
        return GPOINTER_TO_UINT(id) - 1;
    }
    if (host->devices->len >= MAX_DEVICES || vdev == 0) {
        return HOST_NONE;
    }
    g_hash_table_insert(host->by_vdev, (gpointer)(gsize)vdev,
                        GUINT_TO_POINTER(host->devices->len + 1));
    return new_device(host, vdev, NULL);
}

/* The device for tap @name, with its two queues right behind each other. */
static guint tap_of(Host *host, const char *name)
{
    gpointer id = g_hash_table_lookup(host->taps, name);
    guint tap;

    if (id != NULL) {
        return GPOINTER_TO_UINT(id) - 1;
    }
    if (host->devices->len >= MAX_DEVICES || name[0] == '\0') {
        return HOST_NONE;
    }
    tap = new_device(host, 0, name);
    new_queue(host, tap, 0);
    new_queue(host, tap, 1);
    g_hash_table_insert(host->taps, g_array_index(host->devices, HostDevice, tap).name,
                        GUINT_TO_POINTER(tap + 1));
    return tap;
}

static void handle(Host *host, HostQueue *queue, const Event *event)
{
    guint device = device_of(host, event->ptr[1]);

    queue->info.handles++;
    queue->wake = stamp_of(STEP_WAKE, event);
    queue->has_wake = TRUE;
    if (device == HOST_NONE || event->num[0] >= VIRTIO_QUEUE_MAX) {
        return;
    }
    queue->info.device = device;
    queue->info.index = event->num[0];
    g_array_index(host->devices, HostDevice, device).array =
        queue->info.vq - (guint64)event->num[0] * VIRTQUEUE_STRIDE;
}

static void irq(Host *host, HostQueue *queue, const Event *event)
{
    if (queue->info.device == HOST_NONE) {
        queue->info.device = device_of(host, event->ptr[1]);
    }
    queue->info.irqs++;
    host_queue_irq(host, queue, event);
}

static void status(Host *host, const Event *event)
{
    guint device = device_of(host, event->ptr[1]);

    if (device == HOST_NONE || event->num[0] != 0) {
        return;
    }
    for (guint i = 0; i < host->queues->len; i++) {
        HostQueue *queue = g_ptr_array_index(host->queues, i);

        if (queue->info.device == device && queue->used) {
            host_queue_reset(host, queue);
        }
    }
}

/* The queue @index of tap @name, NULL if there can be no more. */
static HostQueue *tap_queue(Host *host, const char *name, guint index)
{
    guint tap = tap_of(host, name);
    guint id = tap == HOST_NONE ? HOST_NONE : host_find_queue(host, tap, index);

    return id == HOST_NONE ? NULL : g_ptr_array_index(host->queues, id);
}

static void tap_event(Host *host, const Event *event, const char *name)
{
    HostQueue *queue = tap_queue(host, name, event->kind == EVENT_NETIF_RECEIVE);

    if (queue == NULL) {
        return;
    }
    if (event->kind == EVENT_NET_QUEUE || event->kind == EVENT_NET_START_XMIT) {
        host_queue_send(queue, event);
    } else if (event->kind == EVENT_NETIF_RECEIVE || event->num[1] == 0) {
        host_queue_tap(host, queue, event); /* NETDEV_TX_OK, else the tap did not take it */
    }
}

/* The events of one virtqueue: the rest go to host_event(). */
static void queue_event(Host *host, const Event *event)
{
    HostQueue *queue = queue_of(host, event->ptr[0]);

    if (queue == NULL) {
        return;
    }
    queue->info.source = event->source;
    switch (event->kind) {
    case EVENT_VQ_POP:
        host_queue_pop(host, queue, event);
        break;
    case EVENT_VQ_FILL:
        host_queue_fill(host, queue, event);
        break;
    case EVENT_VQ_FLUSH:
        host_queue_flush(host, queue, event);
        break;
    case EVENT_VQ_HANDLE:
        handle(host, queue, event);
        break;
    default:
        irq(host, queue, event);
        break;
    }
}

void host_event(Host *host, const Event *event, const char *name)
{
    switch (event->kind) {
    case EVENT_VQ_POP:
    case EVENT_VQ_FILL:
    case EVENT_VQ_FLUSH:
    case EVENT_VQ_HANDLE:
    case EVENT_VQ_IRQ:
        queue_event(host, event);
        break;
    case EVENT_VIRTIO_STATUS:
        status(host, event);
        break;
    case EVENT_VHOST_START:
        host->vhost_starts++;
        break;
    case EVENT_NET_QUEUE:
    case EVENT_NET_START_XMIT:
    case EVENT_NET_XMIT:
    case EVENT_NETIF_RECEIVE:
        tap_event(host, event, name);
        break;
    default:
        break;
    }
}

void host_begin(Host *host, gint64 step_ns, HalfFunc func, gpointer user_data)
{
    host->func = func;
    host->user_data = user_data;
    host->step_ns = step_ns;
    memset(host->losses, 0, sizeof(host->losses));
    memset(host->suspect, 0, sizeof(host->suspect));
    host->vhost_starts = 0;
    for (guint i = 0; i < host->queues->len; i++) {
        host_queue_begin(g_ptr_array_index(host->queues, i));
    }
}

void host_end(Host *host)
{
    for (guint i = 0; i < host->queues->len; i++) {
        host_queue_end(host, g_ptr_array_index(host->queues, i));
    }
}

void host_set_suspect(Host *host, guint source, gboolean suspect)
{
    host->losses[source] += host->suspect[source] && !suspect;
    host->suspect[source] = suspect;
    for (guint i = 0; i < host->queues->len; i++) {
        HostQueue *queue = g_ptr_array_index(host->queues, i);

        if (queue->info.source == source) {
            host_queue_forget(host, queue);
        }
    }
}

static gboolean place_queue(HostQueueInfo *info, guint device, guint64 array)
{
    guint64 distance = info->vq - array;

    if (array == 0 || distance % VIRTQUEUE_STRIDE != 0 ||
        distance / VIRTQUEUE_STRIDE >= VIRTIO_QUEUE_MAX) {
        return FALSE;
    }
    info->device = device;
    info->index = distance / VIRTQUEUE_STRIDE;
    return TRUE;
}

void host_place_queues(Host *host)
{
    for (guint i = 0; i < host->queues->len; i++) {
        HostQueueInfo *info = &((HostQueue *)g_ptr_array_index(host->queues, i))->info;

        for (guint d = 0; d < host->devices->len && info->index == HOST_NONE; d++) {
            if (info->device == HOST_NONE || info->device == d) {
                place_queue(info, d, g_array_index(host->devices, HostDevice, d).array);
            }
        }
    }
}

guint host_n_queues(const Host *host)
{
    return host->queues->len;
}

const HostQueueInfo *host_queue(const Host *host, guint queue)
{
    return &((HostQueue *)g_ptr_array_index(host->queues, queue))->info;
}

guint host_n_devices(const Host *host)
{
    return host->devices->len;
}

const HostDevice *host_device(const Host *host, guint device)
{
    return &g_array_index(host->devices, HostDevice, device);
}

guint64 host_vhost_starts(const Host *host)
{
    return host->vhost_starts;
}

guint host_find_queue(const Host *host, guint device, guint index)
{
    for (guint i = 0; i < host->queues->len; i++) {
        const HostQueueInfo *info = host_queue(host, i);

        if (info->device == device && info->index == index) {
            return i;
        }
    }
    return HOST_NONE;
}

gboolean host_queue_is_attached(const Host *host, guint queue)
{
    return ((HostQueue *)g_ptr_array_index(host->queues, queue))->attached != HOST_NONE;
}

void host_attach_tap(Host *host, guint tap, guint device, guint32 header)
{
    for (guint index = 0; index < 2; index++) {
        guint from = host_find_queue(host, tap, index);
        guint to = host_find_queue(host, device, index);

        if (from != HOST_NONE && to != HOST_NONE) {
            ((HostQueue *)g_ptr_array_index(host->queues, from))->attached = to;
            ((HostQueue *)g_ptr_array_index(host->queues, to))->header = header;
        }
    }
}
