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

/* The dump or map that was looked for where the process would have left it; else where a map would be. */
static void write_jit(const struct profile *profile, const struct module *module, struct sink *sink)
{
	char usual[64];
	struct text path;

	snprintf(usual, sizeof(usual), "/tmp/perf-%" PRIu32 ".map", module->pid);
	path = text_of(usual);
	for (uint32_t i = module->place_count; i-- > 0;) {
		const struct module_place *place =
			&profile->modules->places.at[module->place_first + i];
		struct text looked = strings_get(profile->strings, place->path);

		if (place->verdict == VERDICT_MISSING && text_has_prefix(looked, "/"))
			path = looked;
	}
	write_copy(profile, path, sink);
}

static bool needs_debug_file(const struct module *module)
{
	return (module->kind == MODULE_FILE || module->kind == MODULE_KERNEL_MODULE) &&
	       (module->verdict == VERDICT_NO_SYMBOLS || module->is_stripped);
}

static void write_bundle(const struct profile *profile, struct sink *sink)
{
	struct text input = text_basename(strings_get(profile->strings, profile->input_name));

	sink_puts(sink, "or, to take along all that is still on ");
	escape_terminal(sink, host_of(profile));
	sink_puts(sink, ", there\n  kiln bundle ");
	escape_shell(sink, input.length ? input : text_of("perf.data"));
	sink_puts(sink, " -o host.bundle.tar.zst\n");
}

static void write_command(const struct profile *profile, const struct module *module,
			  struct sink *sink)
{
	char build_id[BUILD_ID_TEXT_BYTES];

	if (needs_debug_file(module)) {
		sink_printf(sink, "debuginfod-find debuginfo %s\n",
			    build_id_hex(&module->build_id, build_id));
		return;
	}
	if (module->kind == MODULE_KERNEL)
		write_kernel(profile, sink);
	else if (module->kind == MODULE_ANONYMOUS)
		write_jit(profile, module, sink);
	else
		write_copy(profile, strings_get(profile->strings, module->path), sink);
	write_bundle(profile, sink);
}

/* Whether there is something that would help. */
static bool is_amiss(const struct module *module)
{
	if (needs_debug_file(module))
		return module->build_id.size_bytes > 0;
	return module->verdict == VERDICT_MISSING || module->verdict == VERDICT_MISMATCH ||
	       module->verdict == VERDICT_DAMAGED || module->verdict == VERDICT_NO_SYMBOLS;
}

bool info_advice_write(const struct profile *profile, const struct module *module, uint64_t unnamed,
		       struct sink *sink)
{
	struct text path = strings_get(profile->strings, module->path);

	if (!is_amiss(module) || !unnamed || !can_be_typed(profile, path))
		return false;
	sink_puts(sink, "\nto name ");
	number_percent(sink, unnamed, profile->stacks.at[0].total);
	sink_puts(sink, " more, those in ");
	escape_terminal(sink, path);
	sink_puts(sink, "\n  ");
	write_command(profile, module, sink);
	return true;
}
