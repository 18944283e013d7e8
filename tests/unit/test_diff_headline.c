/* SPDX-License-Identifier: MIT */
/* The headline of a comparison: diff/diff_headline.c, diff_cost.c and their texts. */
#include "diff/diff_headline.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "diff/diff_cost.h"
#include "render/diff/headline_text.h"
#include "tests/support/diff_maker.h"
#include "tests/support/diff_simulator.h"
#include "tests/support/leaks.h"

#define SECOND_NS 1000000000u
#define PAIRS     20

/* Durations in seconds; 0: not recorded. */
struct setting {
	uint64_t operations[DIFF_SIDES];
	uint64_t seconds[DIFF_SIDES];
	bool lacks_sample_counts;
};

static void compare(struct diff *diff, const struct setting *setting, const char *const *before,
		    const char *const *after)
{
	struct diff_options options = diff_maker_defaults;
	const char *const *lines[] = { before, after };
	struct error err;

	if (setting->operations[DIFF_BEFORE])
		options.normalising = (struct diff_normalising){
			.by = DIFF_BY_OPERATIONS,
			.operations = { setting->operations[0], setting->operations[1] },
		};
	diff_init(diff, &options);
	for (int side = 0; side < DIFF_SIDES; side++) {
		diff_maker_add(diff, lines[side], (enum diff_side)side);
		diff->runs.at[side].time_ns = setting->seconds[side] * SECOND_NS;
		diff->is_graded &= !setting->lacks_sample_counts;
	}
	cr_assert(compare_finish(diff, &err));
}

static void write(const struct diff *diff, struct sink *sink)
{
	sink_init_memory(sink);
	headline_text_write(diff, sink_text, sink);
	sink_char(sink, '\0');
}

struct row {
	const char *what;
	struct setting setting;
	const char *before[5], *after[5];
	enum diff_story story;
	const char *text; /* % matches any text, and _ a percent sign */
};

/* Whether text is as expected; % matches any characters. */
static bool fits(const char *text, const char *expected)
{
	const char *gap = strchr(expected, '%');

	if (!gap)
		return strcmp(text, expected) == 0;
	if (strncmp(text, expected, (size_t)(gap - expected)) != 0)
		return false;
	for (text += gap - expected;; text++) {
		if (fits(text, gap + 1))
			return true;
		if (!*text)
			return false;
	}
}

static const struct row rows[] = {
	{ "one function grew, and nothing else",
	  { .seconds = { 10, 12 } },
	  { "app;a 6000", "app;b 4000", "app;c 200" },
	  { "app;a 6000", "app;b 4000", "app;c 2200" },
	  DIFF_STORY_EXPLAINED,
	  "cycles +19.6_ [+%] in captures that are 20.0_ longer (per wall second uncertain: "
	  "-0.3_ [%]), assuming that runs vary by 3_; 1 function explains all of it: c +19.6_ "
	  "of the BEFORE total [%]; 2 functions only shifted in share" },
	{ "the same, where captures are equally long",
	  { .seconds = { 10, 10 } },
	  { "app;a 6000", "app;b 4000", "app;c 200" },
	  { "app;a 6000", "app;b 4000", "app;c 2200" },
	  DIFF_STORY_EXPLAINED,
	  "cycles +19.6_ [+%] in captures of equal length, assuming%; 1 function explains all of "
	  "it: c +19.6_ of the BEFORE total [%]; 2 functions only shifted in share" },
	{ "the same, of which nobody knows how long they are",
	  { .seconds = { 10, 0 } },
	  { "app;a 6000", "app;b 4000", "app;c 200" },
	  { "app;a 6000", "app;b 4000", "app;c 2200" },
	  DIFF_STORY_MOVED,
	  "1 function accounts for all of the change of shares: c +16.1 pp [+%]; shares only, "
	  "because the captures do not record their duration; 2 functions only shifted in share" },
	{ "as much work again, at the same cost",
	  { .operations = { 1000, 2000 } },
	  { "app;a 6000", "app;b 4000", "app;c 200" },
	  { "app;a 12000", "app;b 8000", "app;c 400" },
	  DIFF_STORY_NOTHING,
	  "No function changed significantly; cycles per operation uncertain: +0.0_ [-%, +%], "
	  "assuming that runs vary by 3_" },
	{ "half the cost of an operation",
	  { .operations = { 1000, 2000 } },
	  { "app;a 6000", "app;b 3000", "app;c 1000" },
	  { "app;a 6000", "app;b 3000", "app;c 1000" },
	  DIFF_STORY_EXPLAINED,
	  "cycles per operation -50.0_ [-%, -%], assuming that runs vary by 3_; 3 functions "
	  "explain all of it: a -30.0_ of the BEFORE total [-%, -%], b -15.0_ [-%, -%], c -5.0_ [-%, -%]" },
	{ "one grew, others shrank by nearly as much: no share of a hundred times the total",
	  { .seconds = { 10, 10 } },
	  { "app;a 3000", "app;b 3000", "app;c 3000", "app;d 3000" },
	  { "app;a 9000", "app;b 1900", "app;c 2000", "app;d 1100" },
	  DIFF_STORY_OFFSET,
	  "cycles +16.7_ [+%] in captures of equal length%; 2 functions come to +34.2_ of "
	  "the BEFORE total, all others to -17.5_: a +50.0_ [+%], d -15.8_ [-%]; 2 functions only shifted in share" },
	{ "one grew by more than the total, as many shrank by a little each",
	  { .seconds = { 10, 10 } },
	  { "app;a 1000", "app;b 900", "app;c 900", "app;d 900" },
	  { "app;a 2300", "app;b 810", "app;c 810", "app;d 810" },
	  DIFF_STORY_OFFSET,
	  "cycles +27.8_ [+%; 1 function comes to +35.1_ of the BEFORE total, all others to -7.3_: "
	  "a +35.1_ [+%; 3 functions only shifted in share" },
	{ "one took over from another",
	  { .seconds = { 10, 10 } },
	  { "app;a 5000", "app;b 3000", "app;c 2000" },
	  { "app;a 5000", "app;b 2000", "app;c 3000" },
	  DIFF_STORY_MOVED,
	  "cycles uncertain: +0.0_ [-%] in captures of equal length, assuming that runs vary by 3_; "
	  "2 functions account for all of the change of shares: b -10.0 pp [%], c +10.0 pp [%]" },
	{ "all grew alike",
	  { .seconds = { 10, 10 } },
	  { "app;a 5000", "app;b 3000", "app;c 2000" },
	  { "app;a 6500", "app;b 3900", "app;c 2600" },
	  DIFF_STORY_NOTHING,
	  "cycles +30.0_ [+%] in captures of equal length, assuming that runs vary by 3_; no function "
	  "changed its share significantly; largest part: a +15.0_ of the BEFORE total [%]" },
	{ "what a function calls changed, in many small parts",
	  { .operations = { 100, 100 } },
	  { "app;f;a 40", "app;f;b 40", "app;f;c 40", "app;g 9880" },
	  { "app;f;a 70", "app;f;b 70", "app;f;c 70", "app;g 9880" },
	  DIFF_STORY_CALLERS,
	  "cycles per operation uncertain: +0.9_ [-%; 1 function changed only through "
	  "functions that it calls: f +0.89 pp [+%]" },
	{ "weights",
	  { .lacks_sample_counts = true },
	  { "app;a 50", "app;b 30", "app;c 20" },
	  { "app;a 50", "app;b 20", "app;c 30" },
	  DIFF_STORY_NOT_GRADED,
	  "Largest changes, not graded because the number of samples is unknown: b -10.0 pp, "
	  "c +10.0 pp; shares only, because the captures do not record their duration" },
	{ "weights, and nothing changed",
	  { .lacks_sample_counts = true },
	  { "app;a 50", "app;b 30" },
	  { "app;a 50", "app;b 30" },
	  DIFF_STORY_NOT_GRADED,
	  "No function changed by 0.5 pp, not graded because the number of samples is unknown; "
	  "shares%" },
};

Test(diff_headline, stories)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct diff diff;
		struct sink text;

		compare(&diff, &row->setting, row->before, row->after);
		write(&diff, &text);
		for (char *at = text.buffer; *at; at++)
			*at = *at == '%' ? '_' : *at;
		cr_expect_str_eq(diff_story_name(diff.headline.story), diff_story_name(row->story),
				 "%s: %s", row->what, text.buffer);
		cr_expect(fits(text.buffer, row->text), "%s: %s", row->what, text.buffer);
		sink_deinit(&text);
		diff_deinit(&diff);
	}
	assert_no_leaks();
}

/* The changes of functions' self times add up to the change of the total, for every normalisation. */
Test(diff_headline, costs_add_up)
{
	static const struct setting settings[] = {
		{ .seconds = { 10, 12 } },
		{ .operations = { 1000, 1700 } },
	};
	static const char *const before[] = { "app;a 5000", "app;b 3000", "app;c 2000", NULL };
	static const char *const after[] = { "app;a 6100", "app;b 2800", "app;d 3100", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		struct diff_cost total;
		double points = 0;
		struct diff diff;

		compare(&diff, &settings[i], before, after);
		for (size_t k = 0; k < diff.functions.count; k++) {
			const struct diff_function *function = &diff.functions.at[k];
			struct diff_cost cost =
				diff_cost_of(&diff, &function->self, &function->self_estimate);

			points += cost.points;
			cr_expect_leq(cost.points_interval.low, cost.points + 1e-9);
			cr_expect_geq(cost.points_interval.high, cost.points - 1e-9);
			cr_expect_leq(cost.percent_interval.low, cost.percent + 1e-9);
			cr_expect_geq(cost.percent_interval.high, cost.percent - 1e-9);
		}
		total = diff_cost_of(&diff, &diff.overall, &diff.overall_estimate);
		cr_expect_float_eq(points, total.percent, 1e-6, "%zu: %g, %g", i, points,
				   total.percent);
		cr_expect_float_eq(points, diff.overall_percent, 1e-6, "%zu: %g, %g", i, points,
				   diff.overall_percent);
		diff_deinit(&diff);
	}
}

/* The runs of both sides did the same number of operations, although their counts differ. */
Test(diff_headline, operations_are_of_all_runs)
{
	static const char *const run[] = { "app;a 5000", "app;b 3000", NULL };
	struct diff_options options = diff_maker_defaults;
	struct diff_cost cost;
	struct error err;
	struct diff diff;

	options.run_count = 5;
	options.normalising =
		(struct diff_normalising){ .by = DIFF_BY_OPERATIONS, .operations = { 2000, 3000 } };
	diff_init(&diff, &options);
	for (int i = 0; i < 5; i++)
		diff_maker_add(&diff, run, i < 2 ? DIFF_BEFORE : DIFF_AFTER);
	cr_assert(compare_finish(&diff, &err));
	cost = diff_cost_of(&diff, &diff.overall, &diff.overall_estimate);
	cr_expect_float_eq(cost.value[DIFF_BEFORE], 8, 1e-9);
	cr_expect_float_eq(cost.value[DIFF_AFTER], 8, 1e-9);
	cr_expect_float_eq(diff.overall_percent, 0, 1e-9);
	cr_expect_not(diff_verdict_is_change(diff_maker_find(&diff, "a")->self.verdict));
	diff_deinit(&diff);
}

Test(diff_headline, operations_are_two_numbers)
{
	static const struct {
		const char *text;
		uint64_t before, after; /* 0: refused */
	} cases[] = {
		{ "1,2", 1, 2 },
		{ "1000000000000,12000", 1000000000000, 12000 },
		{ "1000000000001,12000", 0, 0 },
		{ "99999999999999999999999,1", 0, 0 },
		{ "", 0, 0 },
		{ "5", 0, 0 },
		{ "5,", 0, 0 },
		{ ",5", 0, 0 },
		{ "0,5", 0, 0 },
		{ "5,0", 0, 0 },
		{ "1,2,3", 0, 0 },
		{ "1, 2", 0, 0 },
		{ "-1,2", 0, 0 },
		{ "1.5,2", 0, 0 },
		{ "1e3,2", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct diff_normalising read;
		struct error err;
		bool good = diff_operations_parse(cases[i].text, &read, &err);

		cr_expect_eq(good, cases[i].before > 0, "%s", cases[i].text);
		if (!good)
			continue;
		cr_expect_eq(read.by, DIFF_BY_OPERATIONS);
		cr_expect_eq(read.operations[DIFF_BEFORE], cases[i].before);
		cr_expect_eq(read.operations[DIFF_AFTER], cases[i].after);
	}
}

/* One function of a program becomes slower: the headline names it, and states the whole change. */
static void simulate(struct diff *diff, double slower, uint32_t runs, bool has_operations,
		     struct random *random)
{
	/* f00 takes 2400 of 7330 units. */
	struct simulated_program before = { .samples = 20000, .length_varies = 0.01 };
	struct simulated_program after = before;
	struct diff_options options = diff_maker_defaults;
	struct error err;

	after.slower = slower;
	after.samples *= (7330 + 2400 * slower) / 7330;
	options.run_count = 2 * runs;
	if (has_operations)
		options.normalising = (struct diff_normalising){
			.by = DIFF_BY_OPERATIONS,
			.operations = { 1000 * runs, 1000 * runs },
		};
	diff_init(diff, &options);
	for (uint32_t i = 0; i < 2 * runs; i++) {
		diff_simulator_add(diff, i % 2 ? &after : &before, (enum diff_side)(i % 2), random);
		diff->runs.at[i].time_ns = 10 * (uint64_t)SECOND_NS;
	}
	cr_assert(compare_finish(diff, &err));
}

Test(diff_headline, simulated_pairs)
{
	static const struct {
		uint32_t runs;
		bool has_operations;
		int least; /* comparisons in which f00 alone explains the change */
	} cases[] = { { 1, false, 18 }, { 3, false, 18 }, { 1, true, 18 }, { 3, true, 18 } };
	struct random random = { .state = 8 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int found = 0;
		int wrong = 0;
		int covered = 0;

		for (int pair = 0; pair < PAIRS; pair++) {
			const struct diff_headline_part *part;
			struct diff diff;

			simulate(&diff, 0.5, cases[i].runs, cases[i].has_operations, &random);
			part = &diff.headline.parts[0];
			found += diff.headline.story == DIFF_STORY_EXPLAINED &&
				 diff.headline.count == 1 &&
				 &diff.functions.at[part->function] ==
					 diff_maker_find(&diff, "f00") &&
				 diff.headline.explained > 80;
			/* The total grew by 16.4 points, all of them in f00. */
			covered += part->interval.low <= 16.37 && part->interval.high >= 16.37;
			diff_deinit(&diff);
			simulate(&diff, 0, cases[i].runs, cases[i].has_operations, &random);
			wrong += diff.headline.story != DIFF_STORY_NOTHING ||
				 diff_verdict_is_change(diff.overall.verdict);
			diff_deinit(&diff);
		}
		cr_expect_geq(found, cases[i].least, "%zu: found in %d", i, found);
		cr_expect_geq(covered, 19, "%zu: covered in %d", i, covered);
		cr_expect_leq(wrong, 1, "%zu: wrong in %d", i, wrong);
	}
}
