/* SPDX-License-Identifier: MIT */
/*
 * Stacks of wakers that are interrupts end where the interrupt came: what it came upon has nothing to do with
 * it. Where that is, names tell, so these stacks are named before all others.
 *
 *     try_to_wake_up  hrtimer_wakeup  sysvec_apic_timer_interrupt  asm_sysvec_apic_timer_interrupt │ vfs_read ...
 *
 * What interrupts put off is done when one ends, or by a thread that says so: then that thread is the waker,
 * as the sender of a packet to its own host is.
 *
 *     try_to_wake_up  sock_def_readable  tcp_v4_rcv  net_rx_action  do_softirq  tcp_sendmsg ... sender
 *
 * Internal to session/.
 */
#ifndef SESSION_WAKER_INTERRUPTS_H
#define SESSION_WAKER_INTERRUPTS_H

#include "session/session.h"

/* Cuts the stacks of all wakers that are found. */
void waker_interrupts_cut(struct session *session);

#endif
