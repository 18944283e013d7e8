/* SPDX-License-Identifier: MIT */
/*
 * Computes the on-CPU time of threads, for --wall. Switches show how long a thread was on a CPU.
 * The on-CPU time is divided among the thread's samples in proportion to their periods; the shares
 * add up exactly:
 *
 *     on-CPU              10 ───── 30         110 ─────────── 190      100 ns
 *     samples, of period 1     20                  130   160           33, 33 and 34 ns
 */
#ifndef OFFCPU_RUNNING_H
#define OFFCPU_RUNNING_H

#include "offcpu/pairing_filter.h"
#include "offcpu/pairing_threads.h"
#include "profile/interval.h"
#include "profile/selection/time_windows.h"

/* A part of a thread's time. The parts of a thread form a list, from the last to the first. */
struct run_span {
	uint32_t previous; /* index plus 1; 0 if none */
	bool is_unknown;   /* it is not known whether the thread was on a CPU */
	uint64_t begin_ns, duration_ns;
};

/* One thread. */
struct thread_run {
	bool is_running;
	uint64_t begin_ns, ran_ns; /* start of the current run; sum of earlier runs */
	uint64_t unknown_ns;       /* on-CPU or off-CPU, unknown because switches are missing */
	uint64_t period_sum;       /* sum of the periods of its samples */
	uint32_t last_span;        /* with keeps_spans: index plus 1; 0 if none */
};

/* A sample that gets a share of its thread's time. */
struct run_share {
	uint32_t thread;
	uint32_t period;
	uint64_t time_ns;
	struct sample_position at;
};

struct running {
	const struct time_windows *windows; /* windows that time is clipped to; NULL if none */
	uint64_t first_ns;                  /* start of the capture */
	bool keeps_spans;                   /* keep each unsampled span, not only the sum */
	VEC(struct thread_run) runs;        /* by thread number */
	VEC(struct run_share) shares;
	VEC(struct run_span) spans;
};

void running_deinit(struct running *running);

/* Records that the thread is on a CPU from this time on, and possibly before. */
void running_start(struct running *running, uint32_t thread, uint64_t time_ns);

/* Records that the thread is off-CPU from this time on, and possibly before. */
void running_stop(struct running *running, uint32_t thread, uint64_t time_ns);

/* Records that it is unknown whether the thread was on a CPU between these times. */
void running_lose(struct running *running, uint32_t thread, uint64_t from_ns, uint64_t until_ns);

void running_sample(struct running *running, uint32_t thread, uint32_t period, uint64_t time_ns,
		    const struct sample_position *at);

/*
 * Adds intervals for the on-CPU time of all threads, which is distributed over their samples. The
 * share of a sample is the time before the sample. A share that would begin before the capture
 * begins with the capture instead. Adds other intervals for unknown time and for threads without
 * samples, at a switch of the thread. Returns the nanoseconds of threads in the filter that cannot
 * be shown, because there is no such switch either. May be called only once.
 */
uint64_t running_push(struct running *running, const struct pairing_threads *threads,
		      const struct pairing_filter *filter, struct intervals *intervals);

#endif
