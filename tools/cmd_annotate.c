/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/text/annotation_text.h"

/* The number of functions shown without -n. */
#define FUNCTIONS_DEFAULT 5u

#define AT(field) offsetof(struct settings, field)

/* clang-format off */
static const struct option annotate_options[] = {
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = 10000,
	  .help = "show at most N functions (default: 5)" },
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(report.format), .argument = "NAME",
	  .choices = table_format_names,
	  .help = "select the output format" },
	{ .name = "json", .kind = OPTION_CONSTANT, .offset = AT(report.format),
	  .minimum = TABLE_FORMAT_JSON,
	  .help = "the same as --format json" },
	{ .name = "source-dir", .kind = OPTION_LIST, .offset = AT(source_directories),
	  .argument = "[PREFIX=]DIR",
	  .help = "search DIR for source files before the paths in the debug information",
	  .more = "DIR replaces PREFIX at the beginning of these paths. The option may be repeated" },
	{ .name = NULL },
};
/* clang-format on */
static const struct option_group annotate_group = { "Annotation", annotate_options };

/* Finds the function in the arguments. A single argument that is a file is the capture. */
static bool take_function(struct settings *settings, struct error *err)
{
	text_list *inputs = &settings->inputs;

	bool is_first =
		inputs->count > 1 || (inputs->count == 1 && access(inputs->at[0], F_OK) != 0);

	/* With --symbol, as in perf annotate, the first argument is not a function. */
	if (!settings->symbols && is_first) {
		settings->symbols = inputs->at[0];
		memmove(inputs->at, inputs->at + 1, --inputs->count * sizeof(*inputs->at));
	}
	if (!settings->symbols)
		settings->symbols = "*";
	return inputs->count <= 1 ||
	       error_set(
		       err, ERROR_USAGE,
		       "kiln annotate reads only one capture, because samples of different captures "
		       "cannot be added up by address");
}

static enum exit_code run(struct settings *settings)
{
	struct annotation_options options = {
		.function_max = settings->limit ? (uint32_t)settings->limit : FUNCTIONS_DEFAULT,
		.source_directories = settings->source_directories.at,
		.source_directory_count = settings->source_directories.count,
	};
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!take_function(settings, &err) ||
	    !name_patterns_parse("symbol", settings->symbols, &settings->view.selection.symbols,
				 &err))
		return command_fail(&err);
	settings->annotation = &options;
	command_open(&inputs, &output, settings);
	while (inputs_next(&inputs)) {
		if (inputs_read(&inputs, session_build_annotation))
			annotation_write(&inputs.session.annotation, &inputs.session.profile,
					 (enum table_format)settings->report.format, &output.sink);
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&annotate_group,
	&settings_weight,
	&settings_selection,
	&settings_frame_selection,
	&settings_symbols,
	&settings_resolving,
	&settings_naming,
	&settings_common,
	&settings_perf_input,
	&settings_perf_selection,
	&settings_perf_symbols,
	&foreign_annotate,
	NULL,
};

static const char *const common[] = {
	"output", "limit", "format",  "source-dir", "event", "comm",  "pid",  "cpu",
	"time",   "dso",   "symbols", "debuginfod", "jobs",  "quiet", "help", NULL,
};

const struct command command_annotate = {
	.name = "annotate",
	.topic = TOPIC_TABULATE,
	.arguments = "[options] [FUNCTION] [INPUT]",
	.summary = "show the source lines and instructions of hot functions",
	.description =
		"Prints the instructions and source lines of functions, with the number of samples "
		"at each. The first argument is the name of a function, or a pattern such as "
		"'parse_*'. Without FUNCTION, the hottest functions are shown.",
	.examples = { "kiln annotate parse perf.data",
		      "kiln annotate '*' -n 20 --source-dir src perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
