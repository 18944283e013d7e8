/* SPDX-License-Identifier: MIT */
#include "profile/tree/join_builds.h"

#include <criterion/criterion.h>

#include "profile/tree/function_sums.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static module_id add_build(struct profile_maker *maker, const char *path, uint8_t byte)
{
	module_id id = profile_maker_module(maker, MODULE_FILE, path);

	modules_get(maker->profile.modules, id)->build_id =
		(struct build_id){ .bytes = { byte }, .size_bytes = 20 };
	return id;
}

/* The number of frames with this name; *ret is the last one. */
static size_t count_frames(const struct profile *profile, const char *name, uint32_t *ret)
{
	size_t count = 0;

	for (uint32_t i = 0; i < profile->frames.count; i++) {
		if (!text_is(profile_frame_name(profile, (frame_id){ i }), name))
			continue;
		*ret = i;
		count++;
	}
	return count;
}

static void make(struct profile_maker *maker)
{
	profile_maker_init(maker);
	cr_assert_eq(add_build(maker, "/app", 1).i, 1);
	cr_assert_eq(add_build(maker, "/app", 2).i, 2);
	cr_assert_eq(add_build(maker, "/lib", 3).i, 3);
	profile_maker_stack(maker, "app;main|1;f|1", 1);
	profile_maker_stack(maker, "app;run|2;f|2", 2);
	profile_maker_stack(maker, "app;start|3;f|3", 4);
	profile_maker_stack(maker, "app;zip|3", 8);
	profile_maker_build(maker, NULL);
}

static void check_sums(const struct profile *profile)
{
	struct function_sums sums;
	uint32_t frame = 0;

	function_sums_init(&sums, profile, NULL);
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		const struct frame *row = &profile->frames.at[i];
		struct text path = strings_get(profile->strings,
					       modules_get(profile->modules, row->module)->path);

		if (text_is(profile_frame_name(profile, (frame_id){ i }), "f"))
			cr_expect_eq(sums.of_frame[i].total, text_is(path, "/app") ? 3 : 4);
	}
	cr_assert_eq(count_frames(profile, "zip", &frame), 1);
	cr_expect_eq(sums.of_frame[frame].self, 8);
	function_sums_deinit(&sums);
}

/* A function of two builds has one frame, in a module without a build-id. Other DSOs stay apart. */
Test(join_builds, functions_of_two_builds)
{
	struct profile_maker maker;
	const struct module *module;
	uint32_t frame = 0;

	make(&maker);
	cr_assert_eq(count_frames(&maker.profile, "f", &frame), 3);
	join_builds(&maker.profile);
	cr_expect_eq(count_frames(&maker.profile, "f", &frame), 2);
	cr_assert_eq(count_frames(&maker.profile, "main", &frame), 1);
	module = modules_get(maker.profile.modules, maker.profile.frames.at[frame].module);
	cr_expect_eq(module->build_id.size_bytes, 0);
	cr_expect_str_eq(strings_text(maker.profile.strings, module->path), "/app");
	cr_expect_eq(maker.profile.stacks.at[0].total, 15);
	check_sums(&maker.profile);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* Exact sums, which a profile without all stacks has, belong to frames, too. */
Test(join_builds, exact_sums)
{
	struct profile_maker maker;
	struct function_sums sums;

	make(&maker);
	function_sums_of_tree(&sums, &maker.profile, NULL);
	for (size_t i = 0; i < maker.profile.frames.count; i++)
		vec_push(&maker.profile.exact.functions, sums.of_frame[i]);
	function_sums_deinit(&sums);
	join_builds(&maker.profile);
	cr_expect_eq(maker.profile.exact.functions.count, maker.profile.frames.count);
	check_sums(&maker.profile);
	profile_maker_deinit(&maker);
	assert_no_leaks();
}

/* Without several builds, nothing changes. */
Test(join_builds, one_build)
{
	struct profile_maker maker;
	uint32_t frame = 0;

	profile_maker_init(&maker);
	cr_assert_eq(add_build(&maker, "/app", 1).i, 1);
	profile_maker_stack(&maker, "app;f|1", 1);
	profile_maker_build(&maker, NULL);
	join_builds(&maker.profile);
	cr_assert_eq(count_frames(&maker.profile, "f", &frame), 1);
	cr_expect_eq(maker.profile.frames.at[frame].module.i, 1);
	cr_expect_eq(maker.profile.modules->rows.count, 2);
	profile_maker_deinit(&maker);
}

/* A row that several builds share is in the build with more problems, in any order. */
Test(join_builds, shared_rows)
{
	for (uint32_t unverified = 1; unverified <= 2; unverified++) {
		struct profile_maker maker;
		uint32_t frame = 0;

		profile_maker_init(&maker);
		add_build(&maker, "/app", 1);
		add_build(&maker, "/app", 2);
		modules_get(maker.profile.modules, (module_id){ unverified })->match =
			MATCH_UNVERIFIED;
		profile_maker_stack(&maker, "app;main|1;f|1", 1);
		profile_maker_stack(&maker, "app;main|2;g|2", 2);
		profile_maker_build(&maker, NULL);
		frame = maker.profile.stacks.at[2].frame.i;
		cr_assert(text_is(profile_frame_name(&maker.profile, (frame_id){ frame }), "main"));
		cr_expect_eq(maker.profile.frames.at[frame].module.i, unverified);
		join_builds(&maker.profile);
		frame = maker.profile.stacks.at[2].frame.i;
		cr_expect_eq(
			modules_get(maker.profile.modules, maker.profile.frames.at[frame].module)
				->match,
			MATCH_UNVERIFIED);
		profile_maker_deinit(&maker);
	}
}
