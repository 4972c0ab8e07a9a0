/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The step table: the one list from which code, output and docs take a step's name and meaning.
 */
#include "common/step.h"

#include <stddef.h>
#include <string.h>

static const StepInfo steps[N_STEPS] = {
    [STEP_QUEUE] = {"queue", PARTY_GUEST, PARTY_GUEST, STEP_TX,
                    "the packet is given to the queueing discipline", "net_dev_queue"},
    [STEP_XMIT] = {"xmit", PARTY_GUEST, PARTY_GUEST, STEP_TX,
                   "the packet is handed to the guest's driver", "net_dev_start_xmit"},
    [STEP_ADD] = {"add", PARTY_GUEST, PARTY_GUEST, STEP_ANY,
                  "the driver makes the buffer available", "virtcorr_add"},
    [STEP_KICK] = {"kick", PARTY_GUEST, PARTY_GUEST, STEP_ANY,
                   "the driver notifies the device of available buffers", "virtcorr_kick"},
    [STEP_KICK_SUPPRESSED] = {"kick-suppressed", PARTY_GUEST, PARTY_GUEST, STEP_ANY,
                              "the device had asked not to be notified", "virtcorr_kick"},
    [STEP_TAP_IN] = {"tap-in", PARTY_NET, PARTY_NET, STEP_RX,
                     "the packet for the guest arrives at the tap", "net_dev_xmit on the tap"},
    [STEP_WAKE] = {"wake", PARTY_VMM, PARTY_VMM, STEP_ANY, "the device's handler starts",
                   "virtio_queue_notify"},
    [STEP_POP] = {"pop", PARTY_VMM, PARTY_VMM, STEP_ANY, "the device takes the buffer",
                  "virtqueue_pop"},
    [STEP_SEND] = {"send", PARTY_VMM, PARTY_VMM, STEP_TX, "the packet is written to the backend",
                   "virtcorr_send"},
    [STEP_TAP_OUT] = {"tap-out", PARTY_NET, PARTY_VMM, STEP_TX,
                      "the guest's packet leaves the tap", "netif_receive_skb on the tap"},
    [STEP_PUSH] = {"push", PARTY_VMM, PARTY_VMM, STEP_ANY, "the device returns the buffer as used",
                   "virtqueue_fill with virtqueue_flush"},
    [STEP_IRQ] = {"irq", PARTY_VMM, PARTY_VMM, STEP_ANY,
                  "the device notifies the driver of used buffers",
                  "virtio_notify, virtio_notify_irqfd"},
    [STEP_IRQ_SUPPRESSED] = {"irq-suppressed", PARTY_VMM, PARTY_VMM, STEP_ANY,
                             "no notification followed the push before the guest had the buffer",
                             "absence of virtio_notify"},
    [STEP_ISR] = {"isr", PARTY_GUEST, PARTY_KVM, STEP_ANY,
                  "the guest's interrupt handler starts", "irq_handler_entry"},
    [STEP_SOFTIRQ] = {"softirq", PARTY_GUEST, PARTY_GUEST, STEP_TX | STEP_RX,
                      "the NET_RX softirq starts", "softirq_entry"},
    [STEP_POLL] = {"poll", PARTY_GUEST, PARTY_GUEST, STEP_TX | STEP_RX,
                   "the driver's NAPI poll ends", "napi_poll"},
    [STEP_REAP] = {"reap", PARTY_GUEST, PARTY_GUEST, STEP_ANY,
                   "the driver takes the used buffer back", "virtcorr_reap"},
    [STEP_RECEIVE] = {"receive", PARTY_GUEST, PARTY_GUEST, STEP_RX,
                      "the driver hands the packet to the network stack",
                      "napi_gro_receive_entry, napi_gro_frags_entry"},
    [STEP_STACK] = {"stack", PARTY_GUEST, PARTY_GUEST, STEP_RX,
                    "the packet enters protocol processing", "netif_receive_skb"},
    [STEP_COPY] = {"copy", PARTY_GUEST, PARTY_GUEST, STEP_RX,
                   "an application copies the packet out", "skb_copy_datagram_iovec"},
    [STEP_FREE] = {"free", PARTY_GUEST, PARTY_GUEST, STEP_TX | STEP_RX, "the packet is freed",
                   "consume_skb, kfree_skb"},
};

static const char *const party_names[N_PARTIES] = {
    [PARTY_GUEST] = "guest", [PARTY_KVM] = "kvm", [PARTY_VMM] = "vmm",
    [PARTY_VHOST] = "vhost", [PARTY_NET] = "net",
};

const StepInfo *step_info(StepId step)
{
    return &steps[step];
}

bool step_from_name(const char *name, StepId *ret_step)
{
    for (size_t i = 0; i < N_STEPS; i++) {
        if (strcmp(steps[i].name, name) == 0) {
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

bool step_is_guest(StepId step)
{
    return steps[step].party == PARTY_GUEST;
}
