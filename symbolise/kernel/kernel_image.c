/* SPDX-License-Identifier: MIT */
/* Names the kernel by vmlinux or its debug file. vmlinux does not contain modules. */
#include "symbolise/inlines.h"
#include "symbolise/kernel/kernel.h"
#include "symbolise/file_search.h"
#include "symbolise/slim_files.h"

static bool convert_shifted(const void *context, uint64_t address, uint64_t *ret)
{
	*ret = address - *(const uint64_t *)context;
	return true;
}

/*
 * Whether the image's text or data ends where the captured kernel's text or data ended. Also
 * returns true if either end is unknown.
 */
static bool has_captured_end(const struct kernel *kernel, const struct elf_file *elf)
{
	static const char *const names[] = { "_etext", "_edata" };
	uint64_t end = kernel_captured_end(kernel);
	uint64_t reference, value;
	bool is_known = false;

	if (!end || !elf_names_find(elf, kernel->reference, &reference))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!elf_names_find(elf, text_of(names[i]), &value))
			continue;
		is_known = true;
		if (value - reference == end - kernel->module->reference_address)
			return true;
	}
	return !is_known;
}

/* Without a build-id in the capture, uses an image that the user named, unverified. */
static struct file_match match_image(const struct file_search *search,
				     const struct located *located, const struct elf_file *elf,
				     const void *context)
{
	const struct kernel *kernel = context;
	uint64_t value;

	if (!elf_names_find(elf, kernel->reference, &value))
		return (struct file_match){ MATCH_NO_SYMBOLS,
					    text_of("does not contain the symbol that the capture "
						    "refers to") };
	if (kernel->build_id.size_bytes)
		return file_match_check(search->job, search->naming, &kernel->build_id, located,
					elf);
	if (!has_captured_end(kernel, elf))
		return (struct file_match){ MATCH_MISMATCHED,
					    text_of("belongs to a kernel of a different size") };
	return (struct file_match){
		MATCH_UNVERIFIED,
		text_of("is unverified: the capture does not contain the build-id of the kernel")
	};
}

/*
 * The places where distributions install vmlinux. The release is inserted between prefix and
 * suffix.
 */
static void add_by_release(struct kernel *kernel, const char *root, struct located_list *list)
{
	static const char *const before[] = { "/usr/lib/debug/boot/vmlinux-",
					      "/usr/lib/debug/lib/modules/", "/boot/vmlinux-",
					      "/lib/modules/", "/lib/modules/" };
	static const char *const behind[] = { "", "/vmlinux", "", "/vmlinux", "/build/vmlinux" };
	const char *release = kernel_release(kernel);

	for (size_t i = 0; i < ARRAY_SIZE(before) && release; i++) {
		struct text path =
			naming_text(kernel->job, "%s%s%s", before[i], release, behind[i]);

		vec_push(&list->rows,
			 ((struct located){ .how = root ? LOCATED_IN_DIRECTORY : LOCATED_LIVE,
					    .root = root,
					    .path = path.at }));
	}
}

/* Adds files named vmlinux*, except those of other releases. */
static void add_by_name(struct kernel *kernel, struct located_list *list)
{
	const struct file_index *index = kernel->job->context->locator.index;
	const char *release = kernel_release(kernel);

	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];
		struct text name = text_basename(file->path);
		bool is_of_release = release && memmem(file->path.at, file->path.length, release,
						       strlen(release));

		if (file->kind == INDEX_ELF && text_has_prefix(name, "vmlinux") &&
		    (file->is_explicit || is_of_release))
			vec_push(&list->rows, located_offered(LOCATED_BY_NAME, file));
	}
}

static void list_paths(struct kernel *kernel, struct located_list *list)
{
	const struct locator *locator = &kernel->job->context->locator;

	locate_objects(locator, &(struct locate_query){ .build_id = kernel->build_id },
		       &kernel->job->arena, list);
	add_by_name(kernel, list);
	for (size_t i = 0; i < locator->index->directories.count; i++)
		add_by_release(kernel, locator->index->directories.at[i].at, list);
	if (locator->uses_host)
		add_by_release(kernel, NULL, list);
}

/* KASLR offset: run-time address minus link-time address. */
static uint64_t shift_of(const struct kernel *kernel, const struct found_files *found)
{
	uint64_t value = 0;

	elf_names_find(found->pair.symbols, kernel->reference, &value);
	return kernel->module->reference_address - value;
}

/* Finishes reading inlined functions, and passes the image to the collector. */
static void end_inlines(struct kernel *kernel, const struct naming *naming, struct inlines *inlines,
			const struct found_files *found, uint64_t shift)
{
	struct inline_table table;
	bool has_all = inlines_finish(inlines, &table);

	slim_files_collect(kernel->job, naming,
			   &(struct slim_files){
				   .found = found,
				   .convert = convert_shifted,
				   .convert_context = &shift,
				   .table = has_all ? &table : NULL,
				   .kept_name = kernel->reference,
			   });
	inline_table_deinit(&table);
}

static void name_by_image(struct kernel *kernel, struct naming *naming,
			  const struct found_files *found, uint64_t shift)
{
	elf_names_apply(kernel->job, naming, &found->pair, convert_shifted, &shift);
	naming_conclude(kernel->job, naming, found->match, found->symbols_path, found->reason);
}

/*
 * If the kernel already has names (is_named), only adds inlined functions, and only from a verified
 * image.
 */
static bool try_for(struct kernel *kernel, struct naming *naming, bool is_named)
{
	struct located_list list = { .rows = { .at = NULL } };
	struct found_files found;
	struct file_search search;
	bool is_found;

	file_search_begin(&search, kernel->job, naming, &found);
	file_search_try_bundled(&search);
	list_paths(kernel, &list);
	for (size_t i = 0; i < list.rows.count && !found.symbols_path; i++)
		file_search_try(&search, &list.rows.at[i], match_image, kernel);
	vec_free(&list.rows);
	is_found = found.symbols_path != NULL;
	if (is_found) {
		uint64_t shift = shift_of(kernel, &found);
		struct inlines *inlines = NULL;

		file_search_alt_link(&search);
		if (!is_named || found.match == MATCH_VERIFIED)
			inlines = inlines_begin(kernel->job, naming, &found.pair, convert_shifted,
						&shift);
		if (!is_named)
			name_by_image(kernel, naming, &found, shift);
		end_inlines(kernel, naming, inlines, &found, shift);
	} else if (!is_named && kernel->refusal == MATCH_MISSING) {
		kernel->refusal = search.refusal;
		kernel->refusal_reason = search.refusal_reason;
	}
	found_files_close(&found);
	return is_found;
}

static bool try_all(struct kernel *kernel, bool is_named)
{
	bool is_done = false;

	if (!kernel->module->reference_address || !kernel->reference.length)
		return false;
	for (size_t i = 0; i < kernel->job->count; i++)
		if (kernel->job->namings[i].module == kernel->module)
			is_done |= try_for(kernel, &kernel->job->namings[i], is_named);
	return is_done;
}

bool kernel_image_try(struct kernel *kernel)
{
	return try_all(kernel, false);
}

void kernel_image_add_inlines(struct kernel *kernel)
{
	if (kernel->job->context->options->service && kernel->build_id.size_bytes)
		try_all(kernel, true);
}
