/* SPDX-License-Identifier: MIT */
/*
 * The values of all options of all commands, and the groups of options that set them. A command
 * lists the groups that it accepts.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "eventlog/log_choice.h"
#include "render/page/page_data.h"
#include "render/svg/svg.h"
#include "session/confinement.h"
#include "session/session.h"
#include "cli/diff_settings.h"
#include "cli/flame_settings.h"
#include "cli/options.h"
#include "cli/report_settings.h"

struct notices;

enum off_cpu_format {
	OFF_CPU_FORMAT_SVG,
	OFF_CPU_FORMAT_HTML,
	OFF_CPU_FORMAT_FOLDED,
};

struct settings {
	const char *help; /* "" means common options, "all" means every option; NULL if not given */
	bool wants_help;  /* for drop-ins, whose --help has no value */
	bool wants_version;
	char **command_line; /* for the metadata of SVGs; NULL at the end */
	text_list inputs;
	const char *output;
	const char *input_format_name;           /* as given */
	const struct input_format *input_format; /* if NULL, the format is detected */
	uint64_t thread_count;
	uint64_t memory_bytes;      /* 0 means the default */
	uint64_t spool_limit_bytes; /* 0 means the default */
	bool is_quiet;
	bool is_verbose;
	struct notices *notices; /* queued warnings; if NULL, they are printed at once */
	bool wants_stats;
	bool has_no_sandbox;
	const struct confinement *confinement; /* NULL if kiln is not locked */
	bool wants_summary;

	text_list symbol_paths;
	const char *debuginfod; /* NULL means no downloads */
	bool ignores_host;
	bool trusts_owners; /* accept perf maps of any owner */
	bool trusts_paths;
	const char *table_cache;
	const char *listed_cache; /* the cache directory for kiln cache; it is not created */
	bool verifies_cache;
	const char *prune; /* as given; if NULL, nothing is removed */

	/* options with a field below are parsed into view; other options write directly to view */
	struct view view;
	const char *snapshot; /* --interval, as given */
	struct snapshot_choice snapshot_choice;
	const char *weight; /* as given */
	/* As given. */
	const char *comms, *processes, *pids, *tids, *cpus, *dsos, *symbols;
	text_list times; /* --time, as given */
	const char *utc_offset;
	const char *around;        /* FILE:±TIME, as given; NULL if none */
	char *around_path;         /* the FILE; owned */
	struct marks around_marks; /* of FILE */
	const char *mark_file;     /* --mark, as given; NULL if none */
	struct marks marks;        /* of mark_file */
	struct wall_clock clock;   /* from utc_offset */
	uint64_t depth_max, callchain_max;
	const char *symbol_part; /* --symbol-filter, as given */
	char *symbol_pattern;    /* symbol_part as a regular expression */
	const char *call_graph;  /* perf's -g, as given */
	bool is_ignored;         /* for options of other tools that request what kiln always does */
	const char *group_by;
	text_list bases;

	bool is_json;
	bool wants_records;
	bool wants_build;
	const char *why;          /* part of a path: "" means any, NULL means not given */
	bool names_next_commands; /* kiln INPUT suggests commands */
	bool wants_all;
	bool wants_full, wants_sources; /* for kiln bundle */
	text_list source_directories;
	const char *min_share; /* as given */
	const char *fields;
	bool has_ns; /* print times with nanoseconds */
	bool is_inverted;
	struct report_settings report;
	uint64_t limit;
	uint64_t page_bins;           /* --bins; 0 means the default */
	uint64_t page_limit_bytes;    /* --embed-limit of pages; 0 means the default */
	struct page_start page_start; /* view and rows are set by the command */
	text_list page_views;         /* --view, as given: the last one counts */
	const char *spike_widths;     /* --width, as given; NULL means any */
	double spike_confidence;

	struct pairing_options pairing;
	const char *shortest_time, *longest_time;                   /* as given */
	int open_intervals, sum_unit, off_cpu_format, off_cpu_unit; /* indexes of choices */

	struct {
		int by, format;           /* indexes of choices */
		const char *column, *bin; /* as given */
		bool keeps_idle, is_utilisation, is_off_cpu, is_run_queue;
	} heat_map;

	struct {
		int by, format; /* indexes of choices */
		uint64_t lane_count, width;
	} timeline_view;

	const char *export_format; /* as given; NULL means that the output's name decides */

	text_list wheres; /* --where, as given */
	text_list labels; /* --label, as given */
	bool keeps_going; /* skip inputs that cannot be read */

	struct {
		int by, sort, format; /* enum task_by, task_order, table_format */
		bool reads_tasks;     /* session_build_tasks will be called */
	} sched;

	struct {
		const char *by, *names; /* as given; NULL if not given */
		int sort, format;       /* enum syscall_order, table_format */
		bool is_forced;
	} syscalls;

	struct {
		struct log_choice_options columns;
		int sort, format; /* enum log_order, table_format */
		bool shows_top, shows_distribution, shows_heat_map;
		const char *bin; /* as given; NULL if not given */
	} events;

	struct svg_options svg;
	struct flame_settings flame;
	struct diff_settings diff;

	/* Set by commands, not by options. */
	const struct timeline_options *timeline;       /* for session_build_timeline */
	const struct lanes_options *lanes;             /* for session_build_lanes */
	const struct annotation_options *annotation;   /* for session_build_annotation */
	const struct syscall_options *syscall_options; /* for session_build_syscalls */
	const struct log_stats_options *log_options;   /* for session_build_log */
	bool is_read_once;     /* inputs are read only once, so pipes need no temporary file */
	bool shows_difference; /* folded stacks with two counts are shown as a difference */
	bool reports_missing; /* the output reports lost samples and missing symbols: no warnings */
	bool shows_counters;  /* show all events of captures that have only counters */
	bool reads_lines;     /* source lines are read even if frames do not show them */
	bool wants_wall_clock; /* the capture's wall-clock time must be known */
};

extern const struct option_group settings_common;
extern const struct option_group settings_help;
extern const struct option_group settings_folded;
extern const struct option_group settings_symbols;   /* where to search for symbols */
extern const struct option_group settings_resolving; /* which other files to read for symbols */
extern const struct option_group settings_naming;    /* names of functions */
extern const struct option_group settings_frames;    /* other parts of frames */
extern const struct option_group settings_weight;
extern const struct option_group settings_grouping;
extern const struct option_group settings_stacks;
extern const struct option_group settings_selection;
extern const struct option_group settings_frame_selection; /* for commands that read stacks */
extern const struct option_group settings_script;
extern const struct option_group settings_json;
extern const struct option_group settings_info;
extern const struct option_group settings_cache;
extern const struct option_group settings_bundle;
/* perf's names for these options: cli/perf_options.c. A command lists this group last. */
extern const struct option_group settings_perf_input;
extern const struct option_group settings_perf_symbols;
extern const struct option_group settings_perf_selection;
extern const struct option_group settings_perf_stacks;

void settings_init(struct settings *settings);
void settings_deinit(struct settings *settings);

/* Parses the values that are lists, ranges and times. */
bool settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* Parses the values of --where, and adds them to a selection. */
bool settings_add_wheres(const struct settings *settings, struct selection *ret,
			 struct error *err) WARN_UNUSED;

/*
 * For commands that show times: checks that there is only one capture, and that no frames are
 * selected. command: "kiln heatmap"; reason: why frames cannot be selected.
 */
bool settings_check_times(const struct settings *settings, const char *command, const char *reason,
			  struct error *err) WARN_UNUSED;

/* Returns the options that sessions need, which borrow the view from settings. */
struct session_options settings_session(const struct settings *settings);

/*
 * Options that define which samples count, and how they are named and grouped: for commands that
 * show one profile.
 */
#define SETTINGS_OF_PROFILE                                                                  \
	&settings_grouping, &settings_stacks, &settings_weight, &settings_selection,         \
		&settings_frame_selection, &settings_symbols, &settings_resolving,           \
		&settings_naming, &settings_frames, &settings_common, &settings_perf_stacks, \
		&settings_perf_input, &settings_perf_selection, &settings_perf_symbols

#endif
