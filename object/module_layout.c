/* SPDX-License-Identifier: MIT */
#include "object/module_layout.h"

static bool is_laid_out(const struct elf_section *section)
{
	return section->is_loaded && section->is_executable &&
	       !text_has_prefix(section->name, ".init");
}

/*
 * On some architectures, the kernel resizes the sections for jump stubs. The addresses after these
 * sections are therefore unknown.
 */
static bool is_of_unknown_size(const struct elf_section *section)
{
	return text_has_prefix(section->name, ".plt") ||
	       text_has_prefix(section->name, ".text.ftrace_trampoline");
}

/* Places the next section: computes its address and its end. Returns false on overflow. */
static bool lay_out(const struct elf_section *section, uint64_t *end, uint64_t *address_ret)
{
	uint64_t alignment = section->alignment ? section->alignment : 1;
	uint64_t padding = *end % alignment ? alignment - *end % alignment : 0;

	return !__builtin_add_overflow(*end, padding, address_ret) &&
	       !__builtin_add_overflow(*address_ret, section->size_bytes, end);
}

uint64_t module_layout_bytes(const struct elf_file *elf)
{
	uint64_t end = 0;
	uint64_t address;

	for (size_t i = 1; i < elf->sections.count; i++)
		if (is_laid_out(&elf->sections.at[i]) &&
		    !lay_out(&elf->sections.at[i], &end, &address))
			return UINT64_MAX;
	return end;
}

void module_layout_place(struct elf_file *elf)
{
	uint64_t end = 0;
	bool is_known = true;

	for (size_t i = 1; i < elf->sections.count; i++) {
		struct elf_section *section = &elf->sections.at[i];
		uint64_t address = 0;
		bool is_code = is_laid_out(section);

		is_known = is_known && !(is_code && is_of_unknown_size(section));
		section->is_loaded = is_code && is_known && lay_out(section, &end, &address);
		section->address = address;
	}
}
