/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <inttypes.h>
#include <unistd.h>

#include "render/colour.h"
#include "render/folded.h"
#include "session/off_cpu.h"
#include "tools/command.h"

#define NS_PER_US 1000u

static const char *const format_names[] = { "svg", "folded", NULL };
enum {
	FORMAT_SVG,
	FORMAT_FOLDED
};

static const char *const unit_names[] = { "us", "ns", NULL };
enum {
	UNIT_OF_US,
	UNIT_OF_NS
};

static const char *const open_names[] = { "exclude", "include", NULL };
enum {
	OPEN_EXCLUDE,
	OPEN_INCLUDE
};

#define AT(field) offsetof(struct settings, field)

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option off_cpu_options[] = {
	{ .name = "state", .kind = OPTION_TEXT, .offset = AT(pairing.states), .argument = "LETTERS",
	  .help = "only threads that left in these states, by the letters of ps: D,S; R is those that could "
		  "have gone on (default: all but R)" },
	{ .name = "preempted", .kind = OPTION_FLAG, .offset = AT(pairing.has_preempted),
	  .help = "also the time of threads that could have gone on, above [preempted]" },
	{ .name = "runqueue", .kind = OPTION_FLAG, .offset = AT(pairing.has_run_queue),
	  .help = "put apart, above [run queue], the time from a thread's wake-up until it ran; wants "
		  "sched:sched_waking or sched:sched_wakeup recorded too" },
	{ .name = "min-time", .kind = OPTION_TEXT, .offset = AT(shortest_time), .argument = "TIME",
	  .help = "only what took at least so long: 10us, 1.5ms, 2s; microseconds without a unit" },
	{ .name = "max-time", .kind = OPTION_TEXT, .offset = AT(longest_time), .argument = "TIME",
	  .help = "only what took at most so long" },
	{ .name = "open", .kind = OPTION_CHOICE, .offset = AT(open_intervals), .argument = "WHAT",
	  .choices = open_names,
	  .help = "what to do with waits that had not ended when the capture did" },
	{ .name = "span", .kind = OPTION_TEXT, .offset = AT(pairing.span), .argument = "BEGIN,END",
	  .help = "weigh events named BEGIN by the time to the next END of the same thread, rather than "
		  "switches: raw_syscalls:sys_enter,raw_syscalls:sys_exit" },
	{ .name = "key", .kind = OPTION_TEXT, .offset = AT(pairing.key), .argument = "FIELDS",
	  .help = "what must agree for END to belong to BEGIN: tid, and fields of both (default: tid)" },
	{ .name = "force", .kind = OPTION_FLAG, .offset = AT(pairing.is_forced),
	  .help = "draw what was recorded although only some switches were, and mark it as wrong" },
	{ .name = NULL },
};

static const struct option output_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(off_cpu_format), .argument = "FORMAT",
	  .choices = format_names, .help = "a picture, or a line for each stack" },
	{ .name = "unit", .kind = OPTION_CHOICE, .offset = AT(off_cpu_unit), .argument = "UNIT",
	  .choices = unit_names, .help = "of the numbers behind folded stacks, which are whole" },
	{ .name = "max-depth", .kind = OPTION_NUMBER, .offset = AT(depth_max), .argument = "N",
	  .minimum = 1, .maximum = UINT32_MAX,
	  .help = "cut stacks N frames above their root; what is cut counts there" },
	{ .name = NULL },
};
/* clang-format on */

static const struct option_group group_off_cpu = { "Time off the processor", off_cpu_options };
static const struct option_group group_output = { "Output", output_options };

static bool parse_time(const char *option, const char *text, uint64_t *ret, struct error *err)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e3 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end = NULL;
	double number;

	*ret = 0;
	if (!text)
		return true;
	number = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	for (size_t i = 0; number >= 0 && number < 1e9 && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		*ret = (uint64_t)(number * units[i].ns);
		return true;
	}
	return error_set(err, ERROR_USAGE, "--%s takes a time: 10us, 1.5ms, 2s", option);
}

static void warn_count(const struct settings *settings, const struct session *session,
		       uint64_t count, const char *text)
{
	if (count)
		command_warn(settings, "%s: %" PRIu64 " %s", session->capture.input.name, count,
			     text);
}

/* What the picture does not show, and what in it is doubtful. Writes nothing. */
static bool tell_counts(const struct settings *settings, struct session *session, struct sink *sink,
			struct error *err)
{
	const struct pairing_counts *counts = &session->pairing_counts;
	bool is_span = settings->pairing.span;

	(void)sink;
	(void)err;
	if (session->is_pairing_guessed)
		command_warn(settings,
			     "%s: it does not describe its events; their fields are guessed to be "
			     "those of known kernels",
			     session->capture.input.name);
	warn_count(settings, session, counts->open_at_end,
		   settings->pairing.includes_open
			   ? "had not ended at the end of the capture, and count until there"
			   : "had not ended at the end of the capture, and are left out; --open "
			     "include counts them until there");
	warn_count(settings, session, counts->open_at_start,
		   is_span ? "ended that had begun before the capture, and are left out"
			   : "threads came on that had left before the capture, or were new; what "
			     "they waited for is not known");
	warn_count(settings, session, counts->without_end,
		   "began and then began again: their end is missing, and they are left out");
	warn_count(settings, session, counts->without_begin,
		   "ended twice: their beginning is missing, and they are left out");
	warn_count(settings, session, counts->over_losses,
		   "count that have lost records in them, and may be several in truth");
	warn_count(settings, session, counts->damaged,
		   "samples do not say when or of whom, and are left out");
	return true;
}

static bool write_output(const struct settings *settings, const struct profile *profile,
			 struct sink *sink, struct error *err)
{
	if (settings->off_cpu_format == FORMAT_SVG)
		return command_write_svg(settings, profile, sink, err);
	folded_write_in(profile, settings->off_cpu_unit == UNIT_OF_US ? NS_PER_US : 1, sink);
	return true;
}

/* Completes the settings by what only this command has. */
static bool finish(struct settings *settings, struct error *err)
{
	bool is_picture = settings->off_cpu_format == FORMAT_SVG;

	if (settings->event_pattern)
		return error_set(err, ERROR_USAGE,
				 "--event: the events are those of the scheduler, or of --span");
	if (is_picture && !settings->output && isatty(STDOUT_FILENO))
		return error_set(err, ERROR_USAGE,
				 "a picture is nothing for a terminal; name a file with -o");
	if (settings->wants_summary && (!settings->output || strcmp(settings->output, "-") == 0))
		return error_set(err, ERROR_USAGE,
				 "--summary goes with --output: both want standard output");
	settings->pairing.includes_open = settings->open_intervals == OPEN_INCLUDE;
	if (!settings->svg.title)
		settings->svg.title =
			settings->pairing.span ? "Time Between Events" : "Off-CPU Time";
	return parse_time("min-time", settings->shortest_time, &settings->pairing.shortest_ns,
			  err) &&
	       parse_time("max-time", settings->longest_time, &settings->pairing.longest_ns, err);
}

static enum exit_code run(const struct settings *settings)
{
	struct settings own = *settings;
	struct error err;

	if (!finish(&own, &err))
		return command_fail(&err);
	return command_run(&own,
			   &(struct course){
				   .prepare = session_build_intervals,
				   .write_each = tell_counts,
				   .write_all = write_output,
				   .announce = own.wants_summary ? command_print_summary : NULL,
			   });
}

static const struct option_group *const groups[] = {
	&group_off_cpu,    &group_output,      &settings_picture,
	&settings_boxes,   &settings_grouping, &settings_selection,
	&settings_symbols, &settings_common,   NULL,
};

const struct command command_offcpu = {
	.name = "offcpu",
	.summary = "draw what threads waited for, by the time they were off the processor",
	.description =
		"Pairs every switch away from a thread with the next switch to it, on whatever "
		"processor, and weighs the stack it left with by the time between. The capture is "
		"one of perf record -e sched:sched_switch -a -g.",
	.groups = groups,
	.run = run,
};
