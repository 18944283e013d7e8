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
	  .more = "only the last 50 by name are used; all other inputs are runs after the change" },
	{ .name = "split-time", .kind = OPTION_TEXT, .offset = AT(split_time), .argument = "START,STOP",
	  .help = "compare two time ranges of one capture: this one is BEFORE, that of --against is "
		  "AFTER",
	  .more = "the syntax is that of --time" },
	{ .name = "split-by", .kind = OPTION_TEXT, .offset = AT(split_by), .argument = "WHAT=A,B",
	  .help = "compare two parts of one capture, such as pid=7,9",
	  .more = "WHAT is cpu, comm, process, pid, tid or event; A is BEFORE, B is AFTER. With --against "
		  "all values here are BEFORE, and both may be lists" },
	{ .name = "against", .kind = OPTION_TEXT, .offset = AT(against), .argument = "VALUE",
	  .help = "the AFTER side of --split-time or --split-by" },
	{ .name = NULL },
};

static const struct option diff_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(format), .argument = "NAME",
	  .choices = format_names,
	  .help = "output format",
	  .more = "auto is svg if the name of the output ends in .svg, else table" },
	{ .name = "normalise", .kind = OPTION_TEXT, .offset = AT(normalise), .argument = "WHAT",
	  .help = "make both sides equal in WHAT: total (default), time, cpu, samples or ops; none: "
		  "do not scale; a number: multiply BEFORE by it",
	  .more = "time is from the first to the last sample, ops is set with --ops. For tracepoints, "
		  "bytes and --format=folded the default is none" },
	{ .name = "ops", .kind = OPTION_TEXT, .offset = AT(operations), .argument = "BEFORE,AFTER",
	  .help = "compare the cost per operation, such as a request",
	  .more = "BEFORE and AFTER are the numbers of operations of each side, in all its runs "
		  "together" },
	{ .name = "confidence", .kind = OPTION_REAL, .offset = AT(confidence), .argument = "SHARE",
	  .maximum = 1,
	  .help = "confidence needed to report a change (default: 0.99)" },
	{ .name = "unchanged-within", .kind = OPTION_REAL, .offset = AT(margin), .argument = "POINTS",
	  .maximum = 100,
	  .help = "report functions as unchanged if they changed by at most POINTS percentage "
		  "points (default: 0.5)",
	  .more = "this must be true for the whole confidence interval" },
	{ .name = "assume-samples", .kind = OPTION_FLAG, .offset = AT(assumes_samples),
	  .help = "use weights as sample counts if the input has no sample counts",
	  .more = "otherwise changes in folded stacks and SVGs from other tools are not tested" },
	{ .name = "assume-spread", .kind = OPTION_TEXT, .offset = AT(assumed_spread), .argument = "N%",
	  .help = "assume this variation between runs if a side has one run (default: 3%)",
	  .more = "N is a standard deviation in percent. For the total it is also used with two runs "
		  "against one; for functions in a split capture the default is 0" },
	{ .name = "strip-hex", .kind = OPTION_FLAG, .offset = AT(strips_hex),
	  .help = "match names without addresses, ids, lambda numbers and compiler suffixes "
		  "(default)",
	  .more = "with --format=folded it is off by default, and only shortens hexadecimal numbers to "
		  "0x..." },
	{ .name = "no-strip-hex", .kind = OPTION_FLAG, .offset = AT(keeps_names),
	  .help = "match names exactly as they are" },
	{ .name = "ignore-path", .kind = OPTION_TEXT, .offset = AT(ignored), .argument = "REGEX",
	  .help = "remove functions that match REGEX from stacks; their callers call their callees "
		  "instead",
	  .more = "REGEX is an extended regular expression, and matches any part of a name" },
	{ .name = "rename", .kind = OPTION_TEXT, .offset = AT(renames), .argument = "auto|FILE",
	  .help = "match renamed functions: those in FILE, or auto",
	  .more = "each line of FILE is the name before, a tab and the name after; auto matches "
		  "functions that have the same callers and callees" },
	{ .name = "no-pair-roots", .kind = OPTION_FLAG, .offset = AT(keeps_roots),
	  .help = "compare threads only with threads of the same name",
	  .more = "by default a thread that only one side has is compared with a differently named "
		  "thread of the other side that does the same work, such as svc_old with svc_new" },
	{ .name = "no-mend", .kind = OPTION_FLAG, .offset = AT(keeps_mismatches),
	  .help = "do not adjust for different inlining and for variants of a function name",
	  .more = "by default inlined functions are folded into their callers if the other side has "
		  "none, and variants such as __memcpy_avx_unaligned and __memmove_avx_unaligned "
		  "count as one function" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(limits), .argument = "NAME>N%",
	  .help = "exit with status 4 if NAME grew by more than N%",
	  .more = "NAME>Npp is a limit in percentage points. The whole confidence interval must exceed "
		  "the limit. NAME is a function, a shell pattern, a /regex/, any (any function) or "
		  "total; =NAME is the function with exactly this name. May be repeated" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(fails_on_uncertain),
	  .help = "exit with status 4 also if the data cannot decide --fail-if" },
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
	  .help = "the side whose weight determines the width of a frame" },
	{ .name = "exclusive", .kind = OPTION_FLAG, .offset = AT(is_exclusive),
	  .help = "colour frames by the change of self weight, without callees" },
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
