/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two sides, each with one or more captures: the data, and the numbers computed
 * from it.
 *
 *     profiles ─ compare_add ─▶ union tree, one column per capture     diff_tree.h
 *                  │ compare_finish, in compare.c
 *                  ├─▶ which names are compared with each other        align/diff_align.h
 *                  ├─▶ weights before and after, at the same scale     diff_scale.h
 *                  ├─▶ functions: sums over all stacks                 diff_functions.h
 *                  ├─▶ dispersion within runs, by time bin             dispersion.h
 *                  ├─▶ variation between runs                          diff_spread.h
 *                  ├─▶ verdicts and intervals of functions             diff_grade.h
 *                  └─▶ the headline                                    diff_headline.h
 *
 * Weights are stored as captured. Weights of the BEFORE side are scaled only when they are
 * compared.
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "diff/align/diff_alignment.h"
#include "diff/diff_captures.h"
#include "diff/diff_scale.h"
#include "diff/diff_tree.h"
#include "diff/diff_verdict.h"

/* A self or total weight on both sides. */
struct diff_measure {
	uint64_t weight[DIFF_SIDES]; /* sum of all runs of the side */
	double corrected_p_value;    /* corrected for the number of tests */
	enum diff_verdict verdict;
};

struct diff_row {
	struct diff_measure self, total;
};

struct diff_function {
	uint32_t frame;
	enum diff_verdict verdict; /* verdict on total or, if total did not change, on self */
	bool is_judged_by_self;
	struct diff_measure self,
		total; /* for recursive calls, total counts only the outermost one */
	struct diff_estimate self_estimate, total_estimate;
	struct dispersion self_within, total_within; /* within runs */
};

typedef VEC(struct diff_function) diff_functions;

/* How the total changed. */
struct diff_total {
	bool is_known;
	enum diff_verdict verdict;
	double percent;
	struct diff_estimate estimate; /* for a total, points and percent are the same */
};

enum diff_story {
	DIFF_STORY_NOTHING,   /* no function changed */
	DIFF_STORY_EXPLAINED, /* functions explain a part of the total's change */
	/*
	 * functions changed by more than the total, or in the other direction; other functions
	 * offset the difference
	 */
	DIFF_STORY_OFFSET,
	DIFF_STORY_MOVED,      /* shares moved; the total did not change, or is unknown */
	DIFF_STORY_CHANGED,    /* costs of functions changed */
	DIFF_STORY_CALLERS,    /* only totals of functions changed, not their self weights */
	DIFF_STORY_NOT_GRADED, /* the largest changes, not tested */
	DIFF_STORY_COUNT,
};

/* Number of functions that the headline names. */
#define DIFF_HEADLINE_NAMED 3

struct diff_headline_part {
	size_t function; /* in diff->functions */
	double points;
	struct diff_interval interval; /* NAN: not graded */
};

struct diff_headline {
	enum diff_story story;
	bool has_total;   /* if false, only shares are compared */
	double explained; /* percent; with DIFF_STORY_EXPLAINED and DIFF_STORY_MOVED */
	/*
	 * change of the functions in the story, and of all other functions, in points of the total
	 * before
	 */
	double together, rest;
	size_t count;         /* functions in the story */
	size_t shifted_count; /* functions with the verdict shifted */
	/*
	 * The largest changes, in points of the total before if the functions explain the change of
	 * the total, otherwise in points of share. With DIFF_STORY_NOTHING and a changed total, the
	 * only entry is the function that seems to contribute most to the change.
	 */
	struct diff_headline_part parts[DIFF_HEADLINE_NAMED];
	size_t part_count;
};

/* The event and unit of a side. Sides with different units are compared by share only. */
struct diff_view {
	str_id event_name, weight_name; /* as in struct profile, in the union's strings */
	enum weight_unit unit;
	bool is_there; /* a profile of this side was added */
};

struct diff_options {
	struct diff_alignment alignment;
	struct diff_normalising normalising;
	double confidence; /* 0.99: of 100 comparisons of equal programs, 1 reports a change */
	double margin;     /* in points; a change that is certainly smaller counts as unchanged */
	double assumed_spread; /* coefficient of variation of totals between runs; 0.03 is 3% */
	double assumed_function_spread; /* the same for functions */
	bool assumes_samples;           /* if the input has no sample counts, use weights */
	bool allows_events;             /* the sides can show different events with the same unit */
	uint32_t run_count;             /* upper bound on the captures to add */
	/*
	 * The description of each side, such as "comm=worker", if parts of one capture are
	 * compared; otherwise NULL.
	 */
	const char *parts[DIFF_SIDES];
	bool shows_hosts;   /* print host names, and home directories in paths */
	bool hides_origin;  /* do not print commands and dates of captures */
	bool keeps_weights; /* for compare_again */
};

/* The data for compare_again: weights by row and run, and results that depend only on them. */
struct diff_kept {
	uint64_t *self, *total;
	binned_weights binned;
	struct dispersions dispersions;
	uint64_t *exact_sums; /* struct diff_exact */
	bool *has_exact_total;
	struct diff_normalising normalising; /* as requested */
};

void diff_kept_deinit(struct diff_kept *kept);

struct diff {
	struct diff_options options;
	struct profile profile; /* the union; its stacks have no weights */
	struct diff_view views[DIFF_SIDES];
	diff_capture_list captures; /* in the order of runs */
	struct diff_aligned aligned;
	bool is_normalised_by_default; /* --normalise was not given */
	/* a later capture has truncated names: read again with DIFF_NAMING_CUT */
	bool wants_cut_names;
	VEC(struct diff_run) runs;
	uint64_t total[DIFF_SIDES];
	uint64_t sample_count[DIFF_SIDES];
	uint32_t run_count[DIFF_SIDES];
	uint64_t exposure[DIFF_SIDES];
	struct diff_measure overall; /* the totals, which are never normalised by themselves */
	struct diff_estimate overall_estimate; /* for a total, points and percent are the same */
	double overall_percent;
	struct diff_total per_second; /* change of the total per second of a run */
	struct diff_headline headline;
	struct diff_row *rows;          /* by row of profile.stacks */
	diff_functions functions;       /* most important first */
	diff_functions groups;          /* frames that are not functions, such as comms */
	uint64_t *run_self, *run_total; /* weights by frame and run */
	bool has_sample_counts[DIFF_SIDES];
	bool is_graded; /* if false, a side lacks sample counts, so nothing is tested */
	/*
	 * by how much the shares of functions with unchanged cost changed; NAN if no function is
	 * DIFF_SHIFTED
	 */
	double shift_percent;
	bool has_common;               /* the sides have a function in common */
	uint32_t freedom;              /* largest degrees of freedom of dispersions; 0 if unknown */
	uint64_t missing[DIFF_SIDES];  /* weight of stacks that SVGs do not show */
	bool lacks_narrow[DIFF_SIDES]; /* SVGs lack frames that were too narrow to draw */
	bool is_folded;                /* stacks that SVGs may hide were removed from both sides */
	bool has_exact_functions;      /* functions are compared by exact sums */
	struct diff_tree tree;         /* until compare_finish */
	struct diff_kept kept;         /* from compare_finish on, with options.keeps_weights */
};

/* The names "before" and "after". */
extern const char *const diff_side_names[DIFF_SIDES];

void diff_init(struct diff *diff, const struct diff_options *options);
void diff_deinit(struct diff *diff);

/* Whether a side has several runs, which show the variation between runs. */
bool diff_has_runs(const struct diff *diff);

/* Whether functions are compared as shares of their side's total, not as rates. */
bool diff_has_shares(const struct diff *diff);

/* Whether the totals of the sides are in different units. */
bool diff_has_two_units(const struct diff *diff);

/* The spread between runs that is assumed for functions, or 0 if none is assumed. */
double diff_assumed_function_spread(const struct diff *diff);
bool diff_assumes_spread(const struct diff *diff);

/*
 * Whether a spread is assumed for totals, because one side has one run and the other has one or
 * two.
 */
bool diff_assumes_total_spread(const struct diff *diff);

/* Returns the measure on which a function's verdict is based, and the estimate of that measure. */
const struct diff_measure *diff_judged_measure(const struct diff_function *function);
const struct diff_estimate *diff_judged_estimate(const struct diff_function *function);

/* The smaller corrected p value of self and total. */
double diff_p_value(const struct diff_function *function);

/* Converts a weight of the BEFORE side to the scale of the AFTER side. */
uint64_t diff_scaled(const struct diff *diff, uint64_t before);

/* Returns the change in percentage points of the AFTER side's total. */
double diff_points(const struct diff *diff, const struct diff_measure *measure);
double diff_percent(const struct diff *diff, const struct diff_measure *measure);

/* The function's share of a run, in percent. columns: the function's weights by run. */
double diff_run_percent(const struct diff *diff, const uint64_t *columns, size_t run);

/* Adds up the weights of the runs of each side. */
struct diff_measure diff_measure_of(const struct diff *diff, const uint64_t *columns);

/* Returns a shallow copy of the union with the event and unit of one side, for printing weights. */
struct profile diff_view_of(const struct diff *diff, enum diff_side side);

#endif
