/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

/* A machine with two kinds of cores measures each event twice, under one name. */
Test(profile, events_are_known_by_name)
{
	static const char *const names[] = { "cycles", "misses", "cycles", "misses", "faults" };
	struct error err = { .code = ERROR_NONE };
	struct profile profile;

	profile_init(&profile);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		vec_push(&profile.events,
			 (struct profile_event){
				 .name = strings_intern_text(profile.strings, names[i]),
			 });
	cr_expect(profile_has_event(&profile, "faults", &err));
	cr_expect_eq(err.code, ERROR_NONE);
	cr_expect_not(profile_has_event(&profile, "cycle", &err));
	cr_expect_eq(err.code, ERROR_NO_MATCH);
	cr_expect_str_eq(err.text, "has no event \"cycle\"; its events are cycles, misses, "
				   "faults");
	profile_deinit(&profile);
	assert_no_leaks();
}

Test(profile, a_base_name_of_several_events_is_none_of_them)
{
	static const char *const names[] = { "cpu_core/cycles/", "cpu_atom/cycles/", "faults:u",
					     "faults", "branches:P" };
	struct error err = { .code = ERROR_NONE };
	struct profile profile;

	profile_init(&profile);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		vec_push(&profile.events,
			 (struct profile_event){
				 .name = strings_intern_text(profile.strings, names[i]),
			 });
	cr_expect(profile_has_event(&profile, "branches", &err));
	/* An exact match wins. */
	cr_expect(profile_has_event(&profile, "faults", &err));
	cr_expect_eq(profile_match_events(&profile, "faults"), EVENT_MATCH_EXACT);
	cr_expect_not(profile_has_event(&profile, "cycles", &err));
	cr_expect_str_eq(
		err.text,
		"--event cycles matches several events: cpu_core/cycles/, cpu_atom/cycles/; give "
		"one of them, or select all with a pattern such as --event '*cycles*'");
	profile_deinit(&profile);
	assert_no_leaks();
}
