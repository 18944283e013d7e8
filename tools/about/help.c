/* SPDX-License-Identifier: MIT */
#include "tools/about/help.h"

#include <stdio.h>

#include "base/near_name.h"
#include "render/svg/embedded_file.h"
#include "tools/about/commands.h"

EMBEDDED_FILE(guide_formats, "formats.md");
EMBEDDED_FILE(guide_glossary, "glossary.md");
EMBEDDED_FILE(guide_noise, "noise.md");
EMBEDDED_FILE(guide_off_cpu, "off-cpu.md");
EMBEDDED_FILE(guide_runtimes, "runtimes.md");
EMBEDDED_FILE(guide_time, "time.md");

struct guide {
	const char *name, *summary;
	const char *begin, *end;
};

static const struct guide guides[] = {
	{ "formats", "which files kiln reads and writes", guide_formats_begin, guide_formats_end },
	{ "glossary", "the terms that kiln uses", guide_glossary_begin, guide_glossary_end },
	{ "noise", "when a difference is larger than the noise", guide_noise_begin,
	  guide_noise_end },
	{ "off-cpu", "find out what threads waited for", guide_off_cpu_begin, guide_off_cpu_end },
	{ "runtimes", "how to record Python, Node.js, Java and others", guide_runtimes_begin,
	  guide_runtimes_end },
	{ "time", "heat maps, time windows and spikes", guide_time_begin, guide_time_end },
};

static const char *const topic_names[TOPIC_COUNT] = {
	[TOPIC_DRAW] = "Draw",       [TOPIC_TABULATE] = "List in tables",
	[TOPIC_COMPARE] = "Compare", [TOPIC_CONVERT] = "Convert and pack",
	[TOPIC_EXPLAIN] = "Explain",
};

static void print_commands(FILE *to)
{
	fprintf(to, "usage: kiln COMMAND [options] [INPUT...]\n\n"
		    "Turns profiles into flame graphs and tables, and compares profiles.\n");
	for (unsigned topic = 0; topic < TOPIC_COUNT; topic++) {
		fprintf(to, "\n%s:\n", topic_names[topic]);
		for (const struct command *const *at = commands; *at; at++)
			if ((unsigned)(*at)->topic == topic)
				fprintf(to, "  %-10s %s\n", (*at)->name, (*at)->summary);
	}
}

void help_print_short(FILE *to)
{
	print_commands(to);
	fprintf(to, "\nThis directory has no perf.data. Record one, then run kiln again:\n"
		    "  perf record -F 99 -g -- COMMAND       one program\n"
		    "  perf record -F 99 -a -g -- sleep 10   the whole machine, as root\n\n"
		    "kiln INPUT describes a capture; kiln --help lists formats and guides.\n");
}

void help_print(FILE *to)
{
	print_commands(to);
	fprintf(to, "\nGuides; kiln help NAME prints one:\n");
	for (size_t i = 0; i < ARRAY_SIZE(guides); i++)
		fprintf(to, "  %-10s %s\n", guides[i].name, guides[i].summary);
	fprintf(to, "\nInput formats, detected automatically; --input-format NAME forces one:\n");
	for (const struct input_format *const *at = formats_table; *at; at++)
		fprintf(to, "  %-18s %s\n", (*at)->name, (*at)->summary);
	fprintf(to,
		"\nINPUT is perf.data, a bundle, the output of perf script, bpftrace, BCC, ftrace\n"
		"or gdb, folded stacks, a flame graph (SVG), or - for standard input. The default\n"
		"is standard input if it is a pipe or a file, else ./perf.data.\n"
		"kiln COMMAND --help shows examples and options; kiln INPUT describes INPUT.\n");
}

const char *help_topic(size_t i)
{
	return i < ARRAY_SIZE(guides) ? guides[i].name : NULL;
}

/* The first line of a document states its licence. */
static void print_guide(const struct guide *guide)
{
	const char *text = strchr(guide->begin, '\n') + 1;

	fwrite(text, 1, (size_t)(guide->end - text), stdout);
}

static enum exit_code refuse_topic(const char *topic)
{
	struct near_name near = near_name_of(text_of(topic));
	struct error err;

	for (const struct command *const *at = commands; *at; at++)
		near_name_offer(&near, text_of((*at)->name));
	for (size_t i = 0; i < ARRAY_SIZE(guides); i++)
		near_name_offer(&near, text_of(guides[i].name));
	if (near.found.at)
		error_set(&err, ERROR_USAGE,
			  "there is no help on \"%s\"; did you mean kiln help %s?", topic,
			  near.found.at);
	else
		error_set(&err, ERROR_USAGE,
			  "there is no help on \"%s\"; kiln --help lists commands and guides",
			  topic);
	return command_fail(&err);
}

enum exit_code help_print_topic(const char *topic)
{
	const struct command *command = commands_find(topic);
	struct error err;

	if (command)
		return command_print_help(command, "", stdout, &err) ? EXIT_DONE
								     : command_fail(&err);
	for (size_t i = 0; i < ARRAY_SIZE(guides); i++)
		if (strcmp(guides[i].name, topic) == 0) {
			print_guide(&guides[i]);
			return EXIT_DONE;
		}
	return refuse_topic(topic);
}
