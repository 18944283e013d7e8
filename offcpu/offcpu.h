/* SPDX-License-Identifier: MIT */
/*
 * Computes the off-CPU time of a capture. offcpu_prepare determines the weight of each sample
 * before samples are counted. The session then counts samples with these weights, as for any other
 * profile.
 *
 *     perf.data         switches (parallel) ─▶ rows ─ sort, pair ─▶ intervals, wakers
 *     offcpu-time       perf record --off-cpu: the period of a sample is the time it was blocked
 *     BCC, bpftrace     pre-aggregated wait times, whose unit may not be known
 */
#ifndef OFFCPU_OFFCPU_H
#define OFFCPU_OFFCPU_H

#include "libparse/formats.h"
#include "offcpu/pairing.h"
#include "offcpu/pairing_options.h"
#include "process/process_state.h"
#include "profile/ingest.h"
#include "profile/resolve.h"
#include "profile/view.h"

/* A capture whose samples have not been read yet, and how the session reads callchains. */
struct offcpu_source {
	const struct capture *capture;
	struct process_state *state;
	struct profile *profile;         /* gets an event for switches without samples */
	struct resolve_modules *modules; /* gets the modules of interval marks */
	struct view *view; /* gets the event and weight of intervals; its times become windows */
	unsigned thread_count;
	struct ingest_options ingest; /* without an unwinder */
	void *context;                /* passed to the functions below */
	/* Creates an unwinder for one thread; may return NULL. */
	void *(*create_unwinder)(void *context, struct ingest_unwinder *ret);
	void (*destroy_unwinder)(void *unwinder);
	/* Creates a resolver for about this many callchains. */
	void (*init_resolver)(void *context, struct places *places, size_t callchain_count,
			      struct resolver *resolver);
	void (*name_locations)(void *context, struct locations *locations);
};

/*
 * Wait times that the recording tool has already summed up. Such waits need no pairing, but the
 * unit of the numbers must be known:
 *
 *     offcputime            microseconds, which its reader converts to nanoseconds
 *     offcputime -f         folded stacks: microseconds, unless a "# unit:" line says otherwise
 *     bpftrace maps         the suffix of their names (@off_us), or else nanoseconds
 */
struct wait_sums {
	uint64_t plain_ns;   /* of one unit if the input does not state it; 0 if unknown */
	bool is_assumed;     /* plain_ns is a guess */
	uint64_t assumed_ns; /* the guess, if a profile was built with it; otherwise 0 */
};

/* The off-CPU data of a capture, and how its samples are counted. */
struct offcpu {
	bool has_intervals; /* the weight of a sample is the sum of the intervals that it begins */
	bool has_wait_sums; /* samples are sums of waits; see wait_sums */
	bool has_measured_waits; /* each sample is the end of a wait that lasted its period */
	/* intervals belong to switch_event, not to the events of their samples */
	bool has_switch_event;
	uint32_t switch_event;
	bool groups_by_duration;
	struct pairing_result pairing;
	struct time_windows windows; /* intervals are clipped to these */
	struct wait_sums wait_sums;
	const char *event_name, *weight_name; /* names to show instead of their own; NULL if none */

	bool has_pair_counts;          /* pairing.counts are set, even if no intervals are shown */
	bool has_guessed_fields;       /* the capture does not describe the fields of its events */
	uint64_t unrecorded_cpu_count; /* CPUs without switches, if other CPUs have switches */
	bool requires_callchains;      /* warn if events that are shown lack callchains */
};

void offcpu_init(struct offcpu *offcpu);
void offcpu_deinit(struct offcpu *offcpu);

/* Finds the off-CPU time of a capture. Fails if the capture lacks data that the options require. */
bool offcpu_prepare(struct offcpu *offcpu, const struct offcpu_source *source,
		    const struct pairing_options *options, struct error *err) WARN_UNUSED;

/*
 * Only counts how many switches of a capture can be paired, and how many cannot. Sets
 * has_pair_counts if there are any switches.
 */
void offcpu_count_pairs(struct offcpu *offcpu, const struct offcpu_source *source);

/* Names the locations that are not code, such as marks, durations and wakers. */
void offcpu_name_locations(const struct offcpu *offcpu, const struct resolve_modules *modules,
			   struct profile *profile, struct locations *locations);

/* Whether events of the finished profile were recorded without callchains. */
bool offcpu_lacks_callchains(const struct offcpu *offcpu, const struct profile *profile);

/* A weight_scaler (profile/tree/build.h): context is a struct wait_sums. */
bool wait_sums_scale(void *context, const struct profile *profile, uint64_t *factor_ret,
		     struct error *err) WARN_UNUSED;

#endif
