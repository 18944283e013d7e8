/* SPDX-License-Identifier: MIT */
/*
 * Symbol lists that are text: any input is read as kallsyms by three rules, and as a perf map. For
 * any input: ranges are sorted, not empty and disjoint. Names have no NUL; those from kallsyms are
 * pieces of the input, and those from a perf map are copies. Chosen addresses have the symbols of
 * the whole list.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/strings.h"
#include "symbolise/jit/perf_map.h"
#include "symbolise/kernel/kallsyms.h"
#include "tests/support/memory_file.h"
#include "tests/support/whole_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_ranges(const struct symbol_table *table)
{
	for (size_t i = 0; i < table->ranges.count; i++) {
		const struct symbol_range *range = &table->ranges.at[i];
		struct text name = table->symbols.at[range->symbol].name;

		require(range->start < range->end);
		require(i == 0 || range[-1].end <= range->start);
		require(name.length <= LIMIT_SYMBOL_BYTES);
		require(!name.length || !memchr(name.at, '\0', name.length));
	}
}

static void check_table(const struct symbol_table *table, struct text input)
{
	check_ranges(table);
	for (size_t i = 0; i < table->symbols.count; i++) {
		struct text name = table->symbols.at[i].name;

		require(!name.length ||
			(name.at >= input.at && name.at + name.length <= input.at + input.length));
	}
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Chooses every other address of the list, from the first or second on. */
static void check_choice(struct kallsyms *list, const struct symbol_table *whole, size_t first)
{
	VEC(uint64_t) addresses = { .at = NULL };

	for (size_t i = first; i < list->rows.count; i += 2) {
		vec_push(&addresses, list->rows.at[i].address);
		vec_push(&addresses, list->rows.at[i].address + PAGE_BYTES - 1);
	}
	if (addresses.count)
		qsort(addresses.at, addresses.count, sizeof(*addresses.at), compare_addresses);
	kallsyms_choose(list, addresses.at, addresses.count);
	for (size_t i = 0; i < addresses.count; i++)
		require(whole_table_is_same_at(whole, &list->symbols, addresses.at[i]));
	vec_free(&addresses);
}

static void check_kallsyms(struct text input, enum symbol_rules rules)
{
	struct symbol_table whole;
	struct kallsyms list;

	kallsyms_init(&list, input, text_of("_text"), rules);
	whole_table_make(&list, &whole);
	check_table(&whole, input);
	for (size_t first = 0; first < 2; first++)
		check_choice(&list, &whole, first);
	symbol_table_deinit(&whole);
	require(kallsyms_find_module(&list, text_of("[no such module]")) == KALLSYMS_NO_OWNER);
	for (size_t i = 0; i < list.modules.count; i++)
		require(list.modules.at[i].name.length > 0);
	kallsyms_deinit(&list);
}

/* The table has exactly the names that the perf map gives. */
static void check_perf_map(struct text input)
{
	static const struct key_row addresses[] = {
		{ 0, 0 }, { 0xf, 1 }, { 0x1000, 2 }, { 0x1010, 3 }, { 0x2000, 4 }, { UINT64_MAX, 5 }
	};
	struct memory_file file;
	struct perf_map map;
	struct error err;

	memory_file_open(&file, input.at, input.length);
	require(perf_map_read(&map,
			      &(struct perf_map_request){ .fd = file.fd,
							  .limit_bytes = input.length,
							  .addresses = addresses,
							  .address_count = ARRAY_SIZE(addresses) },
			      &err));
	require(map.size_bytes == input.length);
	require(map.symbols.symbols.count <= ARRAY_SIZE(addresses));
	check_ranges(&map.symbols);
	perf_map_deinit(&map);
	memory_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct text input = { (const char *)bytes, (uint32_t)size };

	check_kallsyms(input, SYMBOL_RULES_NEAREST);
	check_kallsyms(input, SYMBOL_RULES_PERF);
	check_kallsyms(input, SYMBOL_RULES_DATA);
	check_perf_map(input);
	return 0;
}
