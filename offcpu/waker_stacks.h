/* SPDX-License-Identifier: MIT */
/*
 * The callchains of wakers: a pass over the samples reads the wake-ups that pairing found relevant.
 *
 * A callchain of an interrupt is cut where the interrupt came in, because the code below did not wake
 * anyone. This takes the names of kernel functions, so these callchains are symbolised first:
 *
 *     try_to_wake_up  hrtimer_wakeup  sysvec_apic_timer_interrupt  asm_sysvec_apic_timer_interrupt │ vfs_read ...
 *
 * Softirq work may also run in a thread that triggered it, which is then the waker. For example, a thread
 * that sends a packet to its own host:
 *
 *     try_to_wake_up  sock_def_readable  tcp_v4_rcv  net_rx_action  do_softirq  tcp_sendmsg ... sender
 */
#ifndef OFFCPU_WAKER_STACKS_H
#define OFFCPU_WAKER_STACKS_H

#include "base/error.h"

struct offcpu_source;
struct pairing_result;

/* Reads the callchains of the wake-ups that are wanted, and links the intervals to them. */
bool waker_stacks_find(const struct offcpu_source *source, struct pairing_result *pairing,
		       struct error *err) WARN_UNUSED;

#endif
