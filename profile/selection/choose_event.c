/* SPDX-License-Identifier: MIT */
#include "profile/selection/choose_event.h"

#include <inttypes.h>

#include "process/loss.h"
#include "profile/event_name.h"
#include "profile/weighing.h"

/* The data that is missing from the samples of an event. */
struct lack {
	enum {
		LACK_WEIGHT,
		LACK_NUMBER,
		LACK_CGROUP,
		LACK_FIELD,
	} kind;
	struct text field; /* name of a missing field */
};

static bool has_weight(const struct profile *profile, const struct view *view,
		       const struct profile_event *event, struct lack *ret)
{
	const struct weighing *weighing = &view->weighing;

	if (weighing_suits(weighing, profile, event))
		return true;
	*ret = (struct lack){ weighing->kind == WEIGHING_FIELD ? LACK_NUMBER : LACK_WEIGHT,
			      weighing->field };
	return false;
}

static bool has_level(const struct profile *profile, const struct grouping *grouping,
		      uint32_t level, const struct profile_event *event)
{
	if (grouping->by[level] == GROUP_CGROUP)
		return event->sample_type & SAMPLE_HAS_CGROUP;
	return grouping->by[level] != GROUP_FIELD ||
	       profile_find_field(profile, event, grouping->fields[level]);
}

/* Whether any event that is shown has the values of a grouping level. */
static bool any_has_level(const struct profile *profile, const struct grouping *grouping,
			  uint32_t level)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown &&
		    has_level(profile, grouping, level, &profile->events.at[i]))
			return true;
	return false;
}

/* Whether an event has the values for all grouping levels. NULL means all events that are shown. */
static bool has_groups(const struct profile *profile, const struct view *view,
		       const struct profile_event *event, struct lack *ret)
{
	const struct grouping *grouping = &view->grouping;

	for (uint32_t i = 0; i < grouping->count; i++) {
		if (event ? has_level(profile, grouping, i, event)
			  : any_has_level(profile, grouping, i))
			continue;
		*ret = (struct lack){ grouping->by[i] == GROUP_FIELD ? LACK_FIELD : LACK_CGROUP,
				      grouping->fields[i] };
		return false;
	}
	return true;
}

static bool is_of_intervals(const struct weighing *weighing)
{
	return weighing->kind == WEIGHING_INTERVAL || weighing->kind == WEIGHING_INTERVAL_COUNT;
}

/*
 * Marks the events that were requested. Returns whether events with several names are shown.
 * Without a pattern, they are if weights are intervals or stacks are grouped by event.
 */
static bool mark_wanted(struct profile *profile, const struct view *view)
{
	const char *pattern = view->event_pattern;
	enum event_match best = profile_match_events(profile, pattern);
	const struct profile_event *first = NULL;
	bool are_several = false;

	for (size_t i = 0; i < profile->events.count; i++) {
		struct profile_event *event = &profile->events.at[i];

		event->is_shown = best && profile_match_event(profile, event, pattern) == best;
		if (!event->is_shown)
			continue;
		if (!first)
			first = event;
		are_several |= event->name.i != first->name.i;
	}
	/* The weights of intervals are durations, so several events can be added up. */
	if (!pattern && is_of_intervals(&view->weighing))
		return true;
	if (!pattern)
		return grouping_has(&view->grouping, GROUP_EVENT);
	return are_several;
}

/*
 * Returns 3 for the preferred event, 2 for one whose name differs only in spelling, 1 for the event
 * that the capture says to show, otherwise 0.
 */
static int preference_of(const struct profile *profile, const struct view *view,
			 const struct profile_event *event)
{
	struct text name = strings_get(profile->strings, event->name);
	const char *preferred = view->preferred_event;

	if (preferred && text_is(name, preferred))
		return 3;
	if (preferred && event_names_add_up(name, text_of(preferred)))
		return 2;
	return name.length && event->name.i == profile->default_event.i;
}

/*
 * Whether an event is preferred to one with an earlier sample. If samples have no times, the order
 * of events is not chance, but that of the file.
 */
static bool is_timed_cpu_time(const struct profile *profile, const struct profile_event *event)
{
	return event->first_time_ns != UINT64_MAX && profile_event_is_of_cpu_time(profile, event);
}

/* Whether an event is chosen rather than another, which may be NULL. */
static bool is_before(const struct profile *profile, const struct view *view,
		      const struct profile_event *event, const struct profile_event *other)
{
	int preference = preference_of(profile, view, event);
	bool is_of_cpu_time = is_timed_cpu_time(profile, event);
	int of_other;

	if (!other)
		return true;
	of_other = preference_of(profile, view, other);
	if (preference != of_other)
		return preference > of_other;
	if (is_of_cpu_time != is_timed_cpu_time(profile, other))
		return is_of_cpu_time;
	return event->first_time_ns < other->first_time_ns;
}

/*
 * Returns the preferred event, or else the capture's default, or else one that samples CPU time, or
 * else the one with the earliest sample, among the requested events that have the weight and the
 * groups; if none has them, among all requested events. If samples have no times, the first event
 * with samples is chosen.
 */
static const struct profile_event *first_event(const struct profile *profile,
					       const struct view *view, bool are_several)
{
	const struct profile_event *described = NULL;
	const struct profile_event *any = NULL;
	const struct profile_event *found = NULL;
	struct lack ignored;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->is_shown)
			continue;
		if (!described)
			described = event;
		if (!event->sample_count)
			continue;
		if (is_before(profile, view, event, any))
			any = event;
		if (has_weight(profile, view, event, &ignored) &&
		    (are_several || has_groups(profile, view, event, &ignored)) &&
		    is_before(profile, view, event, found))
			found = event;
	}
	return found ? found : any ? any : described;
}

/* Lists fields that could be used, except those that every tracepoint has. */
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
		snprintf(text + length, text_bytes - length, "%s%.*s",
			 length ? ", "
				: "; its "
				  "fields are ",
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
				 "--by cgroup: samples of %s have no cgroup; record cgroups with "
				 "perf record --all-cgroups",
				 event_name);
	case LACK_WEIGHT:
		return error_set(
			err, ERROR_USAGE,
			"--weight weight: samples of %s have no hardware weight; record it with "
			"perf record -W, if the CPU supports it",
			event_name);
	case LACK_FIELD:
	case LACK_NUMBER:
		break;
	}
	list_fields(profile, event, lack->kind == LACK_NUMBER, known, sizeof(known));
	return error_set(err, ERROR_USAGE, "--%s %.*s: event %s has no such %s%s",
			 lack->kind == LACK_NUMBER ? "weight" : "by", (int)lack->field.length,
			 lack->field.at, event_name,
			 lack->kind == LACK_NUMBER ? "integer field" : "field", known);
}

/*
 * Unmarks the events that do not have the chosen name. If events with several names are shown,
 * instead unmarks those without the requested weight.
 */
static void mark_shown(struct profile *profile, const struct view *view,
		       const struct profile_event *chosen, bool are_several)
{
	struct lack ignored;

	for (size_t i = 0; i < profile->events.count; i++) {
		struct profile_event *event = &profile->events.at[i];

		event->is_shown &= are_several ? has_weight(profile, view, event, &ignored)
					       : event->name.i == chosen->name.i;
	}
}

static str_id weight_name(struct strings *strings, const struct weighing *weighing)
{
	if (weighing->kind == WEIGHING_COST)
		return strings_intern_text(strings, "weight");
	if (weighing->kind == WEIGHING_FIELD || is_of_intervals(weighing))
		return strings_intern(strings, weighing->field.at, weighing->field.length);
	return STR_EMPTY;
}

/* Sets the error: "no samples" for a text, "no events" for other captures. */
static bool say_empty(const struct profile *profile, struct error *err)
{
	uint64_t count = profile->losses[LOSS_SKIPPED_LINES];
	static const enum loss_kind others[] = { LOSS_NEGATIVE_COUNTS, LOSS_LONG_LINES,
						 LOSS_CORRUPT_RECORDS };
	uint64_t first = profile->first_skipped_line;

	for (size_t i = 0; i < ARRAY_SIZE(others) && !count; i++) {
		uint64_t other_count = profile->losses[others[i]];

		if (other_count)
			return error_set(err, ERROR_FORMAT, "no samples found: %" PRIu64 " %s",
					 other_count, loss_words(others[i], other_count));
	}
	if (!count && profile->partial_reason)
		return error_set(err, ERROR_CORRUPT, "no samples found: %s",
				 profile->partial_reason);
	if (!count)
		return error_set(err, ERROR_CORRUPT,
				 "has no samples; check whether anything was recorded");
	return error_set(err, ERROR_FORMAT,
			 "no samples found: %" PRIu64 " unrecognised %s skipped, the first is line "
			 "%" PRIu64,
			 count, count == 1 ? "line" : "lines", first ? first : 1);
}

bool choose_event(struct profile *profile, const struct view *view, struct error *err)
{
	const struct weighing *weighing = &view->weighing;
	const char *pattern = view->event_pattern;
	bool are_several = mark_wanted(profile, view);
	const struct profile_event *event = first_event(profile, view, are_several);
	struct lack lack;

	if (!profile->events.count)
		return say_empty(profile, err);
	/* Only now are the events of a text known. */
	if (pattern && !profile_has_event(profile, pattern, err))
		return false;
	if (!has_weight(profile, view, event, &lack) ||
	    !has_groups(profile, view, are_several ? NULL : event, &lack))
		return say_lack(profile, event, &lack, err);
	mark_shown(profile, view, event, are_several);
	profile->event_name = event->name;
	profile->unit = weighing_unit(weighing, event);
	profile->weight_name = weight_name(profile->strings, weighing);
	if (are_several)
		profile->event_name =
			strings_intern_text(profile->strings, pattern ? pattern : "all events");
	/* Periods of different events cannot be added up, but samples can. */
	if (are_several && weighing->kind == WEIGHING_PERIOD)
		profile->unit = view->keeps_periods ? UNIT_EVENTS : UNIT_SAMPLES;
	return true;
}
