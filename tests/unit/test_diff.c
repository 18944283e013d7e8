/* SPDX-License-Identifier: MIT */
#include "diff/compare.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/attributes.h"
#include "render/diff/diff_output.h"
#include "tests/support/diff_maker.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"
#include "tests/support/random.h"

Test(diff, union_of_two_trees)
{
	static const struct {
		const char *what, *before[4], *after[4];
		enum diff_naming naming;
		const char *expected;
	} rows[] = {
		{ "the same", { "a;f 1" }, { "a;f 2" }, DIFF_NAMING_ALIGNED, "a;f 1 2\n" },
		{ "gone and new",
		  { "a;f;g 3", "a;h 1" },
		  { "a;f;k 2", "a;h 2" },
		  DIFF_NAMING_ALIGNED,
		  "a;f;g 3 0\na;f;k 0 2\na;h 1 2\n" },
		{ "names that move",
		  { "a;z.isra.0;x 1", "a;b 2" },
		  { "a;z;x 4", "a;c 1" },
		  DIFF_NAMING_ALIGNED,
		  "a;b 2 0\na;c 0 1\na;z;x 1 4\n" },
		{ "names of one side that are one",
		  { "a;f.part.0;x 1", "a;f;y 2" },
		  { "a;f;x 4" },
		  DIFF_NAMING_ALIGNED,
		  "a;f;x 1 4\na;f;y 2 0\n" },
		{ "names as they are",
		  { "a;f.part.0 1" },
		  { "a;f 4" },
		  DIFF_NAMING_WHOLE,
		  "a;f.part.0 1 0\na;f 0 4\n" },
		{ "a function inside itself",
		  { "a;f;f;f 1" },
		  { "a;f;f 1" },
		  DIFF_NAMING_ALIGNED,
		  "a;f;f 0 1\na;f;f;f 1 0\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_options options = diff_maker_defaults;
		struct sink sink;
		struct diff diff;

		options.alignment.naming = rows[i].naming;
		options.normalising.by = DIFF_BY_NOTHING;
		diff_maker_compare(&diff, &options, rows[i].before, rows[i].after);
		sink_init_memory(&sink);
		diff_folded_write(&diff, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%s:\n%.*s", rows[i].what,
			  (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
		diff_deinit(&diff);
	}
}

#define LINES       150
#define LINE_LENGTH 9

struct drawn {
	char texts[LINES][LINE_LENGTH + 1];
	const char *lines[LINES + 1];
};

/*
 * Draws stacks of one to three functions, with a sample each. The twenty functions have names of
 * one letter.
 */
static void draw(struct drawn *drawn, struct random *random)
{
	uint32_t count = 1 + random_below(random, LINES);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t length = 1;

		drawn->texts[i][0] = 'a';
		for (uint32_t depth = 1 + random_below(random, 3); depth; depth--) {
			drawn->texts[i][length++] = ';';
			drawn->texts[i][length++] = (char)('a' + random_below(random, 20));
		}
		memcpy(drawn->texts[i] + length, " 1", 3);
		drawn->lines[i] = drawn->texts[i];
	}
	drawn->lines[count] = NULL;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes each stack of either side, and its count on each side. */
static void write_union(const struct drawn drawn[DIFF_SIDES], struct sink *sink)
{
	const char *all[2 * LINES];
	size_t count = 0;

	for (int side = 0; side < DIFF_SIDES; side++)
		for (const char *const *line = drawn[side].lines; *line; line++)
			all[count++] = *line;
	qsort(all, count, sizeof(*all), compare_lines);
	for (size_t i = 0; i < count; i++) {
		unsigned found[DIFF_SIDES] = { 0 };

		if (i && strcmp(all[i - 1], all[i]) == 0)
			continue;
		for (int side = 0; side < DIFF_SIDES; side++)
			for (const char *const *line = drawn[side].lines; *line; line++)
				found[side] += strcmp(*line, all[i]) == 0;
		sink_printf(sink, "%.*s %u %u\n", (int)strlen(all[i]) - 2, all[i],
			    found[DIFF_BEFORE], found[DIFF_AFTER]);
	}
}

/*
 * Rows are found by their place in the first capture, or in a table. Both ways give the same
 * result.
 */
Test(diff, union_of_random_trees)
{
	struct random random = { .state = 20261121 };

	for (int round = 0; round < 50; round++) {
		struct diff_options options = diff_maker_defaults;
		struct drawn drawn[DIFF_SIDES];
		struct sink expected;
		struct sink got;
		struct diff diff;

		draw(&drawn[DIFF_BEFORE], &random);
		draw(&drawn[DIFF_AFTER], &random);
		options.normalising.by = DIFF_BY_NOTHING;
		diff_maker_compare(&diff, &options, drawn[DIFF_BEFORE].lines,
				   drawn[DIFF_AFTER].lines);
		sink_init_memory(&expected);
		sink_init_memory(&got);
		write_union(drawn, &expected);
		diff_folded_write(&diff, &got);
		cr_expect(text_equal(sink_memory(&expected), sink_memory(&got)), "round %d", round);
		sink_deinit(&expected);
		sink_deinit(&got);
		diff_deinit(&diff);
	}
}

Test(diff, what_is_aligned_otherwise)
{
	static const char *const before[] = { "a;wrap;old.cold 5", "a;g 2", NULL };
	static const char *const after[] = { "a;std::x;wrap;new 5", "a;g 2", NULL };
	static const struct {
		const char *expression, *from, *to;
		enum diff_key key;
		const char *expected;
	} rows[] = {
		{ "^(std::.*|wrap)$", "old.part.1", "new", DIFF_KEY_FUNCTION,
		  "a;g 2 2\na;new 5 5\n" },
		{ "^(std::.*|wrap)$", "new", "old", DIFF_KEY_FUNCTION,
		  "a;g 2 2\na;new 0 5\na;old 5 0\n" },
		{ "std", "old", "newer", DIFF_KEY_FUNCTION,
		  "a;g 2 2\na;wrap;new 0 5\na;wrap;newer 5 0\n" },
		{ "none", "", "", DIFF_KEY_GROUP, "a 7 7\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_options options = diff_maker_defaults;
		struct diff_alignment *alignment = &options.alignment;
		struct diff_renames renames;
		struct sink sink;
		struct diff diff;
		regex_t ignored;

		cr_assert_eq(regcomp(&ignored, rows[i].expression, REG_EXTENDED | REG_NOSUB), 0);
		diff_renames_init(&renames);
		if (*rows[i].from)
			diff_renames_add(&renames, text_of(rows[i].from), text_of(rows[i].to),
					 &diff_maker_defaults.alignment);
		*alignment = (struct diff_alignment){
			.naming = DIFF_NAMING_ALIGNED,
			.key = rows[i].key,
			.ignored = &ignored,
			.renames = &renames,
		};
		options.normalising.by = DIFF_BY_NOTHING;
		diff_maker_compare(&diff, &options, before, after);
		sink_init_memory(&sink);
		diff_folded_write(&diff, &sink);
		cr_expect(text_is(sink_memory(&sink), rows[i].expected), "%zu:\n%.*s", i,
			  (int)sink_memory(&sink).length, sink_memory(&sink).at);
		sink_deinit(&sink);
		diff_deinit(&diff);
		diff_renames_deinit(&renames);
		regfree(&ignored);
	}
	assert_no_leaks();
}

Test(diff, functions_count_recursion_once)
{
	static const char *const before[] = { "a;f;g;f 3", "a;g 2", NULL };
	static const char *const after[] = { "a;f 5", NULL };
	struct diff diff;

	diff_maker_compare(&diff, &diff_maker_defaults, before, after);
	cr_expect_eq(diff_maker_find(&diff, "f")->total.weight[DIFF_BEFORE], 3);
	cr_expect_eq(diff_maker_find(&diff, "f")->self.weight[DIFF_BEFORE], 3);
	cr_expect_eq(diff_maker_find(&diff, "g")->total.weight[DIFF_BEFORE], 5);
	cr_expect_eq(diff_maker_find(&diff, "g")->total.weight[DIFF_AFTER], 0);
	cr_expect_null(diff_maker_find(&diff, "a"));
	cr_expect(diff.has_common);
	diff_deinit(&diff);
}

Test(diff, normalisation)
{
	static const char *const before[] = { "a;f 30", "a;g 70", NULL };
	static const char *const after[] = { "a;f 30", "a;g 20", NULL };
	static const struct {
		const char *text;
		uint64_t scaled; /* f */
		double points, percent;
	} rows[] = {
		{ "total", 15, 30, 100 }, { "samples", 15, 30, 100 }, { "none", 30, 0, 0 },
		{ "0.5", 15, 30, 100 },   { "2", 60, -60, -50 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_options options = diff_maker_defaults;
		const struct diff_function *f;
		struct error err;
		struct diff diff;

		cr_assert(diff_normalising_parse(rows[i].text, &options.normalising, &err));
		diff_maker_compare(&diff, &options, before, after);
		f = diff_maker_find(&diff, "f");
		cr_expect_eq(diff_scaled(&diff, f->self.weight[DIFF_BEFORE]), rows[i].scaled, "%s",
			     rows[i].text);
		cr_expect_float_eq(diff_points(&diff, &f->self), rows[i].points, 1e-9);
		cr_expect_float_eq(diff_percent(&diff, &f->self), rows[i].percent, 1e-9);
		diff_deinit(&diff);
	}
}

Test(diff, normalisations_that_are_none)
{
	static const char *const rows[] = { "", "0", "-1", "1e3", "1.2.3", "half", "10000000000" };
	struct diff_normalising ignored;
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_not(diff_normalising_parse(rows[i], &ignored, &err), "%s", rows[i]);
}

Test(diff, sides_that_cannot_be_compared)
{
	struct diff_options options = diff_maker_defaults;
	struct profile_maker maker;
	struct diff diff;
	struct error err;

	profile_maker_init(&maker);
	profile_maker_build(&maker, NULL);
	diff_init(&diff, &options);
	cr_expect_not(compare_add(&diff, &maker.profile, DIFF_BEFORE, &err));
	diff_deinit(&diff);
	profile_maker_deinit(&maker);

	profile_maker_init(&maker);
	profile_maker_stack(&maker, "a;f", 30);
	profile_maker_build(&maker, NULL);
	options.normalising.by = DIFF_BY_TIME;
	diff_init(&diff, &options);
	cr_expect_not(compare_add(&diff, &maker.profile, DIFF_BEFORE, &err));
	diff_deinit(&diff);

	diff_init(&diff, &diff_maker_defaults);
	cr_expect(compare_add(&diff, &maker.profile, DIFF_BEFORE, &err));
	cr_expect_not(compare_finish(&diff, &err));
	/* Runs of one side are added up, so their units must be equal. */
	maker.profile.unit = UNIT_BYTES;
	cr_expect_not(compare_add(&diff, &maker.profile, DIFF_BEFORE, &err));
	diff_deinit(&diff);
	profile_maker_deinit(&maker);
}

/* Shares can be compared even if the sides count different events. */
Test(diff, sides_of_different_units_are_compared_by_share)
{
	static const struct {
		enum diff_normalisation by;
		bool is_compared;
	} rows[] = {
		{ DIFF_BY_DEFAULT, true },
		{ DIFF_BY_TOTAL, true },
		{ DIFF_BY_NOTHING, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diff_options options = diff_maker_defaults;
		struct profile_maker maker;
		struct diff diff;
		struct error err;

		options.normalising.by = rows[i].by;
		profile_maker_init(&maker);
		profile_maker_stack(&maker, "a;f", 30);
		profile_maker_build(&maker, NULL);
		diff_init(&diff, &options);
		cr_assert(compare_add(&diff, &maker.profile, DIFF_BEFORE, &err));
		maker.profile.unit = UNIT_NANOSECONDS;
		cr_assert_eq(compare_add(&diff, &maker.profile, DIFF_AFTER, &err),
			     rows[i].is_compared, "row %zu", i);
		if (rows[i].is_compared) {
			cr_assert(compare_finish(&diff, &err));
			cr_expect(diff_has_two_units(&diff));
			cr_expect_eq(diff.options.normalising.by, DIFF_BY_TOTAL);
			cr_expect_eq(diff.overall.verdict, DIFF_NOT_GRADED);
			cr_expect_eq(diff_view_of(&diff, DIFF_AFTER).unit, UNIT_NANOSECONDS);
		}
		diff_deinit(&diff);
		profile_maker_deinit(&maker);
	}
}

Test(diff, sides_of_which_one_does_not_say_its_event)
{
	static const struct {
		const char *before, *after;
		bool is_compared;
	} rows[] = {
		{ "cycles", "cycles", true },
		{ "cycles", "samples", true },
		{ "samples", "cycles", true },
		{ "cycles", "page-faults", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile_maker maker;
		struct profile *profile = &maker.profile;
		struct error err;
		struct diff diff;

		profile_maker_init(&maker);
		profile_maker_stack(&maker, "a;f", 30);
		profile_maker_build(&maker, NULL);
		diff_init(&diff, &diff_maker_defaults);
		profile->event_name = strings_intern_text(profile->strings, rows[i].before);
		cr_expect(compare_add(&diff, profile, DIFF_BEFORE, &err));
		profile->event_name = strings_intern_text(profile->strings, rows[i].after);
		cr_expect_eq(compare_add(&diff, profile, DIFF_AFTER, &err), rows[i].is_compared,
			     "%zu", i);
		diff_deinit(&diff);
		profile_maker_deinit(&maker);
	}
}

/* A simulated program: the share of its time that each function takes. */
#define FUNCTIONS 40

struct program {
	uint32_t units[FUNCTIONS];
};

/* The first function takes a tenth of the time, each of the others 0.1% to 5%. */
static struct program make_program(void)
{
	struct program program;
	uint32_t rest = 0;

	for (uint32_t i = 1; i < FUNCTIONS; i++)
		rest += program.units[i] = 100 + i * 100;
	program.units[0] = rest / 9;
	return program;
}

/* Draws samples and adds their stacks: three levels of callers above each function. */
static void add_samples(struct diff *diff, const struct program *program, uint32_t count,
			struct random *random, enum diff_side side)
{
	uint32_t drawn[FUNCTIONS] = { 0 };
	char texts[FUNCTIONS][80];
	const char *lines[FUNCTIONS + 1] = { NULL };
	uint32_t all = 0;

	for (uint32_t i = 0; i < FUNCTIONS; i++)
		all += program->units[i];
	for (uint32_t k = 0; k < count; k++) {
		uint32_t at = random_below(random, all);
		uint32_t i = 0;

		while (at >= program->units[i])
			at -= program->units[i++];
		drawn[i]++;
	}
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		snprintf(texts[i], sizeof(texts[i]), "app;main;stage%u;step%u;f%u %u", i % 3, i % 7,
			 i, drawn[i]);
		lines[i] = texts[i];
	}
	diff_maker_add(diff, lines, side);
}

static bool has_any_significant(const struct diff *diff)
{
	for (size_t i = 1; i < diff->profile.stacks.count; i++)
		if (diff_verdict_is_change(diff->rows[i].total.verdict) ||
		    diff_verdict_is_change(diff->rows[i].self.verdict))
			return true;
	return false;
}

Test(diff, two_captures_of_one_program_do_not_differ)
{
	struct program program = make_program();
	struct random random = { .state = 4711 };
	int wrong = 0;

	for (int pair = 0; pair < 20; pair++) {
		struct diff diff;
		struct error err;

		diff_init(&diff, &diff_maker_defaults);
		add_samples(&diff, &program, 10000, &random, DIFF_BEFORE);
		add_samples(&diff, &program, 10000, &random, DIFF_AFTER);
		cr_assert(compare_finish(&diff, &err));
		wrong += has_any_significant(&diff);
		diff_deinit(&diff);
	}
	cr_expect_leq(wrong, 1, "%d of 20 pairs have a box in colour", wrong);
}

/* The program takes 10% longer, all of it in one function. */
Test(diff, a_regression_is_the_first_row)
{
	struct program before = make_program();
	struct program after = before;
	struct random random = { .state = 815 };
	int found = 0;
	int significant = 0;

	after.units[0] *= 2;
	for (int pair = 0; pair < 20; pair++) {
		const struct diff_function *first;
		struct diff diff;
		struct error err;

		diff_init(&diff, &diff_maker_defaults);
		add_samples(&diff, &before, 10000, &random, DIFF_BEFORE);
		add_samples(&diff, &after, 11000, &random, DIFF_AFTER);
		cr_assert(compare_finish(&diff, &err));
		first = &diff.functions.at[0];
		found += first == diff_maker_find(&diff, "f0") &&
			 diff_points(&diff, &first->self) > 0;
		significant += diff_verdict_is_change(first->self.verdict);
		diff_deinit(&diff);
	}
	cr_expect_geq(found, 19, "it is the first in %d of 20", found);
	cr_expect_geq(significant, 19);
}

/* A function that takes half of the program becomes 10% slower. */
Test(diff, a_slower_function_is_the_first_row)
{
	struct program before = make_program();
	struct program after;
	struct random random = { .state = 99 };
	int found = 0;

	before.units[0] *= 9;
	after = before;
	after.units[0] = before.units[0] / 10 * 11;
	for (int pair = 0; pair < 20; pair++) {
		struct diff diff;
		struct error err;

		diff_init(&diff, &diff_maker_defaults);
		add_samples(&diff, &before, 10000, &random, DIFF_BEFORE);
		add_samples(&diff, &after, 10000, &random, DIFF_AFTER);
		cr_assert(compare_finish(&diff, &err));
		found += &diff.functions.at[0] == diff_maker_find(&diff, "f0");
		diff_deinit(&diff);
	}
	cr_expect_geq(found, 19, "it is the first in %d of 20", found);
}

Test(diff, runs_that_differ_among_themselves_are_believed_less)
{
	static const char *const before[][3] = {
		{ "a;f 200", "a;g 800" },
		{ "a;f 400", "a;g 600" },
		{ "a;f 300", "a;g 700" },
	};
	static const char *const after[][3] = {
		{ "a;f 300", "a;g 700" },
		{ "a;f 500", "a;g 500" },
		{ "a;f 400", "a;g 600" },
	};
	static const char *const all_before[] = { "a;f 900", "a;g 2100", NULL };
	static const char *const all_after[] = { "a;f 1200", "a;g 1800", NULL };
	struct diff_options options = diff_maker_defaults;
	struct diff diff;
	struct error err;

	diff_maker_compare(&diff, &options, all_before, all_after);
	cr_expect(diff_verdict_is_change(diff_maker_find(&diff, "f")->self.verdict));
	diff_deinit(&diff);
	options.run_count = 6;
	diff_init(&diff, &options);
	for (size_t i = 0; i < 3; i++) {
		diff_maker_add(&diff, before[i], DIFF_BEFORE);
		diff_maker_add(&diff, after[i], DIFF_AFTER);
	}
	cr_assert(compare_finish(&diff, &err));
	cr_expect_not(diff_verdict_is_change(diff_maker_find(&diff, "f")->self.verdict));
	cr_expect_eq(diff_maker_find(&diff, "f")->self.weight[DIFF_AFTER], 1200);
	diff_deinit(&diff);
}

Test(diff, everything_is_given_back)
{
	static const char *const lines[] = { "a;f 3", "a;g;h 2", NULL };
	struct diff diff;

	diff_maker_compare(&diff, &diff_maker_defaults, lines, lines);
	diff_deinit(&diff);
	diff_init(&diff, &diff_maker_defaults);
	diff_maker_add(&diff, lines, DIFF_AFTER);
	diff_deinit(&diff);
	assert_no_leaks();
}
