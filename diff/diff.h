/* SPDX-License-Identifier: MIT */
/*
 * What changed between two sides of one or more captures each, by how much, and whether that is
 * more than noise.
 *
 *     profiles ─ diff_add ─▶ union tree, a column a capture      diff/diff_tree.h
 *                               │ diff_finish
 *                               ├─▶ what is compared with what            diff_align.h
 *                               ├─▶ a row's weights, before and after     diff_scale.h
 *                               ├─▶ functions: sums over all paths        diff_functions.h
 *                               ├─▶ how samples vary within a run         dispersion.h
 *                               ├─▶ how runs vary among themselves        diff_spread.h
 *                               ├─▶ one verdict each, with its interval   diff_grade.h
 *                               └─▶ what it comes to in a sentence        diff_headline.h
 *
 * Weights are those the captures have; before's is scaled only where both are compared.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "diff/align/diff_aligned.h"
#include "diff/diff_captures.h"
#include "diff/diff_headline.h"
#include "diff/diff_scale.h"
#include "diff/diff_tree.h"
#include "diff/diff_verdict.h"
#include "diff/diff_view.h"

/* One weight on both sides. */
struct diff_measure {
	uint64_t weight[DIFF_SIDES]; /* of all runs of the side */
	double corrected_p_value;    /* of this among all that are compared */
	enum diff_verdict verdict;
};

struct diff_row {
	struct diff_measure self, total;
};

struct diff_function {
	uint32_t frame;
	enum diff_verdict
		verdict; /* of what it takes with what it calls, or, where that did not change, itself */
	bool is_judged_by_self;
	struct diff_measure self, total; /* total: of recursion the outermost alone */
	struct diff_estimate self_estimate, total_estimate;
	struct dispersion self_within, total_within; /* dispersion in a run */
};

typedef VEC(struct diff_function) diff_functions;

/* How totals changed. */
struct diff_total {
	bool is_known;
	enum diff_verdict verdict;
	double percent;
	struct diff_estimate estimate; /* its points are percent as well */
};

struct diff_options {
	struct diff_alignment alignment;
	struct diff_normalising normalising;
	double confidence; /* 0.99: of ten thousand comparisons of equals, a hundred are called unequal */
	double margin; /* in points: what changed by less is called unchanged, where that is sure */
	double assumed_spread; /* of totals from run to run, where one run does not tell: 0.03 is 3 % */
	double assumed_function_spread; /* the same of functions, of what they take; 0: only what a run shows */
	bool assumes_samples; /* weights are numbers of samples, where a text does not say */
	bool allows_events;   /* the two sides may show different events, of the same unit */
	uint32_t run_count;   /* that will be added, at most */
	/* Of one capture that is split: what each side is of it, as "comm=worker"; else NULL. */
	const char *parts[DIFF_SIDES];
	bool shows_hosts;  /* and paths in people's home folders */
	bool hides_origin; /* commands and dates of captures */
};

struct diff {
	struct diff_options options;
	struct profile profile; /* the union; the weights of its stacks are 0 */
	struct diff_view views[DIFF_SIDES];
	diff_capture_list captures;    /* what they report of themselves, in the order of runs */
	struct diff_aligned aligned;   /* what was compared with what, beyond equal names */
	bool is_normalised_by_default; /* what by was not asked for */
	bool wants_cut_names; /* names of a later capture are cut: all should be, DIFF_NAMING_CUT */
	VEC(struct diff_run) runs;
	uint64_t total[DIFF_SIDES];
	uint64_t sample_count[DIFF_SIDES];
	uint32_t run_count[DIFF_SIDES];
	uint64_t exposure[DIFF_SIDES];
	struct diff_measure overall; /* the totals, which are not normalised by themselves */
	struct diff_estimate overall_estimate; /* its points are percent as well */
	double overall_percent;
	struct diff_total
		per_second; /* where runs are compared as they are: by how long they were */
	struct diff_headline headline;
	struct diff_row *rows;    /* by row of profile.stacks */
	diff_functions functions; /* most important first */
	diff_functions groups;    /* comms and the like, which rows are of and functions are not */
	uint64_t *run_self, *run_total; /* by frame, and of that by run */
	bool has_sample_counts[DIFF_SIDES];
	bool is_graded; /* both sides have those; else only sizes of changes are known */
	double shift_percent; /* by which shares of unchanged code changed, where any is DIFF_SHIFTED; else NAN */
	bool has_common;               /* some function is on both sides */
	uint32_t freedom;              /* of dispersions in runs at most; 0: they are not known */
	uint64_t missing[DIFF_SIDES];  /* stacks of flame graphs that do not show them all */
	bool lacks_narrow[DIFF_SIDES]; /* pictures, which may lack more than that */
	bool is_folded;                /* what they may hide was left out of both sides */
	bool has_exact_functions; /* in spite of that, functions are compared with all their stacks */
	struct diff_tree tree;    /* until diff_finish */
};

void diff_init(struct diff *diff, const struct diff_options *options);
void diff_deinit(struct diff *diff);

/* Adds a capture, which is not needed any more then. False when it shows something else than those
 * before it. */
bool diff_add(struct diff *diff, const struct profile *profile, enum diff_side side,
	      struct error *err) WARN_UNUSED;

/* After the last: compares. False when a side has no samples, or not what it is normalised by. */
bool diff_finish(struct diff *diff, struct error *err) WARN_UNUSED;

/* Whether a side has several runs, which tell how much they differ among themselves. */
bool diff_has_runs(const struct diff *diff);

/* Whether functions are compared as shares of their side's total, and not as rates. */
bool diff_has_shares(const struct diff *diff);

/* What runs are taken to vary by, where one run a side does not tell: functions, by their shares or rates. */
double diff_assumed_function_spread(const struct diff *diff);

/* Whether functions are compared as if they differed from run to run by that. */
bool diff_assumes_spread(const struct diff *diff);

/* Whether the runs say too little of how totals differ from run to run: with one run a side, or two and one. */
bool diff_assumes_total_spread(const struct diff *diff);

/* The measure a function's verdict is of, and what is known of it. */
const struct diff_measure *diff_judged_measure(const struct diff_function *function);
const struct diff_estimate *diff_judged_estimate(const struct diff_function *function);

/* What a weight of before comes to at after's scale. */
uint64_t diff_scaled(const struct diff *diff, uint64_t before);

/* The change in percent points of after's total, and in percent of what it was (INFINITY: it is new). */
double diff_points(const struct diff *diff, const struct diff_measure *measure);
double diff_percent(const struct diff *diff, const struct diff_measure *measure);

/* The share of its run that a function has in run number run, in percent: columns are its weights. */
double diff_run_percent(const struct diff *diff, const uint64_t *columns, size_t run);

/* One weight by the numbers of its runs, of which columns has one each. */
struct diff_measure diff_measure_of(const struct diff *diff, const uint64_t *columns);

#endif
