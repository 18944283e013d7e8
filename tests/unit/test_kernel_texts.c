/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/kernel_texts.h"

#include <criterion/criterion.h>

Test(kernel_texts, find)
{
	static const struct {
		uint64_t address;
		const char *text; /* NULL: there is none */
	} rows[] = {
		{ 0xffffffff81000010, "Start context switch" },
		{ 0xffffffff81000020, "with \\\"quotes\\\" : \"" },
		{ 0xffffffff81000005, "" },
		{ 0xffffffff81000011, NULL },
		{ 0x30, NULL },
		{ 0x40, NULL },
		{ 0, NULL },
	};
	struct kernel_texts texts = { 0 };
	struct arena arena;

	arena_init(&arena);
	kernel_texts_read(&texts,
			  text_of("0xffffffff81000010 : \"Start context switch\"\n"
				  "0xffffffff81000020 : \"with \\\"quotes\\\" : \"\"\n"
				  "0xffffffff81000005 : \"\"\n"
				  "nonsense\n"
				  "\n"
				  "0x30 : \"\n0x30 : \"unended\n"
				  "0x11111111111111111 : \"too long\"\n"
				  ": \"no address\"\n"
				  "0x40"),
			  &arena);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text found = kernel_texts_find(&texts, rows[i].address);

		cr_expect_eq(found.at != NULL, rows[i].text != NULL, "row %zu", i);
		if (found.at && rows[i].text)
			cr_expect(text_is(found, rows[i].text), "%.*s", (int)found.length,
				  found.at);
	}
	kernel_texts_deinit(&texts);
	arena_deinit(&arena);
}
