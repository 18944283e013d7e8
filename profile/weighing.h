/* SPDX-License-Identifier: MIT */
/*
 * What a sample counts: its period, one, the cost the hardware measured, or a number that the
 * tracepoint recorded.
 *
 *     --weight period    --weight samples    --weight weight    --weight bytes_alloc
 */
#ifndef PROFILE_WEIGHING_H
#define PROFILE_WEIGHING_H

#include "base/error.h"
#include "profile/profile.h"

enum weighing_kind {
	WEIGHING_PERIOD,
	WEIGHING_SAMPLES,
	WEIGHING_COST, /* PERF_SAMPLE_WEIGHT: cycles of a load, mostly */
	WEIGHING_FIELD,
	WEIGHING_INTERVAL, /* the time from it to what ends it: profile/interval.h; field says of what */
	WEIGHING_INTERVAL_COUNT, /* how many intervals begin with it */
};

struct weighing {
	enum weighing_kind kind;
	struct text field; /* borrowed */
};

/* Parses what is said above. Whether there is such a field only a capture tells. */
bool weighing_parse(const char *text, struct weighing *ret, struct error *err) WARN_UNUSED;

/* Whether samples can be weighed by this field. */
bool weighing_is_number(const struct field *field);

/* Whether the samples of an event have what this counts. */
bool weighing_suits(const struct weighing *weighing, const struct profile *profile,
		    const struct profile_event *event);

/* What is counted of this event. */
enum weight_unit weighing_unit(const struct weighing *weighing, const struct profile_event *event);

/* What a sample counts, neither its period nor one; field is the event's of that name. What has no
 * value here, or one below zero, counts nothing. */
uint64_t weighing_of(const struct weighing *weighing, const struct field *field,
		     const struct event_sample *sample);

#endif
