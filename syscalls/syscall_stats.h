/* SPDX-License-Identifier: MIT */
/*
 * Adds up system calls, from their entries and exits in time order:
 *
 *     thread 12   enter read ── 3 µs ── exit 832    enter openat ── 2 µs ── exit ENOENT
 *     rows        read: 1 call, 3 µs                openat: 1 call, 1 error, 2 µs
 *
 * A call counts when it returns. The duration of a call is known if its entry was recorded, or if
 * the input reports the duration.
 */
#ifndef SYSCALLS_SYSCALL_STATS_H
#define SYSCALLS_SYSCALL_STATS_H

#include "base/idtable.h"
#include "base/name_pattern.h"
#include "profile/selection/time_windows.h"
#include "syscalls/syscall_records.h"

/* The keys of the table, which has a row for each combination of their values. */
enum syscall_key {
	SYSCALL_KEY_NAME, /* name of the system call */
	SYSCALL_KEY_THREAD,
	SYSCALL_KEY_COMM,
	SYSCALL_KEY_PROCESS,
	SYSCALL_KEY_ERROR, /* the error that the call returned; 0 if none */
	SYSCALL_KEY_COUNT,
};

struct syscall_keys {
	enum syscall_key at[SYSCALL_KEY_COUNT];
	uint32_t count;
};

/* Parses "thread,syscall". */
bool syscall_keys_parse(const char *text, struct syscall_keys *ret, struct error *err) WARN_UNUSED;

/* Which calls the table shows, and by which keys. */
struct syscall_options {
	struct syscall_keys keys;
	const name_patterns *patterns; /* names of the calls that count; NULL or empty: all */
	bool is_forced;                /* accept captures that lack some calls */
};

struct syscall_thread {
	uint32_t tid, pid;
	str_id comm, process; /* process: the comm of its first thread */
	bool is_selected;
	bool is_unknown; /* the text does not identify the thread */
	/* While records are added: */
	bool is_open; /* in a call */
	bool has_exited;
	struct syscall_record entry; /* of the open call */
	uint64_t call_count;
};

struct syscall_row {
	/* By syscall_keys: a str_id, the index of a thread, a PID or an error. */
	uint32_t values[SYSCALL_KEY_COUNT];
	uint32_t thread; /* the row's first thread, whose PID is shown */
	uint64_t call_count, error_count;
	uint64_t timed_count; /* calls whose durations are in total_ns */
	uint64_t total_ns, longest_ns, longest_at_ns;
	bool has_longest, has_longest_at;
	VEC(uint64_t) durations_ns; /* of individual calls; after syscall_stats_finish: ascending */
};

/*
 * Counts of incomplete calls, such as calls whose start or end is unknown. These calls make the
 * table incomplete.
 */
struct syscall_doubts {
	uint64_t open_count;             /* had not returned at the end of the capture */
	uint64_t longest_open_ns;        /* of the longest of these, up to the end of the capture */
	uint32_t longest_open_name;      /* its str_id */
	uint64_t without_exit_count;     /* the next event of the thread is another call */
	uint64_t without_enter_count;    /* their entries are unknown; counted without duration */
	uint64_t without_duration_count; /* counted without duration, because the input has none */
	uint64_t reused_count;           /* TIDs given to a new thread after the old one exited */
};

struct syscall_stats {
	struct syscall_keys keys;
	const struct time_windows *windows; /* NULL means the whole capture */
	const selection_ranges *cpus;       /* CPUs that count; NULL or empty: all */
	bool has_enters, has_exits;         /* whether the capture has entries and exits of calls */
	bool is_text;                       /* durations are from the text */
	bool may_be_cpu_time;               /* durations may be CPU time */
	str_id exit_name, exit_group_name;  /* calls that do not return */
	VEC(struct syscall_thread) threads;
	struct idtable thread_table;
	VEC(struct syscall_row) rows; /* after syscall_stats_finish: by total, then by calls */
	struct idtable row_table;
	uint64_t first_ns, last_ns;
	uint64_t call_count, error_count, timed_count, total_ns, thread_count;
	struct syscall_doubts doubts;
};

void syscall_stats_init(struct syscall_stats *stats, const struct syscall_keys *keys);
void syscall_stats_deinit(struct syscall_stats *stats);

/* Returns the index of the thread with this tid; adds it if it is new. */
uint32_t syscall_stats_thread(struct syscall_stats *stats, uint32_t tid);

/* Adds a record whose name is set. */
void syscall_stats_add(struct syscall_stats *stats, const struct syscall_record *record);

/* Adds the sum of several calls, which has no percentiles. */
void syscall_stats_add_sum(struct syscall_stats *stats, const struct syscall_sum *sum);

/* Counts the calls that are still open, and sorts the rows. */
void syscall_stats_finish(struct syscall_stats *stats);

#endif
