/* SPDX-License-Identifier: MIT */
/*
 * When records were lost. The kernel tells of it when there is room again, on the processor where it was: so
 * they were lost since what came before on that processor.
 *
 *     processor 1    3 switch                 9 LOST      anything from 3 to 9
 *     processor 2         5 left ── 7 came                 may be two waits
 */
#ifndef PROCESS_LOSS_SPANS_H
#define PROCESS_LOSS_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct loss_span {
	uint64_t begin_ns, end_ns; /* lost after the one, told at the other */
	uint32_t cpu;              /* or EVENT_NO_CPU */
};

struct loss_spans {
	VEC(struct loss_span) rows;
};

void loss_spans_deinit(struct loss_spans *spans);

/* Adds one of which only that is known; any order. cpu: EVENT_NO_CPU or any number. */
void loss_spans_add(struct loss_spans *spans, uint64_t time_ns, uint32_t cpu);

/* Puts them in the order of time. Then the user may set begins to earlier times. */
void loss_spans_sort(struct loss_spans *spans);

/* After the last was set: makes loss_spans_overlap right. */
void loss_spans_finish(struct loss_spans *spans);

/* Whether records may have been lost after from_ns and before until_ns, or at it. */
bool loss_spans_overlap(const struct loss_spans *spans, uint64_t from_ns, uint64_t until_ns);

#endif
