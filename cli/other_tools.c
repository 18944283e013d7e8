/* SPDX-License-Identifier: MIT */
#include "cli/other_tools.h"

#include <string.h>

#define OF(program, way) program "; here " way

/* One option, one line: a formatter would spread them out. */
/* clang-format off */
#define FOREIGN(letter, word, program, way) \
	{ .short_name = (letter), .name = (word), .kind = OPTION_FOREIGN, .answer = OF(program, way) }

#define REPORT(letter, word, way) FOREIGN(letter, word, "perf report", way)
static const struct option report_options[] = {
	REPORT('F', "fields", "--by KEYS chooses the columns; self and total always are"),
	REPORT('t', "field-separator", "--json has all columns for other programs"),
	REPORT('G', "inverted", "kiln flame --reverse INPUT -o out.svg draws callers above callees"),
	REPORT('p', "parent", "kiln fold --base FUNCTION INPUT keeps stacks from that function on"),
	REPORT('x', "exclude-other", "kiln fold --base FUNCTION INPUT keeps only stacks with that function"),
	REPORT('U', "hide-unresolved", "kiln info --why INPUT lists frames without a name, and what would help"),
	REPORT('D', "dump-raw-trace", "kiln script INPUT prints samples, kiln info --records INPUT counts records"),
	REPORT('I', "show-info", "kiln info INPUT prints it"),
	REPORT('T', "threads", "--by comm,tid has a row for each thread"),
	REPORT('b', "branch-stack", "kiln fold --branch-history INPUT has the branches that led to samples"),
	REPORT(0, "branch-history", "it is of kiln fold and kiln flame"),
	REPORT('m', "modules", "--symbols DIRECTORY names the kernel's modules"),
	REPORT('w', "column-widths", "columns are as wide as what is in them; --json has no widths"),
	REPORT(0, "header", "kiln info INPUT prints it"),
	REPORT(0, "header-only", "kiln info INPUT prints it"),
	REPORT(0, "show-nr-samples", "--weight samples counts samples"),
	REPORT(0, "show-total-period", "--json prints weights as numbers"),
	REPORT(0, "show-cpu-utilization", "--kernel-only and --user-only give the parts"),
	REPORT(0, "hierarchy", "kiln flame INPUT -o out.svg draws levels; --by comm,dso,symbol lists them"),
	REPORT(0, "group", "--event 'NAMES' shows several events together, --by event each"),
	REPORT(0, "ignore-callees", "kiln flame --base FUNCTION INPUT -o out.svg draws what is below one"),
	REPORT(0, "source", "--by srcline lists the lines of source text"),
	REPORT(0, "asm-raw", "--by srcline lists the lines of source text; instructions are not listed"),
	REPORT(0, "objdump", "--by srcline lists the lines of source text; instructions are not listed"),
	REPORT(0, "full-source-path", "--by srcline prints paths as debug information has them"),
	REPORT(0, "tui", "kiln flame INPUT -o out.svg is for looking around, in a browser"),
	REPORT(0, "gtk", "kiln flame INPUT -o out.svg is for looking around, in a browser"),
	REPORT(0, "stdio-color", "text has no colours"),
	REPORT(0, "pretty", "--json prints weights as numbers"),
	REPORT(0, "tasks", "--by comm,pid,tid lists threads with samples, kiln info INPUT counts all"),
	REPORT(0, "mmaps", "kiln info INPUT lists the files samples ran in"),
	REPORT(0, "percentage", "shares are always of what was selected (relative)"),
	REPORT(0, "socket-filter", "--cpu LIST selects CPUs"),
	REPORT(0, "switch-on", "--time START,STOP selects a time; kiln offcpu --span A,B what is between events"),
	REPORT(0, "switch-off", "--time START,STOP selects a time; kiln offcpu --span A,B what is between events"),
	REPORT(0, "time-quantum", "--time 10%/3 selects a part of the time"),
	REPORT(0, "raw-trace", "--by FIELD has a row for each value of a tracepoint's field"),
	REPORT(0, "ignore-vmlinux", "--no-host-files looks nowhere but in --symbols"),
	REPORT(0, "itrace", "instruction traces are not decoded: kiln script INPUT reads what perf script printed"),
	REPORT(0, "mem-mode", "--weight weight counts what the hardware measured"),
	REPORT(0, "skip-empty", "--event chooses the event"),
	{ .name = NULL },
};

#define SCRIPT(letter, word, way) FOREIGN(letter, word, "perf script", way)
static const struct option script_options[] = {
	SCRIPT('G', "hide-call-graph", "kiln script -F comm,pid,tid,cpu,time,event INPUT prints no stacks"),
	SCRIPT('D', "dump-raw-trace", "kiln info --records INPUT counts records"),
	SCRIPT('I', "show-info", "kiln info INPUT prints it"),
	SCRIPT('g', "gen-script", "kiln fold and kiln report --json INPUT write for other programs"),
	SCRIPT('l', "list", "kiln --help lists the commands"),
	SCRIPT('a', "all-cpus", "all CPUs are always read"),
	SCRIPT(0, "script", "kiln flame, fold and report read the capture themselves"),
	SCRIPT(0, "header", "kiln info INPUT prints it"),
	SCRIPT(0, "header-only", "kiln info INPUT prints it"),
	SCRIPT(0, "reltime", "times are those of the capture, as perf script prints them"),
	SCRIPT(0, "deltatime", "times are those of the capture, as perf script prints them"),
	SCRIPT(0, "stop-bt", "kiln fold --base FUNCTION INPUT keeps stacks from that function on"),
	SCRIPT(0, "per-event-dump", "--event NAME prints one event; run it for each"),
	SCRIPT(0, "show-task-events", "kiln info --records INPUT counts them"),
	SCRIPT(0, "show-mmap-events", "kiln info --records INPUT counts them"),
	SCRIPT(0, "show-switch-events", "kiln offcpu INPUT draws what they measure"),
	SCRIPT(0, "show-lost-events", "kiln info INPUT says what was lost"),
	SCRIPT(0, "show-kernel-path", "kiln info INPUT says what named the kernel"),
	SCRIPT(0, "full-source-path", "-F +srcline prints lines of source text"),
	SCRIPT(0, "itrace", "instruction traces are not decoded: kiln fold reads what perf script printed"),
	{ .name = NULL },
};

#define DIFF(letter, word, way) FOREIGN(letter, word, "perf diff", way)
static const struct option diff_options[] = {
	DIFF(0, "order", "functions that changed most come first"),
	DIFF(0, "compute", "the table has before, after and the change; --format json has all of it"),
	DIFF('b', "baseline-only", "functions of one side alone are marked; --format json has both"),
	DIFF('p', "period", "--format json prints weights as numbers"),
	DIFF('F', "formula", "the table has before, after and the change"),
	DIFF(0, "sort", "kiln report --by dso --compare BEFORE AFTER compares other rows than functions"),
	DIFF(0, "stream", "kiln diff BEFORE AFTER -o diff.svg draws the stacks that changed"),
	{ .name = NULL },
};

#define FOLD(letter, word, program, way) FOREIGN(letter, word, program, way)
#define PERL_FOLD "stackcollapse-perf.pl"
#define RUST_FOLD "inferno-collapse-perf"
static const struct option fold_options[] = {
	FOLD(0, "all", PERL_FOLD, "it is --annotate"),
	FOLD(0, "kernel", PERL_FOLD, "it is --annotate"),
	FOLD(0, "jit", PERL_FOLD, "it is --annotate"),
	FOLD(0, "addrs", PERL_FOLD, "--offsets shows where in its file code without a name is"),
	FOLD(0, "context", PERL_FOLD, "--srcline names frames by lines of source text"),
	FOLD(0, "event-filter", PERL_FOLD, "it is --event NAME"),
	FOLD('n', "nthreads", RUST_FOLD, "it is --jobs N"),
	FOLD(0, "skip-after", RUST_FOLD, "--base FUNCTION leaves out who calls it"),
	{ .name = NULL },
};

#define FLAME(letter, word, way) FOREIGN(letter, word, "inferno-flamegraph", way)
static const struct option graph_options[] = {
	{ .name = NULL },
};
/* clang-format on */

const struct option_group foreign_report = { "perf report", report_options };
const struct option_group foreign_script = { "perf script", script_options };
const struct option_group foreign_diff = { "perf diff", diff_options };
const struct option_group foreign_fold = { "stackcollapse", fold_options };
const struct option_group foreign_flame = { "flamegraph", graph_options };

#define PERF "a command of perf; "
static const struct {
	const char *name, *answer;
} commands[] = {
	{ "record", PERF "it makes the capture, which kiln then reads: kiln perf.data" },
	{ "top", PERF "kiln reads what was recorded: kiln report INPUT" },
	{ "stat", PERF "kiln report INPUT reads what it printed" },
	{ "annotate", PERF "here kiln report --by srcline INPUT" },
	{ "evlist", PERF "here kiln info INPUT" },
	{ "buildid-list", PERF "here kiln info INPUT" },
	{ "archive", PERF "here kiln bundle INPUT -o host.bundle.tar.zst" },
	{ "sched", PERF "here kiln offcpu INPUT -o offcpu.svg, or kiln report --latency INPUT" },
	{ "lock", PERF "here kiln report --latency --span "
		       "lock:contention_begin,lock:contention_end INPUT" },
	{ "trace", PERF "here kiln script -F +trace INPUT" },
	{ "inject", PERF "nothing needs it here: kiln flame INPUT -o out.svg" },
	{ "timechart", PERF "here kiln flame --flamechart INPUT -o out.svg" },
	{ "list", PERF "kiln info INPUT lists the events of a capture" },
	{ "flamegraph", "here kiln flame INPUT -o out.svg" },
	{ "graph", "here kiln flame INPUT -o out.svg" },
	{ "view", "here kiln flame INPUT -o out.svg" },
	{ "collapse", "here kiln fold INPUT" },
	{ "stackcollapse", "here kiln fold INPUT" },
	{ "difffolded", "here kiln diff --format=folded BEFORE AFTER" },
	{ "compare", "here kiln diff BEFORE AFTER" },
	{ "version", "here kiln --version" },
};

const char *foreign_command_answer(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].answer;
	return NULL;
}
