/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/code_files.h"

#include "symbolise/prefetch.h"
#include "symbolise/file_match.h"
#include "symbolise/file_search.h"

void code_files_init(struct code_files *files, const struct modules *modules,
		     const struct strings *strings, const struct symbolise_options *options)
{
	*files = (struct code_files){
		.context = {
			.modules = modules,
			.strings = strings,
			.options = options,
			.locator = {
				.index = options->index,
				.build_id_cache = options->build_id_cache,
				.uses_host = options->use_host_files,
				.capture_time_s = options->capture_time_s,
				.roots = options->roots,
			},
		},
	};
	locations_init(&files->no_locations);
	files->context.locations = &files->no_locations;
}

void code_files_deinit(struct code_files *files)
{
	locations_deinit(&files->no_locations);
}

/* If the capture was made on this machine, its vdso is the running kernel's vdso. */
static bool use_own_vdso(const struct code_files *files, const struct module *module,
			 void (*use)(void *context, const struct code_file *file), void *context)
{
	struct elf_file elf;
	struct error ignored;
	bool is_same;

	if (!files->context.options->use_host_files || !elf_open_own_vdso(&elf, &ignored))
		return false;
	is_same =
		elf.is_64_bit != module->is_32_bit &&
		(!module->build_id.size_bytes || build_id_equal(&module->build_id, &elf.build_id));
	if (is_same)
		use(context, &(struct code_file){ .runtime = &elf });
	elf_close(&elf);
	return is_same;
}

bool code_files_open(const struct code_files *files, module_id module,
		     void (*use)(void *context, const struct code_file *file), void *context)
{
	const struct module *row = modules_get(files->context.modules, module);
	struct naming naming = {
		.module = row,
		.path = strings_get(files->context.strings, row->path),
	};
	struct naming_job job = {
		.context = &files->context,
		.namings = &naming,
		.count = 1,
	};
	struct found_files found;
	bool is_found;

	arena_init(&job.arena);
	if (row->kind == MODULE_VDSO)
		file_search_by_build_id(&job, &naming, &found);
	else
		file_search(&job, &naming, &found);
	is_found = found.runtime_path && match_is_usable(found.match);
	if (is_found) {
		use(context, &(struct code_file){
				     .runtime = found.pair.runtime,
				     .debug = found.symbols_path ? found.pair.symbols : NULL,
			     });
		prefetch_offer(files->context.options->prefetch, module, &found.pair);
	}
	found_files_close(&found);
	vec_free(&naming.searched_paths);
	arena_deinit(&job.arena);
	return is_found || (row->kind == MODULE_VDSO && use_own_vdso(files, row, use, context));
}
