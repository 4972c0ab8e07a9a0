/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The trace events the join needs, and where their arguments go.
 */
#include "trace/event.h"

#include <string.h>

/*
 * Kernel fields: include/trace/events/{net,napi,irq,skb}.h and arch/x86/kvm/trace.h of Linux 6.1 to
 * 6.18. QEMU arguments: hw/virtio/trace-events of QEMU 7.2 to 10.2.
 */
static const EventKindInfo rows[] = {
    {"qemu", "virtqueue_pop", EVENT_VQ_POP,
     {{"vq", SLOT_PTR0}, {"elem", SLOT_PTR1}, {"in_num", SLOT_NUM0}, {"out_num", SLOT_NUM1}}},
    {"qemu", "virtqueue_fill", EVENT_VQ_FILL,
     {{"vq", SLOT_PTR0}, {"elem", SLOT_PTR1}, {"len", SLOT_NUM0}, {"idx", SLOT_NUM1}}},
    {"qemu", "virtqueue_flush", EVENT_VQ_FLUSH, {{"vq", SLOT_PTR0}, {"count", SLOT_NUM0}}},
    {"qemu", "virtio_queue_notify", EVENT_VQ_HANDLE,
     {{"vdev", SLOT_PTR1}, {"n", SLOT_NUM0}, {"vq", SLOT_PTR0}}},
    {"qemu", "virtio_notify", EVENT_VQ_IRQ, {{"vdev", SLOT_PTR1}, {"vq", SLOT_PTR0}}},
    {"qemu", "virtio_notify_irqfd", EVENT_VQ_IRQ, {{"vdev", SLOT_PTR1}, {"vq", SLOT_PTR0}}},
    {"qemu", "virtio_set_status", EVENT_VIRTIO_STATUS, {{"vdev", SLOT_PTR1}, {"val", SLOT_NUM0}}},
    {"qemu", "vhost_dev_start", EVENT_VHOST_START, {{"dev", SLOT_PTR1}, {"name", SLOT_NAME}}},
    {"qemu", "vhost_dev_stop", EVENT_VHOST_STOP, {{"dev", SLOT_PTR1}, {"name", SLOT_NAME}}},

    {"net", "net_dev_queue", EVENT_NET_QUEUE,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"name", SLOT_NAME}}},
    {"net", "net_dev_start_xmit", EVENT_NET_START_XMIT,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"queue_mapping", SLOT_NUM1},
      {"vlan_tagged", SLOT_NUM2}, {"gso_segs", SLOT_NUM3}, {"name", SLOT_NAME}}},
    {"net", "net_dev_xmit", EVENT_NET_XMIT,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"rc", SLOT_NUM1}, {"name", SLOT_NAME}}},
    {"net", "napi_gro_receive_entry", EVENT_NAPI_RECEIVE,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"queue_mapping", SLOT_NUM1},
      {"vlan_tagged", SLOT_NUM2}, {"napi_id", SLOT_NUM3}, {"name", SLOT_NAME}}},
    {"net", "napi_gro_frags_entry", EVENT_NAPI_RECEIVE,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"queue_mapping", SLOT_NUM1},
      {"vlan_tagged", SLOT_NUM2}, {"napi_id", SLOT_NUM3}, {"name", SLOT_NAME}}},
    {"net", "netif_receive_skb", EVENT_NETIF_RECEIVE,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}, {"name", SLOT_NAME}}},
    {"napi", "napi_poll", EVENT_NAPI_POLL,
     {{"napi", SLOT_PTR0}, {"work", SLOT_NUM0}, {"budget", SLOT_NUM1}, {"dev_name", SLOT_NAME}}},
    {"irq", "irq_handler_entry", EVENT_IRQ_ENTRY, {{"irq", SLOT_NUM0}, {"name", SLOT_NAME}}},
    {"irq", "irq_handler_exit", EVENT_IRQ_EXIT, {{"irq", SLOT_NUM0}, {"ret", SLOT_NUM1}}},
    {"irq", "softirq_raise", EVENT_SOFTIRQ_RAISE, {{"vec", SLOT_NUM0}}},
    {"irq", "softirq_entry", EVENT_SOFTIRQ_ENTRY, {{"vec", SLOT_NUM0}}},
    {"irq", "softirq_exit", EVENT_SOFTIRQ_EXIT, {{"vec", SLOT_NUM0}}},
    {"skb", "consume_skb", EVENT_SKB_CONSUME, {{"skbaddr", SLOT_PTR0}}},
    {"skb", "kfree_skb", EVENT_SKB_KFREE, {{"skbaddr", SLOT_PTR0}, {"reason", SLOT_NUM0}}},
    {"skb", "skb_copy_datagram_iovec", EVENT_SKB_COPY,
     {{"skbaddr", SLOT_PTR0}, {"len", SLOT_NUM0}}},

    {"kvm", "kvm_entry", EVENT_KVM_ENTRY, {{"vcpu_id", SLOT_NUM0}}},
    {"kvm", "kvm_exit", EVENT_KVM_EXIT, {{"vcpu_id", SLOT_NUM0}, {"exit_reason", SLOT_NUM1}}},
    {"kvm", "kvm_msi_set_irq", EVENT_KVM_MSI, {{"address", SLOT_PTR0}, {"data", SLOT_PTR1}}},
};

const EventKindInfo *event_kind_find(const char *system, const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].name, name) == 0 && strcmp(rows[i].system, system) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const EventKindInfo *event_kind_at(guint i)
{
    return i < G_N_ELEMENTS(rows) ? &rows[i] : NULL;
}
