/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/function_code.h"

#include "symbolise/elf/elf_names.h"

struct code_reading {
	const struct code_files *files;
	struct function_code *functions;
	size_t count;
};

/* Finds the end of the symbol that begins at an address. */
static bool find_end(const struct symbol_table *symbols, uint64_t address, uint64_t *ret)
{
	struct symbol_cursor cursor = { .table = symbols };
	const struct symbol *symbol = symbol_cursor_find(&cursor, address);

	/*
	 * If the symbol found begins at a different address, it covers the start of the symbol that
	 * was searched for.
	 */
	if (!symbol || symbol->start != address || symbol->end <= address)
		return false;
	*ret = symbol->end;
	return true;
}

static enum function_code_status read_one(const struct elf_file *elf,
					  const struct symbol_table *symbols,
					  struct function_code *function)
{
	uint64_t end;

	function->machine = elf->machine;
	function->is_64_bit = elf->is_64_bit;
	if (!elf_address_of_offset(elf, function->offset, &function->address) ||
	    !find_end(symbols, function->address, &end))
		return FUNCTION_CODE_WITHOUT_END;
	function->size_bytes = end - function->address;
	if (elf->is_slim || !elf_has_code(elf))
		return FUNCTION_CODE_SLIM;
	if (function->size_bytes > LIMIT_FUNCTION_CODE_BYTES)
		return FUNCTION_CODE_TOO_LARGE;
	function->bytes = memory_alloc(function->size_bytes, 1);
	if (elf_read(elf, function->offset, function->bytes, function->size_bytes) ==
	    function->size_bytes)
		return FUNCTION_CODE_READ;
	function_code_deinit(function);
	return FUNCTION_CODE_CORRUPT;
}

static void read_all(void *context, const struct code_file *file)
{
	struct code_reading *reading = context;
	struct elf_pair pair = { .runtime = file->runtime, .symbols = file->debug };
	struct symbol_table symbols;

	symbol_table_init(&symbols);
	elf_names_build(&pair,
			reading->files->context.options->perf_names ? SYMBOL_RULES_PERF
								    : SYMBOL_RULES_NEAREST,
			&symbols);
	for (size_t i = 0; i < reading->count; i++)
		reading->functions[i].status =
			read_one(file->runtime, &symbols, &reading->functions[i]);
	symbol_table_deinit(&symbols);
}

void function_code_read(const struct code_files *files, module_id module,
			struct function_code *functions, size_t count)
{
	struct code_reading reading = { files, functions, count };

	for (size_t i = 0; i < count; i++)
		functions[i].status = FUNCTION_CODE_MISSING;
	(void)!code_files_open(files, module, read_all, &reading);
}

void function_code_deinit(struct function_code *function)
{
	memory_free(function->bytes);
	function->bytes = NULL;
}
