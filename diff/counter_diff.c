/* SPDX-License-Identifier: MIT */
#include "diff/counter_diff.h"

#include <math.h>

#include "diff/significance.h"
#include "profile/distribution.h"

#define NONE UINT32_MAX
/* The number of runs that is assumed, because perf stat -x and -j do not print it. */
#define RUNS_UNKNOWN 3

void counter_diff_init(struct counter_diff *diff, const struct counter_diff_options *options)
{
	*diff = (struct counter_diff){
		.options = *options,
		.strings = memory_alloc(1, sizeof(*diff->strings)),
	};
	strings_init(diff->strings);
}

void counter_diff_deinit(struct counter_diff *diff)
{
	for (size_t i = 0; i < diff->tables.count; i++)
		vec_free(&diff->tables.at[i].profile.events);
	vec_free(&diff->tables);
	vec_free(&diff->changes);
	for (int side = 0; side < DIFF_SIDES; side++)
		vec_free(&diff->only[side]);
	strings_deinit(diff->strings);
	memory_free(diff->strings);
}

static str_id copy(struct counter_diff *diff, struct text text)
{
	return strings_intern(diff->strings, text.length ? text.at : "", text.length);
}

void counter_diff_add(struct counter_diff *diff, const struct profile *profile, enum diff_side side)
{
	struct counter_table table = { .side = side, .profile.strings = diff->strings };
	uint32_t run_count = 0;

	for (size_t i = 0; i < profile->events.count; i++) {
		struct profile_event event = profile->events.at[i];

		event.name = copy(diff, strings_get(profile->strings, event.name));
		if (event.run_count > run_count)
			run_count = event.run_count;
		vec_push(&table.profile.events, event);
	}
	vec_push(&diff->tables, table);
	if (diff->table_count[side]++)
		return;
	diff->run_count[side] = run_count;
	if (profile->facts[FACT_COMMAND_LINE].at)
		diff->command[side] = copy(diff, profile->facts[FACT_COMMAND_LINE]);
}

/* Finds the event with this name, or the only similar one. */
static uint32_t find_event(const struct counter_table *table, struct text name)
{
	const struct profile *profile = &table->profile;
	uint32_t found = NONE;
	bool is_only = true;

	for (uint32_t i = 0; i < profile->events.count; i++) {
		struct text other = strings_get(profile->strings, profile->events.at[i].name);

		if (!profile->events.at[i].sample_count)
			continue;
		if (text_equal(other, name))
			return i;
		if (!event_names_alike(other, name))
			continue;
		is_only = found == NONE;
		found = i;
	}
	return is_only ? found : NONE;
}

static struct counter_value value_of_event(const struct profile_event *event)
{
	uint32_t run_count = event->run_count ? event->run_count : RUNS_UNKNOWN;

	return (struct counter_value){
		.value = (double)event->period_sum,
		.error = event->has_deviation ? event->deviation : NAN,
		.freedom = run_count > 1 ? run_count - 1 : 1,
	};
}

/* Returns the standard error of a ratio of two independent values. */
static double error_of_ratio(double value, const struct counter_value *part,
			     const struct counter_value *whole)
{
	double shares = 0;

	if (part->value > 0)
		shares += pow(part->error / part->value, 2);
	if (whole->value > 0)
		shares += pow(whole->error / whole->value, 2);
	return value * sqrt(shares);
}

/* The value of a row in one table. False if the table lacks it. */
static bool read_table(const struct counter_table *table, struct text event, const char *ratio,
		       struct counter_value *ret, struct text *of_ret)
{
	struct counter_ratio ratios[COUNTER_RATIOS_MAX];
	const struct profile *profile = &table->profile;
	uint32_t row = find_event(table, event);

	if (row == NONE)
		return false;
	*ret = value_of_event(&profile->events.at[row]);
	if (!ratio)
		return true;
	counter_ratios_find(profile, row, ratios);
	for (int i = 0; i < COUNTER_RATIOS_MAX && ratios[i].name; i++) {
		struct counter_value other;

		if (strcmp(ratios[i].name, ratio) != 0)
			continue;
		other = value_of_event(&profile->events.at[ratios[i].of]);
		*of_ret = strings_get(profile->strings, profile->events.at[ratios[i].of].name);
		ret->error = error_of_ratio(ratios[i].value, ret, &other);
		ret->value = ratios[i].value;
		return true;
	}
	return false;
}

/*
 * Reads the mean over the tables of a side, with its standard error. With a single table, the error
 * is the one in the table.
 */
static bool read_side(const struct counter_diff *diff, enum diff_side side, struct text event,
		      const char *ratio, struct counter_value *ret, struct text *of_ret)
{
	double sum = 0;
	double squares = 0;
	uint32_t count = 0;
	struct counter_value value = { 0 };

	for (size_t i = 0; i < diff->tables.count; i++) {
		double distance;

		if (diff->tables.at[i].side != side)
			continue;
		if (!read_table(&diff->tables.at[i], event, ratio, &value, of_ret))
			return false;
		/* Welford's algorithm. */
		count++;
		distance = value.value - sum;
		sum += distance / count;
		squares += distance * (value.value - sum);
	}
	*ret = value;
	if (count < 2)
		return count == 1;
	*ret = (struct counter_value){
		.value = sum,
		.error = sqrt(squares / (count - 1) / count),
		.freedom = count - 1,
	};
	return true;
}

static double welch_p_value(const struct counter_change *change)
{
	const struct counter_value *a = &change->side[DIFF_BEFORE];
	const struct counter_value *b = &change->side[DIFF_AFTER];
	double variance_a = a->error * a->error;
	double variance_b = b->error * b->error;
	double variance = variance_a + variance_b;
	double difference = fabs(a->value - b->value);

	if (isnan(variance))
		return NAN;
	if (variance <= 0)
		return difference > 0 ? 0 : 1;
	return distribution_student_tails(difference / sqrt(variance),
					  variance * variance /
						  (variance_a * variance_a / a->freedom +
						   variance_b * variance_b / b->freedom));
}

static bool add_change(struct counter_diff *diff, str_id event, const char *ratio,
		       enum weight_unit unit)
{
	struct text name = strings_get(diff->strings, event);
	struct counter_change change = { .event = event, .ratio = ratio, .unit = unit };
	struct text of = { "", 0 };

	for (int side = 0; side < DIFF_SIDES; side++)
		if (!read_side(diff, (enum diff_side)side, name, ratio, &change.side[side], &of))
			return false;
	change.of = copy(diff, of);
	change.p_value = change.corrected_p_value = welch_p_value(&change);
	vec_push(&diff->changes, change);
	return true;
}

static bool has_on_side(const struct counter_diff *diff, enum diff_side side, struct text name)
{
	struct counter_value ignored;
	struct text of;

	return read_side(diff, side, name, NULL, &ignored, &of);
}

/* Adds a counter of the BEFORE side, and its ratios. */
static void add_counter(struct counter_diff *diff, const struct counter_table *table, uint32_t row)
{
	const struct profile_event *event = &table->profile.events.at[row];
	struct counter_ratio ratios[COUNTER_RATIOS_MAX];

	if (!has_on_side(diff, DIFF_AFTER, strings_get(diff->strings, event->name))) {
		vec_push(&diff->only[DIFF_BEFORE], event->name);
		return;
	}
	if (!add_change(diff, event->name, NULL, event->unit))
		return;
	counter_ratios_find(&table->profile, row, ratios);
	for (int i = 0; i < COUNTER_RATIOS_MAX && ratios[i].name; i++)
		add_change(diff, event->name, ratios[i].name, event->unit);
}

static const struct counter_table *first_table(const struct counter_diff *diff, enum diff_side side)
{
	for (size_t i = 0; i < diff->tables.count; i++)
		if (diff->tables.at[i].side == side)
			return &diff->tables.at[i];
	return NULL;
}

static bool is_wanted(const struct counter_diff *diff, const struct counter_table *table,
		      uint32_t row)
{
	const char *pattern = diff->options.event_pattern;
	const struct profile *profile = &table->profile;

	return profile->events.at[row].sample_count &&
	       profile_match_event(profile, &profile->events.at[row], pattern) ==
		       profile_match_events(profile, pattern);
}

static void correct(struct counter_diff *diff)
{
	VEC(struct significance_row) rows = { 0 };

	for (size_t i = 0; i < diff->changes.count; i++)
		if (!isnan(diff->changes.at[i].p_value))
			vec_push(&rows,
				 (struct significance_row){ diff->changes.at[i].p_value, i });
	if (rows.count)
		significance_correct(rows.at, rows.count);
	for (size_t i = 0; i < rows.count; i++) {
		struct counter_change *change = &diff->changes.at[rows.at[i].index];

		change->corrected_p_value = rows.at[i].p_value;
		change->is_significant = rows.at[i].p_value <= 1 - diff->options.confidence;
	}
	vec_free(&rows);
}

bool counter_diff_finish(struct counter_diff *diff, struct error *err)
{
	const struct counter_table *before = first_table(diff, DIFF_BEFORE);
	const struct counter_table *after = first_table(diff, DIFF_AFTER);

	if (!before || !after)
		return error_set(err, ERROR_USAGE, "the side \"%s\" has no input",
				 before ? "after" : "before");
	for (uint32_t i = 0; i < before->profile.events.count; i++)
		if (is_wanted(diff, before, i))
			add_counter(diff, before, i);
	for (uint32_t i = 0; i < after->profile.events.count; i++) {
		str_id name = after->profile.events.at[i].name;

		if (is_wanted(diff, after, i) &&
		    !has_on_side(diff, DIFF_BEFORE, strings_get(diff->strings, name)))
			vec_push(&diff->only[DIFF_AFTER], name);
	}
	correct(diff);
	return diff->changes.count ||
	       error_set(err, ERROR_USAGE,
			 "the sides have no counter in common; use kiln report to list the "
			 "counters of each input");
}

double counter_change_percent(const struct counter_change *change)
{
	double before = change->side[DIFF_BEFORE].value;
	double after = change->side[DIFF_AFTER].value;

	if (before <= 0)
		return after > 0 ? INFINITY : 0;
	return (after - before) * 100 / before;
}

/* The usual names of ratios: IPC and CPI. */
static bool is_short_name(const char *ratio, const char *name)
{
	return (strcasecmp(name, "ipc") == 0 && strcmp(ratio, "instructions-per-cycle") == 0) ||
	       (strcasecmp(name, "cpi") == 0 && strcmp(ratio, "cycles-per-instruction") == 0);
}

bool counter_change_is(const struct counter_diff *diff, const struct counter_change *change,
		       const char *name)
{
	if (change->ratio)
		return strcmp(change->ratio, name) == 0 || is_short_name(change->ratio, name);
	return event_name_match(strings_get(diff->strings, change->event), name) !=
	       EVENT_MATCH_NONE;
}
