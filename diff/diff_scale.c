/* SPDX-License-Identifier: MIT */
#include "diff/diff_scale.h"

#include "base/arithmetic.h"
#include "profile/missing.h"

/* Maximum number of digits of a factor, including those after the decimal point. */
#define FACTOR_DIGITS_MAX 9
/*
 * If all weights have a common divisor of at least this, the divisor is the sampling period,
 * because it is too large to be due to chance.
 */
#define PERIOD_MIN 10000
/* The maximum number of operations of a side: a million per second for eleven days. */
#define OPERATIONS_MAX 1000000000000u

static const struct {
	const char *name, *text;
} normalisations[] = {
	[DIFF_BY_DEFAULT] = { "default", "" },
	[DIFF_BY_TOTAL] = { "total", "normalised by total: each side is 100%" },
	[DIFF_BY_TIME] = { "time", "normalised by recorded time" },
	[DIFF_BY_CPU] = { "cpu", "normalised by CPU time" },
	[DIFF_BY_SAMPLES] = { "samples", "normalised by the number of samples" },
	[DIFF_BY_OPERATIONS] = { "ops", "normalised by the number of operations (--ops)" },
	[DIFF_BY_NOTHING] = { "none", "not normalised" },
	[DIFF_BY_FACTOR] = { "FACTOR", "BEFORE multiplied by a factor" },
};

const char *diff_normalisation_text(enum diff_normalisation by)
{
	return normalisations[by].text;
}

/* Parses a decimal number into a fraction. */
static bool parse_factor(const char *text, struct diff_normalising *ret)
{
	bool has_point = false;
	unsigned digits = 0;

	ret->factor = 0;
	ret->factor_unit = 1;
	for (; *text; text++) {
		if (*text == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (*text < '0' || *text > '9' || ++digits > FACTOR_DIGITS_MAX)
			return false;
		ret->factor = ret->factor * 10 + (uint64_t)(*text - '0');
		if (has_point)
			ret->factor_unit *= 10;
	}
	return ret->factor > 0;
}

bool diff_normalising_parse(const char *text, struct diff_normalising *ret, struct error *err)
{
	*ret = (struct diff_normalising){ .by = DIFF_BY_FACTOR };
	for (int i = DIFF_BY_TOTAL; i < DIFF_BY_FACTOR; i++)
		if (strcmp(normalisations[i].name, text) == 0) {
			ret->by = (enum diff_normalisation)i;
			return true;
		}
	return parse_factor(text, ret) ||
	       error_set(err, ERROR_USAGE,
			 "--normalise must be total, time, cpu, samples, ops, none, or a factor "
			 "above 0 such as 1.25, not \"%s\"",
			 text);
}

/* Parses a whole number above 0. Returns the rest of the text, or NULL. */
static const char *parse_count(const char *text, uint64_t *ret)
{
	*ret = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		*ret = *ret * 10 + (uint64_t)(*text - '0');
		if (*ret > OPERATIONS_MAX)
			return NULL;
	}
	return *ret ? text : NULL;
}

bool diff_operations_parse(const char *text, struct diff_normalising *ret, struct error *err)
{
	const char *at = parse_count(text, &ret->operations[DIFF_BEFORE]);

	ret->by = DIFF_BY_OPERATIONS;
	at = at && *at == ',' ? parse_count(at + 1, &ret->operations[DIFF_AFTER]) : NULL;
	return (at && !*at) ||
	       error_set(err, ERROR_USAGE,
			 "--ops requires the numbers of operations for both sides, such as "
			 "12000,14500, not \"%s\"",
			 text);
}

/*
 *     before   12000 operations in 2 runs     12000 * 3 sixths of an operation per run
 *     after    14500 operations in 3 runs     14500 * 2 sixths
 */
bool diff_share_operations(struct diff_run *runs, size_t count,
			   const struct diff_normalising *normalising,
			   uint64_t exposure[DIFF_SIDES], struct error *err)
{
	uint64_t run_count[DIFF_SIDES] = { 0 };
	uint64_t of_run[DIFF_SIDES];
	uint64_t divisor;

	for (size_t i = 0; i < count; i++)
		run_count[runs[i].side]++;
	divisor = common_divisor(run_count[DIFF_BEFORE], run_count[DIFF_AFTER]);
	for (int side = 0; side < DIFF_SIDES; side++) {
		const uint64_t other = run_count[DIFF_AFTER - side] / divisor;

		if (__builtin_mul_overflow(normalising->operations[side], other, &of_run[side]) ||
		    __builtin_mul_overflow(of_run[side], run_count[side], &exposure[side]))
			return error_set(err, ERROR_LIMIT,
					 "--ops: the number of operations, multiplied by the "
					 "number of runs, must be less than 2^64");
	}
	for (size_t i = 0; i < count; i++)
		runs[i].exposure = of_run[runs[i].side];
	return true;
}

/* Whether an event counts occurrences, such as tracepoints, rather than time. */
static bool counts_occurrences(const struct profile *profile)
{
	struct text name = strings_get(profile->strings, profile->event_name);
	const char *colon = name.length ? memchr(name.at, ':', name.length) : NULL;

	if (profile->unit == UNIT_BYTES)
		return true;
	/*
	 * If a long word follows the colon, the name is a tracepoint, because modifiers, as in
	 * cycles:u, have only a few letters.
	 */
	return profile->unit != UNIT_NANOSECONDS && colon && name.at + name.length - colon > 4;
}

enum diff_normalisation diff_normalisation_of(const struct profile *profile)
{
	return counts_occurrences(profile) ? DIFF_BY_NOTHING : DIFF_BY_TOTAL;
}

/* The greatest common divisor of all weights. */
static uint64_t common_factor(const struct profile *profile)
{
	uint64_t factor = 0;

	for (size_t i = 0; i < profile->stacks.count && factor != 1; i++)
		factor = common_divisor(factor, profile->stacks.at[i].self);
	return factor;
}

/* The counts of folded stacks can be periods, with thousands for each sample. */
static uint64_t sample_count_of(const struct profile *profile, uint64_t total)
{
	uint64_t count = profile->view_sample_count;
	uint64_t factor;

	if (profile->unit != UNIT_SAMPLES || count != total)
		return count;
	factor = common_factor(profile);
	return factor >= PERIOD_MIN ? count / factor : count;
}

struct diff_run diff_run_of(const struct profile *profile, enum diff_side side,
			    bool assumes_samples)
{
	struct diff_run run = {
		.side = side,
		.total = profile->stacks.count ? profile->stacks.at[0].total : 0,
		.has_time_bins = diff_run_has_counted_bins(profile),
		.first_bin_ns = profile->first_bin_ns,
		.bin_ns = profile->time_bin_count ? profile->bin_ns : 0,
		.bin_count =
			profile->bin_ns ? profile->time_bin_count / profile->time_bin_parts : 0,
		.lacks_left_out = missing_left_out_frame(profile) < profile->frames.count,
		.lacks_narrow = profile->lacks_narrow,
		.missing = missing_weight(profile),
		.has_sample_counts = !profile->lacks_sample_counts || assumes_samples,
	};

	run.sample_count = sample_count_of(profile, run.total);

	run.time_ns = profile_duration_ns(profile);
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->unit == UNIT_NANOSECONDS && event->period_sum > run.cpu_ns)
			run.cpu_ns = event->period_sum;
	}
	return run;
}

bool diff_exposure(const struct diff_run *run, const struct diff_normalising *normalising,
		   uint64_t *ret, struct error *err)
{
	switch (normalising->by) {
	case DIFF_BY_DEFAULT:
	case DIFF_BY_TOTAL:
		*ret = run->total;
		return true;
	case DIFF_BY_SAMPLES:
		*ret = run->sample_count;
		return true;
	case DIFF_BY_TIME:
		*ret = run->time_ns;
		return *ret ||
		       error_set(err, ERROR_USAGE,
				 "the samples have no timestamps, which --normalise time requires; "
				 "use --normalise total, or a factor");
	case DIFF_BY_CPU:
		*ret = run->cpu_ns;
		return *ret ||
		       error_set(err, ERROR_USAGE,
				 "the capture has no cpu-clock or task-clock event, which "
				 "--normalise cpu requires; use --normalise total, or a factor");
	case DIFF_BY_OPERATIONS: /* set by diff_share_operations */
	case DIFF_BY_NOTHING:
		*ret = 1;
		return true;
	case DIFF_BY_FACTOR:
		*ret = run->side == DIFF_BEFORE ? normalising->factor_unit : normalising->factor;
		return true;
	}
	return false;
}
