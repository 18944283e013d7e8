/* SPDX-License-Identifier: MIT */
#include "cli/other_tools.h"

#include <string.h>

/* clang-format would spread each option over several lines. */
/* clang-format off */
#define FOREIGN(letter, word, program, way) \
	{ .short_name = (letter), .name = (word), .kind = OPTION_FOREIGN, .answer = program "; " way }

#define REPORT(letter, word, way) FOREIGN(letter, word, "perf report", way)
static const struct option report_options[] = {
	REPORT('F', "fields", "use --by KEYS to choose the columns; self and total are always printed"),
	REPORT('t', "field-separator", "use --format csv or --json"),
	REPORT('G', "inverted", "use -g callee"),
	REPORT('p', "parent", "use kiln fold --base FUNCTION INPUT, which keeps stacks with that "
	       "function and drops its callers"),
	REPORT('x', "exclude-other", "use kiln fold --base FUNCTION INPUT, which keeps only stacks with that function"),
	REPORT('U', "hide-unresolved", "use kiln info --why INPUT, which lists DSOs without "
	       "symbols, and what would help"),
	REPORT('D', "dump-raw-trace", "use kiln script INPUT to print samples, or kiln info --records INPUT to count records"),
	REPORT('I', "show-info", "use kiln info INPUT"),
	REPORT('T', "threads", "use --by comm,tid"),
	REPORT('b', "branch-stack", "use kiln fold --branch-history INPUT"),
	REPORT(0, "branch-history", "use this option with kiln fold or kiln flame"),
	REPORT('m', "modules", "use --symbols DIRECTORY to symbolise kernel modules"),
	REPORT('w', "column-widths", "kiln fits the columns to their content; use --json for "
	       "output without padding"),
	REPORT(0, "header", "use kiln info INPUT"),
	REPORT(0, "header-only", "use kiln info INPUT"),
	REPORT(0, "show-nr-samples", "use --show samples"),
	REPORT(0, "show-total-period", "use --show weight"),
	REPORT(0, "show-cpu-utilization", "use --kernel-only and --user-only"),
	REPORT(0, "hierarchy", "use --by comm,dso,symbol, or kiln flame INPUT -o out.svg"),
	REPORT(0, "group", "use --event 'NAMES' to add up several events, or --by event for one "
	       "row per event"),
	REPORT(0, "ignore-callees", "use kiln flame --base FUNCTION INPUT -o out.svg, which drops "
	       "the callers of that function"),
	REPORT(0, "source", "use --by srcline, or kiln annotate FUNCTION INPUT"),
	REPORT(0, "asm-raw", "use kiln annotate FUNCTION INPUT"),
	REPORT(0, "objdump", "kiln annotate FUNCTION INPUT disassembles without objdump"),
	REPORT(0, "full-source-path", "use --by srcline, which prints paths as they are in the "
	       "debug information"),
	REPORT(0, "tui", "use kiln flame INPUT -o out.svg, and open it in a browser"),
	REPORT(0, "gtk", "use kiln flame INPUT -o out.svg, and open it in a browser"),
	REPORT(0, "stdio-color", "kiln prints text without colours"),
	REPORT(0, "pretty", "use --json, which has the weights as numbers"),
	REPORT(0, "tasks", "use --by comm,pid,tid, which lists the threads with samples"),
	REPORT(0, "mmaps", "use kiln info INPUT, which lists the files with samples"),
	REPORT(0, "percentage", "kiln always prints percentages of the selected samples"),
	REPORT(0, "socket-filter", "use --cpu LIST"),
	REPORT(0, "switch-on", "use --time START,STOP, or kiln offcpu --span A,B for the time between events"),
	REPORT(0, "switch-off", "use --time START,STOP, or kiln offcpu --span A,B for the time between events"),
	REPORT(0, "time-quantum", "use --time 10%/3 to select a part of the time"),
	REPORT(0, "raw-trace", "use --by FIELD, which prints a row for each value of a tracepoint "
	       "field"),
	REPORT(0, "ignore-vmlinux", "use --no-host-files to use only the files of --symbols"),
	REPORT(0, "itrace", "kiln does not decode instruction traces; it reads the output of perf script"),
	REPORT(0, "mem-mode", "use --weight weight, which adds up the values measured by the "
	       "hardware"),
	REPORT(0, "skip-empty", "use --event to choose the event"),
	{ .name = NULL },
};

#define SCRIPT(letter, word, way) FOREIGN(letter, word, "perf script", way)
static const struct option script_options[] = {
	SCRIPT('G', "hide-call-graph", "use kiln script -F comm,pid,tid,cpu,time,event INPUT"),
	SCRIPT('D', "dump-raw-trace", "use kiln info --records INPUT, which counts the records"),
	SCRIPT('I', "show-info", "use kiln info INPUT"),
	SCRIPT('g', "gen-script", "use kiln fold INPUT or kiln report --json INPUT for output that "
	       "other programs can read"),
	SCRIPT('l', "list", "kiln --help lists the commands"),
	SCRIPT('a', "all-cpus", "kiln always reads all CPUs"),
	SCRIPT(0, "script", "kiln flame, fold and report read the capture directly"),
	SCRIPT(0, "header", "use kiln info INPUT"),
	SCRIPT(0, "header-only", "use kiln info INPUT"),
	SCRIPT(0, "reltime", "kiln prints the timestamps of the capture, as perf script does by "
	       "default"),
	SCRIPT(0, "deltatime", "kiln prints the timestamps of the capture, as perf script does by "
	       "default"),
	SCRIPT(0, "stop-bt", "use kiln fold --base FUNCTION INPUT, which keeps stacks with that "
	       "function and drops its callers"),
	SCRIPT(0, "per-event-dump", "use --event NAME, once for each event"),
	SCRIPT(0, "show-task-events", "use kiln info --records INPUT, which counts these records"),
	SCRIPT(0, "show-mmap-events", "use kiln info --records INPUT, which counts these records"),
	SCRIPT(0, "show-switch-events", "use kiln offcpu INPUT to draw off-CPU time"),
	SCRIPT(0, "show-lost-events", "use kiln info INPUT, which reports lost samples"),
	SCRIPT(0, "show-kernel-path", "use kiln info INPUT, which reports the symbol file of the "
	       "kernel"),
	SCRIPT(0, "full-source-path", "use -F +srcline"),
	SCRIPT(0, "itrace", "kiln does not decode instruction traces; it reads the output of perf script"),
	{ .name = NULL },
};

#define ANNOTATE(letter, word, way) FOREIGN(letter, word, "perf annotate", way)
static const struct option annotate_options[] = {
	ANNOTATE('l', "print-line", "kiln prints source lines if they are known"),
	ANNOTATE('P', "full-paths", "use --format json, which has the whole paths"),
	ANNOTATE('M', "disassembler-style", "kiln always uses the syntax of objdump"),
	ANNOTATE('D', "dump-raw-trace", "use kiln script INPUT"),
	ANNOTATE(0, "stdio", "omit it, because kiln always prints text"),
	ANNOTATE(0, "stdio2", "omit it, because kiln always prints text"),
	ANNOTATE(0, "tui", "use --format html -o out.html"),
	ANNOTATE(0, "gtk", "use --format html -o out.html"),
	ANNOTATE(0, "objdump", "kiln disassembles without objdump"),
	ANNOTATE(0, "addr2line", "kiln reads source lines without addr2line"),
	ANNOTATE(0, "asm-raw", "kiln does not print the bytes of instructions"),
	ANNOTATE(0, "source", "kiln prints source lines if they are known"),
	ANNOTATE(0, "no-source", "kiln prints source lines if they are known"),
	ANNOTATE(0, "show-nr-samples", "kiln always prints the number of samples"),
	ANNOTATE(0, "show-total-period", "use --format json, which has the weights"),
	ANNOTATE(0, "percent-type", "kiln prints shares of the function's weight; use --format "
		 "json for the numbers"),
	ANNOTATE(0, "group", "use --event 'NAMES' for a column for each event"),
	ANNOTATE(0, "skip-missing", "kiln lists addresses if the code is missing"),
	ANNOTATE(0, "prefix", "use --source-dir PREFIX=DIR"),
	ANNOTATE(0, "prefix-strip", "use --source-dir PREFIX=DIR"),
	ANNOTATE(0, "stdio-color", "kiln prints text without colours"),
	{ .name = NULL },
};

#define DIFF(letter, word, way) FOREIGN(letter, word, "perf diff", way)
static const struct option diff_options[] = {
	DIFF(0, "order", "kiln sorts functions by how much they changed"),
	DIFF(0, "compute", "kiln always prints the values before and after, and the change; use "
	     "--format json for all values"),
	DIFF('b', "baseline-only", "use --format json, which contains the functions of both sides"),
	DIFF('p', "period", "use --format json, which has the weights as numbers"),
	DIFF('F', "formula", "kiln always prints the values before and after, and the change"),
	DIFF(0, "sort", "use kiln report --by dso --compare BEFORE AFTER for rows other than functions"),
	DIFF(0, "stream", "use kiln diff BEFORE AFTER -o diff.svg to draw the stacks that changed"),
	{ .name = NULL },
};

#define PERL_FOLD "stackcollapse-perf.pl"
#define RUST_FOLD "inferno-collapse-perf"
static const struct option fold_options[] = {
	FOREIGN(0, "all", PERL_FOLD, "use --annotate"),
	FOREIGN(0, "kernel", PERL_FOLD, "use --annotate"),
	FOREIGN(0, "jit", PERL_FOLD, "use --annotate"),
	FOREIGN(0, "addrs", PERL_FOLD, "use --offsets to show file offsets of unsymbolised frames"),
	FOREIGN(0, "context", PERL_FOLD, "use --srcline to name frames by source line"),
	FOREIGN(0, "event-filter", PERL_FOLD, "use --event NAME"),
	FOREIGN('n', "nthreads", RUST_FOLD, "use --jobs N"),
	FOREIGN(0, "skip-after", RUST_FOLD, "use --base FUNCTION, which drops the callers of that "
		"function"),
	{ .name = NULL },
};

/* clang-format on */

const struct option_group foreign_report = { "perf report", report_options };
const struct option_group foreign_script = { "perf script", script_options };
const struct option_group foreign_annotate = { "perf annotate", annotate_options };
const struct option_group foreign_diff = { "perf diff", diff_options };
const struct option_group foreign_fold = { "stackcollapse", fold_options };

#define PERF "a command of perf; "
static const struct {
	const char *name, *answer;
} commands[] = {
	{ "record", PERF "record with perf, then run: kiln perf.data" },
	{ "top", PERF "to list the hottest functions of a capture, use kiln report INPUT" },
	{ "stat", PERF "use kiln report INPUT, which reads the output of perf stat" },
	{ "evlist", PERF "use kiln info INPUT" },
	{ "buildid-list", PERF "use kiln info INPUT" },
	{ "archive", PERF "use kiln bundle INPUT -o host.bundle.tar.zst" },
	{ "lock", PERF "use kiln report --latency --span "
		       "lock:contention_begin,lock:contention_end INPUT" },
	{ "trace", PERF "use kiln script -F +trace INPUT" },
	{ "inject", PERF "kiln reads jitdumps itself: kiln flame INPUT -o out.svg" },
	{ "timechart", PERF "use kiln flame --flamechart INPUT -o out.svg" },
	{ "list", PERF "use kiln info INPUT, which lists the events of a capture" },
	{ "flamegraph", "not a command of kiln; use kiln flame INPUT -o out.svg" },
	{ "graph", "not a command of kiln; use kiln flame INPUT -o out.svg" },
	{ "view", "not a command of kiln; use kiln flame INPUT -o out.svg" },
	{ "collapse", "not a command of kiln; use kiln fold INPUT" },
	{ "stackcollapse", "not a command of kiln; use kiln fold INPUT" },
	{ "difffolded", "not a command of kiln; use kiln diff --format=folded BEFORE AFTER" },
	{ "compare", "not a command of kiln; use kiln diff BEFORE AFTER" },
	{ "version", "not a command of kiln; use kiln --version" },
};

const char *foreign_command_answer(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].answer;
	return NULL;
}
