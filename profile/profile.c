/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

void profile_init(struct profile *profile)
{
	*profile = (struct profile){
		.strings = memory_alloc(1, sizeof(*profile->strings)),
		.modules = memory_alloc(1, sizeof(*profile->modules)),
		.first_time_ns = UINT64_MAX,
	};
	strings_init(profile->strings);
	modules_init(profile->modules);
}

void profile_deinit(struct profile *profile)
{
	strings_deinit(profile->strings);
	modules_deinit(profile->modules);
	memory_free(profile->strings);
	memory_free(profile->modules);
	vec_free(&profile->events);
	vec_free(&profile->records);
	vec_free(&profile->frames);
	vec_free(&profile->stacks);
	*profile = (struct profile){ 0 };
}

bool profile_has_time(const struct profile *profile)
{
	return profile->first_time_ns <= profile->last_time_ns;
}
