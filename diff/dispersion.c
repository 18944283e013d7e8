/* SPDX-License-Identifier: MIT */
#include "diff/dispersion.h"

#include <math.h>

/* Where the trust in other runs' blocks is half: at so few samples, and so much more than they have. */
#define TRUST_COUNT  16
#define TRUST_GROWTH 4
/* Of one block: what is all in one block is taken for as much as what is in two. */
#define SHARE_MAX 0.5

/* A block in which a capture has no samples has no shares to compare. */
static void find_used(struct binned_runs *blocks)
{
	for (size_t block = 0; block < TIME_BINS; block++) {
		bool is_used = true;

		for (size_t run = 0; run < blocks->run_count; run++)
			is_used &= blocks->weights[run * TIME_BINS + block] > 0;
		blocks->is_used[block] = is_used;
		blocks->used_count += is_used;
	}
	if (blocks->run_count > 1 && blocks->used_count > 1)
		blocks->freedom = (uint32_t)(blocks->run_count - 1) * (blocks->used_count - 1);
}

/* The sum of a run's columns over the blocks that are used. */
static double sum_run(const struct binned_runs *blocks, const double *columns, size_t run)
{
	double sum = 0;

	for (size_t block = 0; block < TIME_BINS; block++)
		if (blocks->is_used[block])
			sum += columns[run * TIME_BINS + block];
	return sum;
}

void binned_runs_init(struct binned_runs *blocks, const struct profile *profile,
		      const binned_weights *parts, const struct diff_run *runs, size_t run_count)
{
	size_t found = 0;

	*blocks = (struct binned_runs){
		.profile = profile,
		.parts = parts->at,
		.part_count = parts->count,
		.per_sample = memory_alloc(run_count, sizeof(double)),
		.run_weights = memory_alloc(run_count, sizeof(double)),
		.counts = memory_alloc(run_count * TIME_BINS, sizeof(double)),
		.together = memory_alloc(TIME_BINS, sizeof(double)),
		.run_counts = memory_alloc(run_count, sizeof(double)),
		.weights = memory_zalloc(run_count * TIME_BINS, sizeof(double)),
	};
	for (size_t i = 0; i < run_count; i++)
		if (runs[i].has_time_bins)
			blocks->per_sample[found++] =
				(double)runs[i].total / (double)runs[i].sample_count;
	blocks->run_count = found;
	blocks->column_count = found * TIME_BINS;
	for (size_t i = 0; i < parts->count; i++)
		blocks->weights[parts->at[i].column] += (double)parts->at[i].weight;
	find_used(blocks);
	for (size_t run = 0; run < found; run++)
		blocks->run_weights[run] = sum_run(blocks, blocks->weights, run);
}

void binned_runs_deinit(struct binned_runs *blocks)
{
	memory_free(blocks->per_sample);
	memory_free(blocks->run_weights);
	memory_free(blocks->counts);
	memory_free(blocks->together);
	memory_free(blocks->run_counts);
	memory_free(blocks->weights);
}

/* The part of a run that a block is: near one of TIME_BINS, and not the same where events are several. */
static double size_of(const struct binned_runs *blocks, size_t run, size_t block)
{
	return blocks->weights[run * TIME_BINS + block] / blocks->run_weights[run];
}

/* How much the blocks of others tell of a run's that has growth times as much: 1 all, 0 nothing. Much less
 * of something does not say where more of it is to be expected, and some samples might be anywhere. */
static double trust_in(double other_count, double growth)
{
	return 1 / (1 + TRUST_COUNT / other_count + pow(growth / TRUST_GROWTH, 4));
}

/*
 * The shares of what the other runs have by which a run's blocks are expected to have theirs, where they
 * are of other sizes. Returns what their squares come to, without what chance makes of that: the share of
 * one block if there were so many alike.
 */
static double find_others(const struct binned_runs *blocks, size_t run, double other_count,
			  double shares[TIME_BINS])
{
	double sum = 0;
	double squares = 0;

	for (size_t block = 0; block < TIME_BINS; block++) {
		shares[block] =
			blocks->is_used[block]
				? fmax(0, blocks->together[block] * size_of(blocks, run, block) -
						  blocks->counts[run * TIME_BINS + block])
				: 0;
		sum += shares[block];
	}
	for (size_t block = 0; block < TIME_BINS && sum > 0; block++) {
		shares[block] /= sum;
		squares += shares[block] * shares[block];
	}
	if (other_count <= 1)
		return SHARE_MAX;
	squares = (squares * other_count - 1) / (other_count - 1);
	return fmin(fmax(squares, 1.0 / blocks->used_count), SHARE_MAX);
}

/* What is found in a run, and then in all by how much they have. */
struct evidence {
	double squares; /* of what differs, by what they are for independent samples */
	double share;   /* of one block, of as many alike as there are in effect */
};

/* How far a run's counts are from those expected by the other runs' blocks. */
static struct evidence find_evidence(const struct binned_runs *blocks, size_t run, double run_count,
				     double other_count)
{
	double growth = other_count > 0 ? run_count / other_count : 0;
	double trust = other_count > 0 ? trust_in(other_count, growth) : 0;
	double shares[TIME_BINS];
	double share = find_others(blocks, run, other_count, shares);
	double squares = 0;

	for (size_t block = 0; block < TIME_BINS; block++) {
		double rest;

		if (!blocks->is_used[block])
			continue;
		rest = blocks->counts[run * TIME_BINS + block] -
		       run_count *
			       (trust * shares[block] + (1 - trust) * size_of(blocks, run, block));
		squares += rest * rest;
	}
	return (struct evidence){
		.squares = squares / (run_count * (1 + trust * trust * growth)),
		.share = trust * trust * share + (1 - trust * trust) / blocks->used_count,
	};
}

/* The dispersion of something that weighs so much in each block of each run. */
static struct dispersion dispersion_of(const struct binned_runs *blocks, const double *columns)
{
	struct evidence all = { 0 };
	double all_count = 0;
	double sum = 0;
	double share;

	for (size_t i = 0; i < blocks->column_count; i++)
		blocks->counts[i] = columns[i] / blocks->per_sample[i / TIME_BINS];
	for (size_t block = 0; block < TIME_BINS; block++) {
		blocks->together[block] = 0;
		for (size_t run = 0; blocks->is_used[block] && run < blocks->run_count; run++)
			blocks->together[block] += blocks->counts[run * TIME_BINS + block] /
						   size_of(blocks, run, block);
	}
	for (size_t run = 0; run < blocks->run_count; run++) {
		blocks->run_counts[run] = sum_run(blocks, blocks->counts, run);
		sum += blocks->run_counts[run];
		all_count += blocks->run_weights[run] / blocks->per_sample[run];
	}
	share = sum / all_count;
	if (!(share > 0) || share >= 1)
		return (struct dispersion){ 0, (float)blocks->freedom };
	for (size_t run = 0; run < blocks->run_count; run++) {
		double count = blocks->run_counts[run];
		struct evidence evidence;

		if (!(count > 0))
			continue;
		evidence = find_evidence(blocks, run, count, sum - count);
		all.squares += evidence.squares * count / sum;
		all.share += evidence.share * count / sum;
	}
	return (struct dispersion){
		.value = (float)(all.squares / (1 - share) / (1 - all.share)),
		.freedom = (float)((double)(blocks->run_count - 1) * (1 / all.share - 1)),
	};
}

/* What is added up while rows are gone through from the last to the first. */
struct walk {
	const struct binned_runs *blocks;
	size_t part;  /* one past the next row's */
	double *self; /* of the row */
	double *open; /* by depth: the sum over the rows above, down to the next of that depth */
	double *frame_self, *frame_total; /* by frame */
	bool *is_outermost;               /* by row: no row below it has the same frame */
};

static void add(double *to, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

static bool *find_outermost(const struct profile *profile, uint32_t *depth_ret)
{
	bool *is_outermost = memory_zalloc(profile->stacks.count, sizeof(*is_outermost));
	uint32_t *open = memory_zalloc(profile->frames.count, sizeof(*open)); /* rows, by frame */
	VEC(uint32_t) path = { 0 };

	*depth_ret = 0;
	for (size_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];

		while (path.count >= stack->depth)
			open[path.at[--path.count]]--;
		is_outermost[row] = !open[stack->frame.i]++;
		vec_push(&path, stack->frame.i);
		if (stack->depth > *depth_ret)
			*depth_ret = stack->depth;
	}
	vec_free(&path);
	memory_free(open);
	return is_outermost;
}

/* Puts the row's own parts into walk->self. */
static void gather(struct walk *walk, size_t row)
{
	const struct binned_runs *blocks = walk->blocks;

	memset(walk->self, 0, blocks->column_count * sizeof(*walk->self));
	while (walk->part && blocks->parts[walk->part - 1].row == row) {
		const struct binned_weight *part = &blocks->parts[--walk->part];

		walk->self[part->column] += (double)part->weight;
	}
}

static void take_row(struct walk *walk, size_t row)
{
	const struct binned_runs *blocks = walk->blocks;
	const struct stack *stack = &blocks->profile->stacks.at[row];
	size_t columns = blocks->column_count;
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

void dispersions_find(const struct binned_runs *blocks, struct dispersions *by_frame)
{
	const struct profile *profile = blocks->profile;
	size_t columns = blocks->column_count;
	uint32_t depth;
	struct walk walk = {
		.blocks = blocks,
		.part = blocks->part_count,
		.self = memory_alloc(columns, sizeof(double)),
		.frame_self = memory_zalloc(profile->frames.count * columns, sizeof(double)),
		.frame_total = memory_zalloc(profile->frames.count * columns, sizeof(double)),
		.is_outermost = find_outermost(profile, &depth),
	};

	walk.open = memory_zalloc((depth + 1) * columns, sizeof(double));
	*by_frame = dispersions_alloc(profile->frames.count);
	for (size_t row = profile->stacks.count; row-- > 0;)
		take_row(&walk, row);
	for (size_t i = 0; i < profile->frames.count; i++) {
		by_frame->self[i] = dispersion_of(blocks, walk.frame_self + i * columns);
		by_frame->total[i] = dispersion_of(blocks, walk.frame_total + i * columns);
	}
	memory_free(walk.self);
	memory_free(walk.open);
	memory_free(walk.frame_self);
	memory_free(walk.frame_total);
	memory_free(walk.is_outermost);
}
