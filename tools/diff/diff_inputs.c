/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff_inputs.h"

#include "base/workers.h"
#include "session/no_match.h"
#include "cli/inputs.h"

/* The number of inputs that are read at the same time, whose profiles are all in memory. */
#define TOGETHER_MAX 2

struct input_reading {
	struct diff_input *input;
	struct session session;
	bool is_open;
	bool is_good;
	bool is_skipped;
	struct error err; /* set if the input is not good, or is skipped */
};

static void open_input(struct input_reading *reading, struct diff_input *input)
{
	struct session_options options = settings_session(&input->settings);

	*reading = (struct input_reading){ .input = input };
	reading->is_open = session_open(&reading->session, input->path, &options, &reading->err);
}

/* Other formats fork a helper process, which requires that no other thread runs. */
static bool can_be_parallel(const struct input_reading *reading)
{
	return reading->is_open && session_is_text(&reading->session) &&
	       reading->session.options.thread_count > 1;
}

static void build_input(void *context, size_t index)
{
	struct input_reading *reading = (struct input_reading *)context + index;
	struct settings settings = reading->input->settings;

	/* Only the first of the inputs read in parallel reports progress. */
	settings.is_quiet |= index > 0;
	reading->is_good =
		reading->is_open && inputs_read_session(&settings, &reading->session,
							session_build_profile, &reading->err);
}

static void add_event(struct diff_input *input, const struct profile *profile, str_id name)
{
	struct text text = strings_get(profile->strings, name);

	vec_push(&input->events, memory_duplicate(text.at, text.length));
}

/* Records the events of an input, to find a common event if another input shows a different one. */
static void list_events(struct diff_input *input, const struct profile *profile)
{
	if (input->events.count)
		return;
	add_event(input, profile, profile->event_name);
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].sample_count &&
		    profile->events.at[i].name.i != profile->event_name.i)
			add_event(input, profile, profile->events.at[i].name);
}

static bool add_profile(struct diff_input *input, const struct profile *profile, struct diff *diff,
			struct counter_diff *counters, struct diff_outcome *outcome,
			struct error *err)
{
	bool is_first = !outcome->counter_count && !diff->runs.count;

	if (profile->is_counted && (outcome->counter_count || is_first)) {
		counter_diff_add(counters, profile, input->side);
		outcome->counter_count++;
		return true;
	}
	if (profile->is_counted || outcome->counter_count)
		return error_set(
			err, ERROR_USAGE,
			"perf stat counters cannot be compared with a profile; compare two inputs "
			"of the same kind");
	return compare_add(diff, profile, input->side, err);
}

/* Whether the input was read and has samples. */
static bool check_input(const struct input_reading *reading, struct error *err)
{
	const struct diff_input *input = reading->input;
	const struct profile *profile = &reading->session.profile;

	if (!reading->is_good) {
		*err = reading->err;
		return false;
	}
	if (!session_has_match(&reading->session, err))
		return error_prefix(err, "%s", input->path);
	return !input->is_past || profile->is_counted || profile->view_sample_count ||
	       error_set(err, ERROR_USAGE, "%s: the input has no samples", input->path);
}

/*
 * Once an input shows another event than those before it, inputs will be read again, and are not
 * added. Their events are still recorded, to find one that all inputs have.
 */
static bool add_input(struct input_reading *reading, struct diff *diff,
		      struct counter_diff *counters, struct diff_outcome *outcome,
		      struct error *err)
{
	struct diff_input *input = reading->input;
	struct settings settings = input->settings;
	struct profile profile;
	bool is_other = outcome->has_other_event;
	bool is_partial;
	bool good;

	if (!check_input(reading, err)) {
		reading->is_skipped = input->is_past;
		reading->err = *err;
		return reading->is_skipped;
	}
	list_events(input, &reading->session.profile);
	if (is_other)
		return true;
	outcome->has_other_event |= !reading->session.profile.is_counted &&
				    !compare_has_same_event(diff, &reading->session.profile);
	/* Do not print messages if the input might be read again with a different event. */
	settings.is_quiet |= input->is_reported || outcome->has_other_event;
	/* Compares all counters. */
	settings.shows_counters = true;
	input->is_reported |= !outcome->has_other_event;
	is_partial = inputs_warn_of_missing(&settings, &reading->session);
	profile = session_take_profile(&reading->session);
	outcome->is_partial |= is_partial && !input->is_past;
	if (is_partial && input->is_past && !outcome->past_partial_count++)
		outcome->past_partial = input->path;
	good = add_profile(input, &profile, diff, counters, outcome, err) ||
	       error_prefix(err, "%s", input->path);
	profile_deinit(&profile);
	return good;
}

/* Removes skipped inputs. Returns the number of inputs left. */
static size_t remove_skipped(struct diff_sides *sides, size_t first,
			     const struct input_reading *readings, size_t count)
{
	size_t left = count;

	for (size_t i = count; i-- > 0;)
		if (readings[i].is_skipped) {
			diff_sides_skip(sides, first + i, &readings[i].err);
			left--;
		}
	return left;
}

bool diff_inputs_read(struct diff_sides *sides, struct diff *diff, struct counter_diff *counters,
		      struct diff_outcome *ret, struct error *err)
{
	struct input_reading *readings = memory_alloc(TOGETHER_MAX, sizeof(*readings));
	bool good = true;

	*ret = (struct diff_outcome){ .is_partial = false };
	for (size_t i = 0; (good || ret->has_other_event) && i < sides->inputs.count;) {
		struct diff_input *inputs = sides->inputs.at;
		size_t count = 1;
		bool is_parallel;

		open_input(&readings[0], &inputs[i]);
		is_parallel = can_be_parallel(&readings[0]) && i + 1 < sides->inputs.count;
		if (is_parallel) {
			count = TOGETHER_MAX;
			open_input(&readings[1], &inputs[i + 1]);
			is_parallel = can_be_parallel(&readings[1]);
		}
		workers_run(is_parallel ? TOGETHER_MAX : 1, count, build_input, readings);
		for (size_t k = 0; k < count; k++) {
			if (good || ret->has_other_event)
				good &= add_input(&readings[k], diff, counters, ret, err);
			if (readings[k].is_open)
				session_close(&readings[k].session);
		}
		i += remove_skipped(sides, i, readings, count);
	}
	memory_free(readings);
	return good;
}
