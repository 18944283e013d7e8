/* SPDX-License-Identifier: MIT */
/*
 * Reads the entries and exits of system calls as records of 32 bytes, without stacks, in time
 * order:
 *
 *     raw_syscalls:sys_exit, thread 12, time 17: id 0, ret -11      17 | 12 | exit | 0 | EAGAIN
 *
 * Several workers read parts of the capture. Records with equal times keep the order of the input.
 */
#ifndef SYSCALLS_SYSCALL_RECORDS_H
#define SYSCALLS_SYSCALL_RECORDS_H

#include "libparse/formats.h"
#include "syscalls/syscall_plan.h"

/*
 * Means that the record has no duration. The duration of the call is then the time from entry to
 * exit, or unknown.
 */
#define SYSCALL_NO_DURATION UINT64_MAX

/*
 * The number in the exit of rt_sigreturn. The system call rt_sigreturn restores the registers of an
 * earlier moment, so the number and the result in its exit belong to a different call.
 */
#define SYSCALL_NO_NUMBER UINT32_MAX
#define SYSCALL_NO_TID    UINT32_MAX

struct syscall_record {
	uint64_t time_ns;
	uint64_t duration_ns; /* if the input reports it */
	uint32_t tid;         /* SYSCALL_NO_TID: not known */
	uint32_t number;      /* number of the system call; in texts, str_id of its name */
	uint32_t name;        /* a str_id; 0 if it is to be derived from the number */
	uint16_t cpu;         /* CPU number plus 1; 0 if not known */
	uint16_t error : 12;  /* 0 if none */
	uint16_t phase : 3;   /* enum syscall_phase */
	uint16_t has_time : 1;
};

/* The sum of a thread's calls, from a text capture. */
struct syscall_sum {
	uint32_t tid;
	uint32_t name; /* a str_id */
	uint64_t call_count, error_count;
	uint64_t total_ns, longest_ns; /* longest: 0: not known */
};

/* The name of a thread in a text capture. */
struct syscall_comm {
	uint32_t tid;
	uint32_t comm; /* a str_id */
};

struct syscall_records {
	VEC(struct syscall_record) rows; /* ascending by time */
	VEC(struct syscall_sum) sums;
	VEC(struct syscall_comm) comms; /* in input order; a thread's last comm is its name */
	uint64_t corrupt_count;         /* samples without a thread, a time or a number */
	uint64_t sampled_count;         /* samples that represent several calls */
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t first_skipped_offset; /* of a line; UINT64_MAX if none was skipped */
};

/*
 * Reads the samples of the events in the plan, or all of a text capture. Adds the names in a
 * text capture to strings. Fails if samples represent several calls, unless the plan is forced. The
 * caller always frees ret.
 */
bool syscall_records_read(const struct capture *capture, const struct syscall_plan *plan,
			  unsigned thread_count, struct strings *strings,
			  struct syscall_records *ret, struct error *err) WARN_UNUSED;

void syscall_records_free(struct syscall_records *records);

#endif
