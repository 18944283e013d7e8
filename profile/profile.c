/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

#include "base/arithmetic.h"
#include "process/process_state.h"
#include "profile/event_name.h"

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

static str_id id_of(struct profile *profile, struct text text)
{
	return strings_intern(profile->strings, text.at, text.length);
}

static void add_event(struct profile *profile, const struct event_attr *attr)
{
	uint32_t field_first = (uint32_t)profile->fields.count;

	for (uint32_t i = 0; i < attr->field_count; i++)
		vec_push(&profile->fields, attr->fields[i]);
	vec_push(&profile->events, (struct profile_event){
					   .name = id_of(profile, attr->name),
					   .unit = attr->unit,
					   .sample_period = attr->sample_period,
					   .is_frequency = attr->is_frequency,
					   .has_attr = true,
					   .excludes_user = attr->excludes_user,
					   .excludes_kernel = attr->excludes_kernel,
					   .is_dummy = attr->is_dummy,
					   .has_callchain = attr->has_callchain,
					   .has_branches = attr->has_branches,
					   .has_branch_calls = attr->has_branch_calls,
					   .is_monotonic = attr->is_monotonic,
					   .first_time_ns = UINT64_MAX,
					   .sample_type = attr->sample_type,
					   .user_register_mask = attr->user_register_mask,
					   .id_count = attr->id_count,
					   .field_first = field_first,
					   .field_count = attr->field_count,
					   .print_format = id_of(profile, attr->print_format),
				   });
}

void profile_begin(struct profile *profile, const struct process_state *state)
{
	memcpy(profile->facts, state->facts, sizeof(profile->facts));
	memcpy(profile->losses, state->losses, sizeof(profile->losses));
	for (size_t i = 0; i < state->loss_spans.rows.count; i++)
		vec_push(&profile->loss_spans.rows, state->loss_spans.rows.at[i]);
	profile->clock = state->clock;
	profile->mapping_count = state->mapping_count;
	for (size_t i = 0; i < state->attrs.count; i++)
		add_event(profile, &state->attrs.at[i]);
	for (size_t i = 0; i < state->record_counts.count; i++)
		vec_push(&profile->records, state->record_counts.at[i]);
}

void profile_deinit(struct profile *profile)
{
	strings_deinit(profile->strings);
	modules_deinit(profile->modules);
	memory_free(profile->strings);
	memory_free(profile->modules);
	loss_spans_deinit(&profile->loss_spans);
	vec_free(&profile->events);
	vec_free(&profile->fields);
	vec_free(&profile->records);
	vec_free(&profile->frames);
	vec_free(&profile->stacks);
	vec_free(&profile->sample_counts);
	vec_free(&profile->begins);
	vec_free(&profile->deltas);
	vec_free(&profile->stack_bins);
	vec_free(&profile->singles);
	vec_free(&profile->exact.functions);
	vec_free(&profile->exact.names);
	*profile = (struct profile){ 0 };
}

enum weight_unit profile_event_unit(const struct profile *profile,
				    const struct profile_event *event)
{
	return profile->unit == UNIT_EVENTS && profile->weight_name.i == STR_EMPTY.i
		       ? event->unit
		       : profile->unit;
}

bool profile_event_is_of_cpu_time(const struct profile *profile, const struct profile_event *event)
{
	return event_name_is_of_cpu_time(strings_get(profile->strings, event->name));
}

bool profile_event_is_complete(const struct profile_event *event)
{
	return !event->is_frequency &&
	       (event->sample_period <= 1 || event->sample_type & SAMPLE_HAS_PERIOD);
}

bool profile_shows_histogram(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown && profile->events.at[i].is_histogram)
			return true;
	return false;
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

const char *profile_nameless_tracepoint(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const char *name = strings_text(profile->strings, profile->events.at[i].name);

		if (strncmp(name, "tracepoint:", strlen("tracepoint:")) == 0)
			return name;
	}
	return NULL;
}

bool profile_has_time(const struct profile *profile)
{
	return profile->first_time_ns <= profile->last_time_ns;
}

uint64_t profile_duration_ns(const struct profile *profile)
{
	return profile_has_time(profile)
		       ? profile->last_time_ns - profile->first_time_ns - profile->unselected_ns
		       : 0;
}

struct event_list {
	char text[300];
	size_t count;
};

/*
 * Returns the first event with the same name as event i; hybrid CPUs have one event for each kind
 * of core.
 */
static size_t first_of_name(const struct profile *profile, size_t i)
{
	size_t first = 0;

	while (profile->events.at[first].name.i != profile->events.at[i].name.i)
		first++;
	return first;
}

enum event_match profile_match_event(const struct profile *profile,
				     const struct profile_event *event, const char *pattern)
{
	return pattern ? event_name_match(strings_get(profile->strings, event->name), pattern)
		       : EVENT_MATCH_EXACT;
}

enum event_match profile_match_events(const struct profile *profile, const char *pattern)
{
	enum event_match best = EVENT_MATCH_NONE;

	if (!pattern)
		return EVENT_MATCH_EXACT;
	for (size_t i = 0; i < profile->events.count && best < EVENT_MATCH_EXACT; i++) {
		enum event_match match =
			profile_match_event(profile, &profile->events.at[i], pattern);

		if (match > best)
			best = match;
	}
	return best;
}

/* Lists the names of the events that match at least this well, each name once. */
static void list_events(const struct profile *profile, const char *pattern, enum event_match least,
			struct event_list *ret)
{
	size_t length = 0;

	*ret = (struct event_list){ .count = 0 };
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (first_of_name(profile, i) != i ||
		    profile_match_event(profile, event, pattern) < least)
			continue;
		if (length + 1 < sizeof(ret->text))
			snprintf(ret->text + length, sizeof(ret->text) - length, "%s%s",
				 ret->count ? ", " : "",
				 strings_text(profile->strings, event->name));
		length = strlen(ret->text);
		ret->count++;
	}
}

bool profile_has_event(const struct profile *profile, const char *pattern, struct error *err)
{
	enum event_match best = profile_match_events(profile, pattern);
	struct event_list list;

	if (best > EVENT_MATCH_BASE)
		return true;
	list_events(profile, pattern, best, &list);
	if (best == EVENT_MATCH_NONE)
		return error_set(err, ERROR_NO_MATCH, "has no event \"%s\"; its events are %s",
				 pattern, list.text);
	return list.count == 1 ||
	       error_set(err, ERROR_USAGE,
			 "--event %s matches several events: %s; give one of them, or select all "
			 "with a pattern such as --event '*%s*'",
			 pattern, list.text, pattern);
}

void profile_count_samples(struct profile *profile, size_t row, uint64_t count)
{
	if (!profile->keeps_sample_counts)
		return;
	while (profile->sample_counts.count < profile->stacks.count)
		vec_push(&profile->sample_counts, 0);
	profile->sample_counts.at[row] = saturate_add(profile->sample_counts.at[row], count);
}

uint64_t profile_sample_count(const struct profile *profile, size_t row)
{
	return row < profile->sample_counts.count ? profile->sample_counts.at[row] : 0;
}

struct text profile_function_name(const struct profile *profile, frame_id frame)
{
	const struct frame *row = &profile->frames.at[frame.i];
	struct text name = strings_get(profile->strings, row->name);
	struct text line = text_basename(strings_get(profile->strings, row->source));
	size_t added = line.length + 1;

	if (line.length && name.length > added && name.at[name.length - added] == ':' &&
	    memcmp(name.at + name.length - line.length, line.at, line.length) == 0)
		name.length -= (uint32_t)added;
	return name;
}

void profile_count_branches(struct branch_counts *counts, const struct event_sample *sample)
{
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		const struct event_branch *branch = &sample->branches[i];

		if (!branch->from && !branch->to)
			continue;
		counts->count++;
		counts->predicted += branch->is_predicted;
		counts->mispredicted += branch->is_mispredicted;
		counts->aborts += branch->is_abort;
	}
}

void profile_add_branches(struct branch_counts *counts, const struct branch_counts *more)
{
	counts->count += more->count;
	counts->predicted += more->predicted;
	counts->mispredicted += more->mispredicted;
	counts->aborts += more->aborts;
}
