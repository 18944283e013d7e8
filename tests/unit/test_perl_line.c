/* SPDX-License-Identifier: MIT */
#include "compat/perl_line.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "base/sink.h"

/* The expected parts are those of the regular expression in the script. */
Test(perl_line, finds_the_numbers_behind_a_comm)
{
	static const struct {
		const char *line, *comm, *first, *second;
	} rows[] = {
		{ "app 17 5.1: cycles: ", "app", "17", "" },
		{ "app 17/18 5.1: 7 cycles:", "app", "17", "18" },
		{ "a b  17//18\tx", "a b", "17", "18" },
		{ "a 1x 2 ", "a 1x", "2", "" },
		{ "a  1 ", "a ", "1", "" },
		{ "a 12", NULL, NULL, NULL },
		{ "a x ", NULL, NULL, NULL },
		{ " a 1 ", NULL, NULL, NULL },
		{ "", NULL, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perl_event event;
		bool is_event = perl_line_event(text_of(rows[i].line), &event);

		cr_assert_eq(is_event, rows[i].comm != NULL, "%s", rows[i].line);
		if (!is_event)
			continue;
		cr_expect(text_is(event.comm, rows[i].comm), "%s", rows[i].line);
		cr_expect(text_is(event.first, rows[i].first), "%s", rows[i].line);
		cr_expect(text_is(event.second, rows[i].second), "%s", rows[i].line);
	}
}

/* A line may have 16 MB; the regular expression would take quadratic time. */
Test(perl_line, looks_at_blanks_once)
{
	struct perl_event event;
	struct sink line;

	sink_init_memory(&line);
	sink_puts(&line, "app");
	for (uint32_t i = 0; i < 4u << 20; i++)
		sink_char(&line, '\t');
	sink_puts(&line, "x 17 y");
	cr_assert(perl_line_event(sink_memory(&line), &event));
	cr_expect(text_is(event.first, "17"));
	sink_deinit(&line);
}
