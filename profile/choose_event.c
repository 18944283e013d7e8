/* SPDX-License-Identifier: MIT */
#include "profile/choose_event.h"

/* What an event is missing. */
struct lack {
	enum {
		LACK_WEIGHT,
		LACK_NUMBER,
		LACK_CGROUP,
		LACK_FIELD,
	} kind;
	struct text field; /* of that name */
};

static bool has_weight(const struct profile *profile, const struct event_demands *demands,
		       const struct profile_event *event, struct lack *ret)
{
	const struct weighing *weighing = demands->weighing;

	if (!weighing || weighing_suits(weighing, profile, event))
		return true;
	*ret = (struct lack){ weighing->kind == WEIGHING_FIELD ? LACK_NUMBER : LACK_WEIGHT,
			      weighing->field };
	return false;
}

static bool shows_all(const struct event_demands *demands)
{
	return demands->grouping && grouping_has(demands->grouping, GROUP_EVENT);
}

static bool has_level(const struct profile *profile, const struct grouping *grouping,
		      uint32_t level, const struct profile_event *event)
{
	if (grouping->by[level] == GROUP_CGROUP)
		return event->sample_type & FIELD_CGROUP;
	return grouping->by[level] != GROUP_FIELD ||
	       profile_find_field(profile, event, grouping->fields[level]);
}

static bool has_groups(const struct profile *profile, const struct event_demands *demands,
		       const struct profile_event *event, struct lack *ret)
{
	const struct grouping *grouping = demands->grouping;

	for (uint32_t i = 0; grouping && i < grouping->count; i++) {
		bool found = has_level(profile, grouping, i, event);

		/* Of all events together, one is enough. */
		for (size_t k = 0; shows_all(demands) && !found && k < profile->events.count; k++)
			found = has_level(profile, grouping, i, &profile->events.at[k]);
		if (found)
			continue;
		*ret = (struct lack){ grouping->by[i] == GROUP_FIELD ? LACK_FIELD : LACK_CGROUP,
				      grouping->fields[i] };
		return false;
	}
	return true;
}

static bool suits(const struct profile *profile, const struct event_demands *demands,
		  const struct profile_event *event)
{
	struct lack ignored;

	return has_weight(profile, demands, event, &ignored) &&
	       has_groups(profile, demands, event, &ignored);
}

/* The event of the first sample in time; where there are no times, the first that has samples. */
static const struct profile_event *default_event(const struct profile *profile,
						 const struct event_demands *demands)
{
	const struct profile_event *found = NULL;
	const struct profile_event *any = NULL;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count)
			continue;
		if (!any || event->first_time_ns < any->first_time_ns)
			any = event;
		if (suits(profile, demands, event) &&
		    (!found || event->first_time_ns < found->first_time_ns))
			found = event;
	}
	if (!found)
		found = any;
	return !found && profile->events.count ? &profile->events.at[0] : found;
}

static const struct profile_event *named_event(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (strcmp(strings_text(profile->strings, profile->events.at[i].name), name) == 0)
			return &profile->events.at[i];
	return NULL;
}

/* The fields that would do, without those every tracepoint has. */
static void list_fields(const struct profile *profile, const struct profile_event *event,
			bool of_numbers, char *text, size_t text_bytes)
{
	size_t length = 0;

	*text = '\0';
	for (uint32_t i = 0; i < event->field_count && length + 1 < text_bytes; i++) {
		const struct field *field = &profile->fields.at[event->field_first + i];

		if (text_has_prefix(field->name, "common_") ||
		    (of_numbers && !weighing_is_number(field)))
			continue;
		snprintf(text + length, text_bytes - length, "%s%.*s", length ? ", " : ", but ",
			 (int)field->name.length, field->name.at);
		length = strlen(text);
	}
}

static bool say_lack(const struct profile *profile, const struct profile_event *event,
		     const struct lack *lack, struct error *err)
{
	const char *event_name = strings_text(profile->strings, event->name);
	char known[300];

	switch (lack->kind) {
	case LACK_CGROUP:
		return error_set(err, ERROR_USAGE,
				 "--by cgroup: samples of %s have none; perf record --all-cgroups "
				 "records them",
				 event_name);
	case LACK_WEIGHT:
		return error_set(err, ERROR_USAGE,
				 "--weight weight: samples of %s have none; perf record -W records "
				 "it, where the hardware measures it",
				 event_name);
	case LACK_FIELD:
	case LACK_NUMBER:
		break;
	}
	list_fields(profile, event, lack->kind == LACK_NUMBER, known, sizeof(known));
	return error_set(err, ERROR_USAGE, "--%s %.*s: samples of %s have no such %s%s",
			 lack->kind == LACK_NUMBER ? "weight" : "by", (int)lack->field.length,
			 lack->field.at, event_name, lack->kind == LACK_NUMBER ? "number" : "field",
			 known);
}

bool choose_event(struct profile *profile, const struct event_demands *demands, struct error *err)
{
	static const struct weighing by_period = { .kind = WEIGHING_PERIOD };
	const struct weighing *weighing = demands->weighing ? demands->weighing : &by_period;
	const struct profile_event *event = default_event(profile, demands);
	struct lack lack;

	if (!event)
		return error_set(err, ERROR_DAMAGED, "no events are described");
	if (demands->event_name)
		event = named_event(profile, demands->event_name);
	if (!event)
		return profile_has_event(profile, demands->event_name, err);
	if (!has_weight(profile, demands, event, &lack) ||
	    !has_groups(profile, demands, event, &lack))
		return say_lack(profile, event, &lack, err);
	profile->event_name = event->name;
	profile->unit = weighing_unit(weighing, event);
	profile->weight_name = weighing->kind == WEIGHING_COST
				       ? strings_intern_text(profile->strings, "weight")
			       : weighing->kind == WEIGHING_FIELD
				       ? strings_intern(profile->strings, weighing->field.at,
							weighing->field.length)
				       : STR_EMPTY;
	if (!shows_all(demands))
		return true;
	profile->event_name = strings_intern_text(profile->strings, "all events");
	/* Periods of different things do not add up; samples do. */
	if (weighing->kind == WEIGHING_PERIOD)
		profile->unit = UNIT_SAMPLES;
	return true;
}

bool choose_event_shows(const struct profile *profile, const struct event_demands *demands,
			uint32_t event)
{
	const struct profile_event *row = &profile->events.at[event];

	if (shows_all(demands))
		return !demands->weighing || weighing_suits(demands->weighing, profile, row);
	return row->name.i == profile->event_name.i;
}
