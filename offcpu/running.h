/* SPDX-License-Identifier: MIT */
/*
 * How long threads ran, and where. Switches tell how long, samples where: the time a thread ran is divided among
 * its samples by their periods, so that what is shown adds up to it, to the nanosecond.
 *
 *     on the processor    10 ───── 30         110 ─────────── 190      100 ns
 *     samples, of period 1     20                  130   160           33, 33 and 34 ns
 */
#ifndef OFFCPU_RUNNING_H
#define OFFCPU_RUNNING_H

#include "profile/interval.h"
#include "profile/selection/time_windows.h"

/* One thread. */
struct run {
	bool is_running;
	uint64_t begin_ns, ran_ns; /* since when, and before that */
	uint64_t unknown_ns;       /* it ran or waited: of the switches between, some are missing */
	uint64_t period_sum;       /* of its samples */
};

/* A sample whose thread's time is to be divided. */
struct run_share {
	uint32_t thread;
	uint32_t period;
	struct sample_position at;
};

struct running {
	const struct time_windows *windows; /* that time counts in; NULL: all */
	VEC(struct run) runs;               /* by the caller's numbers of threads */
	VEC(struct run_share) shares;
};

void running_deinit(struct running *running);

/* From now on a thread runs; it may have done so already. */
void running_start(struct running *running, uint32_t thread, uint64_t time_ns);

/* It does not any more; it may not have run. */
void running_stop(struct running *running, uint32_t thread, uint64_t time_ns);

/* What it did from a time to another is not known. */
void running_lose(struct running *running, uint32_t thread, uint64_t from_ns, uint64_t until_ns);

void running_sample(struct running *running, uint32_t thread, uint32_t period,
		    const struct sample_position *at);

/*
 * Pushes a thread's time that is no sample's: all that it ran when it has none, and what is not known of it, at
 * a location that has its name. The nanoseconds that cannot be pushed because there is no such location.
 */
uint64_t running_push_unsampled(const struct running *running, uint32_t thread,
				const struct sample_position *at, struct intervals *intervals);

/* Divides the time of all threads among their samples. Consumes it. */
void running_push_samples(struct running *running, struct intervals *intervals);

#endif
