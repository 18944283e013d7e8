/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "cli/other_tools.h"
#include "render/text/script.h"
#include "session/visit.h"

struct script_visitor {
	struct script_writer writer;
	struct sink *sink;
};

static void visit(void *context, const struct visited_sample *visited)
{
	struct script_visitor *visitor = context;
	struct script_sample sample = {
		.sample = visited->sample,
		.time_ns = visited->time_ns,
		.comm = visited->comm,
		.event = visited->event,
		.frames = visited->frames,
		.frame_count = visited->frame_count,
		.trace = visited->trace,
	};

	script_write(&visitor->writer, &sample, visitor->sink);
}

static bool write_samples(const struct script_options *options, struct session *session,
			  struct sink *sink, struct error *err)
{
	struct script_visitor visitor = { .sink = sink };
	bool good;

	script_writer_init(&visitor.writer, &session->profile, &session->locations, options);
	good = session_visit_samples(session, visit, &visitor, err);
	script_writer_deinit(&visitor.writer);
	return good;
}

static enum exit_code run(struct settings *settings)
{
	struct script_options options = { .is_inverted = settings->is_inverted,
					  .has_ns = settings->has_ns };
	struct inputs inputs;
	struct output output;
	struct error err;

	if (!script_parse_fields(settings->fields, &options, &err))
		return command_fail(&err);
	settings->wants_wall_clock = options.fields & SCRIPT_TOD;
	settings->view.naming.has_lines |= options.fields & SCRIPT_SRCLINE;
	if (settings->view.naming.has_lines)
		options.fields |= SCRIPT_SRCLINE;
	command_open(&inputs, &output, settings);
	while (inputs_next(&inputs)) {
		inputs.session.options.wants_trace = options.fields & SCRIPT_TRACE;
		inputs.session.options.shows_recorded = true;
		if (inputs_read(&inputs, session_index_samples))
			inputs_check(&inputs, write_samples(&options, &inputs.session, &output.sink,
							    &inputs.err));
		inputs_close(&inputs, NULL);
	}
	(void)!inputs_finish(&inputs);
	return command_close(&inputs, &output);
}

static const struct option_group *const groups[] = {
	&settings_script,       &settings_selection,  &settings_frame_selection,
	&settings_symbols,      &settings_resolving,  &settings_naming,
	&settings_common,       &settings_perf_input, &settings_perf_selection,
	&settings_perf_symbols, &foreign_script,      NULL,
};

static const char *const common[] = {
	"output",    "fields",      "inverted", "event",      "comm",    "process",
	"pid",       "tid",         "cpu",      "time",       "dso",     "symbol",
	"user-only", "kernel-only", "symbols",  "debuginfod", "srcline", "no-inline",
	"jobs",      "quiet",       "help",     NULL,
};

const struct command command_script = {
	.name = "script",
	.topic = TOPIC_CONVERT,
	.summary = "print every sample, as perf script does",
	.description =
		"Prints all samples in time order, each with its stack, in the layout of perf "
		"script.",
	.examples = { "kiln script perf.data -o samples.txt",
		      "kiln script -F +period,+srcline --time 0%-10% perf.data" },
	.common = common,
	.groups = groups,
	.run = run,
};
