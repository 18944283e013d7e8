/* SPDX-License-Identifier: MIT */
/*
 * Samples with counter readings (PERF_SAMPLE_READ; perf record -e '{a,b}:S'). A reading is a
 * running total; the period of a sample is the increment since the previous reading. A sample of
 * the group leader stands for one sample of each member that advanced:
 *
 *     at 100   a: 1000  b: 7         sample of a, period 1000    sample of b, period 7
 *     at 101   a: 2001  b: 7         sample of a, period 1001
 *     at 102   a: 3000  b: 9         sample of a, period  999    sample of b, period 2
 *
 * The first pass, which runs in file order, computes the increments. The second looks them up.
 *
 * Source: read_format in linux/perf_event.h; deliver_sample_group in tools/perf/util/session.c.
 */
#ifndef LIBPARSE_PERF_READINGS_H
#define LIBPARSE_PERF_READINGS_H

#include "base/idtable.h"
#include "base/span.h"
#include "base/vec.h"
#include "libparse/event.h"

struct perf_reader;
struct record;

/* The last value of a counter. Inherited counters have one value for each task. */
struct last_counter_value {
	uint64_t id;
	uint32_t tid;
	uint64_t value;
};

/* The increment of a counter from the previous reading to the sample at this offset. */
struct counter_increment {
	uint64_t offset;
	uint64_t period;
	uint64_t id;
	uint32_t event;
};

struct readings {
	VEC(struct last_counter_value) last;
	struct idtable last_ids;
	VEC(struct counter_increment) increments; /* in file order */
};

void readings_init(struct readings *readings);
void readings_deinit(struct readings *readings);

/*
 * First pass: adds the readings of a sample. The reader's ids must be sorted. Readings with an
 * unknown id count as lost samples.
 */
void readings_add(struct perf_reader *reader, const struct record *record,
		  const struct event_sink *sink);

/* Sends the sample once for each counter that advanced, with its increment as the period. */
void readings_send(const struct readings *readings, const struct event *event,
		   const struct event_sink *sink);

#endif
