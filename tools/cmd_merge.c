/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/arena.h"
#include "base/memory.h"
#include "cli/inputs.h"
#include "cli/label_settings.h"
#include "cli/text_file.h"
#include "libparse/merged/merged_reader.h"
#include "merging/profile_run.h"
#include "merging/run_list.h"
#include "session/no_match.h"

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option merge_options[] = {
	{ .name = "label", .kind = OPTION_LIST, .offset = AT(labels), .argument = "KEY=VALUE,...",
	  .help = "label the stacks of all captures, as in host=web-1,release=42; repeatable",
	  .more = "Merged profiles keep their own labels, and are refused as inputs if this option is "
		  "given" },
	{ .name = "keep-going", .kind = OPTION_FLAG, .offset = AT(keeps_going),
	  .help = "if an input cannot be read, skip it, and exit with status 3 at the end" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_merge = { "Merging", merge_options };

struct merge_command {
	struct settings *settings;
	struct inputs inputs;
	struct run_list runs;
	label_list labels;
	struct arena arena;     /* stores the paths that are in lists */
	text_list all_paths;    /* all inputs, including those in lists */
	bool selects;           /* options select samples or events */
	size_t unmatched_count; /* inputs without a selected sample */
};

/* Adds the lines of a file. */
static bool add_list(struct merge_command *merge, const char *path, struct error *err)
{
	const text_list list = { .at = &path, .count = 1 };
	size_t count = merge->all_paths.count;
	struct sink file;
	struct text rest;
	bool good;

	if (!inputs_check_paths(merge->settings, &list, err))
		return false;
	sink_init_memory(&file);
	good = text_file_read(path, &file, err);
	rest = sink_memory(&file);
	while (good && rest.length) {
		const char *newline = memchr(rest.at, '\n', rest.length);
		uint32_t length = newline ? (uint32_t)(newline - rest.at) : rest.length;

		uint32_t path_length = length - (length && rest.at[length - 1] == '\r');

		if (path_length)
			vec_push(&merge->all_paths,
				 arena_text(&merge->arena, rest.at, path_length));
		rest = text_from(rest, newline ? length + 1 : length);
	}
	sink_deinit(&file);
	return good && (merge->all_paths.count > count ||
			error_set(err, ERROR_USAGE, "@%s: the file lists no inputs", path));
}

/* @FILE is a list of inputs, because a command line with all inputs may be too long. */
static bool list_inputs(struct merge_command *merge, struct error *err)
{
	const text_list *given = &merge->settings->inputs;

	for (size_t i = 0; i < given->count; i++) {
		if (*given->at[i] != '@')
			vec_push(&merge->all_paths, given->at[i]);
		else if (!add_list(merge, given->at[i] + 1, err))
			return false;
	}
	return true;
}

/* Adds an input that is a merged profile. Its stacks are in order, so they are not built again. */
static bool take_merged(struct merge_command *merge, struct error *err)
{
	struct capture *capture = &merge->inputs.session.capture;
	struct input input = capture->input;
	struct run run;

	if (merge->labels.count)
		return error_set(err, ERROR_USAGE,
				 "%s: already merged, so its stacks cannot be labelled; use "
				 "--label when merging the captures",
				 input.name);
	if (merge->selects)
		return error_set(err, ERROR_USAGE,
				 "%s: already merged; select samples when merging the captures, or "
				 "when reading the merged profile",
				 input.name);
	capture->input = (struct input){ .fd = -1 };
	input.space = NULL;
	if (!run_open(&run, &input, err))
		return false;
	/* Verify the input now, because a corrupt input can no longer be skipped later. */
	if (merge->settings->keeps_going && !run_verify(&run, err)) {
		run_close(&run);
		return false;
	}
	return run_list_add(&merge->runs, &run, err);
}

static bool write_run(struct merge_command *merge, struct error *err)
{
	const struct profile *profile = &merge->inputs.session.profile;
	struct profile_run_options options = {
		.labels = merge->labels.at,
		.label_count = (uint32_t)merge->labels.count,
		.is_partial = profile->partial_reason != NULL,
	};
	struct input file;
	struct sink sink;
	struct run run;

	if (!run_list_create(&merge->runs, &file, &sink, err))
		return false;
	if (!profile_run_write(profile, &options, &sink, err)) {
		sink_deinit(&sink);
		input_close(&file);
		return error_prefix(err, "%s", merge->inputs.session.capture.input.name);
	}
	memory_free(file.name);
	file.name = memory_duplicate(merge->inputs.session.capture.input.name,
				     strlen(merge->inputs.session.capture.input.name));
	return run_list_complete(&merge->runs, &file, &sink, &run, err) &&
	       run_list_add(&merge->runs, &run, err);
}

static bool take_capture(struct merge_command *merge, struct error *err)
{
	struct inputs *inputs = &merge->inputs;

	if (!inputs_read_session(merge->settings, &inputs->session, session_build_profile, err))
		return false;
	if (inputs->session.profile.is_counted)
		return error_set(err, ERROR_UNSUPPORTED,
				 "%s: counters have no stacks; use kiln report",
				 inputs->session.capture.input.name);
	if (!session_has_match(&inputs->session, err))
		return error_prefix(err, "%s", inputs->session.capture.input.name);
	inputs->is_partial |= inputs_warn_of_missing(merge->settings, &inputs->session);
	return write_run(merge, err);
}

/*
 * Whether the input can be skipped. Returns false after errors that the file did not cause, because
 * different units are the user's mistake, and a full disk affects all files.
 */
static bool can_skip(const struct merge_command *merge, const struct error *err)
{
	return merge->settings->keeps_going && err->code != ERROR_USAGE &&
	       err->code != ERROR_RESOURCE && !merge->runs.has_failed;
}

static bool take_input(struct merge_command *merge, const char *path, struct error *err)
{
	struct session_options options = settings_session(merge->settings);
	struct session *session = &merge->inputs.session;
	bool good;

	if (!session_open(session, path, &options, err))
		return false;
	good = session->capture.format == &merged_format ? take_merged(merge, err)
							 : take_capture(merge, err);
	session_close(session);
	return good;
}

/* Whether the merge can continue without the input that failed with inputs->err. */
static bool leave_out(struct merge_command *merge)
{
	const struct error *err = &merge->inputs.err;

	if (err->code == ERROR_NO_MATCH) {
		merge->unmatched_count++;
		command_warn(merge->settings, "%s", err->text);
		return true;
	}
	if (!can_skip(merge, err))
		return false;
	merge->runs.skipped_count++;
	command_warn(merge->settings, "skipped: %s", err->text);
	return true;
}

static bool take_inputs(struct merge_command *merge)
{
	struct inputs *inputs = &merge->inputs;
	size_t count = inputs->paths.count;

	for (size_t i = 0; !inputs->has_failed && i < count; i++)
		if (!take_input(merge, inputs->paths.at[i], &inputs->err))
			inputs_check(inputs, count > 1 && leave_out(merge));
	if (!inputs->has_failed && merge->runs.skipped_count + merge->unmatched_count == count)
		inputs_check(inputs, error_set(&inputs->err, inputs->err.code,
					       "none of %zu inputs could be added", count));
	return !inputs->has_failed;
}

static enum exit_code merge_inputs(struct merge_command *merge)
{
	const struct settings *settings = merge->settings;
	struct inputs *inputs = &merge->inputs;
	struct output output;

	command_open(inputs, &output, settings);
	if (!inputs->has_failed)
		inputs_warn_of_repeats(settings, &inputs->paths);
	if (!inputs->has_failed && take_inputs(merge))
		inputs_check(inputs, run_list_merge(&merge->runs, &output.sink, &inputs->err));
	if (!inputs->has_failed && merge->runs.skipped_count) {
		command_warn(settings, "%" PRIu64 " of %zu inputs %s skipped",
			     merge->runs.skipped_count, inputs->paths.count,
			     merge->runs.skipped_count == 1 ? "was" : "were");
		inputs->is_partial = true;
	}
	return command_close(inputs, &output);
}

static enum exit_code run(struct settings *settings)
{
	struct merge_command merge = { .settings = settings };
	struct error err;
	enum exit_code code;

	arena_init(&merge.arena);
	merge.selects = !selection_is_empty(&settings->view.selection) ||
			selection_asks_of_frames(&settings->view.selection) ||
			settings->view.event_pattern;
	profile_run_set_view(&settings->view);
	run_list_init(&merge.runs,
		      settings->memory_bytes ? settings->memory_bytes : memory_default_limit(),
		      settings->spool_limit_bytes);
	if (output_check_terminal(settings->output, "a merged profile", &err) &&
	    label_settings_parse(&settings->labels, &merge.labels, &err) &&
	    list_inputs(&merge, &err)) {
		vec_free(&settings->inputs);
		settings->inputs.at = merge.all_paths.at;
		settings->inputs.count = settings->inputs.capacity = merge.all_paths.count;
		code = merge_inputs(&merge);
	} else {
		vec_free(&merge.all_paths);
		code = command_fail(&err);
	}
	run_list_deinit(&merge.runs);
	vec_free(&merge.labels);
	arena_deinit(&merge.arena);
	return code;
}

static const struct option_group *const groups[] = {
	&group_merge,        &settings_selection, &settings_frame_selection, &settings_symbols,
	&settings_resolving, &settings_naming,    &settings_common,          NULL,
};

static const char *const common[] = {
	"output", "label", "keep-going", "memory",     "spool-limit",  "event",
	"comm",   "time",  "symbols",    "debuginfod", "symbol-cache", "no-inline",
	"jobs",   "quiet", "help",       NULL,
};

const struct command command_merge = {
	.name = "merge",
	.topic = TOPIC_CONVERT,
	.arguments = "[options] [INPUT|@LIST...] -o FILE",
	.summary = "merge captures of many hosts into one small file",
	.description =
		"Adds up the stacks of captures and merged profiles, and writes the sums to one "
		"file, which kiln flame, report, diff and other commands read. Memory use does not "
		"grow with the number of inputs. The result does not depend on the order or "
		"grouping of merges.",
	.examples = { "kiln merge --label host=web-1 perf.data -o web-1.kiln",
		      "kiln merge --keep-going */*.kiln -o fleet.kiln" },
	.common = common,
	.groups = groups,
	.run = run,
};
