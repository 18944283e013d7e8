/* SPDX-License-Identifier: MIT */
/*
 * Symbol lists that are text: any input is read as kallsyms by both rules and as a perf map. What
 * holds: ranges are sorted, not empty and disjoint, and names are pieces of the input without a
 * NUL.
 */
#include <stdint.h>

#include "base/limits.h"
#include "symbolise/kallsyms.h"
#include "symbolise/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_table(const struct symbol_table *table, struct text input)
{
	for (size_t i = 0; i < table->ranges.count; i++) {
		const struct symbol_range *range = &table->ranges.at[i];
		struct text name = table->symbols.at[range->symbol].name;

		require(range->start < range->end);
		require(i == 0 || range[-1].end <= range->start);
		if (!name.length)
			continue;
		require(name.at >= input.at && name.at + name.length <= input.at + input.length);
		require(name.length <= LIMIT_SYMBOL_BYTES);
		require(!memchr(name.at, '\0', name.length));
	}
}

static void check_kallsyms(struct text input, enum symbol_rules rules)
{
	struct kallsyms list;

	kallsyms_init(&list, input, text_of("_text"), rules);
	check_table(&list.symbols, input);
	require(kallsyms_find_module(&list, text_of("[no such module]")) == KALLSYMS_NO_OWNER);
	for (size_t i = 0; i < list.modules.count; i++)
		require(list.modules.at[i].name.length > 0);
	kallsyms_deinit(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct text input = { (const char *)bytes, (uint32_t)size };
	struct symbol_table table;

	check_kallsyms(input, SYMBOL_RULES_NEAREST);
	check_kallsyms(input, SYMBOL_RULES_PERF);
	symbol_table_init(&table);
	perf_map_read(input, &table);
	check_table(&table, input);
	symbol_table_deinit(&table);
	return 0;
}
