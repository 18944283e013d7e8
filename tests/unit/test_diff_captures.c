/* SPDX-License-Identifier: MIT */
#include "diff/diff_captures.h"

#include <criterion/criterion.h>

#include "base/attributes.h"
#include "render/diff/captures_text.h"
#include "tests/support/profile_maker.h"

#define SECOND ((uint64_t)1000000000)

/* The metadata of a capture; NULL and 0: not recorded. */
struct made {
	const char *path, *host, *kernel, *event;
	uint64_t duration_s, rate, lost, throttled;
	bool has_attr, is_frequency, has_user_stack, excludes_kernel;
};

static void add(diff_capture_list *captures, struct strings *strings, const struct made *made,
		enum diff_side side)
{
	struct profile_maker maker;
	struct profile *profile = &maker.profile;

	profile_maker_init(&maker);
	if (made->path)
		profile->input_name = strings_intern_text(profile->strings, made->path);
	if (made->host)
		profile->facts[FACT_HOST] = text_of(made->host);
	if (made->kernel)
		profile->facts[FACT_OS_RELEASE] = text_of(made->kernel);
	profile->event_name =
		strings_intern_text(profile->strings, made->event ? made->event : "samples");
	profile->sample_count = 1000;
	profile->losses[LOSS_SAMPLES] = made->lost;
	profile->losses[LOSS_THROTTLED] = made->throttled;
	profile->first_time_ns = 5 * SECOND;
	profile->last_time_ns = made->duration_s ? (5 + made->duration_s) * SECOND : 0;
	profile->events.at[0].is_shown = true;
	profile->events.at[0].has_attr = made->has_attr;
	profile->events.at[0].is_frequency = made->is_frequency;
	profile->events.at[0].sample_period = made->rate;
	profile->events.at[0].excludes_kernel = made->excludes_kernel;
	profile->events.at[0].sample_type = SAMPLE_HAS_CALLCHAIN;
	if (made->has_user_stack)
		profile->events.at[0].sample_type |= SAMPLE_HAS_USER_STACK;
	diff_captures_add(captures, profile, side, strings);
	profile_maker_deinit(&maker);
}

#define NO_KEY DIFF_CAPTURE_KEYS

static const struct {
	struct made before, after;
	enum diff_capture_key key; /* the only key in which they differ */
} rows[] = {
	{ { .host = "a" }, { .host = "a" }, NO_KEY },
	{ { .host = "a" }, { .host = "b" }, DIFF_CAPTURE_HOST },
	{ { .host = "a" }, { .host = NULL }, NO_KEY },
	{ { .kernel = "6.1.0" }, { .kernel = "6.5.0" }, DIFF_CAPTURE_KERNEL },
	{ { .event = "cycles" }, { .event = "cpu-clock" }, DIFF_CAPTURE_EVENT },
	{ { .event = "cycles" }, { .event = "cycles:ppp" }, NO_KEY },
	{ { .event = "cycles" }, { .event = NULL }, NO_KEY },
	{ { .has_attr = true, .rate = 99, .is_frequency = true },
	  { .has_attr = true, .rate = 999, .is_frequency = true },
	  DIFF_CAPTURE_RATE },
	{ { .has_attr = true, .rate = 99, .is_frequency = true },
	  { .has_attr = true, .rate = 99 },
	  DIFF_CAPTURE_RATE },
	{ { .has_attr = true, .rate = 99 }, { .rate = 999 }, NO_KEY },
	{ { .has_attr = true },
	  { .has_attr = true, .has_user_stack = true },
	  DIFF_CAPTURE_CALLCHAINS },
	{ { .has_attr = true }, { .has_attr = true, .excludes_kernel = true }, DIFF_CAPTURE_CODE },
	{ { .duration_s = 10 }, { .duration_s = 20 }, NO_KEY },
	{ { .duration_s = 10 }, { .duration_s = 21 }, DIFF_CAPTURE_DURATION },
	{ { .duration_s = 21 }, { .duration_s = 10 }, DIFF_CAPTURE_DURATION },
	{ { .duration_s = 10 }, { .duration_s = 0 }, NO_KEY },
	{ { .has_attr = true, .lost = 9 }, { .has_attr = true }, NO_KEY },
	{ { .has_attr = true, .lost = 20 }, { .has_attr = true }, DIFF_CAPTURE_LOST },
	{ { .has_attr = true, .lost = 20 }, { .has_attr = true, .lost = 21 }, NO_KEY },
	{ { .has_attr = true, .lost = 20 }, { .lost = 0 }, NO_KEY },
	{ { .has_attr = true }, { .has_attr = true, .throttled = 20 }, DIFF_CAPTURE_THROTTLED },
};

Test(diff_captures, what_differs_is_known_of_both_sides)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		diff_capture_list captures = { 0 };
		struct strings strings;

		strings_init(&strings);
		add(&captures, &strings, &rows[i].before, DIFF_BEFORE);
		add(&captures, &strings, &rows[i].after, DIFF_AFTER);
		for (int key = 0; key < DIFF_CAPTURE_KEYS; key++)
			cr_expect_eq(diff_captures_differ(&captures, &strings,
							  (enum diff_capture_key)key),
				     key == (int)rows[i].key, "row %zu, key %d", i, key);
		vec_free(&captures);
		strings_deinit(&strings);
	}
}

/* With several runs, texts are compared for all pairs of runs, but numbers only by their means. */
Test(diff_captures, runs_of_a_side_are_compared_too)
{
	static const struct made runs[] = {
		{ .host = "a", .kernel = "6.1.0", .duration_s = 10 },
		{ .host = "b", .duration_s = 30 },
		{ .host = "a", .duration_s = 15 },
	};
	diff_capture_list captures = { 0 };
	struct strings strings;

	strings_init(&strings);
	add(&captures, &strings, &runs[0], DIFF_BEFORE);
	add(&captures, &strings, &runs[1], DIFF_BEFORE);
	add(&captures, &strings, &runs[2], DIFF_AFTER);
	cr_expect(diff_captures_differ(&captures, &strings, DIFF_CAPTURE_HOST));
	cr_expect_not(diff_captures_differ(&captures, &strings, DIFF_CAPTURE_KERNEL));
	cr_expect_not(diff_captures_differ(&captures, &strings, DIFF_CAPTURE_DURATION));
	vec_free(&captures);
	strings_deinit(&strings);
}

static const struct {
	const char *paths[3], *expected[3];
	bool shows_homes;
} files[] = {
	{ { "a.data", "/tmp/x/b.data", "c" }, { "a.data", "b.data", "c" }, false },
	{ { "old/perf.data", "new/perf.data", "perf.data" },
	  { "old/perf.data", "new/perf.data", "perf.data" },
	  false },
	{ { "/a/x/r", "/b/x/r", "/a/x/r" }, { "a/x/r", "b/x/r", "a/x/r" }, false },
	{ { "/home/ann/r", "/home/bob/r", "trace/" }, { "r", "r", "trace" }, false },
	{ { "/home/ann/r", "/home/bob/r", "trace/" }, { "ann/r", "bob/r", "trace" }, true },
	{ { "/", "", "//" }, { "/", "", "/" }, false },
};

Test(diff_captures, files_are_told_apart)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		diff_capture_list captures = { 0 };
		struct strings strings;

		strings_init(&strings);
		for (size_t k = 0; k < 3; k++)
			add(&captures, &strings, &(struct made){ .path = files[i].paths[k] },
			    k ? DIFF_AFTER : DIFF_BEFORE);
		for (size_t k = 0; k < 3; k++) {
			struct text name =
				captures_text_file(&captures, &strings, k, files[i].shows_homes);

			cr_expect(text_is(name, files[i].expected[k]), "%s is %.*s",
				  files[i].paths[k], (int)name.length, name.at);
		}
		vec_free(&captures);
		strings_deinit(&strings);
	}
}
