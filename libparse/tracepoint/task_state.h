/* SPDX-License-Identifier: MIT */
/*
 * The state of a thread when it is switched out: the letter that ps and perf sched show for
 * prev_state of sched_switch. The letters of the bits depend on the kernel version, so they are
 * read from the tracepoint's print format:
 *
 *     print fmt: ... __print_flags(REC->prev_state & ..., "|", { 0x0001, "S" }, { 0x0002, "D" } ...)
 *
 * If no bit is set, the state is R (runnable). A set bit above all bits that have a letter means
 * that the thread was preempted. This bit need not be the next one. Linux 4.8 to 4.13 have letters
 * up to 1024, and set 4096 (TASK_STATE_MAX) at a preemption. 2048 is TASK_NEW, which no thread has
 * after its first switch-in.
 *
 * Source: include/trace/events/sched.h of the Linux kernel, versions 2.6.32 to 6.18.
 */
#ifndef LIBPARSE_TRACEPOINT_TASK_STATE_H
#define LIBPARSE_TRACEPOINT_TASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

/* No kernel has letters for 16 bits of prev_state. */
#define TASK_STATE_BITS 16

struct task_states {
	char letters[TASK_STATE_BITS]; /* indexed by bit; 0 if the bit has no letter */
	uint64_t above;                /* all bits above the highest one with a letter */
};

struct task_state {
	char letter;
	bool is_preempted;
};

/* Reads the letters from a print format. Returns false if the print format has no letters. */
bool task_states_read(struct text print_format, struct task_states *ret);

/*
 * Sets the letters that a kernel release ("6.1.0-13-amd64") uses. This function is for captures
 * without tracepoint formats.
 */
void task_states_guess(struct text release, struct task_states *ret);

struct task_state task_state_of(const struct task_states *states, uint64_t value);

/* Whether the thread has exited, so that its tid may be reused. */
bool task_state_is_dead(struct task_state state);

/* Whether the thread was blocked rather than waiting for a CPU. */
bool task_state_is_blocked(struct task_state state);

#endif
