/* SPDX-License-Identifier: MIT */
/*
 * An ELF file from its header to its symbols. For any input: symbol ranges are sorted, not empty
 * and disjoint; names lie in the file; and every address in a range is found again. A slim file
 * made from the input is an ELF file of the same machine.
 */
#include <stdint.h>

#include "base/strings.h"
#include "object/debug_link.h"
#include "object/elf_slim.h"
#include "symbolise/demangle/display_name.h"
#include "symbolise/elf/elf_names.h"

#define UNPACKED_BYTES_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_table(const struct symbol_table *table)
{
	static const struct symbolise_options options = { .demangle = true, .fold_suffixes = true };
	struct symbol_cursor cursor = { .table = table };
	char buffer[DISPLAY_NAME_BYTES];

	for (size_t i = 0; i < table->ranges.count; i++) {
		const struct symbol_range *range = &table->ranges.at[i];
		const struct symbol *symbol;

		require(range->start < range->end);
		require(i == 0 || range[-1].end <= range->start);
		require(range->symbol < table->symbols.count);
		symbol = &table->symbols.at[range->symbol];
		require(symbol->start <= range->start && symbol->end >= range->end);
		require(symbol_cursor_find(&cursor, range->end - 1) == symbol);
		/* perf has stubs without a name. */
		if (symbol->is_stub && !symbol->name.length)
			continue;
		require(symbol->name.length > 0 && symbol->name.length <= LIMIT_SYMBOL_BYTES);
		require(display_name(symbol->name, symbol->is_whole, &options, buffer).length > 0);
	}
}

static void check_file(const struct elf_file *elf)
{
	static const enum symbol_rules all_rules[] = { SYMBOL_RULES_NEAREST, SYMBOL_RULES_PERF,
						       SYMBOL_RULES_DATA };
	/* The second pair has no static symbols, so that other symbols are searched. */
	struct elf_pair pairs[] = {
		{ .runtime = elf, .symbols = elf },
		{ .runtime = elf },
	};
	struct debug_supplement supplement;
	struct debug_link link;
	uint64_t address;

	for (size_t i = 0; i < ARRAY_SIZE(pairs) * ARRAY_SIZE(all_rules); i++) {
		struct symbol_table table;

		symbol_table_init(&table);
		elf_names_build(&pairs[i / ARRAY_SIZE(all_rules)],
				all_rules[i % ARRAY_SIZE(all_rules)], &table);
		check_table(&table);
		symbol_table_deinit(&table);
	}
	for (size_t i = 0; i < elf->sections.count; i++) {
		struct span content = elf_section_bytes(elf, &elf->sections.at[i]);
		struct error ignored;

		require(span_left(&content) <= elf->size_bytes);
		if (elf_section_decompress(elf, &elf->sections.at[i], UNPACKED_BYTES_MAX, &content,
					   &ignored))
			require(span_left(&content) <= elf->size_bytes ||
				span_left(&content) <= UNPACKED_BYTES_MAX);
	}
	for (uint64_t offset = 1; offset; offset *= 2) {
		elf_address_of_offset(elf, offset, &address);
		elf_data_address_of_offset(elf, offset, &address);
	}
	elf_find_section(elf, ".comment");
	debug_link_read(elf, &link);
	debug_link_read_supplement(elf, &supplement);
	elf_names_find(elf, text_of("main"), &address);
	require(elf->build_id.size_bytes <= BUILD_ID_BYTES_MAX);
}

/* Makes a slim file of every second section and symbol, or of all. */
static void check_slim(const struct elf_file *elf, bool keeps_all)
{
	static bool halves[65536];
	struct elf_slim_plan plan = {
		.elf = elf,
		.keeps_section = halves,
		.table = "table",
		.table_bytes = 5,
	};
	struct elf_symbols symbols;
	struct elf_file slim;
	struct error ignored;
	struct sink sink;

	for (size_t i = 0; i < ARRAY_SIZE(halves); i++)
		halves[i] = keeps_all || i % 2;
	for (enum elf_symbol_table which = ELF_SYMBOLS_STATIC; which <= ELF_SYMBOLS_DYNAMIC;
	     which++)
		if (!keeps_all && elf_symbols_open(elf, which, &symbols) &&
		    symbols.count <= ARRAY_SIZE(halves))
			plan.keeps_symbol[which] = halves;
	if (elf->sections.count > ARRAY_SIZE(halves))
		return;
	sink_init_memory(&sink);
	if (elf_slim_write(&plan, &sink) &&
	    elf_open_memory(&slim, sink.buffer, sink.used, &ignored)) {
		require(slim.is_slim && slim.machine == elf->machine);
		require(slim.sections.count == elf->sections.count + 2);
		elf_close(&slim);
	}
	sink_deinit(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct elf_file elf;
	struct error err;

	if (!elf_open_memory(&elf, bytes, size, &err))
		return 0;
	check_file(&elf);
	check_slim(&elf, false);
	check_slim(&elf, true);
	elf_close(&elf);
	return 0;
}
