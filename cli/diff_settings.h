/* SPDX-License-Identifier: MIT */
/* Options of comparisons, for kiln diff and kiln page. */
#ifndef CLI_DIFF_SETTINGS_H
#define CLI_DIFF_SETTINGS_H

#include "cli/options.h"

enum diff_format {
	DIFF_FORMAT_AUTO, /* by the suffix of the output: .svg, .html, otherwise a table */
	DIFF_FORMAT_TABLE,
	DIFF_FORMAT_JSON,
	DIFF_FORMAT_MARKDOWN,
	DIFF_FORMAT_FOLDED,
	DIFF_FORMAT_SVG,
	DIFF_FORMAT_HTML,
};

struct diff_settings {
	text_list before, after;
	const char *baseline; /* a directory of captures; NULL if none */
	const char *split_time, *split_by, *against, *window;
	const char *normalise;
	const char *operations; /* before and after: "12000,14500"; NULL if not given */
	double confidence;
	bool strips_hex, keeps_names, finds_spikes;
	const char *ignored;   /* a regular expression */
	const char *renames;   /* a file, or "auto" */
	bool keeps_roots;      /* --no-pair-roots */
	bool keeps_mismatches; /* --no-mend */
	int key;               /* enum diff_key, of kiln report */
	int format;            /* enum diff_format */
	text_list limits;
	bool allows_missing;
	bool fails_on_uncertain;
	bool assumes_samples;
	const char *assumed_spread; /* "3%"; NULL means the default */
	double margin;              /* in percentage points */
	bool is_exclusive;
	int width_by; /* enum diff_width */
	int palette;  /* enum diff_palette */
};

extern const struct option_group settings_sides;
extern const struct option_group settings_diff;
extern const struct option_group settings_diff_result;
extern const struct option_group settings_diff_svg;

void diff_settings_init(struct diff_settings *settings);
void diff_settings_deinit(struct diff_settings *settings);

#endif
