/* SPDX-License-Identifier: MIT */
/*
 * State events, which are stored until all can be sorted, and then applied to the history.
 *
 *     file     sample | map b | fork | map a         by time    fork  map a  map b
 *     time_ns         |  30   |  10  |  20           by place   map b  fork  map a
 */
#ifndef PROCESS_STATE_ROWS_H
#define PROCESS_STATE_ROWS_H

#include "process/process_history.h"

struct state_row {
	uint64_t time_ns; /* 0 means no time, and sorts first */
	uint64_t offset;  /* of the record in the input; 0 if perf synthesized it */
	enum {
		STATE_COMM,
		STATE_EXEC, /* a comm set by exec */
		STATE_FORK,
		STATE_MAP,
		STATE_MAP_DATA, /* a data mapping, which replaces code in its range */
		STATE_UNMAP,
		STATE_KERNEL_MAP,
		STATE_KERNEL_UNMAP,
	} kind;
	uint32_t pid, tid;
	union {
		str_id comm;
		struct event_fork fork;
		struct mapping mapping;
	};
};

/*
 * Sorts the rows by time, or by offset if the capture is timeless, and applies them to the history.
 * Equal rows keep their order. In a timeless capture, offsets replace times, also in the rows.
 *
 * perf record --per-thread omits times, because the buffer of a thread is in order. The times of
 * FORK and EXIT records, which these always have, cannot be compared with the other records.
 */
void state_rows_apply(struct process_history *history, struct state_row *rows, size_t count,
		      bool is_timeless);

#endif
