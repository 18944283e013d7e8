/* SPDX-License-Identifier: MIT */
#include "cli/diff_settings.h"

#include "render/svg/diff_svg.h"
#include "cli/settings.h"

#define AT(field) offsetof(struct settings, diff.field)

static const char *const format_names[] = {
	[DIFF_FORMAT_AUTO] = "auto",
	[DIFF_FORMAT_TABLE] = "table",
	[DIFF_FORMAT_JSON] = "json",
	[DIFF_FORMAT_MARKDOWN] = "markdown",
	[DIFF_FORMAT_FOLDED] = "folded",
	[DIFF_FORMAT_SVG] = "svg",
	NULL,
};

/* One option, one paragraph: a formatter would spread them out. */
/* clang-format off */
static const struct option side_options[] = {
	{ .name = "before", .kind = OPTION_LIST, .offset = AT(before), .argument = "INPUT",
	  .help = "a capture before the change; repeat it for more runs" },
	{ .name = "after", .kind = OPTION_LIST, .offset = AT(after), .argument = "INPUT",
	  .help = "a capture after the change" },
	{ .name = "baseline", .kind = OPTION_TEXT, .offset = AT(baseline), .argument = "DIR",
	  .help = "use all captures in DIR as runs before the change",
	  .more = "of more than 50 the last by name; every other input is a run after it" },
	{ .name = "split-time", .kind = OPTION_TEXT, .offset = AT(split_time), .argument = "START,STOP",
	  .help = "compare two times of one capture; this is before",
	  .more = "in the terms of --time" },
	{ .name = "split-by", .kind = OPTION_TEXT, .offset = AT(split_by), .argument = "WHAT=A,B",
	  .help = "compare two parts of one capture, such as pid=7,9",
	  .more = "by cpu, comm, pid, tid or event: before is A, after is B; with --against both may be lists" },
	{ .name = "against", .kind = OPTION_TEXT, .offset = AT(against), .argument = "VALUE",
	  .help = "the part after, with --split-time or --split-by" },
	{ .name = NULL },
};

static const struct option diff_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(format), .argument = "NAME",
	  .choices = format_names, .help = "output format",
	  .more = "auto is svg with -o FILE.svg, else table" },
	{ .name = "normalise", .kind = OPTION_TEXT, .offset = AT(normalise), .argument = "WHAT",
	  .help = "compare shares of: total, time, cpu, samples, ops, none, or a factor (default: total)",
	  .more = "a factor multiplies before; the default is none for tracepoints, bytes and --format=folded" },
	{ .name = "ops", .kind = OPTION_TEXT, .offset = AT(operations), .argument = "BEFORE,AFTER",
	  .help = "compare the cost of an operation, such as a request",
	  .more = "BEFORE and AFTER are how many each side did in all of its runs" },
	{ .name = "confidence", .kind = OPTION_REAL, .offset = AT(confidence), .argument = "SHARE",
	  .maximum = 1, .help = "confidence needed to report a change (default: 0.99)" },
	{ .name = "unchanged-within", .kind = OPTION_REAL, .offset = AT(margin), .argument = "POINTS",
	  .maximum = 100, .help = "call a function unchanged when it surely changed by no more than so many "
		  "percent points (default: 0.5)" },
	{ .name = "assume-samples", .kind = OPTION_FLAG, .offset = AT(assumes_samples),
	  .help = "take weights for numbers of samples where the input does not say how many there are "
		  "(folded stacks, other tools' SVGs); without it their changes are not graded" },
	{ .name = "assume-spread", .kind = OPTION_TEXT, .offset = AT(assumed_spread), .argument = "N%",
	  .help = "how much the total and functions differ from run to run, where there is one run a side "
		  "(of the total also with two and one; default: 3%; 0 for functions of a capture that is split)" },
	{ .name = "strip-hex", .kind = OPTION_FLAG, .offset = AT(strips_hex),
	  .help = "align names without what changes from build to build: addresses, ids, numbers of "
		  "lambdas, suffixes of compilers (default; for folded only 0x..., and only when asked for)" },
	{ .name = "no-strip-hex", .kind = OPTION_FLAG, .offset = AT(keeps_names),
	  .help = "align names as they are" },
	{ .name = "ignore-path", .kind = OPTION_TEXT, .offset = AT(ignored), .argument = "REGEX",
	  .help = "leave functions out of paths whose whole or part of a name this extended regular expression "
		  "matches: what they call is called by their callers" },
	{ .name = "rename", .kind = OPTION_TEXT, .offset = AT(renames), .argument = "auto|FILE",
	  .help = "match renamed functions: listed in FILE, or auto",
	  .more = "FILE has lines of a name before, a tab and the name after; auto matches functions whose "
		  "callers and callees are the same" },
	{ .name = "no-pair-roots", .kind = OPTION_FLAG, .offset = AT(keeps_roots),
	  .help = "do not compare threads of one role with each other when their names differ, as those of two "
		  "executables do" },
	{ .name = "no-mend", .kind = OPTION_FLAG, .offset = AT(keeps_mismatches),
	  .help = "do not fold inlined functions into their callers when only one side has them, nor join spellings "
		  "of a name, as memcpy and memmove are" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(limits), .argument = "NAME>N%",
	  .help = "exit with status 4 if NAME grew by more than N%",
	  .more = "or by Npp percent points: all of its interval is above that; NAME is a function, a glob, a /regex/, "
		  "any (of all functions) or total; =NAME is a function of exactly this name; may be given several times" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(fails_on_uncertain),
	  .help = "exit with status 4 also when --fail-if cannot be decided" },
	{ .name = "allow-missing", .kind = OPTION_FLAG, .offset = AT(allows_missing),
	  .help = "pass over a function of --fail-if that neither side has, rather than exit with 2" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = offsetof(struct settings, limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N functions (default: 20; all as JSON)" },
	{ .name = NULL },
};

static const struct option diff_picture_options[] = {
	{ .name = "width-by", .kind = OPTION_CHOICE, .offset = AT(width_by), .argument = "SIDE",
	  .choices = diff_width_names, .help = "what the width of a frame shows" },
	{ .name = "exclusive", .kind = OPTION_FLAG, .offset = AT(is_exclusive),
	  .help = "colour by the change of self time, without callees" },
	{ .name = "colors", .kind = OPTION_CHOICE, .offset = AT(palette), .argument = "NAME",
	  .choices = diff_palette_names, .help = "palette",
	  .more = "safe is for colour-blind readers" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_sides = { "Sides", side_options };
const struct option_group settings_diff = { "Comparing", diff_options };
const struct option_group settings_diff_picture = { "Difference", diff_picture_options };

void diff_settings_init(struct diff_settings *settings)
{
	settings->confidence = 0.99;
	settings->margin = 0.5;
}

void diff_settings_deinit(struct diff_settings *settings)
{
	vec_free(&settings->before);
	vec_free(&settings->after);
	vec_free(&settings->limits);
}
