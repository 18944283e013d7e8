/* SPDX-License-Identifier: MIT */
/*
 * Determines which events of a capture are entries and exits of system calls, and which fields
 * contain the number and the result:
 *
 *     raw_syscalls:sys_enter      id            syscalls:sys_enter_read   __syscall_nr
 *     raw_syscalls:sys_exit       id, ret       syscalls:sys_exit_read    __syscall_nr, ret
 *
 * If a capture has both kinds, only raw_syscalls is used, because it covers every call.
 */
#ifndef SYSCALLS_SYSCALL_PLAN_H
#define SYSCALLS_SYSCALL_PLAN_H

#include "profile/profile.h"

/* The part of a system call that a sample or a line of text reports. */
enum syscall_phase {
	SYSCALL_NONE,
	SYSCALL_ENTER,
	SYSCALL_EXIT,
	SYSCALL_WHOLE, /* from its entry to its exit */
};

struct syscall_event {
	enum syscall_phase phase;
	struct field number, result; /* result: only for exits */
	/* the system call of an event for only one call; otherwise STR_EMPTY */
	str_id name;
};

struct syscall_plan {
	struct syscall_event *events; /* by event of the profile; NULL for a text capture */
	size_t event_count;
	bool has_enters, has_exits;
	bool is_forced; /* calls may be missing */
};

/* Records all system calls. */
#define SYSCALL_PERF_RECORD "perf record -e 'raw_syscalls:*' -a"

/*
 * Makes the plan for a perf capture. Fails if the capture lacks system calls or, unless is_forced
 * is set, some of them. The error explains how to record them.
 */
bool syscall_plan_make(const struct profile *profile, bool is_forced, struct syscall_plan *ret,
		       struct error *err) WARN_UNUSED;
void syscall_plan_free(struct syscall_plan *plan);

#endif
