/* SPDX-License-Identifier: MIT */
/*
 * Counts impossible times: 0, and times that go backwards. Buffers of CPUs and threads alternate in
 * a capture, but samples of one thread on one CPU come from one buffer, in the order in which they
 * were taken:
 *
 *     CPU 0, tid 7     10.1   10.2                 10.15      goes backwards by 0.05 s: the clock
 *     CPU 1, tid 7                 10.0   10.3                was set, or a record is corrupt
 *
 * Parts of a capture are checked separately, and then joined in the order of the file. Counts
 * therefore do not depend on the parts.
 */
#ifndef PROCESS_TIME_ORDER_H
#define PROCESS_TIME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idtable.h"
#include "base/vec.h"

struct time_faults {
	uint64_t zero_count;
	uint64_t backward_count, backward_max_ns;
	bool is_limited; /* there were too many threads, so not all backward times are counted */
};

struct time_order_row {
	uint32_t cpu, tid;
	uint64_t first_ns, last_ns;
};

struct time_order {
	struct time_faults faults;
	VEC(struct time_order_row) rows; /* rows, indexed by thread and CPU */
	struct idtable table;
	size_t last_row; /* row of the last sample; the next sample is often of the same thread */
};

void time_order_init(struct time_order *order);
void time_order_deinit(struct time_order *order);

/* Adds the time of a sample. Samples must be in the order of the capture. */
void time_order_add(struct time_order *order, uint32_t cpu, uint32_t tid, uint64_t time_ns);

/* Adds a sample whose CPU or buffer is not known. Checks only whether the sample has a time. */
void time_order_add_alone(struct time_order *order, uint64_t time_ns);

/* Appends the samples of the next part, which becomes empty. */
void time_order_join(struct time_order *order, struct time_order *next);

#endif
