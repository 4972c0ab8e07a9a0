/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The steps of a buffer's journey: one table with name, side, direction and meaning.
 */
#ifndef VIRTCORR_COMMON_STEP_H
#define VIRTCORR_COMMON_STEP_H

#include <stdbool.h>

/* Which machine, and which part of the host, does something or lets it wait. */
typedef enum Party {
    PARTY_GUEST,
    PARTY_KVM,
    PARTY_VMM,
    PARTY_VHOST,
    PARTY_NET,
} Party;

enum { N_PARTIES = PARTY_NET + 1 };

/* In which journeys a step can stand. */
typedef enum StepDirection {
    STEP_TX = 1 << 0,
    STEP_RX = 1 << 1,
    STEP_OTHER = 1 << 2, /* queues that are not a network device's data queues */
    STEP_ANY = STEP_TX | STEP_RX | STEP_OTHER,
} StepDirection;

/*
 * Steps stand in the order of a journey. Where the order differs between the directions the enum
 * has the TX order; journey_sort() orders by time within a side.
 */
typedef enum StepId {
    STEP_QUEUE,
    STEP_XMIT,
    STEP_ADD,
    STEP_KICK,
    STEP_KICK_SUPPRESSED,
    STEP_TAP_IN,
    STEP_WAKE,
    STEP_POP,
    STEP_SEND,
    STEP_TAP_OUT,
    STEP_PUSH,
    STEP_IRQ,
    STEP_IRQ_SUPPRESSED,
    STEP_ISR,
    STEP_SOFTIRQ,
    STEP_POLL,
    STEP_REAP,
    STEP_RECEIVE,
    STEP_STACK,
    STEP_COPY,
    STEP_FREE,
} StepId;

enum { N_STEPS = STEP_FREE + 1 };

/**
 * StepInfo:
 * @name: word for code, output and docs
 * @party: who performs the step
 * @whose: whose time the stretch that ends in this step is
 * @directions: journeys it can stand in, a set of StepDirection
 * @main: journeys in whose summary it stands, a set of StepDirection: the steps between which
 *        somebody looks for lost time first
 * @is_mark: it says that something did not happen: it has a place but no time of its own
 * @meaning: one clause for help texts and docs
 * @events: the trace events that give it
 */
typedef struct StepInfo {
    const char *name;
    Party party;
    Party whose;
    unsigned directions;
    unsigned main;
    bool is_mark;
    const char *meaning;
    const char *events;
} StepInfo;

extern const StepInfo step_table[N_STEPS];

/* The row of @step; never NULL for a valid step. */
static inline const StepInfo *step_info(StepId step)
{
    return &step_table[step];
}

/* The step called @name; false when there is none. */
bool step_from_name(const char *name, StepId *ret_step);

/* "guest", "kvm", "vmm", "vhost" or "net". */
const char *party_name(Party party);

/* Whether @step happens in the guest (on the guest's clock). */
static inline bool step_is_guest(StepId step)
{
    return step_table[step].party == PARTY_GUEST;
}

#endif
