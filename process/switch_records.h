/* SPDX-License-Identifier: MIT */
/*
 * Records of context switches, and of the exits and execs that explain them, in file order.
 *
 * A thread that calls exec gets the tid of the leader of its process, which has exited. Only such
 * execs matter to switches:
 *
 *     time      3           5              8           12
 *     cpu 0     40 exits                               40 exits
 *     cpu 1                 41 in          40 execs
 *                           └─ one thread, first with tid 41, then with tid 40 ─┘
 */
#ifndef PROCESS_SWITCH_RECORDS_H
#define PROCESS_SWITCH_RECORDS_H

#include <stddef.h>

#include "libparse/event.h"

struct recorded_switch {
	uint64_t time_ns, offset;
	struct event_context_switch context_switch;
};

/*
 * Removes the execs by which no thread can have got another tid, because the former thread of this
 * tid had not exited. Returns the number of records that remain.
 */
size_t switch_records_drop_other_execs(struct recorded_switch *records, size_t count);

#endif
