/* SPDX-License-Identifier: MIT */
/*
 * What is kept of the samples that begin and end something: a row of 32 bytes each, without stacks.
 * The pass that counts stacks finds them again by their place.
 *
 *     sample  sched_switch, offset 4096, time 17: 12 in state D left, 40 came
 *     row     17 | 4096 | 12 40 | 0 | switch | D
 */
#ifndef OFFCPU_PAIRING_ROWS_H
#define OFFCPU_PAIRING_ROWS_H

#include "profile/interval.h"
#include "offcpu/pairing_plan.h"

struct pairing_row {
	uint64_t time_ns;
	uint64_t offset;
	union {
		struct {
			uint32_t previous, next; /* tids; of a wake-up who woke whom */
		};
		struct {
			uint32_t tid, period; /* of a sample; 0: not of one that tells time */
		};
		uint64_t key; /* of a begin or an end */
	};
	uint32_t ordinal;
	uint16_t processor; /* of a switch: its number and 1; 0: it is not known */
	char state;         /* letter of previous */
	uint8_t role : 4;   /* enum pairing_role */
	bool is_preempted : 1;
	bool is_interrupt : 1; /* of a wake-up: whoever was interrupted has nothing to do with it */
	bool is_deferred : 1; /* and had been put off: unless the waker did that of its own accord */
};

/* What a row has of a processor's number. */
static inline uint16_t pairing_row_cpu(uint32_t cpu)
{
	return cpu < UINT16_MAX ? (uint16_t)(cpu + 1) : 0;
}

/* The rows of one worker, which reads some of the input. */
struct pairing_rows {
	const struct pairing_plan *plan;
	VEC(struct pairing_row) rows;
	struct sample_position place;
	uint64_t corrupt_count; /* samples that have not what their events should */
	uint64_t sampled_count; /* that stand for more events than one */
	uint64_t last_time_ns;  /* of all samples of these events */
};

/* Puts rows in the order of time. */
void pairing_rows_sort(struct pairing_row *rows, size_t count);

/* An event_sink's take: context is the struct pairing_rows. */
void pairing_rows_take(void *context, const struct event *event);

#endif
