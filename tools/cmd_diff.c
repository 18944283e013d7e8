/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/diff_settings.h"
#include "cli/other_tools.h"
#include "cli/output.h"
#include "cli/page_output.h"
#include "cli/settings.h"
#include "cli/svg_output.h"
#include "cli/text_file.h"
#include "diff/align/diff_frames.h"
#include "profile/selection/selection_time.h"
#include "render/diff/captures_text.h"
#include "render/diff/diff_output.h"
#include "render/svg/diff_svg.h"
#include "session/symbol_files.h"
#include "tools/diff/diff_counters.h"
#include "tools/diff/diff_gate.h"
#include "tools/diff/diff_inputs.h"
#include "tools/diff/diff_sides.h"

/*
 * The options of kiln diff that affect how functions of the two sides are matched:
 *
 *     --ignore-path '^std::'     ignore functions whose names match
 *     --rename FILE              renamed functions: OLD-NAME TAB NEW-NAME; "# " begins a comment
 *     --rename auto              match functions with the same callers and callees
 */

struct alignment {
	regex_t ignored;
	struct diff_renames renames;
	bool has_ignored, has_renames;
};

/* Adds a line of the file. Returns false if it is malformed. */
static bool add_line(struct diff_renames *renames, struct text line,
		     const struct diff_alignment *how)
{
	const char *tab = memchr(line.at, '\t', line.length);
	struct text from, to;

	if (!line.length || text_has_prefix(line, "# "))
		return true;
	if (!tab)
		return false;
	from = (struct text){ line.at, (uint32_t)(tab - line.at) };
	to = (struct text){ tab + 1, line.length - from.length - 1 };
	if (!from.length || !to.length || memchr(to.at, '\t', to.length))
		return false;
	diff_renames_add(renames, from, to, how);
	return true;
}

static bool read_lines(struct diff_renames *renames, struct text file, const char *path,
		       const struct diff_alignment *how, struct error *err)
{
	const char *end = file.at + file.length;
	const char *next = file.at;

	for (unsigned number = 1; next < end; number++) {
		const char *line = next;
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		next = stop + 1;
		while (stop > line && stop[-1] == '\r')
			stop--;
		if (!add_line(renames, (struct text){ line, (uint32_t)(stop - line) }, how))
			return error_set(
				err, ERROR_FORMAT,
				"%s:%u: the line must consist of OLD-NAME, a tab and NEW-NAME",
				path, number);
	}
	return true;
}

static bool read_renames(struct alignment *alignment, const char *path,
			 const struct diff_alignment *how, struct error *err)
{
	struct sink file;
	bool good;

	diff_renames_init(&alignment->renames);
	alignment->has_renames = true;
	sink_init_memory(&file);
	good = text_file_read(path, &file, err) &&
	       read_lines(&alignment->renames, sink_memory(&file), path, how, err);
	sink_deinit(&file);
	return good;
}

static bool finds_renames(const struct diff_settings *own)
{
	return own->renames && strcmp(own->renames, "auto") == 0;
}

static bool compile(struct alignment *alignment, const char *expression, struct error *err)
{
	char why[256];
	int problem = regcomp(&alignment->ignored, expression, REG_EXTENDED | REG_NOSUB);

	if (problem) {
		regerror(problem, &alignment->ignored, why, sizeof(why));
		return error_set(err, ERROR_USAGE, "--ignore-path %s: %s", expression, why);
	}
	alignment->has_ignored = true;
	return true;
}

/*
 * Sets how functions with different names are matched. Output in the format of difffolded.pl
 * requires that only functions with equal names are matched.
 */
static void set_matching(const struct settings *settings, struct diff_alignment *ret)
{
	const struct diff_settings *own = &settings->diff;

	if (ret->naming != DIFF_NAMING_ALIGNED && !own->keeps_names)
		return;
	ret->mends = !own->keeps_mismatches;
	/* Only roots that are comms can be paired by role. */
	ret->pairs_roots = !own->keeps_roots && settings->view.grouping.by[0] == GROUP_COMM;
	ret->applies_renames = finds_renames(own);
	ret->finds_renames = ret->applies_renames || !own->renames;
}

static void alignment_close(struct alignment *alignment)
{
	if (alignment->has_ignored)
		regfree(&alignment->ignored);
	if (alignment->has_renames)
		diff_renames_deinit(&alignment->renames);
}

/*
 * Fills ret, except for its naming, which is already set. ret points into alignment. After a
 * failure, nothing has to be closed.
 */
static bool alignment_open(struct alignment *alignment, const struct settings *settings,
			   struct diff_alignment *ret, struct error *err)
{
	const struct diff_settings *own = &settings->diff;

	*alignment = (struct alignment){ 0 };
	ret->demangle = settings->view.naming.keeps_mangled_names ? NULL : demangle_name;
	if ((own->ignored && !compile(alignment, own->ignored, err)) ||
	    (own->renames && !finds_renames(own) &&
	     !read_renames(alignment, own->renames, ret, err))) {
		alignment_close(alignment);
		return false;
	}
	set_matching(settings, ret);
	ret->ignored = alignment->has_ignored ? &alignment->ignored : NULL;
	ret->renames = alignment->has_renames ? &alignment->renames : NULL;
	return true;
}

/* A typical spread between runs on an otherwise idle machine. */
#define ASSUMED_SPREAD 0.03

static enum diff_format format_of(const struct settings *settings)
{
	const char *dot = settings->output ? strrchr(settings->output, '.') : NULL;

	if (settings->diff.format != DIFF_FORMAT_AUTO)
		return (enum diff_format)settings->diff.format;
	return !dot                        ? DIFF_FORMAT_TABLE
	       : strcmp(dot, ".svg") == 0  ? DIFF_FORMAT_SVG
	       : strcmp(dot, ".html") == 0 ? DIFF_FORMAT_HTML
					   : DIFF_FORMAT_TABLE;
}

/* "3%", or 0 */
static bool parse_spread(const char *text, double *ret)
{
	char *end;
	double percent = strtod(text, &end);

	*ret = percent / 100;
	return *text >= '0' && *text <= '9' && (strcmp(end, "%") == 0 || (!*end && percent == 0)) &&
	       percent <= 100;
}

/* If neither --normalise nor --ops is given, leaves ret unchanged. */
static bool normalising_of(const struct diff_settings *own, struct diff_normalising *ret,
			   struct error *err)
{
	if (own->normalise && !diff_normalising_parse(own->normalise, ret, err))
		return false;
	if (own->normalise && ret->by == DIFF_BY_OPERATIONS && !own->operations)
		return error_set(err, ERROR_USAGE, "--normalise ops requires --ops BEFORE,AFTER");
	if (own->normalise && ret->by != DIFF_BY_OPERATIONS && own->operations)
		return error_set(err, ERROR_USAGE, "--ops and --normalise %s cannot be combined",
				 own->normalise);
	return !own->operations || diff_operations_parse(own->operations, ret, err);
}

static bool diff_options_of(const struct settings *settings, struct diff_options *ret,
			    struct error *err)
{
	const struct diff_settings *own = &settings->diff;
	bool is_folded = format_of(settings) == DIFF_FORMAT_FOLDED;

	*ret = (struct diff_options){
		.alignment.naming = is_folded ? DIFF_NAMING_WHOLE : DIFF_NAMING_ALIGNED,
		.alignment.key = (enum diff_key)own->key,
		.confidence = own->confidence,
		.margin = own->margin,
		.assumed_spread = ASSUMED_SPREAD,
		/* Two parts of one capture belong to one run, so there is no spread between
		 * runs. */
		.assumed_function_spread =
			own->split_time || own->split_by || own->window || own->finds_spikes
				? 0
				: ASSUMED_SPREAD,
		.assumes_samples = own->assumes_samples,
		.normalising.by = is_folded ? DIFF_BY_NOTHING : DIFF_BY_DEFAULT,
	};
	if (own->strips_hex && own->keeps_names)
		return error_set(err, ERROR_USAGE,
				 "--strip-hex and --no-strip-hex cannot be combined");
	if (own->strips_hex && is_folded)
		ret->alignment.naming = DIFF_NAMING_HEX;
	if (own->keeps_names)
		ret->alignment.naming = DIFF_NAMING_WHOLE;
	if (own->confidence <= 0 || own->confidence >= 1)
		return error_set(err, ERROR_USAGE,
				 "--confidence must be between 0 and 1, such as 0.99");
	if (own->assumed_spread && !parse_spread(own->assumed_spread, &ret->assumed_spread))
		return error_set(
			err, ERROR_USAGE,
			"--assume-spread must be a percentage from 0%% to 100%%, such as 3%%, not "
			"\"%s\"",
			own->assumed_spread);
	if (own->assumed_spread)
		ret->assumed_function_spread = ret->assumed_spread;
	/*
	 * A window and the rest of the capture differ in duration. The durations are known, so
	 * normalise by time.
	 */
	if ((own->window || own->finds_spikes) && !is_folded)
		ret->normalising.by = DIFF_BY_TIME;
	return normalising_of(own, &ret->normalising, err);
}

static void write_svg(const struct settings *settings, const struct diff *diff, struct sink *sink)
{
	struct diff_svg_options options = {
		.svg = settings->svg,
		.width_by = (enum diff_width)settings->diff.width_by,
		.palette = (enum diff_palette)settings->diff.palette,
		.is_exclusive = settings->diff.is_exclusive,
	};
	struct sink command;

	sink_init_memory(&command);
	svg_output_write_command(settings, &command);
	options.svg.command = sink_memory(&command).at;
	options.svg.thread_count = (unsigned)settings->thread_count;
	diff_svg_write(diff, &options, sink);
	sink_deinit(&command);
}

static void write_diff(const struct settings *settings, struct diff *diff, struct sink *sink)
{
	switch (format_of(settings)) {
	case DIFF_FORMAT_AUTO:
	case DIFF_FORMAT_TABLE:
		diff_table_write(diff, settings->limit, sink);
		break;
	case DIFF_FORMAT_JSON:
		diff_json_write(diff, settings->limit, sink);
		break;
	case DIFF_FORMAT_MARKDOWN:
		diff_markdown_write(diff, settings->limit, sink);
		break;
	case DIFF_FORMAT_FOLDED:
		diff_folded_write(diff, sink);
		break;
	case DIFF_FORMAT_SVG:
		write_svg(settings, diff, sink);
		break;
	case DIFF_FORMAT_HTML:
		page_output_write(settings, &diff->profile, diff, sink);
		break;
	}
}

static void warn_of_no_common(const struct settings *settings, const struct diff *diff)
{
	if (!diff->has_common)
		command_warn(settings,
			     "the sides have no function in common; check that both are profiles "
			     "of the same program, and that --symbols contains the symbols of "
			     "both");
}

/*
 * Prints differences between captures on the terminal, if the output is an SVG, a page or folded
 * stacks.
 */
static void warn_of_differences(const struct settings *settings, const struct diff *diff)
{
	enum diff_format format = format_of(settings);
	size_t count = captures_text_count(diff);
	struct sink keys;

	if (!count || (format != DIFF_FORMAT_SVG && format != DIFF_FORMAT_HTML &&
		       format != DIFF_FORMAT_FOLDED))
		return;
	sink_init_memory(&keys);
	captures_text_keys(diff, &keys);
	command_warn(settings, "the captures differ in %zu %s: %.*s", count,
		     count == 1 ? "respect" : "respects", (int)sink_memory(&keys).length,
		     sink_memory(&keys).at);
	sink_deinit(&keys);
}

static bool check(const struct settings *settings, struct error *err)
{
	enum diff_format format = format_of(settings);

	if ((format == DIFF_FORMAT_SVG || format == DIFF_FORMAT_HTML) &&
	    !output_check_terminal(settings->output, format == DIFF_FORMAT_SVG ? "SVG" : "a page",
				   err))
		return false;
	if (!page_output_check_view(settings, format == DIFF_FORMAT_HTML, err))
		return false;
	return diff_gates_parse(settings, err);
}

static bool write_output(const struct settings *settings, struct diff *diff,
			 const struct counter_diff *counters, struct error *err)
{
	struct output output;

	bool good = true;

	if (!output_open(&output, settings->output, err))
		return false;
	if (counters)
		good = diff_counters_write(counters, format_of(settings), &output.sink, err);
	else
		write_diff(settings, diff, &output.sink);
	return output_close(&output, good, err);
}

/* Whether to read inputs again with truncated names. Standard input cannot be read again. */
static bool wants_cut_names(const struct diff_sides *sides, const struct diff *diff)
{
	for (size_t i = 0; i < sides->inputs.count; i++)
		if (strcmp(sides->inputs.at[i].path, "-") == 0)
			return false;
	return diff->wants_cut_names;
}

/* If the first events of inputs differ, inputs are read again with a common event. */
static bool read_sides(const struct settings *settings, struct diff_sides *sides, struct diff *diff,
		       struct counter_diff *counters, struct diff_options *options,
		       struct diff_outcome *ret, struct error *err)
{
	/* Each try reads at least one more input than the previous one. */
	for (size_t tries = sides->inputs.count + 1; tries; tries--) {
		bool is_read = diff_inputs_read(sides, diff, counters, ret, err);

		if (is_read && !wants_cut_names(sides, diff))
			return true;
		if (is_read)
			options->alignment.naming = DIFF_NAMING_CUT;
		else if (!ret->has_other_event || !diff_sides_share_event(sides, settings))
			return false;
		diff_deinit(diff);
		diff_init(diff, options);
	}
	return false;
}

/* Compares the sides, writes the output and checks --fail-if. */
static bool finish(const struct settings *settings, struct diff *diff, enum exit_code *ret,
		   struct error *err)
{
	if (!compare_finish(diff, err))
		return false;
	warn_of_no_common(settings, diff);
	warn_of_differences(settings, diff);
	if (!write_output(settings, diff, NULL, err))
		return false;
	*ret = diff_gates_check(settings, diff);
	return true;
}

static bool finish_counters(const struct settings *settings, struct counter_diff *counters,
			    enum exit_code *ret, struct error *err)
{
	if (settings->diff.operations)
		return error_set(
			err, ERROR_USAGE,
			"--ops cannot be used with perf stat counters; run perf stat -r with one "
			"operation per run instead");
	if (!counter_diff_finish(counters, err) || !write_output(settings, NULL, counters, err))
		return false;
	*ret = diff_counters_check(settings, counters);
	return true;
}

static enum exit_code run_sides(const struct settings *settings, struct diff_sides *sides,
				struct diff *diff, struct diff_options *options)
{
	enum exit_code code = EXIT_DONE;
	struct counter_diff counters;
	struct diff_outcome outcome;
	struct error err;
	bool good;

	counter_diff_init(&counters, &(struct counter_diff_options){
					     .confidence = options->confidence,
					     .event_pattern = settings->view.event_pattern,
				     });
	good = read_sides(settings, sides, diff, &counters, options, &outcome, &err);
	if (good)
		good = diff_sides_report(sides, settings, &err);
	if (good && outcome.past_partial_count)
		command_warn(
			settings,
			"--baseline %s: corrupt captures (%zu) are compared only as far as they "
			"can be read; the first is %s; run kiln info for details",
			sides->baseline.directory, outcome.past_partial_count,
			outcome.past_partial);
	if (good)
		good = outcome.counter_count ? finish_counters(settings, &counters, &code, &err)
					     : finish(settings, diff, &code, &err);
	counter_diff_deinit(&counters);
	if (!good)
		return command_fail(&err);
	return code == EXIT_DONE && outcome.is_partial ? EXIT_PARTIAL : code;
}

/* Sets the view of both sides. */
static void choose_view(const struct diff_settings *own, struct view *view)
{
	bool is_folded = own->format == DIFF_FORMAT_FOLDED;

	view->has_time_bins = true;
	view->naming.folds_comms = is_folded;
	view->joins_keys = own->key != DIFF_KEY_GROUP && !is_folded;
}

/*
 * Prepares for a page. Weights are also split by time, and are kept so that sides can be compared
 * again.
 */
static void prepare_page(const struct settings *settings, struct diff_sides *sides,
			 struct diff_options *options)
{
	options->keeps_weights = true;
	/* If a side has several captures, their times have no common start. */
	for (size_t i = 0; i < sides->inputs.count && sides->inputs.count == DIFF_SIDES; i++) {
		struct view *view = &sides->inputs.at[i].settings.view;

		page_output_set_view(settings, view);
		view->has_both_bins = true;
	}
}

static enum exit_code run(struct settings *settings)
{
	enum exit_code code;
	struct diff_options options;
	struct alignment alignment;
	struct diff_sides sides;
	struct diff diff;
	struct error err;

	if (!check(settings, &err) || !diff_options_of(settings, &options, &err))
		return command_fail(&err);
	if (!alignment_open(&alignment, settings, &options.alignment, &err))
		return command_fail(&err);
	choose_view(&settings->diff, &settings->view);
	if (!diff_sides_init(&sides, settings, &err)) {
		alignment_close(&alignment);
		return command_fail(&err);
	}
	if (format_of(settings) == DIFF_FORMAT_HTML)
		prepare_page(settings, &sides, &options);
	options.run_count = (uint32_t)sides.inputs.count;
	for (int side = 0; side < DIFF_SIDES; side++)
		options.parts[side] = sides.parts[side];
	options.shows_hosts = settings->svg.shows_host;
	options.hides_origin = settings->svg.is_metadata_stripped;
	/* A pattern can select different events on each side. */
	options.allows_events = sides.allows_events ||
				(settings->view.event_pattern &&
				 !name_pattern_is_literal(text_of(settings->view.event_pattern)));
	diff_init(&diff, &options);
	code = run_sides(settings, &sides, &diff, &options);
	diff_deinit(&diff);
	diff_sides_deinit(&sides);
	alignment_close(&alignment);
	return code;
}

static const struct option_group *const groups[] = {
	&settings_sides,
	&settings_diff,
	&settings_diff_result,
	&settings_page_view,
	&settings_diff_svg,
	&settings_svg,
	&settings_look,
	&settings_grouping,
	&settings_stacks,
	&settings_weight,
	&settings_selection,
	&settings_frame_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_frames,
	&settings_common,
	&settings_perf_selection,
	&settings_perf_symbols,
	&foreign_diff,

	NULL,
};

static const char *const common[] = {
	"output",     "format",     "limit",    "fail-if", "before", "after",
	"baseline",   "split-time", "split-by", "against", "ops",    "normalise",
	"confidence", "rename",     "colors",   "title",   "event",  "comm",
	"symbols",    "debuginfod", "jobs",     "quiet",   "help",   NULL,
};

const struct command command_diff = {
	.name = "diff",
	.topic = TOPIC_COMPARE,
	.summary = "compare two profiles, and separate changes from noise",
	.description = "Compares two captures, or two parts of one capture, function by function. "
		       "Differences that may be noise are not reported as changes.",
	.arguments = "[options] BEFORE AFTER",
	.examples = { "kiln diff before.data after.data",
		      "kiln diff --fail-if 'total>5%' before.data after.data -o diff.svg" },
	.common = common,
	.groups = groups,
	.run = run,
};
