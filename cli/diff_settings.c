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
	  .help = "add a capture from before the change; repeat for more runs" },
	{ .name = "after", .kind = OPTION_LIST, .offset = AT(after), .argument = "INPUT",
	  .help = "add a capture from after the change; repeat for more runs" },
	{ .name = "baseline", .kind = OPTION_TEXT, .offset = AT(baseline), .argument = "DIR",
	  .help = "use all captures in DIR as runs before the change",
	  .more = "at most the last 50 by name; every other input is a run after it" },
	{ .name = "split-time", .kind = OPTION_TEXT, .offset = AT(split_time), .argument = "START,STOP",
	  .help = "compare two time ranges of one capture; this one is before",
	  .more = "syntax as for --time" },
	{ .name = "split-by", .kind = OPTION_TEXT, .offset = AT(split_by), .argument = "WHAT=A,B",
	  .help = "compare two parts of one capture, such as pid=7,9",
	  .more = "by cpu, comm, pid, tid or event; A is before, B is after; with --against both "
		  "may be lists" },
	{ .name = "against", .kind = OPTION_TEXT, .offset = AT(against), .argument = "VALUE",
	  .help = "the part after, with --split-time or --split-by" },
	{ .name = NULL },
};

static const struct option diff_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(format), .argument = "NAME",
	  .choices = format_names,
	  .help = "output format",
	  .more = "auto is svg for -o FILE.svg, else table" },
	{ .name = "normalise", .kind = OPTION_TEXT, .offset = AT(normalise), .argument = "WHAT",
	  .help = "scale the sides to equal total (default), time, cpu, samples, ops, none, or by "
		  "a factor",
	  .more = "a factor multiplies before; the default is none for tracepoints, bytes and "
		  "--format=folded" },
	{ .name = "ops", .kind = OPTION_TEXT, .offset = AT(operations), .argument = "BEFORE,AFTER",
	  .help = "compare the cost per operation, such as a request",
	  .more = "BEFORE and AFTER count the operations of each side over all its runs" },
	{ .name = "confidence", .kind = OPTION_REAL, .offset = AT(confidence), .argument = "SHARE",
	  .maximum = 1,
	  .help = "confidence needed to report a change (default: 0.99)" },
	{ .name = "unchanged-within", .kind = OPTION_REAL, .offset = AT(margin), .argument = "POINTS",
	  .maximum = 100,
	  .help = "report functions as unchanged if they changed by at most POINTS percentage "
		  "points (default: 0.5)",
	  .more = "the whole confidence interval must be within" },
	{ .name = "assume-samples", .kind = OPTION_FLAG, .offset = AT(assumes_samples),
	  .help = "use weights as sample counts if the input has no sample counts",
	  .more = "for folded stacks and SVGs of other tools, whose changes are not tested "
		  "otherwise" },
	{ .name = "assume-spread", .kind = OPTION_TEXT, .offset = AT(assumed_spread), .argument = "N%",
	  .help = "assume this variation between runs if a side has one run (default: 3%)",
	  .more = "of the total also for two runs against one; for functions of a split capture "
		  "the default is 0" },
	{ .name = "strip-hex", .kind = OPTION_FLAG, .offset = AT(strips_hex),
	  .help = "match names without addresses, ids, lambda numbers and compiler suffixes "
		  "(default)",
	  .more = "with --format=folded only 0x... is removed, and only on request" },
	{ .name = "no-strip-hex", .kind = OPTION_FLAG, .offset = AT(keeps_names),
	  .help = "match names exactly as they are" },
	{ .name = "ignore-path", .kind = OPTION_TEXT, .offset = AT(ignored), .argument = "REGEX",
	  .help = "remove functions that match REGEX from stacks; their callers call their callees "
		  "instead",
	  .more = "an extended regular expression, matched with any part of the name" },
	{ .name = "rename", .kind = OPTION_TEXT, .offset = AT(renames), .argument = "auto|FILE",
	  .help = "match renamed functions: listed in FILE, or auto",
	  .more = "each line of FILE is the name before, a tab and the name after; auto matches "
		  "functions with the same callers and callees" },
	{ .name = "no-pair-roots", .kind = OPTION_FLAG, .offset = AT(keeps_roots),
	  .help = "do not match threads with different names",
	  .more = "by default threads that do the same work are matched, such as those of two "
		  "executables" },
	{ .name = "no-mend", .kind = OPTION_FLAG, .offset = AT(keeps_mismatches),
	  .help = "do not even out inlining differences and variants of a name",
	  .more = "by default functions inlined on one side only are folded into their callers, "
		  "and variants such as memcpy and memmove are joined" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(limits), .argument = "NAME>N%",
	  .help = "exit with status 4 if NAME grew by more than N%",
	  .more = "or by Npp percentage points; the whole confidence interval must exceed the "
		  "limit. NAME is a function, a glob, a /regex/, any (of all functions) or total; "
		  "=NAME is a function of exactly this name. May be repeated" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(fails_on_uncertain),
	  .help = "exit with status 4 also if --fail-if is undecided" },
	{ .name = "allow-missing", .kind = OPTION_FLAG, .offset = AT(allows_missing),
	  .help = "let --fail-if skip functions that neither side has, instead of exiting with "
		  "status 2" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = offsetof(struct settings, limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N functions (default: 20; JSON: all)" },
	{ .name = NULL },
};

static const struct option diff_svg_options[] = {
	{ .name = "width-by", .kind = OPTION_CHOICE, .offset = AT(width_by), .argument = "SIDE",
	  .choices = diff_width_names,
	  .help = "side whose weight sets the width of frames" },
	{ .name = "exclusive", .kind = OPTION_FLAG, .offset = AT(is_exclusive),
	  .help = "colour by the change of self time, without callees" },
	{ .name = "colors", .kind = OPTION_CHOICE, .offset = AT(palette), .argument = "NAME",
	  .choices = diff_palette_names,
	  .help = "colour palette",
	  .more = "safe is for colour-blind readers" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_sides = { "Sides", side_options };
const struct option_group settings_diff = { "Comparing", diff_options };
const struct option_group settings_diff_svg = { "Difference", diff_svg_options };

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
