/* SPDX-License-Identifier: MIT */
/*
 * The weight of a sample (--weight): its period, 1, the cost that the hardware measured, or a
 * numeric field of a tracepoint.
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
	WEIGHING_COST, /* PERF_SAMPLE_WEIGHT, usually the latency of a load in cycles */
	WEIGHING_FIELD,
	WEIGHING_INTERVAL,       /* duration of the interval that the sample begins; see field */
	WEIGHING_INTERVAL_COUNT, /* number of intervals that the sample begins */
};

struct weighing {
	enum weighing_kind kind;
	struct text field; /* borrowed */
};

/* Parses --weight. The existence of the field is checked once a capture is open. */
bool weighing_parse(const char *text, struct weighing *ret, struct error *err) WARN_UNUSED;

/* Whether samples can be weighted by this field. */
bool weighing_is_number(const struct field *field);

/* Whether samples of an event have this weight. */
bool weighing_suits(const struct weighing *weighing, const struct profile *profile,
		    const struct profile_event *event);

/* Returns the unit of this event's weights. */
enum weight_unit weighing_unit(const struct weighing *weighing, const struct profile_event *event);

/*
 * Returns the weight of a sample that is weighted by cost or by a field. `field` describes the
 * field in the sample's event. A missing or negative value counts as 0.
 */
uint64_t weighing_of(const struct weighing *weighing, const struct field *field,
		     const struct event_sample *sample);

#endif
