/* SPDX-License-Identifier: MIT */
#include "tools/settings.h"

#include "base/limits.h"

#define AT(field) offsetof(struct settings, field)

static const struct option common_options[] = {
	{ .short_name = 'o', .name = "output", .kind = OPTION_TEXT, .offset = AT(output),
	  .argument = "FILE", .help = "write to FILE (default: standard output)" },
	{ .short_name = 'j', .name = "jobs", .kind = OPTION_NUMBER, .offset = AT(thread_count),
	  .argument = "N", .minimum = 1, .maximum = LIMIT_WORKERS,
	  .help = "use N threads; the output is the same for any N (default: all processors)" },
	{ .short_name = 'q', .name = "quiet", .kind = OPTION_FLAG, .offset = AT(is_quiet),
	  .help = "no warnings on standard error" },
	{ .name = "stats", .kind = OPTION_FLAG, .offset = AT(wants_stats),
	  .help = "print on standard error how long each stage took" },
	{ .short_name = 'h', .name = "help", .kind = OPTION_FLAG, .offset = AT(wants_help),
	  .help = "print this help" },
	{ .short_name = 'V', .name = "version", .kind = OPTION_FLAG, .offset = AT(wants_version),
	  .help = "print the version" },
	{ .name = NULL },
};

static const struct option symbol_options[] = {
	{ .short_name = 's', .name = "symbols", .kind = OPTION_LIST, .offset = AT(symbol_paths),
	  .argument = "PATH",
	  .help = "look for symbols in PATH: a folder of binaries, an ELF file, a build-id cache, a "
		  "sysroot, a copy of kallsyms, a perf-PID.map; may be given several times" },
	{ .name = "no-host-files", .kind = OPTION_FLAG, .offset = AT(ignores_host),
	  .help = "look nowhere but in --symbols: not among this machine's files, nor in ~/.debug, "
		  "even when the capture was made here" },
	{ .name = "no-demangle", .kind = OPTION_FLAG, .offset = AT(keeps_mangled_names),
	  .help = "show C++ and Rust names as they are linked" },
	{ .name = "keep-suffixes", .kind = OPTION_FLAG, .offset = AT(keeps_suffixes),
	  .help = "keep what compilers append: .cold, .part.0, .isra.0, .constprop.0" },
	{ .name = "perf-names", .kind = OPTION_FLAG, .offset = AT(uses_perf_names),
	  .help = "choose names exactly as perf script does, even where kiln knows better; for "
		  "comparing the two" },
	{ .name = NULL },
};

static const char *const weight_words[] = { "period", "samples", NULL };

static const struct option selection_options[] = {
	{ .short_name = 'e', .name = "event", .kind = OPTION_TEXT, .offset = AT(event_name),
	  .argument = "NAME", .help = "the event to show (default: that of the first sample)" },
	{ .name = "weight", .kind = OPTION_CHOICE, .offset = AT(weight), .argument = "WHAT",
	  .choices = weight_words,
	  .help = "what a sample counts: its period (default), or one: samples" },
	{ .name = NULL },
};

static const struct option picture_options[] = {
	{ .name = "title", .kind = OPTION_TEXT, .offset = AT(svg.title), .argument = "TEXT",
	  .help = "heading (default: Flame Graph)" },
	{ .name = "subtitle", .kind = OPTION_TEXT, .offset = AT(svg.subtitle), .argument = "TEXT",
	  .help = "a second line below the title" },
	{ .name = "width", .kind = OPTION_NUMBER, .offset = AT(svg.width), .argument = "PIXELS",
	  .minimum = 200, .maximum = 20000, .help = "width of the picture (default: 1200)" },
	{ .name = "minwidth", .kind = OPTION_REAL, .offset = AT(svg.minimum_width),
	  .argument = "PIXELS", .help = "leave out boxes narrower than this (default: 0.1)" },
	{ .name = "colors", .kind = OPTION_TEXT, .offset = AT(svg.palette), .argument = "NAME",
	  .help = "palette: kiln (default), hot, red, green, blue, aqua, yellow, purple, orange, mem, "
		  "io, java, js" },
	{ .name = "inverted", .kind = OPTION_FLAG, .offset = AT(svg.is_inverted),
	  .help = "draw the root at the top" },
	{ .name = "summary", .kind = OPTION_FLAG, .offset = AT(wants_summary),
	  .help = "with -o: print the file's name, samples, time span and hottest leaf" },
	{ .name = NULL },
};

static const struct option script_options[] = {
	{ .short_name = 'F', .name = "fields", .kind = OPTION_TEXT, .offset = AT(fields),
	  .argument = "LIST",
	  .help = "fields to print, by perf's names (default: "
		  "comm,pid,tid,cpu,time,event,ip,sym,dso), or changes to these: +period,-dso" },
	{ .name = NULL },
};

static const char *const report_words[] = { "symbol", "dso", "comm", NULL };

static const struct option report_options[] = {
	{ .name = "by", .kind = OPTION_CHOICE, .offset = AT(report_key), .argument = "WHAT",
	  .choices = report_words, .help = "one row for each symbol (default), dso or comm" },
	{ .short_name = 'n', .name = "limit", .kind = OPTION_NUMBER, .offset = AT(limit),
	  .argument = "N", .minimum = 1, .maximum = UINT32_MAX,
	  .help = "print at most N rows (default: all)" },
	{ .name = NULL },
};

static const struct option json_options[] = {
	{ .name = "json", .kind = OPTION_FLAG, .offset = AT(is_json), .help = "print JSON" },
	{ .name = NULL },
};

const struct option_group settings_common = { "General", common_options };
const struct option_group settings_symbols = { "Names", symbol_options };
const struct option_group settings_selection = { "Selection", selection_options };
const struct option_group settings_picture = { "Picture", picture_options };
const struct option_group settings_script = { "Layout", script_options };
const struct option_group settings_report = { "Rows", report_options };
const struct option_group settings_json = { "Form", json_options };

void settings_init(struct settings *settings)
{
	*settings = (struct settings){ 0 };
	svg_options_init(&settings->svg);
}

void settings_deinit(struct settings *settings)
{
	vec_free(&settings->inputs);
	vec_free(&settings->symbol_paths);
}

struct session_options settings_session(const struct settings *settings)
{
	return (struct session_options){
		.thread_count = (unsigned)settings->thread_count,
		.symbol_paths = settings->symbol_paths.at,
		.symbol_path_count = settings->symbol_paths.count,
		.ignores_host = settings->ignores_host,
		.uses_perf_names = settings->uses_perf_names,
		.keeps_mangled_names = settings->keeps_mangled_names,
		.keeps_suffixes = settings->keeps_suffixes,
		.event_name = settings->event_name,
		.counts_samples = settings->weight == WEIGHT_SAMPLES,
	};
}
