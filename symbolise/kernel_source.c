/* SPDX-License-Identifier: MIT */
/*
 * The kernel and its modules, named by a list of the kernel's symbols or by its image (vmlinux).
 * The kernel lies elsewhere after each boot; where one of its symbols ran is in the capture, and
 * the difference to the list moves all others. Modules move each on their own, so a list of
 * another boot does not name them.
 */
#include <unistd.h>

#include "base/limits.h"
#include "object/file.h"
#include "object/host_kernel.h"
#include "symbolise/file_search.h"
#include "symbolise/kallsyms.h"
#include "symbolise/sources.h"

#define HOST_LIST "/proc/kallsyms"

struct kernel {
	struct naming_job *job;
	const struct module *module; /* the kernel itself; NULL: the capture does not map it */
	struct build_id build_id;
	struct text reference;
	/* What was found and not used. */
	enum module_verdict refusal;
	struct text refusal_reason;
};

static void refuse(struct kernel *kernel, enum module_verdict verdict, struct text reason)
{
	if (kernel->refusal != VERDICT_MISSING)
		return;
	kernel->refusal = verdict;
	kernel->refusal_reason = reason;
}

/* Convert context: how far the kernel ran from where the list says. */
static bool convert_shifted(const void *context, uint64_t address, uint64_t *ret)
{
	*ret = address - *(const uint64_t *)context;
	return true;
}

/* Why module names cannot be told; empty when they can. */
static struct text module_refusal(struct kernel *kernel, const struct module *module,
				  const struct kallsyms *list, const char *path, uint64_t shift,
				  uint32_t owner)
{
	if (shift)
		return naming_text(kernel->job,
				   "%s is of another boot, and modules have moved since", path);
	if (owner == KALLSYMS_NO_OWNER)
		return naming_text(kernel->job, "%s has no symbols of it", path);
	if (module->end && !kallsyms_has_module_in(list, owner, module->start, module->end))
		return naming_text(kernel->job, "%s has it elsewhere: it was loaded anew since",
				   path);
	return (struct text){ "", 0 };
}

static void name_one(struct kernel *kernel, struct naming *naming, const struct kallsyms *list,
		     const char *path, enum module_verdict verdict, struct text reason)
{
	bool is_kernel = naming->module->kind == MODULE_KERNEL;
	uint64_t shift = list->has_reference && kernel->module->reference_address
				 ? kernel->module->reference_address - list->reference_address
				 : 0;
	uint32_t owner = is_kernel ? KALLSYMS_KERNEL : kallsyms_find_module(list, naming->path);
	struct text refusal = { "", 0 };

	if (!is_kernel)
		refusal = module_refusal(kernel, naming->module, list, path, shift, owner);
	if (refusal.length) {
		naming_conclude(kernel->job, naming, VERDICT_NO_SYMBOLS, NULL, refusal);
		return;
	}
	naming_apply(kernel->job, naming,
		     &(struct naming_table){
			     .symbols = &list->symbols,
			     .convert = convert_shifted,
			     .convert_context = &shift,
			     .owner = owner,
		     });
	naming_conclude(kernel->job, naming, verdict, path, reason);
}

static bool name_all(struct kernel *kernel, struct text bytes, const char *path,
		     enum module_verdict verdict, struct text reason)
{
	struct kallsyms list;
	bool is_usable;

	kallsyms_init(&list, bytes, kernel->reference, naming_rules(kernel->job));
	is_usable = list.has_address;
	/* The capture says where a symbol ran; a list without it is of some other kernel. */
	if (is_usable && kernel->module->reference_address && !list.has_reference) {
		refuse(kernel, VERDICT_MISMATCH,
		       naming_text(kernel->job, "%s lacks the symbol the capture refers to", path));
		is_usable = false;
	} else if (!list.line_count)
		refuse(kernel, VERDICT_DAMAGED,
		       naming_text(kernel->job, "%s is no list of kernel symbols", path));
	else if (!is_usable)
		refuse(kernel, VERDICT_NO_SYMBOLS,
		       naming_text(kernel->job,
				   "all addresses in %s are zero: kernel.kptr_restrict "
				   "hid them from who made it",
				   path));
	/* Equal builds still lie elsewhere after a boot, and nothing here tells where. */
	if (is_usable && verdict == VERDICT_VERIFIED &&
	    !(list.has_reference && kernel->module->reference_address)) {
		verdict = VERDICT_UNVERIFIED;
		reason = naming_text(kernel->job, "nothing tells whether %s is of the same boot",
				     path);
	}
	for (size_t i = 0; i < kernel->job->count && is_usable; i++)
		name_one(kernel, &kernel->job->namings[i], &list, path, verdict, reason);
	kallsyms_deinit(&list);
	return is_usable;
}

/* Names everything by the list at path, if it can be read and used. */
static bool name_by_list(struct kernel *kernel, const char *path, enum module_verdict verdict,
			 struct text reason)
{
	struct file_bytes bytes;
	struct error err;
	int fd = path ? file_open(path, &err) : -1;
	bool is_done = false;

	if (fd < 0)
		return false;
	if (file_read(fd, LIMIT_SYMBOL_TEXT_BYTES, &bytes, &err)) {
		is_done = name_all(kernel, (struct text){ bytes.at, (uint32_t)bytes.size_bytes },
				   path, verdict, reason);
		file_bytes_deinit(&bytes);
	} else {
		refuse(kernel, VERDICT_DAMAGED, naming_text(kernel->job, "%s: %s", path, err.text));
	}
	close(fd);
	return is_done;
}

/* A copy in a folder that is called after the kernel's build-id, as in perf's cache. */
static bool try_verified_lists(struct kernel *kernel)
{
	const struct locator *locator = &kernel->job->context->locator;
	struct text none = { "", 0 };

	for (size_t i = 0; i < locator->index.files.count; i++) {
		const struct index_file *file = &locator->index.files.at[i];

		if (file->kind == INDEX_KALLSYMS &&
		    build_id_equal(&file->build_id, &kernel->build_id) &&
		    name_by_list(kernel, file->path.at, VERDICT_VERIFIED, none))
			return true;
	}
	return name_by_list(
		       kernel,
		       locate_in_cache(locator, &kernel->build_id, "kallsyms", &kernel->job->arena),
		       VERDICT_VERIFIED, none) ||
	       /* perf before 4.10 linked to the list itself. */
	       name_by_list(kernel,
			    locate_in_cache(locator, &kernel->build_id, "", &kernel->job->arena),
			    VERDICT_VERIFIED, none);
}

static bool try_host_list(struct kernel *kernel)
{
	struct build_id host;
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (!kernel->job->context->options->use_host_files)
		return false;
	if (!kernel->build_id.size_bytes)
		return name_by_list(kernel, HOST_LIST, VERDICT_UNVERIFIED,
				    naming_text(kernel->job,
						"the capture has no build-id of the "
						"kernel; host and release are the same"));
	if (host_kernel_build_id(&host) && build_id_equal(&host, &kernel->build_id))
		return name_by_list(kernel, HOST_LIST, VERDICT_VERIFIED, (struct text){ "", 0 });
	build_id_hex(&host, theirs);
	build_id_hex(&kernel->build_id, ours);
	refuse(kernel, VERDICT_MISMATCH,
	       naming_text(kernel->job, "the running kernel has build-id %s, the capture has %s",
			   theirs, ours));
	return false;
}

/* System.map-6.1.0-18-amd64 is of no other kernel than that. */
static bool is_of_other_release(const struct kernel *kernel, const struct index_file *file)
{
	const char *release = kernel->job->context->options->os_release;
	struct text name = text_basename(file->path);

	return release && *release && text_has_prefix(name, "System.map-") &&
	       !text_has_suffix(name, release);
}

/*
 * Whether a list that nothing ties to this kernel may be taken for its own: the user named it, its
 * name ends in the captured release, or no other was found that could be.
 */
static bool is_plausible(const struct kernel *kernel, const struct index_file *file,
			 size_t list_count)
{
	const char *release = kernel->job->context->options->os_release;

	return file->is_explicit || list_count == 1 ||
	       (release && *release && text_has_suffix(file->path, release));
}

/* Why a list that nothing ties to this kernel may not be taken; empty when it may. */
static struct text list_refusal(const struct kernel *kernel, const struct index_file *file,
				size_t list_count)
{
	char theirs[BUILD_ID_TEXT_BYTES], ours[BUILD_ID_TEXT_BYTES];

	if (is_of_other_release(kernel, file))
		return naming_text(kernel->job, "%s is of another release, the capture of %s",
				   file->path.at, kernel->job->context->options->os_release);
	if (!is_plausible(kernel, file, list_count))
		return naming_text(kernel->job,
				   "%s is one of several lists, and nothing tells which is of the "
				   "captured kernel",
				   file->path.at);
	if (file->build_id.size_bytes && kernel->build_id.size_bytes)
		return naming_text(kernel->job, "%s is of build-id %s, the capture has %s",
				   file->path.at, build_id_hex(&file->build_id, theirs),
				   build_id_hex(&kernel->build_id, ours));
	return (struct text){ "", 0 };
}

/* A list the user offers, which nothing ties to this kernel. */
static bool try_unproven_lists(struct kernel *kernel)
{
	const struct file_index *index = &kernel->job->context->locator.index;
	size_t list_count = 0;

	for (size_t i = 0; i < index->files.count; i++)
		list_count += index->files.at[i].kind == INDEX_KALLSYMS;
	for (size_t i = 0; i < index->files.count; i++) {
		const struct index_file *file = &index->files.at[i];
		struct text refusal;

		if (file->kind != INDEX_KALLSYMS)
			continue;
		refusal = list_refusal(kernel, file, list_count);
		if (refusal.length)
			refuse(kernel, VERDICT_MISMATCH, refusal);
		else if (name_by_list(kernel, file->path.at, VERDICT_UNVERIFIED,
				      naming_text(kernel->job,
						  "%s has no build-id that could be compared",
						  file->path.at)))
			return true;
	}
	return false;
}

static void name_by_image(struct kernel *kernel, struct naming *naming,
			  const struct found_files *found, uint64_t shift)
{
	struct symbol_table symbols;

	symbol_table_init(&symbols);
	elf_names_build(&found->pair, naming_rules(kernel->job), &symbols);
	naming_apply(kernel->job, naming,
		     &(struct naming_table){
			     .symbols = &symbols,
			     .convert = convert_shifted,
			     .convert_context = &shift,
		     });
	symbol_table_deinit(&symbols);
	naming_conclude(kernel->job, naming, VERDICT_VERIFIED, found->symbols_path,
			(struct text){ "", 0 });
}

/* vmlinux, or its debug file, of the kernel's build-id. Modules are not in it. */
static bool try_image(struct kernel *kernel)
{
	bool is_done = false;

	for (size_t i = 0; i < kernel->job->count && kernel->build_id.size_bytes; i++) {
		struct naming *naming = &kernel->job->namings[i];
		struct found_files found;
		uint64_t value;

		if (naming->module->kind != MODULE_KERNEL)
			continue;
		file_search_by_build_id(kernel->job, naming, &found);
		if (found.symbols_path && naming->module->reference_address &&
		    elf_names_find(found.pair.symbols, kernel->reference, &value)) {
			name_by_image(kernel, naming, &found,
				      naming->module->reference_address - value);
			is_done = true;
		}
		found_files_close(&found);
	}
	return is_done;
}

/* The kernel's own module, which has the build-id; it need not have locations itself. */
static void find_kernel(struct kernel *kernel)
{
	const struct naming_context *context = kernel->job->context;

	for (size_t i = 0; i < context->modules->rows.count; i++) {
		const struct module *module = &context->modules->rows.at[i];

		if (module->kind != MODULE_KERNEL)
			continue;
		kernel->module = module;
		kernel->build_id = module->build_id;
		kernel->reference = strings_get(context->strings, module->reference_symbol);
		return;
	}
}

static void say_missing(struct kernel *kernel)
{
	char hex[BUILD_ID_TEXT_BYTES];
	struct text reason = kernel->refusal_reason;

	build_id_hex(&kernel->build_id, hex);
	if (kernel->refusal == VERDICT_MISSING)
		reason = naming_text(kernel->job, "no kallsyms was found for the kernel of %s%s",
				     *hex ? "build-id " : "this capture", hex);
	for (size_t i = 0; i < kernel->job->count; i++)
		if (kernel->job->namings[i].verdict == VERDICT_UNTOUCHED)
			naming_conclude(kernel->job, &kernel->job->namings[i], kernel->refusal,
					NULL, reason);
}

static void run(struct naming_job *job)
{
	static const struct module unmapped = { .kind = MODULE_KERNEL };
	struct kernel kernel = {
		.job = job,
		.module = &unmapped,
		.reference = { "", 0 },
		.refusal = VERDICT_MISSING,
	};

	find_kernel(&kernel);
	if (!try_verified_lists(&kernel) && !try_host_list(&kernel) && !try_image(&kernel))
		try_unproven_lists(&kernel);
	say_missing(&kernel);
}

static const enum module_kind kinds[] = { MODULE_KERNEL, MODULE_KERNEL_MODULE };

const struct symbol_source kernel_source = {
	.name = "kernel",
	.kinds = kinds,
	.kind_count = ARRAY_SIZE(kinds),
	.is_joint = true,
	.run = run,
};
