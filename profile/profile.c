/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

#include <fnmatch.h>

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
	vec_free(&profile->fields);
	vec_free(&profile->records);
	vec_free(&profile->frames);
	vec_free(&profile->stacks);
	vec_free(&profile->begins);
	vec_free(&profile->deltas);
	vec_free(&profile->parts);
	*profile = (struct profile){ 0 };
}

const struct field *profile_find_field(const struct profile *profile,
				       const struct profile_event *event, struct text name)
{
	for (uint32_t i = 0; i < event->field_count; i++) {
		const struct field *field = &profile->fields.at[event->field_first + i];

		if (text_equal(field->name, name))
			return field;
	}
	return NULL;
}

bool profile_has_time(const struct profile *profile)
{
	return profile->first_time_ns <= profile->last_time_ns;
}

/* The first event of the same name as event number i: it is measured once for each kind of core. */
static size_t first_of_name(const struct profile *profile, size_t i)
{
	size_t first = 0;

	while (profile->events.at[first].name.i != profile->events.at[i].name.i)
		first++;
	return first;
}

bool profile_event_is(const struct profile *profile, const struct profile_event *event,
		      const char *pattern)
{
	const char *name = strings_text(profile->strings, event->name);

	return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

bool profile_has_event(const struct profile *profile, const char *pattern, struct error *err)
{
	char known[300] = "";
	size_t length = 0;

	for (size_t i = 0; i < profile->events.count; i++)
		if (profile_event_is(profile, &profile->events.at[i], pattern))
			return true;
	for (size_t i = 0; i < profile->events.count && length + 1 < sizeof(known); i++) {
		if (first_of_name(profile, i) != i)
			continue;
		snprintf(known + length, sizeof(known) - length, "%s%s", i ? ", " : "",
			 strings_text(profile->strings, profile->events.at[i].name));
		length = strlen(known);
	}
	return error_set(err, ERROR_USAGE, "there is no event \"%s\" in it, but %s", pattern,
			 known);
}
