/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/kernel_symbols.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

Test(kernel_symbols, unknown_addresses_have_no_name)
{
	static const struct {
		const char *list;
		uint64_t address;
		const char *name; /* NULL: none */
	} rows[] = {
		{ "10 T a\n20 t b\n30 T c\n", 0xf, NULL },
		{ "10 T a\n20 t b\n30 T c\n", 0x10, "a" },
		{ "30 T c\n10 T a\n20 t b\n", 0x2f, "b" },
		/* The end of the last symbol is not known. */
		{ "10 T a\n20 t b\n30 T c\n", 0x30, "c" },
		{ "10 T a\n20 t b\n30 T c\n", 0x31, NULL },
		/* Of two names, the first counts. */
		{ "10 T a\n10 T alias\n20 t b\n", 0x18, "a" },
		/* Addresses that the user was not allowed to see. */
		{ "0 T a\n0 T b\n0 t c\n", 0x10, NULL },
		{ "0 T a\n10 T b\n20 t c\n", 0xf, NULL },
		/* Not functions. */
		{ "10 A a\n20 a b\n28 t $a\n30 T c\n40 T d\n", 0x2f, NULL },
		{ "", 0x10, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel_symbols symbols = { 0 };
		struct text name;

		kernel_symbols_read(&symbols, text_of(rows[i].list));
		name = kernel_symbols_find(&symbols, rows[i].address);
		cr_expect(rows[i].name ? text_is(name, rows[i].name) : !name.at, "row %zu: %.*s", i,
			  (int)name.length, name.at ? name.at : "");
		kernel_symbols_deinit(&symbols);
	}
	assert_no_leaks();
}
