/* SPDX-License-Identifier: MIT */
#include "render/text/branch_text.h"

#include <criterion/criterion.h>

static const struct {
	struct event_branch branch;
	const char *expected;
} rows[] = {
	{ { .from = 0, .to = 0 }, "0x0/0x0/-/-/-/0/" },
	{ { .from = 0xffffffffb4208e16, .to = 0x10, .is_predicted = true, .cycles = 65535 },
	  "0xffffffffb4208e16/0x10/P/-/-/65535/" },
	{ { .from = 1, .to = 2, .is_mispredicted = true, .type = 4 }, "0x1/0x2/M/-/-/0/CALL" },
	{ { .from = 1, .to = 2, .is_in_transaction = true, .is_abort = true, .type = 14 },
	  "0x1/0x2/-/X/A/0/NO_TX" },
	{ { .from = 1, .to = 2, .type = 15, .new_type = 2 }, "0x1/0x2/-/-/-/0/FAULT_INST" },
	{ { .from = 1, .to = 2, .type = 15, .new_type = 15 }, "0x1/0x2/-/-/-/0/" },
	{ { .from = 1, .to = 2, .type = 6, .new_type = 2 }, "0x1/0x2/-/-/-/0/RET" },
	{ { .from = 1, .to = 2, .type = 1, .speculation = 3 },
	  "0x1/0x2/-/-/-/0/COND/SPEC_CORRECT_PATH" },
	{ { .from = 1, .to = 2, .is_predicted = true, .is_mispredicted = true },
	  "0x1/0x2/P/-/-/0/" },
};

Test(branch_text, rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		branch_text_write(&rows[i].branch, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, rows[i].expected, "row %zu: %s", i, sink.buffer);
		sink_deinit(&sink);
	}
}
