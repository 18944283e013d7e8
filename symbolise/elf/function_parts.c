/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include "symbolise/elf/part_stems.h"

void function_parts_mark(struct symbol_table *table)
{
	struct part_stems stems;

	part_stems_init(&stems);
	for (size_t i = 0; i < table->symbols.count; i++)
		part_stems_add(&stems, table->symbols.at[i].name);
	for (size_t i = 0; i < table->symbols.count && stems.rows.count; i++) {
		struct part_stem *stem = part_stems_find(&stems, table->symbols.at[i].name);

		if (stem)
			stem->is_function = true;
	}
	for (size_t i = 0; i < table->symbols.count && stems.rows.count; i++) {
		struct symbol *symbol = &table->symbols.at[i];
		const struct part_stem *stem = part_stems_of_part(&stems, symbol->name);

		if (stem)
			symbol->is_whole = !stem->is_function;
	}
	part_stems_deinit(&stems);
}
