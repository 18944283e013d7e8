/* SPDX-License-Identifier: MIT */
/*
 * Pairs the begins and ends of intervals, in time order. Each thread, or key of --span, is in at
 * most one interval:
 *
 *     time      3           9              12          20
 *     cpu 0     12 out, D ─ 40 in          40 wakes 12
 *     cpu 1                                            12 in
 *               └─────────── 17 ns off-CPU ────────────┘   of them 8 on the run queue
 */
#ifndef OFFCPU_PAIRING_H
#define OFFCPU_PAIRING_H

#include "offcpu/critical.h"
#include "offcpu/pairing_plan.h"
#include "process/loss.h"
#include "offcpu/pairing_rows.h"
#include "offcpu/wakers.h"

/* How many intervals were paired, and why the others were not. */
struct pairing_counts {
	uint64_t paired;        /* paired intervals, of any state and duration */
	uint64_t intervals;     /* intervals that are shown */
	uint64_t total_ns;      /* their total duration */
	uint64_t open_at_start; /* ends of intervals that began before the capture */
	uint64_t open_left_out; /* intervals open at the end of the capture, ignored */
	uint64_t open_counted;  /* the same, counted until the end */
	uint64_t without_begin; /* other ends without a begin */
	uint64_t without_end;   /* begins followed by another begin */
	uint64_t ends_supposed; /* the same, but counted until the latest possible end */
	uint64_t supposed_ns;   /* total time by which these may be too short */
	uint64_t over_losses;   /* counted, although records were lost between begin and end */
	uint64_t timeless; /* pre-aggregated waits, which have no time and so are in no window */
	uint64_t corrupt;  /* samples without a thread or a time */
	uint64_t without_stack; /* begins without a stack */
	uint64_t unplaced_ns;   /* on-CPU time of threads without samples, which is not shown */
	/* most switch-ins are missing, because only some threads were recorded */
	bool has_only_switches_out;
	bool lacks_most; /* most intervals are incomplete, those of all threads and these */
};

/* Whether most intervals could not be paired because switches are missing. */
bool pairing_lacks_most(const struct pairing_counts *counts);

/* Adds the counts of other threads, except those that pairing sets only at its end. */
void pairing_counts_add(struct pairing_counts *counts, const struct pairing_counts *more);

/* The result of pairing. */
struct pairing_result {
	struct intervals intervals;
	struct wakers wakers;               /* only if wakes were recorded and are requested */
	struct critical_paths critical;     /* only with --critical */
	struct pairing_counts counts;       /* of the selected threads, CPUs and times */
	struct pairing_counts other_counts; /* of all others */
};

void pairing_result_init(struct pairing_result *result);
void pairing_result_deinit(struct pairing_result *result);

/*
 * Pairs rows, which are sorted by time, and sorts the intervals; end_ns is the time of the last
 * sample. Sets the start of each loss.
 */
void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 struct loss_spans *losses, uint64_t end_ns, struct pairing_result *ret);

#endif
