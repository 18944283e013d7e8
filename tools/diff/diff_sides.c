/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff_sides.h"

#include <sys/stat.h>

#include "cli/diff_settings.h"
#include "profile/selection/selection_time.h"
#include "cli/inputs.h"
#include "tools/spike_search.h"

static void add_input(struct diff_sides *sides, const struct settings *settings,
		      enum diff_side side, const char *path)
{
	vec_push(&sides->inputs,
		 (struct diff_input){ .side = side, .path = path, .settings = *settings });
}

/* Parses the value of a side into its own selection. */
static bool parse_value(const char *what, const char *value, struct selection *ret,
			struct error *err)
{
	if (strcmp(what, "time") == 0)
		return selection_time_parse("split-time", value, ret, err);
	if (strcmp(what, "cpu") == 0)
		return selection_parse_numbers("split-by cpu", value, &ret->cpus, err);
	if (strcmp(what, "pid") == 0)
		return selection_parse_numbers("split-by pid", value, &ret->pids, err);
	if (strcmp(what, "tid") == 0)
		return selection_parse_numbers("split-by tid", value, &ret->tids, err);
	if (strcmp(what, "comm") == 0)
		return name_patterns_parse("split-by comm", value, &ret->comms, err);
	if (strcmp(what, "process") == 0)
		return name_patterns_parse("split-by process", value, &ret->processes, err);
	return strcmp(what, "event") == 0 ||
	       error_set(err, ERROR_USAGE,
			 "--split-by %s: the key must be cpu, comm, process, pid, tid, event or a "
			 "label set with kiln merge; for example --split-by comm=A,B",
			 what);
}

/* Parses the values of a label. "rest" stands for all values that the other side does not have. */
static bool parse_label(struct diff_sides *sides, const struct settings *settings,
			size_t key_length, enum diff_side side, struct error *err)
{
	struct text key = { sides->parts[side], (uint32_t)key_length };
	const char *value = sides->values[side];
	bool is_rest = strcmp(value, "rest") == 0;

	if (is_rest)
		value = sides->values[side == DIFF_BEFORE ? DIFF_AFTER : DIFF_BEFORE];
	return selection_add_label(&sides->selections[side], key, value, is_rest, err) &&
	       settings_add_wheres(settings, &sides->selections[side], err);
}

/* Replaces one list of the selection with the list of the side. */
static void select_side(struct settings *settings, const char *what, const char *value,
			const struct selection *own)
{
	struct selection *selection = &settings->view.selection;

	if (strcmp(what, "event") == 0)
		settings->view.event_pattern = value;
	if (own->labels.count)
		selection->labels = own->labels;
	if (own->comms.count)
		selection->comms = own->comms;
	if (own->processes.count)
		selection->processes = own->processes;
	if (own->pids.count)
		selection->pids = own->pids;
	if (own->tids.count)
		selection->tids = own->tids;
	if (own->cpus.count)
		selection->cpus = own->cpus;
	if (own->times_ns.count)
		selection->times_ns = own->times_ns;
	if (own->time_shares.count)
		selection->time_shares = own->time_shares;
	if (own->periods.count)
		selection->periods = own->periods;
}

/*
 * Whether the property by which the capture is split is also restricted by an option such as
 * --comm.
 */
static bool is_selected(const struct settings *settings, const char *what)
{
	const struct {
		const char *what;
		bool is_selected;
	} rows[] = {
		{ "time", settings->times.count }, { "event", settings->view.event_pattern },
		{ "comm", settings->comms },       { "process", settings->processes },
		{ "cpu", settings->cpus },         { "pid", settings->pids },
		{ "tid", settings->tids },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].what, what) == 0)
			return rows[i].is_selected;
	return false;
}

/* "comm=old"; the caller frees it. */
static char *part_of(const char *what, const char *value)
{
	struct sink sink;
	char *part;

	sink_init_memory(&sink);
	sink_printf(&sink, "%s=%s", what, value);
	part = memory_duplicate(sink_memory(&sink).at, sink_memory(&sink).length);
	sink_deinit(&sink);
	return part;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct selection_range *left = a;
	const struct selection_range *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/* Selects the time outside the windows. Returns false if they cover the whole capture. */
static bool select_rest(selection_ranges *windows, selection_ranges *ret)
{
	uint64_t next_ns = 0;
	bool has_rest = true;

	qsort(windows->at, windows->count, sizeof(*windows->at), compare_ranges);
	for (size_t i = 0; has_rest && i < windows->count; i++) {
		struct selection_range window = windows->at[i];

		if (window.first > next_ns)
			vec_push(ret, (struct selection_range){ next_ns, window.first - 1 });
		has_rest = window.last < UINT64_MAX;
		if (has_rest && window.last >= next_ns)
			next_ns = window.last + 1;
	}
	if (has_rest)
		vec_push(ret, (struct selection_range){ next_ns, UINT64_MAX });
	return ret->count;
}

/* Parses the windows of --window-vs-rest. */
static bool parse_windows(const char *windows, struct selection *ret, struct error *err)
{
	if (!selection_time_parse("window-vs-rest", windows, ret, err))
		return false;
	return (!ret->time_shares.count && !ret->periods.count && ret->times_ns.count) ||
	       error_set(err, ERROR_USAGE,
			 "--window-vs-rest %s: use times on the capture's clock, such as 1.5,2",
			 windows);
}

static bool can_be_read_twice(const char *path)
{
	struct stat status;

	return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || !S_ISFIFO(status.st_mode));
}

static bool check_split(const struct settings *settings, const char *what, struct error *err)
{
	if (settings->inputs.count != 1 || !can_be_read_twice(settings->inputs.at[0]))
		return error_set(
			err, ERROR_USAGE,
			"--split-time, --split-by, --window-vs-rest and --spikes require a single "
			"input, which is read twice: name a file, not standard input or a pipe");
	return !is_selected(settings, what) ||
	       error_set(err, ERROR_USAGE,
			 "--%s cannot be combined with splitting by the same key; remove it", what);
}

/*
 * Adds the single input as both sides. sides->values must be set; times may already have been
 * parsed to sides->selections.
 */
static bool split(struct diff_sides *sides, const struct settings *settings, const char *what,
		  struct error *err)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct settings own = *settings;

		sides->parts[side] = part_of(what, sides->values[side]);
		if (grouping_is_label(text_of(what))
			    ? !parse_label(sides, settings, strlen(what), (enum diff_side)side, err)
			    : !sides->selections[side].times_ns.count &&
				      !parse_value(what, sides->values[side],
						   &sides->selections[side], err))
			return false;
		select_side(&own, what, sides->values[side], &sides->selections[side]);
		/* Report an incomplete capture only once. */
		own.is_quiet |= side == DIFF_AFTER;
		add_input(sides, &own, (enum diff_side)side, settings->inputs.at[0]);
	}
	sides->allows_events = strcmp(what, "event") == 0;
	return true;
}

static bool split_by_time(struct diff_sides *sides, const struct settings *settings,
			  struct error *err)
{
	const struct diff_settings *own = &settings->diff;

	if (!own->against)
		return error_set(err, ERROR_USAGE,
				 "--split-time requires --against with the time range of the side "
				 "\"after\"");
	if (!check_split(settings, "time", err))
		return false;
	sides->values[DIFF_BEFORE] = memory_duplicate(own->split_time, strlen(own->split_time));
	sides->values[DIFF_AFTER] = memory_duplicate(own->against, strlen(own->against));
	return split(sides, settings, "time", err);
}

/* The windows of --window-vs-rest, or those that --spikes finds, are the AFTER side. */
static bool split_by_window(struct diff_sides *sides, const struct settings *settings,
			    struct error *err)
{
	const char *window = settings->diff.window;
	struct selection *after = &sides->selections[DIFF_AFTER];
	char *name;

	if (settings->diff.against)
		return error_set(err, ERROR_USAGE, "--against requires --split-time or --split-by");
	if (!check_split(settings, "time", err) || (window && !parse_windows(window, after, err)))
		return false;
	name = window ? memory_duplicate(window, strlen(window))
		      : spike_search_windows(settings, settings->inputs.at[0], &after->times_ns,
					     err);
	if (!name)
		return false;
	sides->values[DIFF_AFTER] = name;
	sides->values[DIFF_BEFORE] = memory_duplicate("rest", strlen("rest"));
	if (!select_rest(&after->times_ns, &sides->selections[DIFF_BEFORE].times_ns))
		return error_set(err, ERROR_USAGE,
				 "--window-vs-rest %s: the window covers the whole capture", name);
	return split(sides, settings, "time", err);
}

static bool split_by_what(struct diff_sides *sides, const struct settings *settings,
			  struct error *err)
{
	const char *by = settings->diff.split_by;
	const char *equals = strchr(by, '=');
	const char *after = settings->diff.against;
	const char *end;
	char what[64];

	if (!equals || equals - by >= (ptrdiff_t)sizeof(what))
		return error_set(
			err, ERROR_USAGE,
			"--split-by requires a value such as cpu=A,B, comm=A,B or event=A,B");
	snprintf(what, sizeof(what), "%.*s", (int)(equals - by), by);
	end = equals + strlen(equals);
	if (!after) {
		end = strchr(equals, ',');
		if (!end || !end[1] || strchr(end + 1, ','))
			return error_set(
				err, ERROR_USAGE,
				"--split-by requires two values, A,B; to use lists, give the list "
				"of the side \"after\" with --against");
		after = end + 1;
	}
	if (end == equals + 1 || !*after)
		return error_set(err, ERROR_USAGE, "--split-by requires a value for each side");
	sides->values[DIFF_BEFORE] = memory_duplicate(equals + 1, (size_t)(end - equals - 1));
	sides->values[DIFF_AFTER] = memory_duplicate(after, strlen(after));
	return check_split(settings, what, err) && split(sides, settings, what, err);
}

static bool add_lists(struct diff_sides *sides, const struct settings *settings, struct error *err)
{
	const struct diff_settings *own = &settings->diff;

	if (settings->inputs.count)
		return error_set(err, ERROR_USAGE,
				 "%s: each input must directly follow its own --before or --after",
				 settings->inputs.at[0]);
	if (!own->before.count || !own->after.count)
		return error_set(err, ERROR_USAGE, "--before and --after must be used together");
	for (size_t i = 0; i < own->before.count; i++)
		add_input(sides, settings, DIFF_BEFORE, own->before.at[i]);
	for (size_t i = 0; i < own->after.count; i++)
		add_input(sides, settings, DIFF_AFTER, own->after.at[i]);
	return true;
}

/* The directory is the BEFORE side; all other inputs are the AFTER side. */
static bool add_baseline(struct diff_sides *sides, const struct settings *settings,
			 struct error *err)
{
	const struct diff_settings *own = &settings->diff;
	struct settings past = *settings;
	text_list after = { 0 };
	bool good;

	if (own->before.count)
		return error_set(err, ERROR_USAGE,
				 "--baseline and --before cannot be combined; "
				 "remove --before");
	for (size_t i = 0; i < settings->inputs.count; i++)
		vec_push(&after, settings->inputs.at[i]);
	for (size_t i = 0; i < own->after.count; i++)
		vec_push(&after, own->after.at[i]);
	if (!after.count) {
		vec_free(&after);
		return error_set(
			err, ERROR_USAGE,
			"--baseline requires an input to compare: kiln diff --baseline DIR AFTER");
	}
	good = baseline_init(&sides->baseline, own->baseline, &after, err);
	/* Incomplete captures are counted, not reported one by one. */
	past.is_quiet = true;
	for (size_t i = 0; good && i < sides->baseline.paths.count; i++) {
		add_input(sides, &past, DIFF_BEFORE, sides->baseline.paths.at[i]);
		sides->inputs.at[i].is_past = true;
	}
	for (size_t i = 0; good && i < after.count; i++)
		add_input(sides, settings, DIFF_AFTER, after.at[i]);
	vec_free(&after);
	return good;
}

static bool add_pair(struct diff_sides *sides, const struct settings *settings, struct error *err)
{
	if (settings->diff.against)
		return error_set(err, ERROR_USAGE, "--against requires --split-time or --split-by");
	if (settings->inputs.count != 2)
		return error_set(
			err, ERROR_USAGE,
			"two inputs are required: kiln diff BEFORE AFTER; for several runs per "
			"side, use --before and --after");
	add_input(sides, settings, DIFF_BEFORE, settings->inputs.at[0]);
	add_input(sides, settings, DIFF_AFTER, settings->inputs.at[1]);
	return true;
}

static bool add_inputs(struct diff_sides *sides, const struct settings *settings, struct error *err)
{
	const struct diff_settings *own = &settings->diff;
	bool has_lists = own->before.count || own->after.count;

	if (!!own->split_time + !!own->split_by + !!own->window + own->finds_spikes +
		    (has_lists || own->baseline) >
	    1)
		return error_set(
			err, ERROR_USAGE,
			"--split-time, --split-by, --window-vs-rest, --spikes, --baseline, and "
			"--before with --after cannot be combined; use only one of them");
	if (own->baseline && own->against)
		return error_set(err, ERROR_USAGE, "--against requires --split-time or --split-by");
	if (own->baseline)
		return add_baseline(sides, settings, err);
	if (own->split_time)
		return split_by_time(sides, settings, err);
	if (own->window || own->finds_spikes)
		return split_by_window(sides, settings, err);
	if (own->split_by)
		return split_by_what(sides, settings, err);
	return has_lists ? add_lists(sides, settings, err) : add_pair(sides, settings, err);
}

static void list_paths(const struct diff_sides *sides, enum diff_side side, text_list *paths)
{
	for (size_t i = 0; i < sides->inputs.count; i++)
		if (sides->inputs.at[i].side == side)
			vec_push(paths, sides->inputs.at[i].path);
}

/*
 * Runs that are one file do not differ, so the side would seem to have no noise. Nor does a file
 * differ from itself on the other side, unless parts of it are compared.
 */
static void warn_of_repeats(const struct diff_sides *sides, const struct settings *settings)
{
	text_list paths = { 0 };
	size_t before_count, first;

	list_paths(sides, DIFF_AFTER, &paths);
	inputs_warn_of_repeats(settings, &paths);
	paths.count = 0;
	list_paths(sides, DIFF_BEFORE, &paths);
	inputs_warn_of_repeats(settings, &paths);
	before_count = paths.count;
	list_paths(sides, DIFF_AFTER, &paths);
	if (before_count && !sides->parts[DIFF_BEFORE] &&
	    inputs_count_repeats(&paths, before_count, &first))
		command_warn(settings, "%s: the same file on both sides, which hides differences",
			     paths.at[first]);
	vec_free(&paths);
}

bool diff_sides_init(struct diff_sides *sides, const struct settings *settings, struct error *err)
{
	text_list paths = { 0 };
	bool good;

	*sides = (struct diff_sides){ 0 };
	good = add_inputs(sides, settings, err);
	/* Standard input may be given only once. A split capture has two sides, but counts once. */
	for (size_t i = 0; good && i < sides->inputs.count; i++)
		if (!i || strcmp(sides->inputs.at[i].path, "-") == 0 ||
		    strcmp(sides->inputs.at[i].path, paths.at[paths.count - 1]) != 0)
			vec_push(&paths, sides->inputs.at[i].path);
	/* An output file in the directory would become an input of the next comparison. */
	if (good && sides->baseline.directory)
		vec_push(&paths, sides->baseline.directory);
	good = good && inputs_check_paths(settings, &paths, err);
	vec_free(&paths);
	if (good)
		warn_of_repeats(sides, settings);
	else
		diff_sides_deinit(sides);
	return good;
}

static void free_events(struct diff_input *input)
{
	for (size_t i = 0; i < input->events.count; i++)
		memory_free(input->events.at[i]);
	vec_free(&input->events);
}

void diff_sides_deinit(struct diff_sides *sides)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		selection_deinit(&sides->selections[side]);
		memory_free(sides->values[side]);
		memory_free(sides->parts[side]);
	}
	for (size_t i = 0; i < sides->inputs.count; i++)
		free_events(&sides->inputs.at[i]);
	vec_free(&sides->inputs);
	baseline_deinit(&sides->baseline);
}

void diff_sides_skip(struct diff_sides *sides, size_t index, const struct error *reason)
{
	struct diff_input *inputs = sides->inputs.at;

	baseline_skip(&sides->baseline, inputs[index].path, reason);
	free_events(&inputs[index]);
	memmove(&inputs[index], &inputs[index + 1],
		(--sides->inputs.count - index) * sizeof(*inputs));
}

bool diff_sides_report(const struct diff_sides *sides, const struct settings *settings,
		       struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < sides->inputs.count; i++)
		count += sides->inputs.at[i].is_past;
	return !sides->baseline.directory ||
	       baseline_report(&sides->baseline, settings, count, err);
}

#define NONE SIZE_MAX

/* Returns the index of an event in an input, or NONE if the input lacks it. */
static size_t find_event(const struct diff_input *input, const char *name)
{
	for (size_t i = 0; i < input->events.count; i++)
		if (event_names_alike(text_of(input->events.at[i]), text_of(name)))
			return i;
	return NONE;
}

/* Returns the sum of an event's indexes in all inputs, or NONE if an input lacks the event. */
static size_t rank_event(const struct diff_sides *sides, const char *name)
{
	size_t sum = 0;

	for (size_t i = 0; i < sides->inputs.count; i++) {
		const struct diff_input *input = &sides->inputs.at[i];
		size_t rank = find_event(input, name);

		if (!input->events.count)
			continue;
		if (rank == NONE)
			return NONE;
		sum += rank;
	}
	return sum;
}

static const char *find_shared(const struct diff_sides *sides)
{
	const struct diff_input *first = &sides->inputs.at[0];
	const char *best = NULL;
	size_t best_rank = NONE;

	for (size_t i = 0; i < first->events.count; i++) {
		size_t rank = rank_event(sides, first->events.at[i]);

		if (rank < best_rank) {
			best = first->events.at[i];
			best_rank = rank;
		}
	}
	return best;
}

bool diff_sides_share_event(struct diff_sides *sides, const struct settings *settings)
{
	const char *shared = find_shared(sides);

	if (!shared || settings->view.event_pattern)
		return false;
	for (size_t i = 0; i < sides->inputs.count; i++)
		if (strcmp(sides->inputs.at[i].path, "-") == 0)
			return false;
	for (size_t i = 0; i < sides->inputs.count; i++) {
		struct diff_input *input = &sides->inputs.at[i];

		if (!input->events.count || input->settings.view.event_pattern)
			continue;
		input->settings.view.event_pattern = input->events.at[find_event(input, shared)];
		/* Warns about inputs that show a different event by default. */
		if (strcmp(input->settings.view.event_pattern, input->events.at[0]) != 0)
			command_warn(
				settings,
				"%s: event %s is compared instead of %s, because all inputs must "
				"show the same event; use --event to choose another",
				input->path, input->settings.view.event_pattern,
				input->events.at[0]);
	}
	return true;
}
