/* SPDX-License-Identifier: MIT */
#include "timeline/spikes.h"

#include <math.h>
#include <stdlib.h>

#include "diff/significance.h"
#include "profile/distribution.h"
#include "timeline/function_series.h"

/*
 * When the dispersion is measured, this share of the windows, those with the largest deviations, is
 * ignored. In a normal distribution, the mean square of the other deviations is TRIMMED_BOTH_MEAN.
 */
#define TRIMMED_SHARE     0.125
#define TRIMMED_BOTH_MEAN 0.5687
/*
 * The minimum overdispersion, because a function can run for several samples at a time, even if it
 * runs too rarely for this to be measured.
 */
#define OVERDISPERSION_MIN 1.5
/* Samples at a fixed frequency vary less than independent samples, but not in all windows. */
#define RATE_OVERDISPERSION_MIN 0.25
/* A function that is in every sample cannot have an excess. */
#define SHARE_MAX (1 - 1e-9)

/* The count of a function that is tested. */
enum series_part {
	PART_TOTAL,
	PART_SELF
};

/* A count in a window that starts at bin `begin`. */
struct function_window {
	size_t begin;
	double count, all;
};

/* The usual counts in windows of one width. */
struct usual {
	double share;      /* the function's share */
	double count, all; /* of the function, and of all samples */
	double overdispersion;
};

struct candidate {
	enum spike_kind kind;
	uint32_t frame;
	enum series_part part;
	size_t begin, end;
	double p_value; /* not corrected for the number of tests */
	/* usual share; for SPIKE_MORE and SPIKE_FEWER, the usual samples in a bin */
	double share;
};

struct search {
	const struct function_series *series;
	const struct spike_options *options;
	VEC(double) sums;   /* number of samples before each bin */
	size_t first, last; /* bins that are complete: first <= bin < last */
	size_t width, step; /* bins */
	uint64_t test_count;
	/* scratch: windows with samples of a function, by begin */
	VEC(struct function_window) windows;
	VEC(double) squares; /* scratch */
	VEC(struct candidate) candidates;
};

static double samples_in(const struct search *search, size_t begin, size_t end)
{
	return search->sums.at[end] - search->sums.at[begin];
}

static size_t window_count(const struct search *search)
{
	size_t span = search->last - search->first;

	return span < search->width ? 0 : (span - search->width) / search->step + 1;
}

static double part_of(const struct function_cell *cell, enum series_part part)
{
	return part == PART_SELF ? cell->self : cell->total;
}

/* The cells of a frame in the complete bins. */
static const struct function_cell *cells_of(const struct search *search, uint32_t frame,
					    size_t *count_ret)
{
	const struct function_series *series = search->series;
	size_t from = series->begins.at[frame];
	size_t until = series->begins.at[frame + 1];

	while (from < until && series->cells.at[from].bin < search->first)
		from++;
	while (until > from && series->cells.at[until - 1].bin >= search->last)
		until--;
	*count_ret = until - from;
	return series->cells.at + from;
}

static double count_in(const struct function_cell *cells, size_t count, enum series_part part,
		       size_t begin, size_t end)
{
	const struct {
		const struct function_cell *at;
		size_t count;
	} list = { cells, count };
	double sum = 0;

	for (size_t i = vec_count_first(&list, cell, cell->bin < begin);
	     i < count && cells[i].bin < end; i++)
		sum += part_of(&cells[i], part);
	return sum;
}

static void push_window(struct search *search, size_t index, double count)
{
	size_t begin = search->first + index * search->step;

	if (index < window_count(search))
		vec_push(&search->windows,
			 (struct function_window){
				 begin, count, samples_in(search, begin, begin + search->width) });
}

/* Lists the windows in which the function has samples. A window consists of one or two steps. */
static void list_windows(struct search *search, const struct function_cell *cells, size_t count,
			 enum series_part part)
{
	bool has_two = search->width > search->step;
	size_t previous = SIZE_MAX; /* the last window listed */
	double before = 0;          /* samples in the last step with samples */
	size_t before_step = SIZE_MAX;

	search->windows.count = 0;
	for (size_t i = 0; i < count;) {
		size_t step = (cells[i].bin - search->first) / search->step;
		double sum = 0;

		for (; i < count && (cells[i].bin - search->first) / search->step == step; i++)
			sum += part_of(&cells[i], part);
		if (has_two && before_step != SIZE_MAX && before_step + 1 < step)
			push_window(search, before_step, before);
		if (has_two && step && previous != step - 1)
			push_window(search, step - 1, before_step == step - 1 ? before + sum : sum);
		if (!has_two)
			push_window(search, step, sum);
		previous = has_two && step ? step - 1 : previous;
		before = sum;
		before_step = step;
	}
	if (has_two && before_step != SIZE_MAX)
		push_window(search, before_step, before);
}

static int compare_descending(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left < right) - (left > right);
}

/* If windows overlap by half, only every second window is used, so that no two windows overlap. */
static bool is_disjoint(const struct search *search, size_t begin)
{
	return search->width == search->step || (begin - search->first) / search->step % 2 == 0;
}

static bool is_large(double difference, double usual_samples)
{
	return difference >= SPIKE_LEAST_SAMPLES && difference >= SPIKE_LEAST_SHARE * usual_samples;
}

/*
 * Measures what is usual for a function: its share of all samples, and its overdispersion in
 * disjoint windows. Windows that may be spikes are ignored, unless they are so frequent that they
 * are usual.
 */
static struct usual usual_of_function(struct search *search, double usual_samples)
{
	double window_total = floor((double)(search->last - search->first) / (double)search->width);
	struct usual usual = { .all = samples_in(search, search->first, search->last) };
	double squares = 0, large_squares = 0;
	double listed_all = 0, large_count = 0;

	for (size_t i = 0; i < search->windows.count; i++)
		if (is_disjoint(search, search->windows.at[i].begin))
			usual.count += search->windows.at[i].count;
	usual.share = (usual.count + 0.5) / (usual.all + 1);
	if (usual.share > SHARE_MAX)
		usual.share = SHARE_MAX;
	for (size_t i = 0; i < search->windows.count; i++) {
		const struct function_window *window = &search->windows.at[i];
		double difference = window->count - window->all * usual.share;
		double square;

		if (!is_disjoint(search, window->begin) || window->all <= 0)
			continue;
		listed_all += window->all;
		square = difference * difference / (window->all * usual.share * (1 - usual.share));
		squares += square;
		if (!is_large(difference, usual_samples))
			continue;
		large_squares += square;
		large_count++;
	}
	/* Each of the other windows, with n samples, adds n * share / (1 - share). */
	squares += (usual.all - listed_all) * usual.share / (1 - usual.share);
	if (large_count <= TRIMMED_SHARE * window_total) {
		squares -= large_squares;
		window_total -= large_count;
	}
	usual.overdispersion = fmax(OVERDISPERSION_MIN, squares / window_total);
	return usual;
}

/*
 * The probability of this many samples in a window, if the function runs for several samples at a
 * time. If each sample is followed by a further sample of the same run with probability r, runs are
 * geometric, and the overdispersion of counts is (1 + r) / (1 - r). A window with many samples then
 * mostly has one long run.
 */
static double run_p_value(const struct usual *usual, const struct function_window *window)
{
	double expected = window->all * usual->share;
	double r = (usual->overdispersion - 1) / (usual->overdispersion + 1);

	return -expm1(-expected * (1 - r) * pow(r, fmax(0, window->count - expected - 1)));
}

static void test_function(struct search *search, uint32_t frame, enum series_part part)
{
	size_t cell_count;
	const struct function_cell *cells = cells_of(search, frame, &cell_count);
	double usual_samples = samples_in(search, search->first, search->last) *
			       (double)search->width / (double)(search->last - search->first);
	struct usual usual;

	list_windows(search, cells, cell_count, part);
	usual = usual_of_function(search, usual_samples);
	for (size_t i = 0; i < search->windows.count; i++) {
		const struct function_window *window = &search->windows.at[i];
		double v = usual.overdispersion;
		double deviations;

		if (!is_large(window->count - window->all * usual.share, usual_samples))
			continue;
		deviations = significance_of_shares((usual.count - window->count) / v,
						    (usual.all - window->all) / v,
						    window->count / v, window->all / v);
		vec_push(&search->candidates,
			 (struct candidate){
				 .kind = SPIKE_FUNCTION,
				 .frame = frame,
				 .part = part,
				 .begin = window->begin,
				 .end = window->begin + search->width,
				 .p_value = fmax(distribution_normal_tails(deviations),
						 run_p_value(&usual, window)),
				 .share = usual.share,
			 });
	}
}

/*
 * The overdispersion of the number of samples in disjoint windows, without the windows that deviate
 * most.
 */
static double overdispersion_of_rate(struct search *search, double mean)
{
	double squares = 0;
	size_t trimmed, count = 0;

	search->squares.count = 0;
	for (size_t i = 0; i < window_count(search); i++) {
		size_t begin = search->first + i * search->step;
		double difference = samples_in(search, begin, begin + search->width) - mean;

		if (is_disjoint(search, begin))
			vec_push(&search->squares, difference * difference / mean);
	}
	qsort(search->squares.at, search->squares.count, sizeof(*search->squares.at),
	      compare_descending);
	trimmed = (size_t)((double)search->squares.count * TRIMMED_SHARE);
	for (size_t i = trimmed; i < search->squares.count; i++, count++)
		squares += search->squares.at[i];
	return count ? fmax(RATE_OVERDISPERSION_MIN, squares / (double)count / TRIMMED_BOTH_MEAN)
		     : 1;
}

/* The median number of samples in disjoint windows, which spikes do not change. */
static double usual_samples(struct search *search)
{
	search->squares.count = 0;
	for (size_t i = 0; i < window_count(search); i++) {
		size_t begin = search->first + i * search->step;

		if (is_disjoint(search, begin))
			vec_push(&search->squares,
				 samples_in(search, begin, begin + search->width));
	}
	if (!search->squares.count)
		return 0;
	qsort(search->squares.at, search->squares.count, sizeof(*search->squares.at),
	      compare_descending);
	return search->squares.at[search->squares.count / 2];
}

static void test_rates(struct search *search)
{
	double mean = usual_samples(search);
	double windows = (double)(search->last - search->first) / (double)search->width;
	double v;

	if (mean < SPIKE_LEAST_SAMPLES)
		return;
	v = overdispersion_of_rate(search, mean);
	for (size_t i = 0; i < window_count(search); i++) {
		size_t begin = search->first + i * search->step;
		double count = samples_in(search, begin, begin + search->width);

		if (count < mean ? !is_large((mean - count) / 2, mean)
				 : !is_large((count - mean) / 2, mean))
			continue;
		vec_push(&search->candidates,
			 (struct candidate){
				 .kind = count < mean ? SPIKE_FEWER : SPIKE_MORE,
				 .begin = begin,
				 .end = begin + search->width,
				 .p_value = distribution_normal_tails(significance_of_rates(
					 mean * (windows - 1) / v, count / v, 1 / windows)),
				 .share = mean / (double)search->width,
			 });
	}
}

/*
 * Whether the self counts of a function are large enough to be tested, and differ from its total
 * counts.
 */
static bool has_own_self(const struct function_cell *cells, size_t count)
{
	uint64_t self = 0;
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++) {
		self += cells[i].self;
		total += cells[i].total;
	}
	return self != total && self >= (uint64_t)SPIKE_LEAST_SAMPLES;
}

static bool has_enough(const struct function_cell *cells, size_t count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += cells[i].total;
	return total >= (uint64_t)SPIKE_LEAST_SAMPLES;
}

static void test_width(struct search *search, size_t width)
{
	const struct function_series *series = search->series;
	size_t count;
	uint64_t compared = 1;

	search->width = width;
	search->step = width / 2 ? width / 2 : 1;
	if (width > 1 && width % 2)
		search->width = 2 * search->step;
	if (!window_count(search))
		return;
	test_rates(search);
	for (uint32_t frame = 0; frame + 1 < series->begins.count; frame++) {
		const struct function_cell *cells = cells_of(search, frame, &count);

		if (!has_enough(cells, count))
			continue;
		test_function(search, frame, PART_TOTAL);
		compared++;
		if (!has_own_self(cells, count))
			continue;
		test_function(search, frame, PART_SELF);
		compared++;
	}
	search->test_count += compared * window_count(search);
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;

	if (left->p_value != right->p_value)
		return left->p_value < right->p_value ? -1 : 1;
	if (left->end - left->begin != right->end - right->begin)
		return left->end - left->begin > right->end - right->begin ? -1 : 1;
	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return (left->frame > right->frame) - (left->frame < right->frame);
}

static double log_term(double count, double expected)
{
	return count > 0 ? count * log(count / expected) : 0;
}

/*
 * Returns the logarithm of the likelihood ratio of a window compared with what is usual, or 0 if
 * the window differs in the other direction.
 */
static double likelihood(const struct search *search, const struct candidate *candidate,
			 size_t begin, size_t end)
{
	double all = samples_in(search, begin, end);
	double expected, count;
	const struct function_cell *cells;
	size_t cell_count;

	if (candidate->kind != SPIKE_FUNCTION) {
		expected = candidate->share * (double)(end - begin);
		if ((all < expected) != (candidate->kind == SPIKE_FEWER))
			return 0;
		return log_term(all, expected) - (all - expected);
	}
	cells = cells_of(search, candidate->frame, &cell_count);
	count = count_in(cells, cell_count, candidate->part, begin, end);
	expected = all * candidate->share;
	if (count <= expected)
		return 0;
	return log_term(count, expected) + log_term(all - count, all - expected);
}

/* Moves the borders, in ever smaller steps, to where the likelihood ratio is largest. */
static void fit_borders(const struct search *search, struct candidate *candidate)
{
	size_t width = candidate->end - candidate->begin;
	double best = likelihood(search, candidate, candidate->begin, candidate->end);
	size_t least =
		candidate->begin > search->first + width ? candidate->begin - width : search->first;
	size_t most = candidate->end + width < search->last ? candidate->end + width : search->last;

	for (size_t step = width / 2 ? width / 2 : 1; step; step /= 2) {
		const struct {
			bool is_end, is_up;
		} moves[] = { { false, false }, { true, true }, { false, true }, { true, false } };

		for (size_t i = 0; i < 4;) {
			size_t begin = candidate->begin;
			size_t end = candidate->end;
			size_t *border = moves[i].is_end ? &end : &begin;
			double value;

			if (!moves[i].is_up && *border < least + step) {
				i++;
				continue;
			}
			*border = moves[i].is_up ? *border + step : *border - step;
			value = begin < end && end <= most
					? likelihood(search, candidate, begin, end)
					: 0;
			if (value <= best) {
				i++;
				continue;
			}
			best = value;
			candidate->begin = begin;
			candidate->end = end;
		}
	}
}

static bool is_free(const bool *taken, size_t begin, size_t end)
{
	for (size_t bin = begin; bin < end; bin++)
		if (taken[bin])
			return false;
	return true;
}

/* Removes bins that belong to another spike. */
static void trim_to_free(const bool *taken, const struct candidate *tested,
			 struct candidate *fitted)
{
	size_t begin = tested->begin;
	size_t end = tested->end;

	while (begin > fitted->begin && !taken[begin - 1])
		begin--;
	while (end < fitted->end && !taken[end])
		end++;
	if (fitted->begin > begin && fitted->begin < end)
		begin = fitted->begin;
	if (fitted->end < end && fitted->end > begin)
		end = fitted->end;
	fitted->begin = begin;
	fitted->end = end;
}

static void choose_spikes(struct spikes *spikes, struct search *search)
{
	size_t bin_count = search->series->bin_count;
	bool *taken = memory_zalloc(bin_count + 2, sizeof(*taken));
	double error_rate = 1 - search->options->confidence;

	if (search->candidates.count)
		qsort(search->candidates.at, search->candidates.count,
		      sizeof(*search->candidates.at), compare_candidates);
	for (size_t i = 0; i < search->candidates.count; i++) {
		const struct candidate *candidate = &search->candidates.at[i];
		struct candidate fitted = *candidate;
		double p_value = candidate->p_value * (double)search->test_count;

		if (p_value >= error_rate)
			break;
		if (!is_free(taken, candidate->begin, candidate->end))
			continue;
		if (spikes->at.count == LIMIT_SPIKES) {
			spikes->is_limited = true;
			break;
		}
		fit_borders(search, &fitted);
		trim_to_free(taken, candidate, &fitted);
		/* The bins next to a spike can contain part of it. */
		for (size_t bin = fitted.begin ? fitted.begin - 1 : 0; bin <= fitted.end; bin++)
			taken[bin] = true;
		vec_push(&spikes->at, (struct spike){
					      .kind = fitted.kind,
					      .begin = fitted.begin,
					      .end = fitted.end,
					      .p_value = p_value,
				      });
	}
	memory_free(taken);
}

static void list_function(struct spike *spike, const struct spike_function *function)
{
	size_t at = spike->function_count;

	while (at && (spike->functions[at - 1].deviations < function->deviations ||
		      (spike->functions[at - 1].deviations == function->deviations &&
		       spike->functions[at - 1].self < function->self)))
		at--;
	if (at == SPIKE_FUNCTIONS)
		return;
	if (spike->function_count < SPIKE_FUNCTIONS)
		spike->function_count++;
	for (size_t i = spike->function_count - 1; i > at; i--)
		spike->functions[i] = spike->functions[i - 1];
	spike->functions[at] = *function;
}

/* Compares a function in each spike with the samples outside all spikes. */
static void describe_function(struct spikes *spikes, const struct search *search, uint32_t frame,
			      double rest_all)
{
	size_t count;
	const struct function_cell *cells = cells_of(search, frame, &count);
	double rest_self = 0;
	double rest_total = 0;

	for (size_t i = 0; i < count; i++) {
		rest_self += cells[i].self;
		rest_total += cells[i].total;
	}
	for (size_t i = 0; i < spikes->at.count; i++) {
		const struct spike *spike = &spikes->at.at[i];

		rest_self -= count_in(cells, count, PART_SELF, spike->begin, spike->end);
		rest_total -= count_in(cells, count, PART_TOTAL, spike->begin, spike->end);
	}
	for (size_t i = 0; i < spikes->at.count; i++) {
		struct spike *spike = &spikes->at.at[i];
		double total = count_in(cells, count, PART_TOTAL, spike->begin, spike->end);
		double self = count_in(cells, count, PART_SELF, spike->begin, spike->end);
		double all = (double)spike->samples;

		if (total - rest_total / (rest_all > 0 ? rest_all : 1) * all <
		    SPIKE_LEAST_SHARE / 2 * all)
			continue;
		list_function(spike, &(struct spike_function){
					     .frame = frame,
					     .self = (uint64_t)self,
					     .total = (uint64_t)total,
					     .rest_self = rest_all > 0 ? rest_self / rest_all : 0,
					     .rest_total = rest_all > 0 ? rest_total / rest_all : 0,
					     .deviations = significance_of_shares(
						     rest_total, rest_all, total, all),
				     });
	}
}

static void describe_spikes(struct spikes *spikes, const struct search *search)
{
	double rest_all = samples_in(search, search->first, search->last);
	double rest_bins = (double)(search->last - search->first);

	for (size_t i = 0; i < spikes->at.count; i++) {
		struct spike *spike = &spikes->at.at[i];

		spike->samples = (uint64_t)samples_in(search, spike->begin, spike->end);
		rest_all -= (double)spike->samples;
		rest_bins -= (double)(spike->end - spike->begin);
	}
	for (size_t i = 0; i < spikes->at.count && rest_bins > 0; i++) {
		struct spike *spike = &spikes->at.at[i];

		spike->expected_samples =
			rest_all / rest_bins * (double)(spike->end - spike->begin);
	}
	for (uint32_t frame = 0; spikes->at.count && frame + 1 < search->series->begins.count;
	     frame++)
		describe_function(spikes, search, frame, rest_all);
}

/* Excludes the first and last bins with samples, because the capture covers them only partly. */
static void find_complete_bins(struct search *search)
{
	const struct function_series *series = search->series;
	double sum = 0;

	search->last = series->bin_count;
	while (search->first < search->last && !series->bin_samples.at[search->first])
		search->first++;
	while (search->last > search->first && !series->bin_samples.at[search->last - 1])
		search->last--;
	if (search->last - search->first > 2) {
		search->first++;
		search->last--;
	}
	for (size_t bin = 0; bin < series->bin_count; bin++) {
		vec_push(&search->sums, sum);
		sum += (double)series->bin_samples.at[bin];
	}
	vec_push(&search->sums, sum);
}

void spikes_find(struct spikes *spikes, const struct function_series *series,
		 const struct spike_options *options)
{
	struct search search = { .series = series, .options = options };

	*spikes = (struct spikes){ 0 };
	find_complete_bins(&search);
	for (size_t width = options->narrowest;
	     width && width <= options->widest && width <= (search.last - search.first) / 4;
	     width *= 2)
		test_width(&search, width);
	choose_spikes(spikes, &search);
	describe_spikes(spikes, &search);
	spikes->test_count = search.test_count;
	vec_free(&search.sums);
	vec_free(&search.windows);
	vec_free(&search.squares);
	vec_free(&search.candidates);
}

void spikes_deinit(struct spikes *spikes)
{
	vec_free(&spikes->at);
}
