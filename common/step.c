/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The step table: the one list from which code, output and docs take a step's name and meaning.
 */
#include "common/step.h"

#include <stddef.h>
#include <string.h>

const StepInfo step_table[N_STEPS] = {
    [STEP_QUEUE] =
        {
            .name = "queue",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_TX,
            .main = STEP_TX,
            .meaning = "the packet is given to the queueing discipline",
            .events = "net_dev_queue",
        },
    [STEP_XMIT] =
        {
            .name = "xmit",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_TX,
            .main = STEP_TX,
            .meaning = "the packet is handed to the guest's driver",
            .events = "net_dev_start_xmit",
        },
    [STEP_ADD] =
        {
            .name = "add",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_ANY,
            .meaning = "the driver makes the buffer available",
            .events = "virtcorr_add",
        },
    [STEP_KICK] =
        {
            .name = "kick",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_ANY,
            .meaning = "the driver notifies the device of available buffers",
            .events = "virtcorr_kick",
        },
    [STEP_KICK_SUPPRESSED] =
        {
            .name = "kick-suppressed",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_ANY,
            .is_mark = true,
            .meaning = "the device had asked not to be notified",
            .events = "virtcorr_kick",
        },
    [STEP_TAP_IN] =
        {
            .name = "tap-in",
            .party = PARTY_NET,
            .whose = PARTY_NET,
            .directions = STEP_RX,
            .main = STEP_RX,
            .meaning = "the packet for the guest arrives at the tap",
            .events = "net_dev_xmit on the tap",
        },
    [STEP_WAKE] =
        {
            .name = "wake",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_ANY,
            .meaning = "the device's handler starts",
            .events = "virtio_queue_notify",
        },
    [STEP_POP] =
        {
            .name = "pop",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_ANY,
            .main = STEP_ANY,
            .meaning = "the device takes the buffer",
            .events = "virtqueue_pop",
        },
    [STEP_SEND] =
        {
            .name = "send",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_TX,
            .meaning = "the packet is written to the backend",
            .events = "virtcorr_send",
        },
    [STEP_TAP_OUT] =
        {
            .name = "tap-out",
            .party = PARTY_NET,
            .whose = PARTY_VMM,
            .directions = STEP_TX,
            .main = STEP_TX,
            .meaning = "the guest's packet leaves the tap",
            .events = "netif_receive_skb on the tap",
        },
    [STEP_PUSH] =
        {
            .name = "push",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_ANY,
            .main = STEP_ANY,
            .meaning = "the device returns the buffer as used",
            .events = "virtqueue_fill with virtqueue_flush",
        },
    [STEP_IRQ] =
        {
            .name = "irq",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_ANY,
            .main = STEP_OTHER,
            .meaning = "the device notifies the driver of used buffers",
            .events = "virtio_notify, virtio_notify_irqfd",
        },
    [STEP_IRQ_SUPPRESSED] =
        {
            .name = "irq-suppressed",
            .party = PARTY_VMM,
            .whose = PARTY_VMM,
            .directions = STEP_ANY,
            .is_mark = true,
            .meaning = "no notification followed the push before the guest had the buffer",
            .events = "absence of virtio_notify",
        },
    [STEP_ISR] =
        {
            .name = "isr",
            .party = PARTY_GUEST,
            .whose = PARTY_KVM,
            .directions = STEP_ANY,
            .main = STEP_ANY,
            .meaning = "the guest's interrupt handler starts",
            .events = "irq_handler_entry",
        },
    [STEP_SOFTIRQ] =
        {
            .name = "softirq",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_TX | STEP_RX,
            .meaning = "the NET_RX softirq starts",
            .events = "softirq_entry",
        },
    [STEP_POLL] =
        {
            .name = "poll",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_TX | STEP_RX,
            .meaning = "the driver's NAPI poll ends",
            .events = "napi_poll",
        },
    [STEP_REAP] =
        {
            .name = "reap",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_ANY,
            .meaning = "the driver takes the used buffer back",
            .events = "virtcorr_reap",
        },
    [STEP_RECEIVE] =
        {
            .name = "receive",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_RX,
            .main = STEP_RX,
            .meaning = "the driver hands the packet to the network stack",
            .events = "napi_gro_receive_entry, napi_gro_frags_entry",
        },
    [STEP_STACK] =
        {
            .name = "stack",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_RX,
            .main = STEP_RX,
            .meaning = "the packet enters protocol processing",
            .events = "netif_receive_skb",
        },
    [STEP_COPY] =
        {
            .name = "copy",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_RX,
            .main = STEP_RX,
            .meaning = "an application copies the packet out",
            .events = "skb_copy_datagram_iovec",
        },
    [STEP_FREE] =
        {
            .name = "free",
            .party = PARTY_GUEST,
            .whose = PARTY_GUEST,
            .directions = STEP_TX | STEP_RX,
            .main = STEP_TX,
            .meaning = "the packet is freed",
            .events = "consume_skb, kfree_skb",
        },
};

static const char *const party_names[N_PARTIES] = {
    [PARTY_GUEST] = "guest", [PARTY_KVM] = "kvm", [PARTY_VMM] = "vmm",
    [PARTY_VHOST] = "vhost", [PARTY_NET] = "net",
};

bool step_from_name(const char *name, StepId *ret_step)
{
    for (size_t i = 0; i < N_STEPS; i++) {
        if (strcmp(step_table[i].name, name) == 0) {
            *ret_step = i;
            return true;
        }
    }
    return false;
}

const char *party_name(Party party)
{
    return party_names[party];
}
