/* SPDX-License-Identifier: MIT */
#include "profile/missing.h"

#include "base/arithmetic.h"

bool missing_is_name(struct text name)
{
	return text_is(name, FRAME_NAME_LEFT_OUT) || text_is(name, FRAME_NAME_TOO_NARROW);
}

uint32_t missing_left_out_frame(const struct profile *profile)
{
	str_id name = strings_find(profile->strings, text_of(FRAME_NAME_LEFT_OUT));

	for (uint32_t i = 0; name.i && i < profile->frames.count; i++)
		if (profile->frames.at[i].name.i == name.i &&
		    profile->frames.at[i].kind == FRAME_MARK)
			return i;
	return (uint32_t)profile->frames.count;
}

uint64_t missing_weight(const struct profile *profile)
{
	bool *is_missing = memory_zalloc(profile->frames.count, sizeof(*is_missing));
	uint64_t weight = 0;

	for (uint32_t i = 0; i < profile->frames.count; i++)
		is_missing[i] = missing_is_frame(profile, (frame_id){ i });
	for (size_t i = 1; i < profile->stacks.count; i++)
		if (is_missing[profile->stacks.at[i].frame.i])
			weight = saturate_add(weight, profile->stacks.at[i].self);
	memory_free(is_missing);
	return weight;
}
