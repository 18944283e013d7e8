/* SPDX-License-Identifier: MIT */
/* Names the locations of executables, libraries and the vdso by their ELF symbols. */
#include "object/elf_layout.h"
#include "symbolise/elf/elf_names.h"
#include "symbolise/file_search.h"
#include "symbolise/elf/go_names.h"
#include "symbolise/inlines.h"
#include "symbolise/slim_files.h"
#include "symbolise/source.h"

/*
 * The layout assumed for a separate debug file without its runtime file. The segments of a debug
 * file keep their addresses, but lose their file offsets.
 */
struct assumed_layout {
	uint64_t base; /* assumed address of the file's first byte */
};

static bool convert_by_assumption(const void *context, uint64_t offset, uint64_t *ret)
{
	const struct assumed_layout *layout = context;

	return !__builtin_add_overflow(layout->base, offset, ret);
}

/*
 * Files linked by GNU ld have the same layout in memory as on disk. Files linked by lld or mold
 * have different layouts.
 */
static bool is_laid_out_as_memory(const struct elf_file *elf)
{
	const struct elf_section *comment = elf_find_section(elf, ".comment");
	struct span bytes;

	if (!comment || elf->segments.count == 0)
		return false;
	bytes = elf_section_bytes(elf, comment);
	return span_left(&bytes) > 0 && !memmem(bytes.at, span_left(&bytes), "LLD ", 4) &&
	       !memmem(bytes.at, span_left(&bytes), "mold ", 5);
}

/* Whether the mapped range is code of this file under the assumed layout. */
static bool fits(const struct elf_file *elf, const struct module *module)
{
	uint64_t address;

	return !module->mapped_bytes || (!__builtin_add_overflow(elf->segments.at[0].address,
								 module->mapped_offset, &address) &&
					 elf_layout_may_lie_at(elf, address, module->mapped_bytes));
}

/*
 * Names all locations that the pair covers. found: the files from which the pair was made, or NULL.
 */
static void apply(struct naming_job *job, struct naming *naming, const struct elf_pair *pair,
		  naming_convert *convert, const void *convert_context,
		  const struct found_files *found)
{
	struct inlines *inlines = inlines_begin(job, naming, pair, convert, convert_context);
	struct inline_table table;
	bool has_all;

	elf_names_apply(job, naming, pair, convert, convert_context);
	has_all = inlines_finish(inlines, &table);
	if (found)
		slim_files_collect(job, naming,
				   &(struct slim_files){
					   .found = found,
					   .convert = convert,
					   .convert_context = convert_context,
					   .table = has_all ? &table : NULL,
				   });
	inline_table_deinit(&table);
}

static void name_by_debug_file(struct naming_job *job, struct naming *naming,
			       const struct found_files *found)
{
	struct assumed_layout layout;

	/* The offsets of data segments in the file differ from those in memory. */
	if (job->context->options->wants_data || !is_laid_out_as_memory(&found->symbols_file) ||
	    !fits(&found->symbols_file, naming->module)) {
		naming_conclude(
			job, naming, MATCH_NO_SYMBOLS, NULL,
			naming_text(job,
				    "only the separate debug file %s was found; the executable or "
				    "library itself is required, too",
				    found->symbols_path));
		return;
	}
	layout.base = found->symbols_file.segments.at[0].address;
	apply(job, naming, &found->pair, convert_by_assumption, &layout, found);
	naming_conclude(job, naming, MATCH_UNVERIFIED, found->symbols_path,
			naming_text(job,
				    "only the separate debug file was found; kiln assumes that the "
				    "executable or library has the usual layout of GNU ld"));
}

static struct text say_stripped(struct naming_job *job, const struct naming *naming,
				const struct found_files *found)
{
	return naming_text(job,
			   naming->is_stripped
				   ? "%s is stripped: only exported functions have names"
				   : "%s is stripped: names are from Go's function table",
			   found->runtime_path);
}

static void name_by_files(struct naming_job *job, struct naming *naming,
			  const struct found_files *found)
{
	bool is_stripped = !found->symbols_path;
	const char *path = is_stripped ? found->runtime_path : found->symbols_path;

	apply(job, naming, &found->pair, naming_file_convert(job), &found->runtime_file, found);
	naming->is_stripped = is_stripped && !go_names_are_in(&found->runtime_file);
	if (naming->named_count == 0)
		naming_conclude(job, naming, MATCH_NO_SYMBOLS, NULL,
				naming_text(job,
					    is_stripped ? "%s is stripped"
							: "%s has no symbols at these addresses",
					    path));
	else
		naming_conclude(job, naming, found->match, path,
				is_stripped && !found->reason.length
					? say_stripped(job, naming, found)
					: found->reason);
}

/* Every process has the kernel's vdso, so kiln's own vdso is a candidate. */
static void name_by_own_vdso(struct naming_job *job, struct naming *naming)
{
	const struct build_id *wanted = &naming->module->build_id;
	struct elf_file elf;
	struct error ignored;

	if (!elf_open_own_vdso(&elf, &ignored))
		return;
	if (elf.is_64_bit != naming->module->is_32_bit &&
	    (!wanted->size_bytes || build_id_equal(wanted, &elf.build_id))) {
		struct elf_pair pair = { .runtime = &elf, .symbols = &elf };

		enum match_status match = wanted->size_bytes ? MATCH_VERIFIED : MATCH_UNVERIFIED;

		apply(job, naming, &pair, naming_file_convert(job), &elf, NULL);
		naming_show_elf(job, naming, &elf, "[vdso]", match);
		naming_conclude(job, naming, match, "[vdso]",
				wanted->size_bytes ? text_of("")
						   : text_of("the capture has no build-id"));
	}
	elf_close(&elf);
}

static void run(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];
	bool is_vdso = naming->module->kind == MODULE_VDSO;
	struct found_files found;

	if (is_vdso)
		file_search_by_build_id(job, naming, &found);
	else
		file_search(job, naming, &found);
	if (found.runtime_path)
		name_by_files(job, naming, &found);
	else if (found.symbols_path)
		name_by_debug_file(job, naming, &found);
	else
		naming_conclude(job, naming, found.match, NULL, found.reason);
	found_files_close(&found);
	if (is_vdso && !naming->named_count && job->context->options->use_host_files)
		name_by_own_vdso(job, naming);
}

static const enum module_kind kinds[] = { MODULE_FILE, MODULE_VDSO };

const struct symbol_source file_source = {
	.name = "file",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.run = run,
};
