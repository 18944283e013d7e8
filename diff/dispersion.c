/* SPDX-License-Identifier: MIT */
#include "diff/dispersion.h"

#include <math.h>

/*
 * The weight of other runs' bins is halved if they have only TRUST_COUNT samples, or if a run has
 * TRUST_GROWTH times their samples.
 */
#define TRUST_COUNT  16
#define TRUST_GROWTH 4
/* Upper bound on a bin's share, so that a function in one bin counts as if it were in two. */
#define SHARE_MAX 0.5

/* A bin is used if all captures have samples in it. */
static void find_used(struct binned_runs *bins)
{
	for (size_t bin = 0; bin < TIME_BINS; bin++) {
		bool is_used = true;

		for (size_t run = 0; run < bins->run_count; run++)
			is_used &= bins->weights[run * TIME_BINS + bin] > 0;
		bins->is_used[bin] = is_used;
		bins->used_count += is_used;
	}
	if (bins->run_count > 1 && bins->used_count > 1)
		bins->freedom = (uint32_t)(bins->run_count - 1) * (bins->used_count - 1);
}

/* Adds up a run's columns over the used bins. */
static double sum_run(const struct binned_runs *bins, const double *columns, size_t run)
{
	double sum = 0;

	for (size_t bin = 0; bin < TIME_BINS; bin++)
		if (bins->is_used[bin])
			sum += columns[run * TIME_BINS + bin];
	return sum;
}

void binned_runs_init(struct binned_runs *bins, const struct profile *profile,
		      const binned_weights *binned, const struct diff_run *runs, size_t run_count)
{
	size_t found = 0;

	*bins = (struct binned_runs){
		.profile = profile,
		.binned = binned->at,
		.binned_count = binned->count,
		.per_sample = memory_alloc(run_count, sizeof(double)),
		.run_weights = memory_alloc(run_count, sizeof(double)),
		.counts = memory_alloc(run_count * TIME_BINS, sizeof(double)),
		.together = memory_alloc(TIME_BINS, sizeof(double)),
		.run_counts = memory_alloc(run_count, sizeof(double)),
		.weights = memory_zalloc(run_count * TIME_BINS, sizeof(double)),
	};
	for (size_t i = 0; i < run_count; i++)
		if (runs[i].has_time_bins)
			bins->per_sample[found++] =
				(double)runs[i].total / (double)runs[i].sample_count;
	bins->run_count = found;
	bins->column_count = found * TIME_BINS;
	for (size_t i = 0; i < binned->count; i++)
		bins->weights[binned->at[i].column] += (double)binned->at[i].weight;
	find_used(bins);
	for (size_t run = 0; run < found; run++)
		bins->run_weights[run] = sum_run(bins, bins->weights, run);
}

void binned_runs_deinit(struct binned_runs *bins)
{
	memory_free(bins->per_sample);
	memory_free(bins->run_weights);
	memory_free(bins->counts);
	memory_free(bins->together);
	memory_free(bins->run_counts);
	memory_free(bins->weights);
}

/*
 * Returns a bin's share of its run. The share is near 1 / TIME_BINS, but may differ if there are
 * several events.
 */
static double size_of(const struct binned_runs *bins, size_t run, size_t bin)
{
	return bins->weights[run * TIME_BINS + bin] / bins->run_weights[run];
}

/*
 * Returns how well the bins of other runs predict those of a run with `growth` times their samples:
 * 1 is fully, 0 not at all. Few samples cannot predict the bins of many more samples, and may be in
 * any bin by chance.
 */
static double predictive_weight(double other_count, double growth)
{
	return 1 / (1 + TRUST_COUNT / other_count + pow(growth / TRUST_GROWTH, 4));
}

/*
 * Finds the share of each bin in the other runs; the same share is expected in this run. Returns
 * the sum of the squared shares, corrected for chance. If all bins had equal shares, this sum would
 * be the share of one bin.
 */
static double find_expected_shares(const struct binned_runs *bins, size_t run, double other_count,
				   double shares[TIME_BINS])
{
	double sum = 0;
	double squares = 0;

	for (size_t bin = 0; bin < TIME_BINS; bin++) {
		shares[bin] = bins->is_used[bin]
				      ? fmax(0, bins->together[bin] * size_of(bins, run, bin) -
							bins->counts[run * TIME_BINS + bin])
				      : 0;
		sum += shares[bin];
	}
	for (size_t bin = 0; bin < TIME_BINS && sum > 0; bin++) {
		shares[bin] /= sum;
		squares += shares[bin] * shares[bin];
	}
	if (other_count <= 1)
		return SHARE_MAX;
	squares = (squares * other_count - 1) / (other_count - 1);
	return fmin(fmax(squares, 1.0 / bins->used_count), SHARE_MAX);
}

/* Computed for each run, then averaged over runs, weighted by sample count. */
struct dispersion_evidence {
	double squares; /* mean square of differences, relative to independent samples */
	double share;   /* 1 divided by the effective number of bins */
};

/* Finds the differences between a run's counts and the counts that the other runs predict. */
static struct dispersion_evidence find_evidence(const struct binned_runs *bins, size_t run,
						double run_count, double other_count)
{
	double growth = other_count > 0 ? run_count / other_count : 0;
	double trust = other_count > 0 ? predictive_weight(other_count, growth) : 0;
	double shares[TIME_BINS];
	double share = find_expected_shares(bins, run, other_count, shares);
	double squares = 0;

	for (size_t bin = 0; bin < TIME_BINS; bin++) {
		double rest;

		if (!bins->is_used[bin])
			continue;
		rest = bins->counts[run * TIME_BINS + bin] -
		       run_count * (trust * shares[bin] + (1 - trust) * size_of(bins, run, bin));
		squares += rest * rest;
	}
	return (struct dispersion_evidence){
		.squares = squares / (run_count * (1 + trust * trust * growth)),
		.share = trust * trust * share + (1 - trust * trust) / bins->used_count,
	};
}

/* The dispersion of a function. columns: its weight in each bin of each run. */
static struct dispersion dispersion_of(const struct binned_runs *bins, const double *columns)
{
	struct dispersion_evidence all = { 0 };
	double all_count = 0;
	double sum = 0;
	double share;

	for (size_t i = 0; i < bins->column_count; i++)
		bins->counts[i] = columns[i] / bins->per_sample[i / TIME_BINS];
	for (size_t bin = 0; bin < TIME_BINS; bin++) {
		bins->together[bin] = 0;
		for (size_t run = 0; bins->is_used[bin] && run < bins->run_count; run++)
			bins->together[bin] +=
				bins->counts[run * TIME_BINS + bin] / size_of(bins, run, bin);
	}
	for (size_t run = 0; run < bins->run_count; run++) {
		bins->run_counts[run] = sum_run(bins, bins->counts, run);
		sum += bins->run_counts[run];
		all_count += bins->run_weights[run] / bins->per_sample[run];
	}
	share = sum / all_count;
	if (!(share > 0) || share >= 1)
		return (struct dispersion){ 0, (float)bins->freedom };
	for (size_t run = 0; run < bins->run_count; run++) {
		double count = bins->run_counts[run];
		struct dispersion_evidence evidence;

		if (!(count > 0))
			continue;
		evidence = find_evidence(bins, run, count, sum - count);
		all.squares += evidence.squares * count / sum;
		all.share += evidence.share * count / sum;
	}
	return (struct dispersion){
		.value = (float)(all.squares / (1 - share) / (1 - all.share)),
		.freedom = (float)((double)(bins->run_count - 1) * (1 / all.share - 1)),
	};
}

/* Adds up rows from the last to the first. */
struct bins_walk {
	const struct binned_runs *bins;
	size_t binned; /* one past the binned weights of the next row */
	double *self;  /* self weight of the row */
	double *open;  /* by depth: the sum of the subtree that is being walked */
	double *frame_self, *frame_total; /* by frame */
	bool *is_outermost;               /* by row: whether no caller has the same frame */
};

static void add(double *to, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

/* Whether each row is the outermost row of its frame. */
static bool *outermost_rows(const struct profile *profile)
{
	bool *is_outermost = memory_zalloc(profile->stacks.count, sizeof(*is_outermost));
	uint32_t *ends = memory_zalloc(profile->frames.count, sizeof(*ends));

	for (size_t row = 1; row < profile->stacks.count; row++)
		is_outermost[row] = stack_is_outermost(profile->stacks.at, row,
						       &ends[profile->stacks.at[row].frame.i]);
	memory_free(ends);
	return is_outermost;
}

/* Adds up the binned weights of a row in walk->self. */
static void gather(struct bins_walk *walk, size_t row)
{
	const struct binned_runs *bins = walk->bins;

	memset(walk->self, 0, bins->column_count * sizeof(*walk->self));
	while (walk->binned && bins->binned[walk->binned - 1].row == row) {
		const struct binned_weight *binned = &bins->binned[--walk->binned];

		walk->self[binned->column] += (double)binned->weight;
	}
}

static void sum_row(struct bins_walk *walk, size_t row)
{
	const struct binned_runs *bins = walk->bins;
	const struct stack *stack = &bins->profile->stacks.at[row];
	size_t columns = bins->column_count;
	size_t frame = (size_t)stack->frame.i * columns;
	double *total = walk->open + (size_t)stack->depth * columns;

	gather(walk, row);
	add(total, walk->self, columns);
	if (!row)
		return;
	add(walk->frame_self + frame, walk->self, columns);
	if (walk->is_outermost[row])
		add(walk->frame_total + frame, total, columns);
	add(total - columns, total, columns);
	memset(total, 0, columns * sizeof(*total));
}

static struct dispersions dispersions_alloc(size_t count)
{
	return (struct dispersions){
		.self = memory_alloc(count, sizeof(struct dispersion)),
		.total = memory_alloc(count, sizeof(struct dispersion)),
	};
}

void dispersions_deinit(struct dispersions *dispersions)
{
	memory_free(dispersions->self);
	memory_free(dispersions->total);
}

void dispersions_find(const struct binned_runs *bins, struct dispersions *by_frame)
{
	const struct profile *profile = bins->profile;
	size_t columns = bins->column_count;
	uint32_t depth = 0;
	struct bins_walk walk = {
		.bins = bins,
		.binned = bins->binned_count,
		.self = memory_alloc(columns, sizeof(double)),
		.frame_self = memory_zalloc(profile->frames.count * columns, sizeof(double)),
		.frame_total = memory_zalloc(profile->frames.count * columns, sizeof(double)),
		.is_outermost = outermost_rows(profile),
	};

	for (size_t row = 0; row < profile->stacks.count; row++)
		if (profile->stacks.at[row].depth > depth)
			depth = profile->stacks.at[row].depth;
	walk.open = memory_zalloc((depth + 1) * columns, sizeof(double));
	*by_frame = dispersions_alloc(profile->frames.count);
	for (size_t row = profile->stacks.count; row-- > 0;)
		sum_row(&walk, row);
	for (size_t i = 0; i < profile->frames.count; i++) {
		by_frame->self[i] = dispersion_of(bins, walk.frame_self + i * columns);
		by_frame->total[i] = dispersion_of(bins, walk.frame_total + i * columns);
	}
	memory_free(walk.self);
	memory_free(walk.open);
	memory_free(walk.frame_self);
	memory_free(walk.frame_total);
	memory_free(walk.is_outermost);
}
