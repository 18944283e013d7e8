/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "render/text/caveats.h"
#include "tests/support/profile_maker.h"

static void expect(const struct profile *profile, double share_min, const char *const *wanted)
{
	struct caveats caveats = caveats_of(profile, share_min);
	struct sink sink;
	size_t count = 0;

	while (wanted[count])
		count++;
	cr_assert_eq(caveats.count, count, "%zu", caveats.count);
	sink_init_memory(&sink);
	for (size_t i = 0; i < count; i++) {
		sink.used = 0;
		caveats_write(profile, &caveats, i, &sink);
		sink_char(&sink, '\0');
		cr_expect_str_eq(sink.buffer, wanted[i]);
	}
	sink_deinit(&sink);
}

/*
 * Of 1,000 samples, 44 are in JIT code and 3 in a library. 120 more samples were lost, and lines of
 * unknown weight were skipped.
 */
static void make(struct profile_maker *maker)
{
	profile_maker_init(maker);
	profile_maker_module(maker, MODULE_ANONYMOUS, "//anon");
	profile_maker_module(maker, MODULE_FILE, "/lib/libz.so");
	profile_maker_stack(maker, "app;|1", 44);
	profile_maker_stack(maker, "app;|2", 3);
	profile_maker_stack(maker, "app;main", 953);
	profile_maker_build(maker, NULL);
	modules_get(maker->profile.modules, (module_id){ 1 })->pid = 5862;
	maker->profile.sample_count = 1000;
	maker->profile.losses[LOSS_SAMPLES] = 120;
	maker->profile.losses[LOSS_RECORDS] = 2;
	maker->profile.losses[LOSS_SKIPPED_LINES] = 3;
}

Test(caveats, largest_share_first)
{
	struct profile_maker maker;

	make(&maker);
	expect(&maker.profile, CAVEAT_SHARE_MIN,
	       (const char *const[]){
		       "120 samples lost while recording (11%)",
		       "4.7% of the profile has frames without a name, mostly "
		       "perf-5862.map (4.4%)",
		       "3 unrecognised lines skipped",
		       NULL,
	       });
	profile_maker_deinit(&maker);
}

/* Three equal files: none of them has most of the frames. */
Test(caveats, no_file_has_most_of_the_frames)
{
	static const char *const paths[] = { "/lib/liba.so", "/lib/libb.so", "/lib/libc.so" };
	static const char *const stacks[] = { "app;|1", "app;|2", "app;|3" };
	struct profile_maker maker;

	profile_maker_init(&maker);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		profile_maker_module(&maker, MODULE_FILE, paths[i]);
		profile_maker_stack(&maker, stacks[i], 20);
	}
	profile_maker_stack(&maker, "app;main", 40);
	profile_maker_build(&maker, NULL);
	maker.profile.sample_count = 100;
	expect(&maker.profile, CAVEAT_SHARE_MIN,
	       (const char *const[]){
		       "60% of the profile has frames without a name, especially in liba.so "
		       "(20%)",
		       NULL,
	       });
	profile_maker_deinit(&maker);
}

Test(caveats, small_ones_where_all_are_asked_for)
{
	struct profile_maker maker;

	make(&maker);
	modules_get(maker.profile.modules, (module_id){ 2 })->match = MATCH_UNVERIFIED;
	expect(&maker.profile, 0,
	       (const char *const[]){
		       "120 samples lost while recording (11%)",
		       "4.7% of the profile has frames without a name, mostly "
		       "perf-5862.map (4.4%)",
		       "2 records lost while recording (0.2%)",
		       "3 unrecognised lines skipped",
		       NULL,
	       });
	profile_maker_deinit(&maker);
}

/* Of 2,400 samples in the capture, 1,000 are selected; the 120 that were lost may be any. */
Test(caveats, lost_samples_are_a_share_of_the_capture)
{
	struct profile_maker maker;

	make(&maker);
	vec_push(&maker.profile.records, (struct event_record_count){
						 .type = 9,
						 .name = text_of("SAMPLE"),
						 .count = 2400,
					 });
	vec_push(&maker.profile.records, (struct event_record_count){ .type = 99, .count = 9999 });
	expect(&maker.profile, CAVEAT_SHARE_MIN,
	       (const char *const[]){
		       "120 samples lost while recording (4.8%)",
		       "4.7% of the profile has frames without a name, mostly "
		       "perf-5862.map (4.4%)",
		       "3 unrecognised lines skipped",
		       NULL,
	       });
	profile_maker_deinit(&maker);
}
