/* SPDX-License-Identifier: MIT */
/*
 * Rows in the order of time become intervals: each thread, or key, is either in one or not.
 *
 *     time      3           9              12          20
 *     cpu 0     12 out, D ─ 40 in          40 wakes 12
 *     cpu 1                                            12 in
 *               └─────────── 17 ns off the processor ──┘   of them 8 on the run queue
 */
#ifndef OFFCPU_PAIRING_H
#define OFFCPU_PAIRING_H

#include "process/loss.h"
#include "offcpu/pairing_rows.h"
#include "offcpu/wakers.h"

/* What could not be paired, or was left out, and why. */
struct pairing_counts {
	uint64_t paired;        /* of any state, and however long */
	uint64_t intervals;     /* that count */
	uint64_t total_ns;      /* of them */
	uint64_t open_at_start; /* ended without a beginning, and were the first of their thread */
	uint64_t open_left_out; /* began and did not end */
	uint64_t open_counted;  /* the same, and count until the end */
	uint64_t without_begin; /* ended without a beginning, later */
	uint64_t without_end;   /* began, and the next thing is that they begin again */
	uint64_t ends_supposed; /* the same, but it is known that they lasted at least so long */
	uint64_t supposed_ns;   /* by which they may have been longer, together */
	uint64_t over_losses;   /* count, and lost records are between their ends */
	uint64_t timeless;      /* sums that no window is known to have a part of */
	uint64_t corrupt;       /* samples without a thread or a time */
	uint64_t without_stack; /* began before any sample of their thread that has a stack */
	uint64_t unplaced_ns;   /* that threads ran, and nothing has their names */
	bool has_only_switches_out; /* switches are those from some threads, and lack most to them */
};

/* Whether more could not be paired, because switches are missing, than could: whatever was asked for. */
bool pairing_lacks_most(const struct pairing_counts *counts);

/* What pairing finds. */
struct pairing_result {
	struct intervals intervals;
	struct wakers wakers; /* only their wakes, and where that is asked for */
	struct pairing_counts counts;
};

void pairing_result_init(struct pairing_result *result);
void pairing_result_deinit(struct pairing_result *result);

/* Pairs rows in the order of time; end_ns is that of the last sample. Completes what is known of losses. */
void pairing_run(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		 struct loss_spans *losses, uint64_t end_ns, struct pairing_result *ret);

#endif
