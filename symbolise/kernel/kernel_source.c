/* SPDX-License-Identifier: MIT */
/*
 * The symbol sources for the kernel, its modules, and BPF code. KASLR moves the kernel at each
 * boot. The capture records the address of one kernel symbol. The difference between this address
 * and the address in a list is the same for all symbols. The kernel places each module separately,
 * so a list from a different boot cannot name modules.
 */
#include "symbolise/kernel/kernel.h"
#include "symbolise/source.h"

void kernel_note(struct kernel *kernel, const char *path, enum match_status match,
		 struct text reason)
{
	bool is_refused =
		match == MATCH_MISMATCHED || match == MATCH_CORRUPT || match == MATCH_NO_SYMBOLS;

	for (size_t i = 0; i < kernel->job->count; i++)
		if (!kernel->job->namings[i].named_count)
			naming_add_path(kernel->job, &kernel->job->namings[i], path, match, reason);
	if (!is_refused || kernel->refusal != MATCH_MISSING)
		return;
	kernel->refusal = match;
	kernel->refusal_reason = naming_text(kernel->job, "%s %s", path, reason.at);
}

const char *kernel_release(const struct kernel *kernel)
{
	const char *release = kernel->job->context->options->os_release;

	return release && *release && !strchr(release, '/') ? release : NULL;
}

/*
 * Older perf versions recorded a different end: the start of the first module, the start of the
 * module area, or none.
 */
uint64_t kernel_captured_end(const struct kernel *kernel)
{
	static const uint64_t huge_page = (uint64_t)2 << 20;
	static const uint64_t kernel_bytes_max = (uint64_t)512 << 20;
	const struct modules *modules = kernel->job->context->modules;
	uint64_t end = kernel->module->end;

	if (!kernel->module->reference_address || end <= kernel->module->reference_address ||
	    end - kernel->module->reference_address > kernel_bytes_max || end % huge_page == 0)
		return 0;
	for (size_t i = 0; i < modules->rows.count; i++)
		if (modules->rows.at[i].kind == MODULE_KERNEL_MODULE &&
		    modules->rows.at[i].start == end)
			return 0;
	return end;
}

/*
 * Finds the kernel's own module, which has the build-id. The module may have no sampled locations.
 */
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
	if (kernel->refusal == MATCH_MISSING)
		reason = naming_text(
			kernel->job, "no kernel symbol list was found for %s%s",
			*hex ? "the kernel with build-id " : "the kernel of this capture", hex);
	for (size_t i = 0; i < kernel->job->count; i++)
		if (kernel->job->namings[i].match == MATCH_NOT_NEEDED)
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
		.refusal = MATCH_MISSING,
	};

	find_kernel(&kernel);
	if (kernel_lists_try_verified(&kernel))
		kernel_image_add_inlines(&kernel);
	else if (!kernel_image_try(&kernel))
		kernel_lists_try_unproven(&kernel);
	kernel_modules_try(&kernel);
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

/* For BPF programs and trampolines, uses the names in the capture. */
static void run_ksymbol(struct naming_job *job)
{
	struct naming *naming = &job->namings[0];

	for (uint32_t i = 0; i < naming->count && naming->path.length; i++) {
		naming->results[i] = (struct naming_result){
			.name = naming->path,
			.symbol_start = naming->module->start,
		};
		naming->named_count++;
	}
	naming->match = MATCH_NO_FILE;
}

static const enum module_kind ksymbol_kinds[] = { MODULE_KSYMBOL };

const struct symbol_source ksymbol_source = {
	.name = "ksymbol",
	.kinds = ksymbol_kinds,
	.kind_count = ARRAY_SIZE(ksymbol_kinds),
	.run = run_ksymbol,
};
