/* SPDX-License-Identifier: MIT */
/*
 * What the command line says, for all commands in one struct, and the groups of options that put
 * it there. A command lists the groups it takes.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "render/text/report.h"
#include "render/svg/svg.h"
#include "session/session.h"
#include "cli/diff_settings.h"
#include "cli/options.h"
#include "cli/svg_output.h"

struct notices;

struct settings {
	const char *help; /* "": the common options, "all": every option; NULL: not asked for */
	bool wants_help;  /* of a drop-in, whose --help takes no value */
	bool wants_version;
	char **command_line; /* as given, for the picture's metadata; NULL at the end */
	text_list inputs;
	const char *output;
	const char *input_format_name;           /* as given */
	const struct input_format *input_format; /* NULL: detected */
	uint64_t thread_count;
	bool is_quiet;
	bool is_verbose;
	struct notices *notices; /* of the command; NULL: each is printed at once */
	bool wants_stats;
	bool wants_summary;

	text_list symbol_paths;
	const char *debuginfod; /* NULL: no server is asked */
	bool ignores_host;
	bool trusts_owners; /* of perf maps */
	bool trusts_paths;
	bool keeps_mangled_names;
	bool keeps_suffixes;
	bool uses_perf_names;
	bool ignores_inlines;
	bool reads_lines; /* set by commands that pack what later commands may show */
	const char *table_cache;
	const char *prune; /* as given; NULL: nothing is to be removed */
	struct frame_naming naming;

	const char *event_pattern;
	const char *printing; /* of tables that come several times, which counts; as given */
	struct printing_choice printing_choice;
	const char *weight; /* as given */
	struct weighing weighing;
	/* As given, and as understood. */
	const char *comms, *processes, *pids, *tids, *cpus, *times, *dsos, *symbols;
	struct selection selection;
	const char *utc_offset;
	struct wall_clock clock; /* by that */
	bool wants_wall_clock;   /* what time of day it was has to be known */
	uint64_t depth_max, callchain_max;
	const char *symbol_part; /* of the innermost function's name, as given */
	char *symbol_pattern;    /* made of it */
	const char *call_graph;  /* as perf's -g has it */
	bool is_satisfied;       /* what asks for what is done anyway */
	const char *group_by;
	struct grouping grouping;
	bool has_branch_history;
	bool is_reversed;
	bool joins_keys; /* set by commands that list frames */
	text_list bases;

	bool shows_counters; /* of captures that are counters, all of them */
	bool is_json;
	bool wants_records;
	const char *why;          /* frames have no name: of which, "": all; NULL: not asked */
	bool names_next_commands; /* that fit the capture */
	bool wants_all;
	bool wants_full;    /* whole files in a bundle */
	bool wants_sources; /* source lines in a bundle */
	text_list source_folders;
	const char
		*min_share; /* of the samples, for a file to be in it, as given; NULL: not given */
	const char *fields;
	bool is_inverted;
	const char *report_by;    /* as given; NULL: symbol */
	struct grouping columns;  /* of the report */
	const char *report_graph; /* as perf's -g has it */
	int report_order;         /* enum report_order */
	double least_percent;
	uint64_t limit;
	const char *latency; /* what there is a row for, "": stacks; NULL: no such table */

	struct pairing_options pairing;
	const char *shortest_time, *longest_time; /* as given */
	int open_intervals, sum_unit, off_cpu_format,
		off_cpu_unit; /* of the words of kiln offcpu */

	struct svg_options svg;
	struct picture_settings picture;
	struct diff_settings diff;
};

extern const struct option_group settings_common;
extern const struct option_group settings_help;
extern const struct option_group settings_folded;
extern const struct option_group settings_symbols;   /* where names are looked for */
extern const struct option_group settings_resolving; /* what else is read to resolve frames */
extern const struct option_group settings_naming;    /* what functions are called */
extern const struct option_group settings_frames;    /* what a stack shows of its frames */
extern const struct option_group settings_weight;
extern const struct option_group settings_grouping;
extern const struct option_group settings_stacks;
extern const struct option_group settings_selection;
extern const struct option_group settings_script;
extern const struct option_group settings_report;
extern const struct option_group settings_json;
extern const struct option_group settings_info;
extern const struct option_group settings_cache;
extern const struct option_group settings_bundle;
/* perf's names for options of these, to stand behind all others: perf_options.c. */
extern const struct option_group settings_perf_input;
extern const struct option_group settings_perf_symbols;
extern const struct option_group settings_perf_selection;
extern const struct option_group settings_perf_stacks;
extern const struct option_group settings_perf_table;

void settings_init(struct settings *settings);
void settings_deinit(struct settings *settings);

/* Understands what is more than a word or a number: lists, ranges, times. */
bool settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* What a session needs of it; borrows from settings. */
struct session_options settings_session(const struct settings *settings);

#endif
