/* SPDX-License-Identifier: MIT */
#include "render/info_advice.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/number.h"

/* What has no host's name: the reader knows where the capture is from. */
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

/* Whether all that a command would hold can be shown on a terminal and typed again. */
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
	for (uint32_t i = 0; i < module->place_count; i++) {
		const struct module_place *place =
			&profile->modules->places.at[module->place_first + i];
		struct text looked = strings_get(profile->strings, place->path);

		if (place->verdict == VERDICT_MISSING && text_has_prefix(looked, "/"))
			return looked;
	}
	*buffer = '\0';
	if (!module->has_other_pid)
		snprintf(buffer, INFO_MAP_PATH_BYTES, "/tmp/perf-%" PRIu32 ".map", module->pid);
	return text_of(buffer);
}

static bool needs_debug_file(const struct module *module)
{
	return (module->kind == MODULE_FILE || module->kind == MODULE_KERNEL_MODULE) &&
	       (module->verdict == VERDICT_NO_SYMBOLS || module->is_stripped);
}

static void write_bundle(const struct profile *profile, struct sink *sink)
{
	struct text input = text_basename(strings_get(profile->strings, profile->input_name));

	sink_puts(sink, "  kiln bundle ");
	escape_shell(sink, input.length ? input : text_of("perf.data"));
	sink_puts(sink, " -o host.bundle.tar.zst\n");
}

/* The command for what can be named by what lies at path; empty: nothing that is known. */
static void write_command(const struct profile *profile, const struct module *module,
			  struct text path, struct sink *sink)
{
	char build_id[BUILD_ID_TEXT_BYTES];

	sink_puts(sink, "  ");
	if (needs_debug_file(module) || module->verdict == VERDICT_MISMATCH)
		sink_printf(sink, "debuginfod-find %s %s\n",
			    needs_debug_file(module) ? "debuginfo" : "executable",
			    build_id_hex(&module->build_id, build_id));
	else if (module->kind == MODULE_KERNEL)
		write_kernel(profile, sink);
	else
		write_copy(profile, path, sink);
}

/* Whether there is something that would help. */
static bool is_amiss(const struct module *module)
{
	/* What the host has at that path may be the very file that was refused. */
	if (needs_debug_file(module) || module->verdict == VERDICT_MISMATCH)
		return module->build_id.size_bytes > 0 && !module_has_other_build_id(module);
	return module->verdict == VERDICT_MISSING || module->verdict == VERDICT_DAMAGED ||
	       module->verdict == VERDICT_NO_SYMBOLS;
}

static void write_short_copy(const struct profile *profile, struct text path, struct sink *sink)
{
	sink_puts(sink, "copy ");
	sink_text(sink, path);
	sink_puts(sink, " from ");
	sink_text(sink,
		  profile->facts[FACT_HOST].at ? profile->facts[FACT_HOST] : text_of("the host"));
}

static void write_short_map(const struct profile *profile, struct text path, struct sink *sink)
{
	if (path.length)
		write_short_copy(profile, path, sink);
	else
		sink_puts(sink, "its map is in its container's /tmp");
}

void info_advice_write_short(const struct profile *profile, const struct module *module,
			     struct sink *sink)
{
	char buffer[INFO_MAP_PATH_BYTES];

	if (module->verdict == VERDICT_MISMATCH && module_has_other_build_id(module))
		sink_puts(sink,
			  "its build-id is another file's; perf record --buildid-mmap records "
			  "its own");
	if (!is_amiss(module))
		return;
	if (needs_debug_file(module))
		sink_puts(sink, "it is stripped, and needs its debug file");
	else if (module->verdict == VERDICT_MISMATCH)
		sink_puts(sink, "the file found is another build");
	else if (module->kind == MODULE_ANONYMOUS)
		write_short_map(profile, info_advice_map_path(profile, module, buffer), sink);
	else if (module->kind == MODULE_KERNEL)
		write_short_copy(profile, text_of("/proc/kallsyms (as root)"), sink);
	else if (module->kind != MODULE_VDSO)
		write_short_copy(profile, strings_get(profile->strings, module->path), sink);
}

bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink)
{
	struct text name = strings_get(profile->strings, module->path);
	char buffer[INFO_MAP_PATH_BYTES];
	struct text path = module->kind == MODULE_ANONYMOUS
				   ? info_advice_map_path(profile, module, buffer)
				   : name;

	if (!is_amiss(module) || !unnamed || !can_be_typed(profile, name) || has_control(path))
		return false;
	sink_puts(sink, "\nto name ");
	number_percent(sink, unnamed, profile->stacks.at[0].total);
	sink_puts(sink, " more, those in ");
	escape_terminal(sink, name);
	sink_char(sink, '\n');
	if (path.length)
		write_command(profile, module, path, sink);
	if (needs_debug_file(module) || module->verdict == VERDICT_MISMATCH)
		return true;
	sink_puts(sink, path.length ? "or, to take along all that is still on "
				    : "while the process runs, on ");
	escape_terminal(sink, host_of(profile));
	sink_puts(sink, path.length ? ", there\n" : "\n");
	write_bundle(profile, sink);
	return true;
}
