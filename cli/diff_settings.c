/* SPDX-License-Identifier: MIT */
#include "cli/diff_settings.h"

#include "render/svg/diff_svg.h"
#include "cli/settings.h"

#define AT(field) offsetof(struct settings, diff.field)

static const char *const format_names[] = {
	[DIFF_FORMAT_AUTO] = "auto",     [DIFF_FORMAT_TABLE] = "table",
	[DIFF_FORMAT_JSON] = "json",     [DIFF_FORMAT_MARKDOWN] = "markdown",
	[DIFF_FORMAT_FOLDED] = "folded", [DIFF_FORMAT_SVG] = "svg",
	[DIFF_FORMAT_HTML] = "html",     NULL,
};

/* clang-format would spread each option over several lines. */
/* clang-format off */
static const struct option side_options[] = {
	{ .name = "before", .kind = OPTION_LIST, .offset = AT(before), .argument = "INPUT",
	  .help = "add a capture recorded before the change; repeatable" },
	{ .name = "after", .kind = OPTION_LIST, .offset = AT(after), .argument = "INPUT",
	  .help = "add a capture recorded after the change; repeatable" },
	{ .name = "baseline", .kind = OPTION_TEXT, .offset = AT(baseline), .argument = "DIR",
	  .help = "use all captures in DIR as runs before the change",
	  .more = "Only the 50 files whose names sort last are used. All inputs on the "
		  "command line are runs after the change" },
	{ .name = "split-time", .kind = OPTION_TEXT, .offset = AT(split_time), .argument = "START,STOP",
	  .help = "compare two time ranges of one capture: START,STOP is the range before the "
		  "change, and --against sets the range after it",
	  .more = "Ranges have the form that --time accepts" },
	{ .name = "window-vs-rest", .kind = OPTION_TEXT, .offset = AT(window), .argument = "START,STOP",
	  .help = "compare one time range of a capture (AFTER) with the rest of that capture "
		  "(BEFORE)",
	  .more = "Several ranges are separated by blanks. Times are on the capture's clock, as "
		  "kiln spikes prints them" },
	{ .name = "spikes", .kind = OPTION_FLAG, .offset = AT(finds_spikes),
	  .help = "compare the most significant spike that kiln spikes finds (AFTER) with the "
		  "rest of the capture (BEFORE)",
	  .more = "AFTER consists of all windows in which the function of that spike stands out" },
	{ .name = "split-by", .kind = OPTION_TEXT, .offset = AT(split_by), .argument = "WHAT=A,B",
	  .help = "compare two parts of one capture, such as pid=7,9",
	  .more = "WHAT is cpu, comm, process, pid, tid, event or a label of kiln merge, such as host. "
		  "rest stands for all other values of a label. A is BEFORE and B is AFTER. "
		  "With --against, the whole list A,B is BEFORE, and --against lists the values "
		  "of AFTER" },
	{ .name = "against", .kind = OPTION_TEXT, .offset = AT(against), .argument = "VALUE",
	  .help = "set the AFTER side for --split-time or --split-by" },
	{ .name = NULL },
};

static const struct option diff_options[] = {
	{ .name = "normalise", .kind = OPTION_TEXT, .offset = AT(normalise), .argument = "WHAT",
	  .help = "scale BEFORE so that WHAT is equal on both sides: total (default), time, cpu, "
		  "samples, ops, or none for no scaling",
	  .more = "time is the time from the first to the last sample. ops is the number of "
		  "operations set with --ops. If WHAT is a number, BEFORE is multiplied by that "
		  "number. The default is none for tracepoints, bytes and --format=folded" },
	{ .name = "ops", .kind = OPTION_TEXT, .offset = AT(operations), .argument = "BEFORE,AFTER",
	  .help = "compare the cost per operation, such as a request",
	  .more = "BEFORE and AFTER are the total numbers of operations over all runs of each "
		  "side" },
	{ .name = "confidence", .kind = OPTION_REAL, .offset = AT(confidence), .argument = "LEVEL",
	  .maximum = 1,
	  .help = "set the confidence required to report a change (default: 0.99)" },
	{ .name = "unchanged-within", .kind = OPTION_REAL, .offset = AT(margin), .argument = "POINTS",
	  .maximum = 100,
	  .help = "report functions as unchanged if they changed by at most POINTS percentage "
		  "points (default: 0.5)",
	  .more = "The whole confidence interval must be within ±POINTS" },
	{ .name = "assume-samples", .kind = OPTION_FLAG, .offset = AT(assumes_samples),
	  .help = "treat weights as sample counts if the input has no sample counts",
	  .more = "Without this option, changes in folded stacks and in SVGs from other tools are "
		  "not tested" },
	{ .name = "assume-spread", .kind = OPTION_TEXT, .offset = AT(assumed_spread), .argument = "N%",
	  .help = "assume that runs vary by N% if each side has only one run (default: 3%)",
	  .more = "N% is a standard deviation. The assumption also applies to the total if one "
		  "side has two runs and the other has one. For functions in a split capture the "
		  "default is 0" },
	{ .name = "strip-hex", .kind = OPTION_FLAG, .offset = AT(strips_hex),
	  .help = "ignore addresses, ids, lambda numbers and compiler suffixes when matching names "
		  "(default)",
	  .more = "With --format=folded, this option is off by default, and only replaces "
		  "hexadecimal numbers with 0x..." },
	{ .name = "no-strip-hex", .kind = OPTION_FLAG, .offset = AT(keeps_names),
	  .help = "match names exactly, including addresses and suffixes" },
	{ .name = "ignore-path", .kind = OPTION_TEXT, .offset = AT(ignored), .argument = "REGEX",
	  .help = "remove functions whose names match REGEX from stacks; callers and callees are "
		  "then adjacent",
	  .more = "REGEX is a POSIX extended regular expression and matches any part of a name" },
	{ .name = "rename", .kind = OPTION_TEXT, .offset = AT(renames), .argument = "auto|FILE",
	  .help = "match renamed functions automatically (auto), or as listed in FILE",
	  .more = "auto matches functions with similar callers and callees. Each line of FILE "
		  "contains the old name, a tab and the new name" },
	{ .name = "no-pair-roots", .kind = OPTION_FLAG, .offset = AT(keeps_roots),
	  .help = "compare threads only with threads of the same name",
	  .more = "By default, threads with different names are also compared if they do the same "
		  "work, such as svc_old and svc_new" },
	{ .name = "no-mend", .kind = OPTION_FLAG, .offset = AT(keeps_mismatches),
	  .help = "do not compensate for differences in inlining or for variants of a function "
		  "name",
	  .more = "By default, inlined functions are merged into their callers if the other side "
		  "does not show these functions as inlined. Variants such as "
		  "__memcpy_avx_unaligned and "
		  "__memmove_avx_unaligned count as one function" },
	{ .name = NULL },
};

static const struct option result_options[] = {
	{ .name = "format", .kind = OPTION_CHOICE, .offset = AT(format), .argument = "NAME",
	  .choices = format_names,
	  .help = "select the output format",
	  .more = "auto writes SVG or HTML if the name of the output file ends in .svg or .html, "
		  "and otherwise a table. The HTML is the page that kiln page writes" },
	{ .name = "fail-if", .kind = OPTION_LIST, .offset = AT(limits), .argument = "NAME>N%",
	  .help = "exit with status 4 if NAME grew by more than N%",
	  .more = "NAME>Npp sets a limit in percentage points, and NAME<-N% limits how far a value "
		  "may fall that should be high, such as IPC in perf stat files. A limit is exceeded only if the whole "
		  "confidence interval is beyond it. NAME is a function, a shell pattern, a "
		  "/regex/, any (any function) or total. =NAME matches only the function with "
		  "exactly this name. The option may be repeated" },
	{ .name = "fail-on-uncertain", .kind = OPTION_FLAG, .offset = AT(fails_on_uncertain),
	  .help = "also exit with status 4 if the data cannot show whether a --fail-if limit is "
		  "exceeded" },
	{ .name = "allow-missing", .kind = OPTION_FLAG, .offset = AT(allows_missing),
	  .help = "ignore --fail-if limits on functions that neither side has, instead of exiting "
		  "with status 2" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = offsetof(struct settings, limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N functions (default: 20; JSON: all)" },
	{ .name = NULL },
};

static const struct option diff_svg_options[] = {
	{ .name = "width-by", .kind = OPTION_CHOICE, .offset = AT(width_by), .argument = "SIDE",
	  .choices = diff_width_names,
	  .help = "select the side whose weight determines the width of a frame" },
	{ .name = "exclusive", .kind = OPTION_FLAG, .offset = AT(is_exclusive),
	  .help = "colour frames by the change of their self weight, not of their total" },
	{ .name = "colors", .kind = OPTION_CHOICE, .offset = AT(palette), .argument = "NAME",
	  .choices = diff_palette_names,
	  .help = "select the colour palette",
	  .more = "The palette named safe is suitable for colour-blind readers" },
	{ .name = NULL },
};
/* clang-format on */

const struct option_group settings_sides = { "Sides", side_options };
const struct option_group settings_diff = { "Comparing", diff_options };
const struct option_group settings_diff_result = { "Result", result_options };
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
