/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include <stdio.h>
#include <unistd.h>

#include "base/workers.h"
#include "cli/mark_settings.h"
#include "profile/selection/selection_time.h"
#include "session/symbol_files.h"

#define AT(field) offsetof(struct settings, field)

/* clang-format would spread each option over several lines. */
/* clang-format off */
#define HELP_OPTION \
	{ .short_name = 'h', .name = "help", .kind = OPTION_MAYBE, .offset = AT(help), .argument = "all", \
	  .help = "print common options; --help=all prints all options" }

static const struct option common_options[] = {
	{ .short_name = 'o', .name = "output", .kind = OPTION_TEXT, .offset = AT(output),
	  .argument = "FILE",
	  .help = "write to FILE instead of standard output" },
	{ .name = "input-format", .kind = OPTION_TEXT, .offset = AT(input_format_name), .argument = "NAME",
	  .help = "read inputs as this format instead of detecting it",
	  .more = "kiln --help lists the formats" },
	{ .short_name = 'j', .name = "jobs", .kind = OPTION_NUMBER, .offset = AT(thread_count),
	  .argument = "N", .minimum = 1, .maximum = LIMIT_WORKERS,
	  .help = "use N threads (default: one per CPU)",
	  .more = "The output is the same for any N" },
	{ .short_name = 'q', .name = "quiet", .kind = OPTION_FLAG, .offset = AT(is_quiet),
	  .help = "do not print warnings or progress" },
	{ .short_name = 'v', .name = "verbose", .kind = OPTION_FLAG, .offset = AT(is_verbose),
	  .help = "print all warnings, not only the two most important" },
	{ .name = "stats", .kind = OPTION_FLAG, .offset = AT(wants_stats),
	  .help = "print the time that each stage took to standard error" },
	{ .name = "memory", .kind = OPTION_SIZE, .offset = AT(memory_bytes), .argument = "SIZE",
	  .minimum = 64 << 20,
	  .help = "use at most SIZE of memory, such as 500M or 20G (default: half of the machine's "
		  "memory)",
	  .more = "With a small limit, kiln merges callchains and stacks more often, so it needs "
		  "less memory for the same result. Inputs that need more are refused" },
	{ .name = "spool-limit", .kind = OPTION_SIZE, .offset = AT(spool_limit_bytes),
	  .argument = "SIZE",
	  .help = "use at most SIZE for temporary files, such as 500M or 20G (default: half of the "
		  "free space)",
	  .more = "Pipes and decompressed inputs are stored in temporary files, in the directory "
		  "TMPDIR "
		  "or /tmp. The limit applies to each input. In kiln merge, it also applies to "
		  "the sum of all intermediate results" },
	{ .name = "no-sandbox", .kind = OPTION_FLAG, .offset = AT(has_no_sandbox),
	  .help = "do not restrict this process before it reads inputs",
	  .more = "Debug information is still read in a restricted process" },
	HELP_OPTION,
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};

/* The options of commands that do not read captures. */
static const struct option help_options[] = {
	HELP_OPTION,
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};

static const struct option symbol_options[] = {
	{ .short_name = 's', .name = "symbols", .kind = OPTION_LIST, .offset = AT(symbol_paths),
	  .argument = "PATH",
	  .help = "search this directory or file for binaries and symbols",
	  .more = "PATH is a directory of binaries, an ELF file, a build-id cache, a symbol store, "
		  "a sysroot, a copy of kallsyms, a perf-PID.map, a jit-PID.dump, or an archive of "
		  "these. PID=FILE is the perf map of process PID. container=DIR is the root "
		  "directory of a container, or a copy of its /tmp. The option may be repeated" },
	{ .name = "debuginfod", .kind = OPTION_MAYBE, .offset = AT(debuginfod), .argument = "URLS",
	  .help = "download missing files from debuginfod servers",
	  .more = "Servers find files by build-id. By default, URLS is the value of the variable "
		  "DEBUGINFOD_URLS. No other option uses the network" },
	{ .name = "no-host-files", .kind = OPTION_FLAG, .offset = AT(ignores_host),
	  .help = "do not use symbols from this machine, only from the input, --symbols and "
		  "--debuginfod",
	  .more = "~/.debug is then not used, even if the capture was made on this machine" },
	{ .name = "force", .kind = OPTION_FLAG, .offset = AT(trusts_owners),
	  .help = "also use perf-PID.map files in /tmp that belong to another user" },
	{ .name = "trust-paths", .kind = OPTION_FLAG, .offset = AT(trusts_paths),
	  .help = "use files that match by path or build-id, even if their inode or code "
		  "contradicts the capture",
	  .more = "Use this option if unchanged binaries were reinstalled during the recording. "
		  "kiln info reports such files as unverified" },
	{ .name = "symbol-cache", .kind = OPTION_TEXT, .offset = AT(table_cache), .argument = "DIR",
	  .help = "cache parsed debug information in DIR, by build-id" },
	{ .name = NULL },
};

/*
 * Options that do not apply to kiln bundle, which packs all files that commands may need with any
 * of them.
 */
static const struct option resolving_options[] = {
	{ .name = "no-inline", .kind = OPTION_FLAG, .offset = AT(view.ignores_inlines),
	  .help = "do not show inlined functions",
	  .more = "Debug information for inlined functions is then not read" },
	{ .name = "perf-names", .kind = OPTION_FLAG, .offset = AT(view.naming.uses_perf_names),
	  .help = "name frames exactly as perf script does, even where kiln has better names",
	  .more = "Use this option to compare the output of kiln with that of perf" },
	{ .name = NULL },
};

static const struct option naming_options[] = {
	{ .name = "no-demangle", .kind = OPTION_FLAG, .offset = AT(view.naming.keeps_mangled_names),
	  .help = "do not demangle C++, Rust and D names" },
	{ .name = "keep-suffixes", .kind = OPTION_FLAG, .offset = AT(view.naming.keeps_suffixes),
	  .help = "keep compiler suffixes: .cold, .part.0, .isra.0, .constprop.0" },
	{ .name = "srcline", .kind = OPTION_FLAG, .offset = AT(view.naming.has_lines),
	  .help = "show frames as function:file:line",
	  .more = "Requires debug information" },
	{ .name = NULL },
};

static const struct option frame_options[] = {
	{ .name = "show-dso", .kind = OPTION_FLAG, .offset = AT(view.naming.has_dsos),
	  .help = "prefix functions with their DSO, as in libc.so.6`read" },
	{ .name = "offsets", .kind = OPTION_FLAG, .offset = AT(view.naming.shows_offsets),
	  .help = "show unsymbolised frames with their file offset, as in [libc.so.6+0x1f3c0]" },
	{ .name = "interpreter", .kind = OPTION_CHOICE, .offset = AT(view.naming.interpreter),
	  .argument = "HOW", .choices = interpreter_style_names,
	  .help = "set how to show the frames of the interpreter between script functions",
	  .more = "hide adds the interpreter's time to the script function. merge combines "
		  "adjacent interpreter frames into one [interpreter] frame. The runtime must "
		  "provide the names of script functions" },
	{ .name = NULL },
};

static const struct option selection_options[] = {
	{ .short_name = 'e', .name = "event", .kind = OPTION_TEXT, .offset = AT(view.event_pattern),
	  .argument = "NAME",
	  .help = "keep only samples of this event, such as 'sched:*'",
	  .more = "NAME may be a pattern. Modifiers may be omitted: cycles matches cycles:P. "
		  "Without this option, kiln merge keeps and kiln script shows all events; most "
		  "other commands show only one event: the first that samples CPU time, such as "
		  "cpu-clock or cycles, or else the event of the first sample" },
	{ .name = "interval", .kind = OPTION_TEXT, .offset = AT(snapshot), .argument = "WHICH",
	  .help = "choose the snapshot of a map that bpftrace printed repeatedly: its number N, "
		  "last, or sum (of all)",
	  .more = "Snapshots are counted from 1. sum adds up all snapshots. The default is last "
		  "if counts never shrink from one snapshot to the next, otherwise sum" },
	{ .name = "comm", .kind = OPTION_TEXT, .offset = AT(comms), .argument = "NAMES",
	  .help = "keep only threads with these names, such as a,b",
	  .more = "NAMES is a list of names, shell patterns and regular expressions, such as "
		  "'/^gc/', in all options that select by name" },
	{ .name = "process", .kind = OPTION_TEXT, .offset = AT(processes), .argument = "NAMES",
	  .help = "keep only samples of processes with these names",
	  .more = "Threads of the selected processes may have any name" },
	{ .name = "where", .kind = OPTION_LIST, .offset = AT(wheres), .argument = "KEY=VALUES",
	  .help = "keep only samples with these labels, such as host=web-*; repeatable",
	  .more = "kiln merge --label sets labels. Samples must match every --where" },
	{ .name = "pid", .kind = OPTION_TEXT, .offset = AT(pids), .argument = "PIDS",
	  .help = "keep only samples of these processes, such as 7,9" },
	{ .name = "tid", .kind = OPTION_TEXT, .offset = AT(tids), .argument = "TIDS",
	  .help = "keep only samples of these threads, such as 7,9" },
	{ .short_name = 'C', .name = "cpu", .kind = OPTION_TEXT, .offset = AT(cpus),
	  .argument = "CPUS",
	  .help = "keep only samples on these CPUs, such as 0-3,7" },
	{ .name = "time", .kind = OPTION_LIST, .offset = AT(times), .argument = "START,STOP",
	  .help = "keep only samples in this time range, such as +1,+2.5 or 10%-20%; repeatable",
	  .more = "START and STOP are seconds as kiln script prints them (5669.6), seconds after "
		  "the first sample (+1.5), or wall-clock times (10:30:00.5, "
		  "2026-11-22T10:30:00Z). START or STOP may be omitted. Percentages refer to the "
		  "duration of the capture: 0%-10%,40%-50% selects two parts of the capture, and "
		  "10%/2 selects the second tenth" },
	{ .name = "around", .kind = OPTION_TEXT, .offset = AT(around), .argument = "FILE:±TIME",
	  .help = "keep only samples within TIME of a mark in FILE; for example alarms.csv:±20ms",
	  .more = "Each line of FILE is a mark: a time or a range (two times), and a label. "
		  "Times are written as in --time, or as in common logs. +-20ms and 20ms mean the "
		  "same as ±20ms. With --time, only samples that both options select are kept" },
	{ .name = "utc-offset", .kind = OPTION_TEXT, .offset = AT(utc_offset), .argument = "TIME",
	  .help = "set the wall-clock time at which the capture's clock was 0",
	  .more = "TIME is in seconds since 1970, or a date such as 2026-11-22T08:15:00Z. Without "
		  "this option, wall-clock times require a capture that contains the wall-clock "
		  "time" },
	{ .name = "no-idle", .kind = OPTION_FLAG, .offset = AT(view.selection.no_idle),
	  .help = "drop samples of the idle task, swapper" },
	{ .name = NULL },
};

static const struct option frame_selection_options[] = {
	{ .name = "dso", .kind = OPTION_TEXT, .offset = AT(dsos), .argument = "NAMES",
	  .help = "keep only samples whose leaf frame is in these DSOs" },
	{ .name = "symbol", .kind = OPTION_TEXT, .offset = AT(symbols), .argument = "NAMES",
	  .help = "keep only samples whose leaf frame is one of these functions" },
	{ .name = "user-only", .kind = OPTION_FLAG, .offset = AT(view.selection.user_only),
	  .help = "drop kernel frames, and samples without user frames" },
	{ .name = "kernel-only", .kind = OPTION_FLAG, .offset = AT(view.selection.kernel_only),
	  .help = "drop user frames, and samples without kernel frames" },
	{ .name = NULL },
};

static const struct option grouping_options[] = {
	{ .name = "by", .kind = OPTION_TEXT, .offset = AT(group_by), .argument = "WHAT",
	  .help = "group stacks by comm, pid, tid, cpu, event, cgroup, file or dso (default: comm)",
	  .more = "WHAT may also be a label of kiln merge, a tracepoint field, or a list of keys. "
		  "Each key adds a frame to the stack; the frame of the first key is the root. dso "
		  "is the DSO of the leaf frame" },
	{ .name = NULL },
};

static const struct option stack_options[] = {
	{ .name = "branch-history", .kind = OPTION_FLAG, .offset = AT(view.has_branch_history),
	  .help = "append the recorded branches to each stack",
	  .more = "Requires perf record -b" },
	{ .name = "reverse", .kind = OPTION_FLAG, .offset = AT(view.is_reversed),
	  .help = "reverse stacks: the leaf function comes first" },
	{ .name = "base", .kind = OPTION_LIST, .offset = AT(bases), .argument = "FRAME",
	  .help = "keep only stacks with FRAME; drop callers of FRAME",
	  .more = "The option may be repeated" },
	{ .name = NULL },
};

static const struct option folded_options[] = {
	{ .name = "annotate", .kind = OPTION_FLAG, .offset = AT(view.naming.is_annotated),
	  .help = "append _[k] to kernel, _[i] to inlined and _[j] to JIT-compiled functions" },
	{ .name = "provenance", .kind = OPTION_FLAG, .offset = AT(view.naming.keeps_separators),
	  .help = "name the capture, unit and lost samples in comments",
	  .more = "Names are escaped so that kiln can read them back unchanged" },
	{ .name = NULL },
};

static const struct option weight_options[] = {
	{ .name = "max-depth", .kind = OPTION_NUMBER, .offset = AT(depth_max), .argument = "N",
	  .minimum = 1, .maximum = UINT32_MAX,
	  .help = "truncate stacks to the N frames nearest the root" },
	{ .name = "weight", .kind = OPTION_TEXT, .offset = AT(weight), .argument = "WHAT",
	  .help = "set the weight of a sample: period (default), samples, weight "
		  "(PERF_SAMPLE_WEIGHT) or a tracepoint field",
	  .more = "The value samples counts each sample as one. The value weight is what the CPU "
		  "measured, such as the latency of a load" },
	{ .name = NULL },
};

static const struct option script_options[] = {
	{ .short_name = 'F', .name = "fields", .kind = OPTION_TEXT, .offset = AT(fields),
	  .argument = "LIST",
	  .help = "print these fields, named as in perf script; +period,-dso adds period to the "
		  "default list and removes dso",
	  .more = "The default list is comm,pid,tid,cpu,time,event,ip,sym,dso" },
	{ .name = "inverted", .kind = OPTION_FLAG, .offset = AT(is_inverted),
	  .help = "print the outermost frame of each stack first" },
	{ .name = "ns", .kind = OPTION_FLAG, .offset = AT(has_ns),
	  .help = "print times in nanoseconds, not microseconds" },
	{ .name = NULL },
};

static const struct option json_options[] = {
	{ .name = "json", .kind = OPTION_FLAG, .offset = AT(is_json),
	  .help = "write JSON" },
	{ .name = NULL },
};

static const struct option info_options[] = {
	{ .name = "json", .kind = OPTION_FLAG, .offset = AT(is_json),
	  .help = "write JSON" },
	{ .name = "records", .kind = OPTION_FLAG, .offset = AT(wants_records),
	  .help = "also count the records of each type" },
	{ .name = "build", .kind = OPTION_FLAG, .offset = AT(wants_build),
	  .help = "print the version of kiln, the libraries it was built with, and the sandbox "
		  "restrictions on this machine; read no input" },
	{ .name = "why", .kind = OPTION_MAYBE, .offset = AT(why), .argument = "NAME",
	  .help = "list only DSOs with missing or unverified names, with the reason and what would help",
	  .more = "The list includes the paths that were searched. With NAME, the list has all "
		  "DSOs whose path contains NAME" },
	{ .name = NULL },
};

static const struct option cache_options[] = {
	{ .name = "symbol-cache", .kind = OPTION_TEXT, .offset = AT(listed_cache), .argument = "DIR",
	  .help = "list the files in DIR, a cache that other commands fill when they are given "
		  "this option" },
	{ .name = "prune", .kind = OPTION_TEXT, .offset = AT(prune), .argument = "DAYS",
	  .help = "remove cache files that have not been used for DAYS days; 0 removes all files" },
	{ .name = "verify", .kind = OPTION_FLAG, .offset = AT(verifies_cache),
	  .help = "read all files, and show whether each is valid; exit with status 3 if files are "
		  "corrupt" },
	{ .name = NULL },
};

static const struct option bundle_options[] = {
	{ .name = "full", .kind = OPTION_FLAG, .offset = AT(wants_full),
	  .help = "pack whole files, not only the symbols that this capture needs" },
	{ .name = "min-share", .kind = OPTION_TEXT, .offset = AT(min_share), .argument = "PERCENT",
	  .help = "skip DSOs that appear in less than PERCENT of the samples (default: 0.01%)",
	  .more = "With --all the default is 0, so no DSO is skipped" },
	{ .name = "sources", .kind = OPTION_FLAG, .offset = AT(wants_sources),
	  .help = "pack each sampled source line, with 20 lines before and after it" },
	{ .name = "source-dir", .kind = OPTION_LIST, .offset = AT(source_directories),
	  .argument = "[PREFIX=]DIR",
	  .help = "search DIR for source files before the paths in the debug information",
	  .more = "DIR replaces PREFIX at the beginning of these paths. The option may be repeated" },
	{ .name = "all", .kind = OPTION_FLAG, .offset = AT(wants_all),
	  .help = "pack the files of all executable mappings, with or without samples" },
	{ .name = NULL },
};

/* clang-format on */
const struct option_group settings_common = { "General", common_options };
const struct option_group settings_help = { "General", help_options };
const struct option_group settings_symbols = { "Symbol files", symbol_options };
const struct option_group settings_resolving = { "Symbolisation", resolving_options };
const struct option_group settings_naming = { "Names", naming_options };
const struct option_group settings_frames = { "Frames", frame_options };
const struct option_group settings_selection = { "Selection", selection_options };
const struct option_group settings_frame_selection = { "Selection by frame",
						       frame_selection_options };
const struct option_group settings_grouping = { "Grouping", grouping_options };
const struct option_group settings_folded = { "Form", folded_options };
const struct option_group settings_stacks = { "Stacks", stack_options };
const struct option_group settings_weight = { "Counting", weight_options };
const struct option_group settings_script = { "Layout", script_options };
const struct option_group settings_json = { "Form", json_options };
const struct option_group settings_cache = { "Cache", cache_options };
const struct option_group settings_info = { "Form", info_options };
const struct option_group settings_bundle = { "Files", bundle_options };

void settings_init(struct settings *settings)
{
	*settings = (struct settings){ .view = view_default };
	svg_options_init(&settings->svg);
	diff_settings_init(&settings->diff);
	settings->flame.lane_max = FLAME_LANE_MAX;
	settings->spike_confidence = 0.999;
	settings->report.least_percent = -1;
}

void settings_deinit(struct settings *settings)
{
	marks_deinit(&settings->around_marks);
	marks_deinit(&settings->marks);
	memory_free(settings->around_path);
	vec_free(&settings->inputs);
	vec_free(&settings->page_views);
	vec_free(&settings->labels);
	vec_free(&settings->wheres);
	vec_free(&settings->times);
	vec_free(&settings->symbol_paths);
	vec_free(&settings->source_directories);
	vec_free(&settings->bases);
	view_deinit(&settings->view);
	memory_free(settings->symbol_pattern);
	diff_settings_deinit(&settings->diff);
}

/* Whether the path is that of a perf.data file, which is not a symbol file. */
static bool is_capture(const char *path)
{
	char magic[8] = "";
	FILE *file = fopen(path, "rb");
	bool is_one;

	if (!file)
		return false;
	is_one = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
		 (memcmp(magic, "PERFILE2", 8) == 0 || memcmp(magic, "2ELIFREP", 8) == 0);
	(void)fclose(file);
	return is_one;
}

/* Whether the text is a value of -s as in perf report, where -s is short for --sort. */
static bool is_list_of_keys(const char *text)
{
	struct grouping keys;
	struct error ignored;

	return grouping_parse_columns(text, &keys, &ignored) && !grouping_has(&keys, GROUP_FIELD);
}

static bool check_symbol_paths(const struct settings *settings, struct error *err)
{
	for (size_t i = 0; i < settings->symbol_paths.count; i++) {
		const char *path = symbol_path_parse(settings->symbol_paths.at[i]).path;

		if (access(path, R_OK) != 0 && is_list_of_keys(path))
			return error_set(
				err, ERROR_USAGE,
				"--symbols %s: no such file or directory; to sort rows, use "
				"kiln report --by %s",
				path, path);
		if (access(path, R_OK) != 0)
			return error_set_errno(err, "--symbols %s", path);
		/* If there is another input, the option is useless, but harmless. */
		if (!settings->inputs.count && is_capture(path))
			return error_set(
				err, ERROR_USAGE,
				"--symbols %s: the file is a capture and has no symbols; run kiln "
				"info "
				"--why %s to list the DSOs without symbols",
				path, path);
	}
	return true;
}

static bool parse_call_graph(struct settings *settings, struct error *err)
{
	const char *order = settings->call_graph;

	if (strcmp(order, "callee") == 0)
		settings->view.is_reversed = true;
	else if (strcmp(order, "caller") != 0)
		return error_set(
			err, ERROR_USAGE,
			"-g must be caller (the default) or callee (the same as --reverse), "
			"not \"%s\"",
			order);
	return true;
}

bool settings_add_wheres(const struct settings *settings, struct selection *ret, struct error *err)
{
	for (size_t i = 0; i < settings->wheres.count; i++) {
		const char *where = settings->wheres.at[i];
		const char *equals = strchr(where, '=');

		if (!equals || equals == where || !equals[1])
			return error_set(err, ERROR_USAGE,
					 "--where requires KEY=VALUES, such as host=web-*, not "
					 "\"%s\"",
					 where);
		if (!selection_add_label(ret, (struct text){ where, (uint32_t)(equals - where) },
					 equals + 1, false, err))
			return false;
	}
	return true;
}

/* Parses the options that are name patterns. */
static bool parse_names(struct settings *settings, struct error *err)
{
	struct selection *selection = &settings->view.selection;
	struct name_pattern event;
	const struct {
		const char *option, *list;
		name_patterns *patterns;
	} rows[] = {
		{ "comm", settings->comms, &selection->comms },
		{ "process", settings->processes, &selection->processes },
		{ "dso", settings->dsos, &selection->dsos },
		{ "symbol", settings->symbols, &selection->symbols },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].list &&
		    !name_patterns_parse(rows[i].option, rows[i].list, rows[i].patterns, err))
			return false;
	for (size_t i = 0; i < settings->bases.count; i++) {
		struct name_pattern base;

		if (!name_pattern_parse("base", text_of(settings->bases.at[i]), &base, err))
			return false;
		vec_push(&selection->bases, base);
	}
	if (!settings_add_wheres(settings, selection, err))
		return false;
	if (!settings->view.event_pattern)
		return true;
	if (!name_pattern_parse("event", text_of(settings->view.event_pattern), &event, err))
		return false;
	name_pattern_deinit(&event);
	return true;
}

/* Converts perf's --symbol-filter, which matches any part of a name, to a regular expression. */
static bool parse_symbol_part(struct settings *settings, struct error *err)
{
	size_t length = strlen(settings->symbol_part);
	struct name_pattern pattern;
	char *to;

	if (settings->symbols)
		return error_set(err, ERROR_USAGE,
				 "--symbol and --symbol-filter cannot be combined");
	settings->symbol_pattern = memory_alloc(2 * length + 3, 1);
	to = settings->symbol_pattern;
	*to++ = '/';
	for (const char *at = settings->symbol_part; *at; at++) {
		if (strchr("\\.[]*^$+?(){}|", *at))
			*to++ = '\\';
		*to++ = *at;
	}
	*to++ = '/';
	*to = '\0';
	if (!name_pattern_parse("symbol-filter", text_of(settings->symbol_pattern), &pattern, err))
		return false;
	vec_push(&settings->view.selection.symbols, pattern);
	return true;
}

bool settings_finish(struct settings *settings, struct error *err)
{
	struct selection *selection = &settings->view.selection;

	if (!check_symbol_paths(settings, err))
		return false;
	if (settings->input_format_name) {
		settings->input_format = formats_find(settings->input_format_name, err);
		if (!settings->input_format)
			return false;
	}

	if (!parse_names(settings, err))
		return false;
	if (settings->group_by &&
	    !grouping_parse(settings->group_by, &settings->view.grouping, err))
		return false;
	if (settings->snapshot &&
	    !snapshot_choice_parse(settings->snapshot, &settings->snapshot_choice, err))
		return false;
	if (settings->weight && !weighing_parse(settings->weight, &settings->view.weighing, err))
		return false;
	if (settings->utc_offset &&
	    !selection_time_parse_offset("utc-offset", settings->utc_offset, &settings->clock, err))
		return false;
	settings->view.keeps_sample_counts = settings->view.naming.keeps_separators;
	selection->depth_max = (uint32_t)settings->depth_max;
	selection->callchain_max = (uint32_t)settings->callchain_max;
	if (settings->symbol_part && !parse_symbol_part(settings, err))
		return false;
	if (settings->call_graph && !parse_call_graph(settings, err))
		return false;
	if (selection->user_only && selection->kernel_only)
		return error_set(err, ERROR_USAGE,
				 "--user-only and --kernel-only cannot be combined");
	if (!flame_settings_finish(settings, err) || !mark_settings_finish(settings, err))
		return false;
	for (size_t i = 0; i < settings->times.count; i++)
		if (!selection_time_parse("time", settings->times.at[i], selection, err))
			return false;
	return (!settings->pids ||
		selection_parse_numbers("pid", settings->pids, &selection->pids, err)) &&
	       (!settings->tids ||
		selection_parse_numbers("tid", settings->tids, &selection->tids, err)) &&
	       (!settings->cpus ||
		selection_parse_numbers("cpu", settings->cpus, &selection->cpus, err));
}

bool settings_check_times(const struct settings *settings, const char *command, const char *reason,
			  struct error *err)
{
	if (settings->inputs.count > 1)
		return error_set(err, ERROR_USAGE,
				 "%s reads only one capture, because the clocks of several "
				 "captures may differ",
				 command);
	return !selection_asks_of_frames(&settings->view.selection) ||
	       error_set(err, ERROR_USAGE,
			 "--dso, --symbol, --symbol-filter, --user-only, --kernel-only and "
			 "--max-stack select by frame, but %s %s",
			 command, reason);
}

struct session_options settings_session(const struct settings *settings)
{
	return (struct session_options){
		.view = &settings->view,
		.thread_count = (unsigned)settings->thread_count,
		.memory_bytes = settings->memory_bytes,
		.spool_limit_bytes = settings->spool_limit_bytes,
		.symbol_paths = settings->symbol_paths.at,
		.symbol_path_count = settings->symbol_paths.count,
		.debuginfod = settings->debuginfod,
		.ignores_host = settings->ignores_host,
		.trusts_owners = settings->trusts_owners,
		.trusts_paths = settings->trusts_paths,
		.format = settings->input_format,
		.format_options = &settings->snapshot_choice,
		.is_read_once = settings->is_read_once,
		.shows_difference = settings->shows_difference,
		.reads_lines = settings->reads_lines,
		.readers = settings->confinement ? &settings->confinement->readers : NULL,
		.table_cache = settings->table_cache,
		.clock = settings->clock,
		.wants_wall_clock = settings->wants_wall_clock,
		.pairing = &settings->pairing,
		.timeline = settings->timeline,
		.lanes = settings->lanes,
		.reads_tasks = settings->sched.reads_tasks,
		.tasks_by = (enum task_by)settings->sched.by,
		.reads_memory = settings->report.memory,
		.memory_by = settings->report.memory_by,
		.annotation = settings->annotation,
		.syscalls = settings->syscall_options,
		.log = settings->log_options,
		.chart_lane_max = settings->flame.is_chart ? (uint32_t)settings->flame.lane_max : 0,
	};
}
