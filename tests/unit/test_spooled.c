/* SPDX-License-Identifier: MIT */
#include "libparse/spooled.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/text_session.h"

#ifdef HAVE_LIBXML2
#define NEED_LIBXML2()
#else
#define NEED_LIBXML2() cr_skip_test("built without libxml2")
#endif

#define SVG(diff, before)                                                                        \
	"<svg><metadata id=\"profile\" class=\"plain\">{\"version\":2,\"unit\":\"nanoseconds\"," \
	"\"samples\":10,\"names\":[\"a\"],\"modules\":[\"\"],\"frames\":[0,0,0,0]," diff         \
	"\"rows\":{\"up\":[0,1,1],\"frame\":[0,2,2],\"known\":[],\"self\":[5,0,4]" before        \
	"}}</metadata></svg>"

/* The samples of each row are rounded, but their sum is exact. */
Test(spooled, samples_are_divided_without_a_rest)
{
	static const char one[] = SVG("", "");
	static const char two[] = SVG("\"diff\":{\"samples\":[7,10]},", ",\"before\":[1,1,1]");
	static const struct {
		const char *input, *event;
		uint64_t samples;
	} rows[] = {
		{ one, NULL, 10 },
		{ two, "after", 10 },
		{ two, "before", 7 },
	};

	NEED_LIBXML2();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct view view = view_default;
		struct session_options options = { .thread_count = 1,
						   .ignores_host = true,
						   .view = &view };
		struct text_session test;

		view.event_pattern = rows[i].event;
		text_session_open(&test, rows[i].input, strlen(rows[i].input), &options);
		cr_expect_eq(test.session.profile.view_sample_count, rows[i].samples, "%zu: %llu",
			     i, (unsigned long long)test.session.profile.view_sample_count);
		text_session_close(&test);
	}
	assert_no_leaks();
}

/* A small input cannot have many stacks of a hundred thousand frames. */
Test(spooled, lines_are_limited_by_the_input)
{
	struct capture capture = { .input = { .fd = -1 } };
	struct spooled_row row = { .depth = 0 };
	struct spooled stacks;
	struct error err;

	spooled_init(&stacks, &capture.input);
	row.frame = spooled_intern_frame(&stacks, text_of("a"));
	cr_expect_not(spooled_push(&stacks, &row));
	for (row.depth = 1; row.depth < 100000; row.depth++)
		cr_assert(spooled_push(&stacks, &row));
	cr_expect_eq(stacks.lines.used, 0);
	row.self.after = 1;
	for (int i = 0; i < 400; i++)
		cr_assert(spooled_push(&stacks, &row));
	cr_expect_not(spooled_replace(&stacks, &capture, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect(strstr(err.text, "more temporary space"), "%s", err.text);
	row.depth += 2;
	cr_expect_not(spooled_push(&stacks, &row));
	spooled_deinit(&stacks);
	assert_no_leaks();
}
