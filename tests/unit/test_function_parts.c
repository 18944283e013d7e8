/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/symbol_table.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

Test(function_parts, parts_have_their_function_beside_them)
{
	static const struct {
		const char *name;
		bool is_whole;
	} rows[] = {
		{ "parse", false },
		{ "parse.cold", false },
		{ "parse.part.0", false },
		{ "parse.part.0.cold", false },
		{ "main.cold", true },
		{ "main.(*T).cold", true },
		{ "cache.warm", true },
		{ "cache.warm", true },
		{ "print.localalias", false },
		{ "print@@V1", false },
		/* A part with a number was made by the compiler, even if the function itself is
		 * missing. */
		{ "gone.cold.3", false },
		{ "gone.isra.0", false },
		{ ".cold", false },
		{ "", false },
	};
	struct symbol_table table;

	symbol_table_init(&table);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		symbol_table_add(&table, &(struct symbol){ .start = 0x10 * i,
							   .end = 0x10 * i + 8,
							   .name = text_of(rows[i].name) });
	function_parts_mark(&table);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(table.symbols.at[i].is_whole, rows[i].is_whole, "%s", rows[i].name);
	symbol_table_deinit(&table);
	assert_no_leaks();
}
