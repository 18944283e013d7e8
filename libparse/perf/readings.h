/* SPDX-License-Identifier: MIT */
/*
 * Samples with readings of counters (PERF_SAMPLE_READ; perf record -e '{a,b}:S'). A reading is a
 * total so far, and a sample stands for what each counter gained since the reading before: one
 * sample of the leader is one of every member of its group that gained anything.
 *
 *     at 100   a: 1000  b: 7         sample of a, period 1000    sample of b, period 7
 *     at 101   a: 2001  b: 7         sample of a, period 1001
 *     at 102   a: 3000  b: 9         sample of a, period  999    sample of b, period 2
 *
 * The first pass, which goes from the beginning to the end, works the gains out; the second, which
 * reads in any order, looks them up.
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

/* The last reading of one counter. A counter that children inherit has one in each task. */
struct last_counter_value {
	uint64_t id;
	uint32_t tid;
	uint64_t value;
};

/* What a counter gained up to the sample at offset. */
struct counter_gain {
	uint64_t offset;
	uint64_t period;
	uint64_t id;
	uint32_t event;
};

struct readings {
	VEC(struct last_counter_value) last;
	struct idtable last_ids;
	VEC(struct counter_gain) gains; /* in the order of the input */
};

void readings_init(struct readings *readings);
void readings_deinit(struct readings *readings);

/* Takes the readings of a sample, in the first pass. The reader's ids are sorted. Those of no event
 * are a loss: each would have been a sample of its own. */
void readings_add(struct perf_reader *reader, const struct record *record,
		  const struct event_sink *sink);

/* Sends the sample once for each counter that gained, with the counter_gain as its period. */
void readings_send(const struct readings *readings, const struct event *event,
		   const struct event_sink *sink);

#endif
