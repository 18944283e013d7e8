/* SPDX-License-Identifier: MIT */
/*
 * What a thread was about to do when it left the processor: the letter that ps and perf sched show
 * for sched_switch's prev_state. Which bit is which letter differs from kernel to kernel, so it is
 * taken from what the kernel says of its own tracepoint:
 *
 *     print fmt: ... __print_flags(REC->prev_state & ..., "|", { 0x0001, "S" }, { 0x0002, "D" } ...)
 *
 * No bit set is R, running: the thread could have gone on. A bit above all that have letters says
 * that it was made to leave, whatever it was about to do.
 *
 * Source: include/trace/events/sched.h of the Linux kernel, versions 2.6.32 to 6.18.
 */
#ifndef PROCESS_TASK_STATE_H
#define PROCESS_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

/* prev_state has fewer bits with letters than this in every kernel. */
#define TASK_STATE_BITS 16

struct task_states {
	char letters[TASK_STATE_BITS]; /* by bit; 0: it has none */
	uint64_t above;                /* the bits above all that have a letter */
};

/* What one thread was about to do. */
struct task_state {
	char letter;
	bool is_preempted;
};

/* Those a kernel's print format names. False when it names none. */
bool task_states_read(struct text print_format, struct task_states *ret);

/* Those of a kernel that says nothing of its tracepoints, by its release: "6.1.0-13-amd64". */
void task_states_guess(struct text release, struct task_states *ret);

struct task_state task_state_of(const struct task_states *states, uint64_t value);

/* Whether a thread in this state is not there any more: its tid may be given to another. */
bool task_state_is_dead(struct task_state state);

/* Whether it waited for something, rather than for a processor. */
bool task_state_is_blocked(struct task_state state);

#endif
