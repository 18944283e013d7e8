/* SPDX-License-Identifier: MIT */
#include "process/process_history.h"

#include <criterion/criterion.h>

Test(comm, a_thread_without_a_name_is_known_by_its_number)
{
	static const struct {
		bool is_named;
		uint32_t tid;
		const char *expected;
	} rows[] = {
		{ true, 4711, "app" },        { true, 0, "app" },
		{ false, 4711, ":4711" },     { false, 0, "swapper" },
		{ false, UINT32_MAX, ":-1" }, { false, 0x80000000, ":-2147483648" },
	};
	struct strings strings;
	uint32_t named;

	strings_init(&strings);
	named = strings_intern_text(&strings, "app").i;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buffer[COMM_BYTES];
		struct text text =
			comm_text(&strings, rows[i].is_named ? named : PROCESS_HISTORY_NONE,
				  rows[i].tid, buffer);

		cr_expect(text_is(text, rows[i].expected), "row %zu: %.*s", i, (int)text.length,
			  text.at);
	}
	strings_deinit(&strings);
}
