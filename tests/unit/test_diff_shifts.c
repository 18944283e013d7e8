/* SPDX-License-Identifier: MIT */
/* Changes of cost, and shares that only shift with them. */
#include "diff/diff_grade.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "tests/support/diff_maker.h"
#include "tests/support/leaks.h"

/* The functions of a program: their samples before and after, and the expected verdicts. */
struct planted {
	const char *what;
	struct {
		unsigned before, after;
		enum diff_verdict verdict;
	} functions[5]; /* after the last function, before is 0 */
	double shift_percent;
};

static void add(struct diff *diff, const struct planted *planted, enum diff_side side)
{
	char lines[5][40];
	const char *at[6] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines) && planted->functions[i].before; i++) {
		snprintf(lines[i], sizeof(lines[i]), "app;main;f%zu %u", i,
			 side == DIFF_BEFORE ? planted->functions[i].before
					     : planted->functions[i].after);
		at[i] = lines[i];
	}
	diff_maker_add(diff, at, side);
}

static void check(const struct planted *planted)
{
	struct diff diff;
	struct error err;

	diff_init(&diff, &diff_maker_defaults);
	add(&diff, planted, DIFF_BEFORE);
	add(&diff, planted, DIFF_AFTER);
	cr_assert(compare_finish(&diff, &err));
	for (size_t i = 0; i < 5 && planted->functions[i].before; i++) {
		char name[] = { 'f', (char)('0' + i), '\0' };
		const struct diff_function *function = diff_maker_find(&diff, name);

		cr_expect_eq(function->verdict, planted->functions[i].verdict, "%s: %s is %s",
			     planted->what, name, diff_verdict_name(function->verdict));
	}
	if (isnan(planted->shift_percent))
		cr_expect(isnan(diff.shift_percent), "%s: %g", planted->what, diff.shift_percent);
	else
		cr_expect_float_eq(diff.shift_percent, planted->shift_percent, 0.1, "%s: %g",
				   planted->what, diff.shift_percent);
	diff_deinit(&diff);
}

Test(diff_shifts, changes_and_shifts)
{
	static const struct planted rows[] = {
		{ "one grows",
		  { { 6000, 6000, DIFF_SHIFTED },
		    { 4000, 4000, DIFF_SHIFTED },
		    { 200, 2200, DIFF_MORE } },
		  -16.4 },
		{ "one shrinks",
		  { { 6000, 6000, DIFF_SHIFTED },
		    { 4000, 4000, DIFF_SHIFTED },
		    { 2200, 200, DIFF_LESS } },
		  19.6 },
		{ "two of three grow, and a gate is to see it",
		  { { 6000, 9000, DIFF_MORE },
		    { 6000, 9000, DIFF_MORE },
		    { 6000, 6000, DIFF_LESS } },
		  NAN },
		{ "the total is the same, as that of a busy machine is: all are changes",
		  { { 6000, 5000, DIFF_LESS },
		    { 2000, 3000, DIFF_MORE },
		    { 2000, 2000, DIFF_UNCERTAIN } },
		  NAN },
		{ "two have no median",
		  { { 6000, 6000, DIFF_LESS }, { 200, 2200, DIFF_MORE } },
		  NAN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i]);
	assert_no_leaks();
}

/* For gates, too, rows that only shifted have not changed. */
Test(diff_shifts, rows_follow)
{
	static const char *const before[] = { "app;a 6000", "app;b 4000", "app;c 200", NULL };
	static const char *const after[] = { "app;a 6000", "app;b 4000", "app;c 2200", NULL };
	struct diff diff;

	diff_maker_compare(&diff, &diff_maker_defaults, before, after);
	for (size_t i = 1; i < diff.profile.stacks.count; i++) {
		struct text name =
			profile_frame_name(&diff.profile, diff.profile.stacks.at[i].frame);

		if (text_is(name, "a") || text_is(name, "b"))
			cr_expect_eq(diff.rows[i].total.verdict, DIFF_SHIFTED);
		if (text_is(name, "c"))
			cr_expect_eq(diff.rows[i].total.verdict, DIFF_MORE);
	}
	diff_deinit(&diff);
}
