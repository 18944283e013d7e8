/* SPDX-License-Identifier: MIT */
/* Each endless record is dropped once, and the records after it are read. */
#include <criterion/criterion.h>

#include "libparse/text.h"
#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

static const struct {
	const char *head;   /* ends with the begin of a record */
	const char *line;   /* is repeated within the record */
	const char *tail;   /* after the record */
	const char *folded; /* of head and tail */
	bool counts_lines;  /* each line counts as skipped, not the record */
} rows[] = {
	{ "TID 1:\n#0  0x1 f\n\nTID 2:\n#0  0x1 g\n", "#1  0x1 g\n", "#0  0x1 h\n",
	  "[threads];f 1\n[threads];h 1\n", false },
	{ "#0  0x1 in f ()\n\n#0  0x1 in g ()\n", "#1  0x1 in g ()\n", "\n#1  0x1 in h ()\n",
	  "[threads];f 1\n[threads];h 1\n", false },
	{ " Summary of events:\n\n a (1), 2 events\n\n  read 1 1.5\n b (2), 2 events\n\n",
	  "  read 1 0.5 0.1\n", " c (3), 3 events\n  stat 1 2.5\n",
	  "a;read 1500000\nc;stat 2500000\n", true },
	{ "Sampling at 9\n    f\n    -    a (1)\n        2\n\n    g\n", "    g\n",
	  "\n    h\n    -    c (1)\n        3\n", "a;f 2\nc;h 3\n", false },
};

Test(long_records, are_given_up)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t line_length = strlen(rows[i].line);
		size_t count = LIMIT_TEXT_RECORD_BYTES / line_length;
		struct text_session test;
		const struct profile *profile = &test.session.profile;
		struct sink text;

		sink_init_memory(&text);
		sink_puts(&text, rows[i].head);
		for (size_t k = 0; k < count; k++)
			sink_puts(&text, rows[i].line);
		sink_puts(&text, rows[i].tail);
		text_session_open(&test, text.buffer, text.used, NULL);
		cr_expect_str_eq(test.folded.buffer, rows[i].folded, "%zu", i);
		cr_expect_eq(profile->losses[LOSS_LONG_LINES], 1, "%zu", i);
		cr_expect_eq(profile->losses[LOSS_SKIPPED_LINES] > 1, rows[i].counts_lines, "%zu",
			     i);
		text_session_close(&test);
		sink_deinit(&text);
	}
	assert_no_leaks();
}
