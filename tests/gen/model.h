/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A VM with a virtio-net device, as acts in the order of true time.
 *
 * An act runs at one moment. What other machines or CPUs can see changes only at the moments of
 * acts; the stamps an act writes may run ahead of it, and its CPU is busy until the last of them.
 * So a cause is always stamped before its effect, whatever the latencies are.
 */
#ifndef VIRTCORR_GEN_MODEL_H
#define VIRTCORR_GEN_MODEL_H

#include <stdio.h>

#include "common/step.h"
#include "config.h"
#include "kernel_trace.h"
#include "simpletrace.h"

enum {
    MAX_CPUS = 8,
    MAX_QUEUES = 2 * MAX_PAIRS,
    MAX_PLACES = 32,
    MAX_PARTS = 17, /* 64 KiB in buffers of 4 KiB, with the header */
    NAPI_BUDGET = 64,
    NET_HEADER = 12, /* of virtio-net, modern or with mergeable buffers */
    ETHERNET_HEADER = 14,
    TAP_CPU_NET = 0,   /* host CPUs: where packets arrive, QEMU's main thread, the vCPUs */
    TAP_CPU_VMM = 1,
    TAP_CPU_VCPU = 2,
    N_TAP_CPUS = TAP_CPU_VCPU + MAX_CPUS,
};

typedef enum Fate {
    FATE_NONE,     /* the step did not happen */
    FATE_RECORDED,
    FATE_LOST,     /* recorded, but lost */
    FATE_OUTSIDE,  /* before the trace began or after it ended */
} Fate;

/* A step as it really was. */
typedef struct TrueStep {
    guint64 time;
    guint64 raw;
    Fate fate;
} TrueStep;

/**
 * TruePart: a buffer.
 * @seq: its number since the ring was set up
 * @k: how many pops of its queue are in the host's file before its own
 */
typedef struct TruePart {
    guint64 seq;
    guint64 k;
    guint32 fill_len;
    TrueStep pop;
    TrueStep fill;
    TrueStep push;
} TruePart;

/**
 * Packet: a packet and the buffers that carry it.
 * @len: with its Ethernet header
 * @n_refused: start_xmit events in the guest's traces after which the driver said it is busy
 * @merged_into: its skb became part of the one of that packet number; 0: no
 */
typedef struct Packet {
    struct Packet *next;
    guint64 number;
    guint64 merged_into;
    guint queue;
    guint life;
    guint32 len;
    guint64 skb;
    gboolean wants_answer;
    gboolean is_dropped;
    gboolean is_reset;
    guint n_refused;
    guint n_parts;
    TrueStep guest[N_STEPS];
    TrueStep tap;
    TruePart parts[MAX_PARTS];
} Packet;

typedef struct PacketQueue {
    Packet *first;
    Packet *last;
    guint n;
} PacketQueue;

typedef enum ActKind {
    ACT_SEND_BURST,  /* an application sends; @where: CPU */
    ACT_ARRIVE,      /* packets for the guest reach the tap; @where: pair */
    ACT_PUBLISH,     /* the driver's buffer becomes visible; @where: CPU */
    ACT_SENT,        /* the driver has returned; @where: CPU */
    ACT_VMM_WAKE,    /* the device's handler starts; @where: queue */
    ACT_VMM_POP,     /* it takes a buffer */
    ACT_VMM_USED,    /* a sent buffer becomes visible as used */
    ACT_VMM_READ,    /* it reads a packet from the tap; @where: queue */
    ACT_VMM_FILLED,  /* and its buffers become visible as used */
    ACT_IRQ,         /* the vCPU gets the irq; @where: queue */
    ACT_ISR,         /* its handler runs */
    ACT_SOFTIRQ,     /* @where: CPU */
    ACT_NAPI_POLL,
    ACT_ACKNOWLEDGE, /* TCP answers from the softirq */
    ACT_NAPI_DONE,
    ACT_APP_READ,    /* an application copies a packet out; @where: CPU */
    ACT_TICK,        /* the guest's timer; @where: CPU */
    ACT_NOISE,       /* another device */
    ACT_RESET,
    ACT_RESTART,
    ACT_STEP,        /* the guest's clock jumps */
} ActKind;

enum { N_ACTS = ACT_STEP + 1 };

typedef struct Act {
    guint64 time;
    guint64 order;
    ActKind kind;
    guint where;
    guint life;
    Packet *packet;
} Act;

typedef enum Context {
    CONTEXT_PROCESS,
    CONTEXT_SOFTIRQ,
    CONTEXT_HARDIRQ,
} Context;

/**
 * Cpu: a vCPU.
 * @now: until when it is busy
 * @xmit_queue: the queue it sends on, between start_xmit and publishing; -1: none
 * @parked: acts that wait until the CPU is in process context again
 * @poll_list: NAPI instances to poll, as queue numbers
 * @skbs: free skb addresses, the last freed one first
 */
typedef struct Cpu {
    guint64 now;
    guint tid;
    gboolean in_softirq;
    guint softirq_vec;
    guint pending_vecs;
    int xmit_queue;
    Packet *sending;
    GArray *parked;
    GArray *poll_list;
    guint poll_work;
    Packet *merge_head; /* GRO: the skb that collects segments, and its length */
    guint merge_len;
    guint burst_left;
    GArray *skbs;
} Cpu;

/**
 * Ring: a virtqueue.
 * @avail, @popped, @used, @reaped: buffers made available, taken, returned and reclaimed since
 *                                   the ring was set up
 * @used_event: the driver wants an irq for this buffer
 * @avail_event: the device wants a kick for this buffer
 * @wants_irq, @wants_kick: whether at all
 */
typedef struct Ring {
    guint64 avail;
    guint64 popped;
    guint64 used;
    guint64 reaped;
    guint64 used_event;
    gboolean wants_irq;
    gboolean wants_kick;
    guint life;
    gboolean is_tx;
    gboolean is_stopped;    /* TX: the stack may not send, the ring is full */
    gboolean is_sending;    /* TX: a CPU sends */
    gboolean is_cleaning;   /* TX: a CPU frees sent skbs, under the queue's lock */
    guint cleaner;          /* TX: which one */
    gboolean is_kick_owed;  /* TX: buffers were published without a kick */
    gboolean is_starved;    /* RX: a packet waits for buffers */
    gboolean is_napi_scheduled;
    gboolean is_vmm_active; /* the device is handling this queue */
    guint64 file_pops;      /* pops of this queue in the host's file */
    PacketQueue qdisc;      /* TX: not yet with the driver */
    PacketQueue flying;     /* published, not yet popped (TX); at the tap (RX) */
    PacketQueue in_device;  /* TX: popped, not used */
    PacketQueue done;       /* used, not reaped */
    guint burst_left;       /* RX: packets still to come in this burst */
} Ring;

/**
 * LossPlan: records of one side that are to be lost.
 * @places: thousandths of the run at which a loss begins, the next one last
 * @is_waiting: host: until QEMU's buffer is full
 * @remaining: how many are still to be lost
 * @lost: how many were lost so far
 */
typedef struct LossPlan {
    guint places[MAX_PLACES];
    guint n_places;
    gboolean is_waiting;
    guint remaining;
    guint lost;
} LossPlan;

/* What a loss on a CPU lies between. */
typedef struct CpuLoss {
    guint remaining;
    guint lost;
    guint64 last_time;
    guint64 last_raw;
} CpuLoss;

/**
 * Model:
 * @heap: acts to come
 * @vmm_now, @noise_now: until when QEMU's main thread and its other thread are busy
 * @n_sent: packets that applications gave to the qdisc; @n_arrived: that reached the tap
 * @target: of @n_sent and @n_arrived together
 * @is_down: the device is being reset
 */
typedef struct Model {
    const GenConfig *config;
    Random random;
    guint64 now;
    guint64 n_acts;
    GArray *heap;
    Cpu cpus[MAX_CPUS];
    Ring rings[MAX_QUEUES];
    guint64 vmm_now;
    guint64 noise_now;
    GuestClock clock;
    guint64 next_skb;

    guint64 n_sent;
    guint64 n_arrived;
    guint64 target;
    guint64 n_packets;
    gboolean is_down;
    LossPlan resets;
    LossPlan clock_steps;

    Simpletrace *host;
    guint64 n_host_records;
    guint64 last_host_time;
    LossPlan host_losses;
    KernelFile *guest_files[2];
    guint64 n_guest_records;
    LossPlan guest_losses;
    CpuLoss cpu_losses[MAX_CPUS];
    KernelFile *tap_file;

    Packet *free_packets;
    FILE *truth;
} Model;

/* model.c */
void model_init(Model *model, const GenConfig *config);
void model_run(Model *model);
void model_clear(Model *model);
void model_push(Model *model, guint64 time, ActKind kind, guint where, Packet *packet);
guint model_progress(const Model *model); /* in 1/1000 */

/* plan.c: what is to happen in K places of the run */
void loss_plan_init(LossPlan *plan, Random *random, guint n);
gboolean loss_plan_due(LossPlan *plan, guint progress);

/* packet.c */
Packet *packet_new(Model *model, guint queue, guint32 len);
void packet_finish(Model *model, Packet *packet);
void packet_queue_push(PacketQueue *queue, Packet *packet);
void packet_queue_push_front(PacketQueue *queue, Packet *packet);
Packet *packet_queue_pop(PacketQueue *queue);

/* record.c */
TrueStep record_guest(Model *model, guint cpu, TracepointId id, guint64 ptr, guint32 a, guint32 b);
TrueStep record_guest_named(Model *model, guint cpu, TracepointId id, const char *name,
                            guint32 a, guint32 b);
TrueStep record_host(Model *model, const QemuRecord *record);
TrueStep record_tap(Model *model, guint cpu, guint64 time, KernelRecord record);
void record_end(Model *model);

/* truth.c */
void truth_packet(Model *model, const Packet *packet);
void truth_loss(Model *model, const char *side, guint64 begin, guint64 end, guint64 n);
void truth_reset(Model *model, guint64 time);
void truth_end(Model *model);

/* cpu.c */
gboolean cpu_enter(Model *model, const Act *act, Context context);
void cpu_release(Model *model, guint cpu);
void cpu_spend(Model *model, guint cpu, guint64 min, guint64 typical);
void cpu_raise(Model *model, guint cpu, guint vec);
void cpu_exit_to_host(Model *model, guint cpu, guint reason);
guint64 cpu_alloc_skb(Model *model, guint cpu);
void cpu_free_skb(Cpu *cpu, guint64 skb);
guint queue_cpu(const Model *model, guint queue);
void napi_schedule(Model *model, guint cpu, guint queue);

/* guest_tx.c */
void guest_send(Model *model, guint cpu, Packet *packet);
void guest_run_qdisc(Model *model, guint cpu, guint queue);
gboolean guest_clean_one(Model *model, guint cpu, guint queue);
void guest_end_clean(Model *model, guint cpu, guint queue);
void act_send_burst(Model *model, const Act *act);
void act_publish(Model *model, const Act *act);
void act_sent(Model *model, const Act *act);

/* guest_rx.c */
gboolean guest_receive_one(Model *model, guint cpu, guint queue);
void guest_flush_merge(Model *model, guint cpu);
void guest_fill_rx(Model *model, guint cpu, guint queue);
void act_app_read(Model *model, const Act *act);

/* guest_irq.c */
void act_irq(Model *model, const Act *act);
void act_isr(Model *model, const Act *act);
void act_softirq(Model *model, const Act *act);
void guest_end_softirq(Model *model, guint cpu);
void act_napi_poll(Model *model, const Act *act);
void act_acknowledge(Model *model, const Act *act);
void act_napi_done(Model *model, const Act *act);
void act_tick(Model *model, const Act *act);

/* vmm.c */
void vmm_kick(Model *model, guint64 time, guint queue);
void act_vmm_wake(Model *model, const Act *act);
void act_vmm_pop(Model *model, const Act *act);
void act_vmm_used(Model *model, const Act *act);
void act_vmm_read(Model *model, const Act *act);
void act_vmm_filled(Model *model, const Act *act);

/* device.c */
void device_start(Model *model);
void act_reset(Model *model, const Act *act);
void act_restart(Model *model, const Act *act);
void act_step(Model *model, const Act *act);
void act_noise(Model *model, const Act *act);
guint64 queue_address(guint queue);
guint64 element_address(guint i);
guint64 device_address(void);

/* traffic.c */
void traffic_start(Model *model);
gboolean traffic_is_over(Model *model);
gboolean traffic_may_send(Model *model);
guint64 traffic_gap(Model *model, guint *burst_left);
guint32 traffic_len(Model *model, gboolean is_tx);
void traffic_answer(Model *model, const Packet *request);
void act_arrive(Model *model, const Act *act);

#endif
