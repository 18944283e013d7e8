/* SPDX-License-Identifier: MIT */
#include "profile/weighing.h"

/*
 * PERF_SAMPLE_WEIGHT_STRUCT has the total in its first part; the other two parts are latencies of
 * stages.
 */
#define WEIGHT_STRUCT_FIRST 0xffffffffu

static const char *const words[] = {
	[WEIGHING_PERIOD] = "period",
	[WEIGHING_SAMPLES] = "samples",
	[WEIGHING_COST] = "weight",
};

bool weighing_parse(const char *text, struct weighing *ret, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(text, words[i]) != 0)
			continue;
		*ret = (struct weighing){ .kind = (enum weighing_kind)i };
		return true;
	}
	*ret = (struct weighing){ .kind = WEIGHING_FIELD, .field = text_of(text) };
	return *text || error_set(err, ERROR_USAGE,
				  "--weight must be period, samples, weight or a tracepoint field");
}

bool weighing_is_number(const struct field *field)
{
	return !field->is_array && !field->is_located;
}

bool weighing_suits(const struct weighing *weighing, const struct profile *profile,
		    const struct profile_event *event)
{
	const struct field *field;

	switch (weighing->kind) {
	case WEIGHING_PERIOD:
	case WEIGHING_SAMPLES:
	case WEIGHING_INTERVAL:
	case WEIGHING_INTERVAL_COUNT:
		break;
	case WEIGHING_COST:
		return event->sample_type & (SAMPLE_HAS_WEIGHT | SAMPLE_HAS_WEIGHT_STRUCT);
	case WEIGHING_FIELD:
		field = profile_find_field(profile, event, weighing->field);
		return field && weighing_is_number(field);
	}
	return true;
}

enum weight_unit weighing_unit(const struct weighing *weighing, const struct profile_event *event)
{
	struct text field = weighing->field;

	switch (weighing->kind) {
	case WEIGHING_PERIOD:
		return event->unit;
	case WEIGHING_SAMPLES:
	case WEIGHING_INTERVAL_COUNT:
		return UNIT_SAMPLES;
	case WEIGHING_COST:
		return UNIT_EVENTS;
	case WEIGHING_INTERVAL:
		return UNIT_NANOSECONDS;
	case WEIGHING_FIELD:
		break;
	}
	if (text_has_prefix(field, "bytes") || text_has_suffix(field, "bytes"))
		return UNIT_BYTES;
	/* Fields of the scheduler's tracepoints, such as sched_stat_runtime and sched_stat_wait. */
	if (text_has_suffix(field, "_ns") || text_is(field, "runtime") || text_is(field, "delay"))
		return UNIT_NANOSECONDS;
	return UNIT_EVENTS;
}

uint64_t weighing_of(const struct weighing *weighing, const struct field *field,
		     const struct event_sample *sample)
{
	uint64_t value;

	if (weighing->kind == WEIGHING_COST)
		return sample->present & SAMPLE_HAS_WEIGHT_STRUCT
			       ? sample->weight & WEIGHT_STRUCT_FIRST
			       : sample->weight;
	if (!field || !field_number(field, &sample->raw, &value) ||
	    (field->is_signed && (int64_t)value < 0))
		return 0;
	return value;
}
