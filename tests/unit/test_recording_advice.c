/* SPDX-License-Identifier: MIT */
#include "render/text/recording_advice.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

static void set_command_line(struct profile *profile, const char *line)
{
	profile->facts[FACT_COMMAND_LINE] =
		strings_get(profile->strings, strings_intern_text(profile->strings, line));
}

/* A recording about which nothing can be said. */
static void make(struct profile_maker *maker)
{
	struct profile *profile = &maker->profile;

	profile_maker_init(maker);
	profile->events.at[0].has_attr = true;
	profile->events.at[0].has_callchain = true;
	profile->events.at[0].sample_count = 100;
	profile->sample_count = 100;
	profile_maker_module(maker, MODULE_FILE, "/bin/app");
	profile->first_time_ns = 1;
	profile->last_time_ns = 2;
	profile->clock.is_known = true;
	set_command_line(profile, "perf record -e x ./a");
}

static void expect(struct profile_maker *maker, const char *finding, const char *line)
{
	struct sink sink;
	struct error err;
	struct text text;

	profile_maker_build(maker, NULL);
	sink_init_memory(&sink);
	cr_assert(recording_advice_write(&maker->profile, false, &sink, &err));
	sink_char(&sink, '\0');
	text = sink_memory(&sink);
	cr_expect_not_null(strstr(text.at, finding), "%s", text.at);
	cr_expect_not_null(strstr(text.at, line), "%s", text.at);
	sink_deinit(&sink);
	profile_maker_deinit(maker);
}

Test(recording_advice, nothing)
{
	struct profile_maker maker;

	make(&maker);
	expect(&maker, "nothing would make", "\n");
}

Test(recording_advice, lost_samples_and_frequency)
{
	struct profile_maker maker;

	make(&maker);
	maker.profile.losses[LOSS_RECORDS] = 100;
	maker.profile.losses[LOSS_THROTTLED] = 1;
	maker.profile.events.at[0].is_frequency = true;
	maker.profile.events.at[0].sample_period = 4000;
	expect(&maker, "100 records lost while recording (50%); 1 time sampling was throttled\n",
	       "  perf record -F 499 -m 8M -e x ./a\n");
	make(&maker);
	maker.profile.losses[LOSS_THROTTLED] = 2;
	maker.profile.events.at[0].is_frequency = true;
	maker.profile.events.at[0].sample_period = 998;
	expect(&maker, "2 times sampling was throttled\n", "  perf record -F 499 -e x ./a\n");
	make(&maker);
	maker.profile.events.at[0].is_frequency = true;
	maker.profile.events.at[0].sample_period = 1001;
	expect(&maker, "1,001 samples a second", "  perf record -F 999 -e x ./a\n");
}

Test(recording_advice, no_times)
{
	struct profile_maker maker;

	make(&maker);
	maker.profile.clock.is_known = false;
	maker.profile.first_time_ns = 3;
	expect(&maker, "\ntimes ", "  perf record -k mono -T -e x ./a\n");
}

Test(recording_advice, hidden_kernel_symbols)
{
	struct profile_maker maker;

	make(&maker);
	modules_get(maker.profile.modules,
		    profile_maker_module(&maker, MODULE_KERNEL, "[kernel.kallsyms]"))
		->location_count = 1;
	expect(&maker, "kernel.kptr_restrict=0\n", "  perf record -e x ./a\n");
}

Test(recording_advice, kernel_not_allowed)
{
	struct profile_maker maker;

	make(&maker);
	maker.profile.events.at[0].excludes_kernel = true;
	expect(&maker, "kernel.perf_event_paranoid=1\n", "  perf record -e x ./a\n");
	make(&maker);
	maker.profile.events.at[0].excludes_kernel = true;
	set_command_line(&maker.profile, "perf record -e x:u ./a");
	expect(&maker, "nothing would make", "\n");
}

Test(recording_advice, short_user_stacks)
{
	struct profile_maker maker;

	make(&maker);
	profile_maker_stack(&maker, "app;main|1", 3);
	profile_maker_stack(&maker, "app;main|1;run|1;parse|1", 7);
	expect(&maker, "nothing would make", "\n");
	make(&maker);
	profile_maker_stack(&maker, "app;main|1", 31);
	profile_maker_stack(&maker, "app;main|1;run|1;parse|1", 69);
	expect(&maker, "31% of the user stacks have at most 2 frames, mostly in app,",
	       "  perf record --call-graph dwarf,16384 -e x ./a\n");
}

Test(recording_advice, functions_without_a_module_are_mapped)
{
	struct profile_maker maker;

	make(&maker);
	profile_maker_stack(&maker, "app;main|1;run|1;_start|0", 100);
	expect(&maker, "nothing would make", "\n");
	make(&maker);
	profile_maker_stack(&maker, "app;main|1;run|1;|0", 100);
	expect(&maker, "100% of the samples are in no known mapping", "  perf record");
}

Test(recording_advice, control_characters_are_escaped)
{
	struct profile_maker maker;

	make(&maker);
	maker.profile.clock.is_known = false;
	set_command_line(&maker.profile, "perf record ./a\x1b[2J");
	expect(&maker, "\nclock ", "./a\\x1b[2J\n");
}
