/* SPDX-License-Identifier: MIT */
#include "render/text/info_advice.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/number.h"

/* "HOST" if the capture does not name its host. */
static struct text host_of(const struct profile *profile)
{
	struct text host = profile->facts[FACT_HOST];

	return host.at && host.length ? host : text_of("HOST");
}

static bool has_control(struct text text)
{
	for (uint32_t i = 0; i < text.length; i++)
		if ((unsigned char)text.at[i] < ' ' || text.at[i] == 0x7f)
			return true;
	return false;
}

/*
 * Whether the command can be shown on a terminal and typed, because it has no control characters.
 */
static bool can_be_typed(const struct profile *profile, struct text path)
{
	return !has_control(path) && !has_control(host_of(profile)) &&
	       !has_control(strings_get(profile->strings, profile->input_name));
}

/* "... && kiln info --symbols ./NAME CAPTURE" */
static void write_use(const struct profile *profile, struct text name, struct sink *sink)
{
	struct sink path;

	sink_init_memory(&path);
	sink_puts(&path, "./");
	sink_text(&path, name);
	sink_puts(sink, " && kiln info --symbols ");
	escape_shell(sink, sink_memory(&path));
	sink_char(sink, ' ');
	escape_shell(sink, strings_get(profile->strings, profile->input_name));
	sink_char(sink, '\n');
	sink_deinit(&path);
}

/*
 * Writes the command that copies the perf maps of a container into their own directory, assigned to
 * the process.
 */
static void write_copy_maps(const struct profile *profile, const struct module *module,
			    struct text path, struct sink *sink)
{
	struct sink from;

	sink_init_memory(&from);
	sink_text(&from, host_of(profile));
	sink_char(&from, ':');
	sink_text(&from, path);
	sink_printf(sink, "mkdir maps-%" PRIu32 " && scp ", module->pid);
	escape_shell(sink, sink_memory(&from));
	sink_printf(sink, " maps-%" PRIu32 " && kiln info --symbols %" PRIu32 "=maps-%" PRIu32 " ",
		    module->pid, module->pid, module->pid);
	escape_shell(sink, strings_get(profile->strings, profile->input_name));
	sink_char(sink, '\n');
	sink_deinit(&from);
}

static void write_copy(const struct profile *profile, struct text path, struct sink *sink)
{
	struct sink from;

	sink_init_memory(&from);
	sink_text(&from, host_of(profile));
	sink_char(&from, ':');
	sink_text(&from, path);
	sink_puts(sink, "scp ");
	escape_shell(sink, sink_memory(&from));
	sink_puts(sink, " .");
	write_use(profile, text_basename(path), sink);
	sink_deinit(&from);
}

static void write_kernel(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "ssh ");
	escape_shell(sink, host_of(profile));
	sink_puts(sink, " sudo cat /proc/kallsyms > kallsyms");
	write_use(profile, text_of("kallsyms"), sink);
}

struct text info_advice_map_path(const struct profile *profile, const struct module *module,
				 char buffer[static INFO_MAP_PATH_BYTES])
{
	for (uint32_t i = 0; i < module->searched_count; i++) {
		const struct searched_path *searched =
			&profile->modules->searched_paths.at[module->searched_first + i];
		struct text looked = strings_get(profile->strings, searched->path);

		if (searched->match == MATCH_MISSING && text_has_prefix(looked, "/"))
			return looked;
	}
	snprintf(buffer, INFO_MAP_PATH_BYTES,
		 module->has_other_pid ? "/proc/%" PRIu32 "/root/tmp/perf-*.map"
				       : "/tmp/perf-%" PRIu32 ".map",
		 module->pid);
	return text_of(buffer);
}

/*
 * Whether the path is below the root of a process. Such a path exists only while the process is
 * running.
 */
static bool is_in_process(struct text path)
{
	return text_has_prefix(path, "/proc/") && memmem(path.at, path.length, "/root/", 6);
}

/* Returns the path of a module's file outside containers; the path can be stored in `storage`. */
static struct text find_path(const struct profile *profile, const struct module *module,
			     char buffer[static INFO_MAP_PATH_BYTES], struct sink *storage)
{
	struct text path = strings_get(profile->strings, module->path);

	bool is_inside =
		module->kind == MODULE_ANONYMOUS ? module->has_other_pid : module->is_elsewhere;

	if (module->kind == MODULE_ANONYMOUS)
		path = info_advice_map_path(profile, module, buffer);
	if (!is_inside || is_in_process(path) || !text_has_prefix(path, "/"))
		return path;
	sink_printf(storage, "/proc/%" PRIu32 "/root",
		    module->kind == MODULE_ANONYMOUS ? module->pid : module->last_pid);
	sink_text(storage, path);
	return sink_memory(storage);
}

/*
 * Whether the file was deleted while it was in use, or exists only in memory (memfd). The host has no
 * file at this path, or a different one.
 */
static bool is_deleted(const struct profile *profile, const struct module *module)
{
	return module->kind == MODULE_FILE &&
	       text_has_suffix(strings_get(profile->strings, module->path), " (deleted)");
}

static bool needs_debug_file(const struct module *module)
{
	return (module->kind == MODULE_FILE || module->kind == MODULE_KERNEL_MODULE) &&
	       (module->match == MATCH_NO_SYMBOLS || module->is_stripped);
}

static void write_bundle(const struct profile *profile, struct sink *sink)
{
	struct text input = text_basename(strings_get(profile->strings, profile->input_name));

	sink_puts(sink, "  kiln bundle ");
	escape_shell(sink, input.length ? input : text_of("perf.data"));
	sink_puts(sink, " -o host.bundle.tar.zst\n");
}

/* Writes the command that would symbolise the module with the file at path. */
static void write_command(const struct profile *profile, const struct module *module,
			  struct text path, struct sink *sink)
{
	char build_id[BUILD_ID_TEXT_BYTES];

	sink_puts(sink, "  ");
	if (needs_debug_file(module) || module->match == MATCH_MISMATCHED)
		sink_printf(sink, "debuginfod-find %s %s\n",
			    needs_debug_file(module) ? "debuginfo" : "executable",
			    build_id_hex(&module->build_id, build_id));
	else if (module->kind == MODULE_KERNEL)
		write_kernel(profile, sink);
	else if (module->kind == MODULE_ANONYMOUS && is_in_process(path))
		write_copy_maps(profile, module, path, sink);
	else
		write_copy(profile, path, sink);
}

/* Whether a command could provide something that the module lacks. */
static bool is_amiss(const struct module *module)
{
	/* The file on the host may be the same file that was refused. */
	if (needs_debug_file(module) || module->match == MATCH_MISMATCHED)
		return module->build_id.size_bytes > 0 && !module_has_other_build_id(module);
	return module->match == MATCH_MISSING || module->match == MATCH_CORRUPT ||
	       module->match == MATCH_NO_SYMBOLS;
}

/* debuginfod may have a deleted file, because it is found by its build-id. */
static bool can_be_provided(const struct profile *profile, const struct module *module)
{
	return is_amiss(module) && (!is_deleted(profile, module) || needs_debug_file(module) ||
				    module->match == MATCH_MISMATCHED);
}

static void write_short_copy(const struct profile *profile, struct text path, struct sink *sink)
{
	sink_puts(sink, "copy ");
	sink_text(sink, path);
	sink_puts(sink, " from the host");
	if (profile->facts[FACT_HOST].at) {
		sink_char(sink, ' ');
		sink_text(sink, profile->facts[FACT_HOST]);
	}
	if (is_in_process(path))
		sink_puts(sink, " while it runs");
}

void info_advice_write_short(const struct profile *profile, const struct module *module,
			     struct sink *sink)
{
	char buffer[INFO_MAP_PATH_BYTES];
	struct sink storage;

	if (module->match == MATCH_MISMATCHED && module_has_other_build_id(module))
		sink_puts(sink, "the capture has the build-id of a different file; perf record "
				"--buildid-mmap records the right one");
	if (!is_amiss(module))
		return;
	sink_init_memory(&storage);
	if (needs_debug_file(module))
		sink_puts(sink, "the file is stripped; its separate debug file is required");
	else if (module->match == MATCH_MISMATCHED)
		sink_puts(sink, "the file that was found is a different build");
	else if (is_deleted(profile, module))
		sink_puts(sink,
			  "the host no longer has this file; --symbols FILE accepts a copy of "
			  "the same build");
	else if (module->kind == MODULE_KERNEL)
		write_short_copy(profile, text_of("/proc/kallsyms (as root)"), sink);
	else if (module->kind != MODULE_VDSO)
		write_short_copy(profile, find_path(profile, module, buffer, &storage), sink);
	sink_deinit(&storage);
}

/* Writes the advice for a module whose file is at path. */
static void write_advice(const struct profile *profile, const struct module *module,
			 struct text path, uint64_t unnamed, struct sink *sink)
{
	sink_puts(sink, "\nto symbolise another ");
	number_percent(sink, unnamed, profile->stacks.at[0].total);
	sink_puts(sink, ", in ");
	escape_terminal(sink, strings_get(profile->strings, module->path));
	if (is_in_process(path))
		sink_printf(sink, ", while process %" PRIu32 " runs",
			    module->kind == MODULE_ANONYMOUS ? module->pid : module->last_pid);
	sink_char(sink, '\n');
	write_command(profile, module, path, sink);
	if (needs_debug_file(module) || module->match == MATCH_MISMATCHED)
		return;
	sink_puts(sink, "or, on the host ");
	escape_terminal(sink, host_of(profile));
	sink_puts(sink, ", to pack everything that is needed into a bundle\n");
	write_bundle(profile, sink);
}

bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink)
{
	struct text name = strings_get(profile->strings, module->path);
	char buffer[INFO_MAP_PATH_BYTES];
	struct sink storage;
	struct text path;
	bool is_of_use;

	sink_init_memory(&storage);
	path = find_path(profile, module, buffer, &storage);
	is_of_use = can_be_provided(profile, module) && unnamed && can_be_typed(profile, name) &&
		    !has_control(path);
	if (is_of_use)
		write_advice(profile, module, path, unnamed, sink);
	sink_deinit(&storage);
	return is_of_use;
}

#define NEXT_COUNT 3
/* The column of the descriptions, unless the command is longer. */
#define WORDS_COLUMN 48

struct next_command {
	const char *command, *options, *words;
};

static const struct next_command flame = { "flame", " -o flame.svg", "write a flame graph" };
static const struct next_command report = { "report", "", "list the hottest functions" };
static const struct next_command fold = { "fold", "", "print folded stacks" };
static const struct next_command why = { "info --why", "", "list frames without a name, and why" };
static const struct next_command script = { "script", "", "print every sample" };
static const struct next_command offcpu = { "offcpu", " -o offcpu.svg",
					    "write an off-CPU flame graph" };
static const struct next_command latency = { "report --latency", "",
					     "list how long threads were blocked" };
static const struct next_command syscalls = { "syscalls", "",
					      "list system calls, durations and errors" };
static const struct next_command counters = { "report", "", "list the counters" };
static const struct next_command counters_json = { "report --json", "", "the same as JSON" };
static const struct next_command change = { "diff", " AFTER", "compare with a capture made later" };

/* No command is suggested for less than one hundredth of the weight. */
#define UNNAMED_WORTH 100

/*
 * Whether the samples of an event are context switches, from sched:sched_switch or perf record
 * --off-cpu.
 */
static bool is_switch(const struct profile *profile, const struct profile_event *event)
{
	return event->is_off_cpu ||
	       text_is(strings_get(profile->strings, event->name), "sched:sched_switch");
}

/* Whether there are samples of context switches or, if of_switches is false, of other events. */
static bool has_samples(const struct profile *profile, bool of_switches)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->sample_count && is_switch(profile, event) == of_switches)
			return true;
	}
	return false;
}

/* Whether all samples are entries and exits of system calls. */
static bool has_only_syscalls(const struct profile *profile)
{
	uint64_t count = 0;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct text name = strings_get(profile->strings, event->name);

		if (event->sample_count && !text_has_prefix(name, "raw_syscalls:sys_") &&
		    !text_has_prefix(name, "syscalls:sys_"))
			return false;
		count += event->sample_count;
	}
	return count != 0;
}

static bool has_switch_records(const struct profile *profile)
{
	for (size_t i = 0; i < profile->records.count; i++)
		if (profile->records.at[i].name.at && profile->records.at[i].count &&
		    text_has_prefix(profile->records.at[i].name, "SWITCH"))
			return true;
	return false;
}

static bool has_unnamed(const struct profile *profile)
{
	uint64_t unnamed = 0;

	for (size_t i = 1; i < profile->stacks.count; i++)
		if (!profile->frames.at[profile->stacks.at[i].frame.i].is_named)
			unnamed = saturate_add(unnamed, profile->stacks.at[i].self);
	return profile->stacks.count && unnamed > profile->stacks.at[0].total / UNNAMED_WORTH;
}

static void choose(const struct profile *profile, const struct next_command *ret[NEXT_COUNT])
{
	bool has_switches = has_samples(profile, true);

	ret[0] = &flame;
	ret[1] = &report;
	ret[2] = has_unnamed(profile) ? &why : &fold;
	if (profile->is_counted) {
		ret[0] = &counters;
		ret[1] = &counters_json;
		ret[2] = &change;
	} else if (has_only_syscalls(profile)) {
		ret[0] = &syscalls;
		ret[1] = &flame;
		ret[2] = &script;
	} else if (has_switches && !has_samples(profile, false)) {
		ret[0] = &offcpu;
		ret[1] = &latency;
		ret[2] = &script;
	} else if (has_switches || has_switch_records(profile)) {
		ret[2] = &offcpu;
	}
}

static void write_next_command(const struct next_command *next, struct text input,
			       struct sink *sink)
{
	struct sink line;

	sink_init_memory(&line);
	sink_printf(&line, "  kiln %s ", next->command);
	escape_shell(&line, input);
	sink_puts(&line, next->options);
	sink_text(sink, sink_memory(&line));
	sink_printf(sink, "%*s  %s\n", line.used < WORDS_COLUMN ? WORDS_COLUMN - (int)line.used : 0,
		    "", next->words);
	sink_deinit(&line);
}

void info_next_write(const struct profile *profile, struct text input, struct sink *sink)
{
	const struct next_command *chosen[NEXT_COUNT];

	if (has_control(input))
		return;
	choose(profile, chosen);
	sink_puts(sink, "\nnext\n");
	for (size_t i = 0; i < NEXT_COUNT; i++)
		write_next_command(chosen[i], input, sink);
}
