/* SPDX-License-Identifier: MIT */
/*
 * Divides each wait among the causes of its duration: the code that its waker ran during the wait,
 * and the waker's own waits, which are divided in turn. The parts add up to the wait:
 *
 *     12    blocked ────────────────────────────────┤ woken by 40 ┤ runnable ┤
 *     40    running ────┤ blocked ─────┤ woken by 7 ┤ running ────┤
 *     7                   running ─────┤
 *
 *     parts 12;--;40 runs   12;--;40 blocked;--;7 runs   12;--;40 runs   12;[run queue]
 *
 * Each moment of a running thread belongs to the nearest of its on-CPU samples in the same run. A
 * run without samples belongs to the stack at its end, where the thread switched out or woke the
 * waiting thread.
 */
#ifndef OFFCPU_CRITICAL_H
#define OFFCPU_CRITICAL_H

#include "offcpu/pairing_rows.h"
#include "offcpu/schedule.h"
#include "offcpu/wakers.h"

/* Maximum number of waits in one wait's chain of causes. */
#define LIMIT_CRITICAL_DEPTH 12u

/*
 * Search steps per row of the capture. Once all steps are used, the remaining waits are not divided
 * among their causes.
 */
#define LIMIT_CRITICAL_STEPS_PER_ROW 16u

/* The kinds of steps in a path. */
enum critical_step_kind {
	CRITICAL_STACK, /* a wake in struct wakers whose callchain is shown */
	CRITICAL_GATE,  /* the same, but shown only if an interrupt turns out to be the waker */
	CRITICAL_MARK,  /* an enum interval_mark */
};

/* One step of a path from a wait to a cause. Paths share their beginnings. */
struct critical_step {
	enum critical_step_kind kind;
	uint32_t value;
	uint32_t parent; /* the step before, or CRITICAL_NO_STEP */
};

#define CRITICAL_NO_STEP UINT32_MAX

struct critical_paths {
	VEC(struct critical_step) steps;
	struct idtable ids;
	/* selected waits, or parts of them, that exceed the limits */
	uint64_t undivided_count;
};

void critical_paths_init(struct critical_paths *paths);
void critical_paths_deinit(struct critical_paths *paths);

/*
 * Replaces intervals, which are whole waits, with their parts inside the windows of the plan. rows
 * are sorted by time. source states how many switches are missing in rows. The waker of a part is
 * the last step of its path. Adds a wake to wakers for each sample whose callchain is needed.
 */
void critical_divide(const struct pairing_plan *plan, const struct pairing_row *rows, size_t count,
		     uint64_t end_ns, enum schedule_source source, struct intervals *intervals,
		     struct wakers *wakers, struct critical_paths *paths);

/*
 * Replaces the last step of each part with a link to its list of callchains, once these are known.
 * mark_names: by enum interval_mark.
 */
void critical_link(const struct critical_paths *paths, const str_id *mark_names,
		   struct wakers *wakers, struct intervals *intervals);

#endif
