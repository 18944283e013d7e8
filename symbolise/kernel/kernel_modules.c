/* SPDX-License-Identifier: MIT */
/* Names each kernel module by its own file, which may be compressed. */
#include <elf.h>

#include "dwarf/helper.h"
#include "object/module_layout.h"
#include "process/module_kind.h"
#include "symbolise/inlines.h"
#include "symbolise/kernel/kernel.h"
#include "symbolise/file_search.h"
#include "symbolise/slim_files.h"

static bool convert_from_start(const void *context, uint64_t address, uint64_t *ret)
{
	const struct module *module = context;

	return !__builtin_sub_overflow(address, module->start, ret);
}

static bool convert_to_debug(const void *context, uint64_t address, uint64_t *ret)
{
	return convert_from_start(context, address, ret) &&
	       !__builtin_add_overflow(*ret, DWARF_MODULE_START, ret);
}

/* Modules of a release are below /lib/modules/RELEASE. */
static bool is_of_release(const struct kernel *kernel, const struct located *located)
{
	const char *release = kernel_release(kernel);
	struct text directory = release ? naming_text(kernel->job, "/%s/", release) : text_of("");

	return release && strstr(located->path, directory.at);
}

static struct file_match match_module(const struct file_search *search,
				      const struct located *located, const struct elf_file *elf,
				      const void *context)
{
	const struct module *module = search->naming->module;

	if (elf->type != ET_REL)
		return (struct file_match){ MATCH_MISMATCHED, text_of("is not a kernel module") };
	if (module->build_id.size_bytes)
		return file_match_check(search->job, search->naming, &module->build_id, located,
					elf);
	if (!is_of_release(context, located))
		return (struct file_match){
			MATCH_MISMATCHED,
			text_of("has the same name, but may belong to a different kernel release")
		};
	if (module_layout_bytes(elf) > module->end - module->start)
		return (struct file_match){ MATCH_MISMATCHED,
					    text_of("contains more code than was loaded") };
	return (struct file_match){
		MATCH_UNVERIFIED,
		text_of("has the same name and kernel release, but the capture has no build-id")
	};
}

/* Accepts files for a module that already has names, and lacks inlined functions. */
static struct file_match match_debug_information(const struct file_search *search,
						 const struct located *located,
						 const struct elf_file *elf, const void *context)
{
	if (!inlines_file(&(struct elf_pair){ .symbols = elf }))
		return (struct file_match){ MATCH_NO_SYMBOLS, text_of("has no debug information") };
	return match_module(search, located, elf, context);
}

static void list_paths(struct kernel *kernel, const struct naming *naming,
		       struct located_list *list)
{
	const struct locator *locator = &kernel->job->context->locator;
	struct text name = module_kernel_module_name(naming->path);
	struct index_matches offered;

	locate_objects(locator,
		       &(struct locate_query){ .path = naming->path,
					       .build_id = naming->module->build_id },
		       &kernel->job->arena, list);
	offered = file_index_find_module(locator->index, name);
	for (size_t i = 0; i < offered.count; i++)
		vec_push(&list->rows, located_offered(LOCATED_BY_NAME, offered.at[i]));
}

/* The accepted file, with or without code. */
static struct elf_file *file_of(struct found_files *found)
{
	return found->pair.symbols == &found->runtime_file ? &found->runtime_file
							   : &found->symbols_file;
}

static void name_by_file(struct kernel *kernel, struct naming *naming, const struct elf_pair *pair,
			 struct found_files *found)
{
	module_layout_place(file_of(found));
	elf_names_apply(kernel->job, naming, pair, convert_from_start, naming->module);
}

static void conclude(struct kernel *kernel, struct naming *naming, const struct found_files *found)
{
	if (naming->named_count)
		naming_conclude(kernel->job, naming, found->match, found->symbols_path,
				found->reason);
	else
		naming_conclude(kernel->job, naming, MATCH_NO_SYMBOLS, NULL,
				naming_text(kernel->job, "%s has no symbols at these addresses",
					    found->symbols_path));
}

/* If the module already has names (is_named), only adds inlined functions, from a verified file. */
static void use_file(struct kernel *kernel, struct naming *naming, struct file_search *search,
		     bool is_named)
{
	struct found_files *found = search->found;
	struct elf_pair pair = { .symbols = file_of(found) };
	struct inlines *inlines = NULL;
	struct inline_table table;
	bool has_all;

	file_search_alt_link(search);
	pair.supplement = found->pair.supplement;
	if (!is_named || found->match == MATCH_VERIFIED)
		inlines =
			inlines_begin(kernel->job, naming, &pair, convert_to_debug, naming->module);
	if (!is_named)
		name_by_file(kernel, naming, &pair, found);
	has_all = inlines_finish(inlines, &table);
	slim_files_collect(kernel->job, naming,
			   &(struct slim_files){
				   .found = found,
				   .convert = convert_to_debug,
				   .convert_context = naming->module,
				   .table = has_all ? &table : NULL,
			   });
	inline_table_deinit(&table);
	if (!is_named)
		conclude(kernel, naming, found);
}

/*
 * If only debug information is needed, compressed files are not worth decompressing, because they
 * are usually stripped.
 */
static bool is_compressed(const struct located *located)
{
	struct text path = text_of(located->path);

	return text_has_suffix(path, ".xz") || text_has_suffix(path, ".gz") ||
	       text_has_suffix(path, ".zst");
}

static void try_for(struct kernel *kernel, struct naming *naming, bool is_named)
{
	struct located_list list = { .rows = { .at = NULL } };
	struct found_files found;
	struct file_search search;

	file_search_begin(&search, kernel->job, naming, &found);
	file_search_try_bundled(&search);
	list_paths(kernel, naming, &list);
	for (size_t i = 0; i < list.rows.count && !found.symbols_path; i++)
		if (!is_named || !is_compressed(&list.rows.at[i]))
			file_search_try(&search, &list.rows.at[i],
					is_named ? match_debug_information : match_module, kernel);
	vec_free(&list.rows);
	if (found.symbols_path)
		use_file(kernel, naming, &search, is_named);
	else if (!is_named && search.refusal != MATCH_MISSING && naming->match == MATCH_NOT_NEEDED)
		naming_conclude(kernel->job, naming, search.refusal, NULL, search.refusal_reason);
	found_files_close(&found);
}

void kernel_modules_try(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->job->count; i++) {
		struct naming *naming = &kernel->job->namings[i];
		bool wants_inlines = kernel->job->context->options->service &&
				     naming->module->build_id.size_bytes;

		if (naming->module->kind == MODULE_KERNEL_MODULE && naming->module->start &&
		    (!naming->named_count || wants_inlines))
			try_for(kernel, naming, naming->named_count > 0);
	}
}
