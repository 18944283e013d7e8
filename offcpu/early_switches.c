/* SPDX-License-Identifier: MIT */
#include "offcpu/early_switches.h"

#include "base/memory.h"

/* The estimated size of the part of the capture that becomes one row. */
#define BYTES_OF_ROW 128u

static bool begin(void *context)
{
	struct early_switches *early = context;
	struct error ignored;
	uint64_t row_count = early->samples.record_bytes / BYTES_OF_ROW;

	for (size_t i = 0; i < EARLY_PARTS_MAX; i++)
		early->parts[i].expected_count = (size_t)(row_count / early->part_count);
	memcpy(early->first_state.facts, early->state->facts, sizeof(early->state->facts));
	profile_begin(&early->profile, &early->first_state);
	return pairing_plan_make(&early->profile, &early->options, &early->plan, &ignored);
}

static void on_attr(void *context, const struct event *event)
{
	struct early_switches *early = context;

	process_state_on_event(&early->first_state, event);
}

struct early_switches *early_switches_create(const struct pairing_options *options,
					     const struct process_state *state,
					     unsigned thread_count)
{
	struct early_switches *early = memory_zalloc(1, sizeof(*early));

	early->options = *options;
	early->state = state;
	early->part_count = thread_count < EARLY_PARTS_MAX ? thread_count : EARLY_PARTS_MAX;
	profile_init(&early->profile);
	process_state_init(&early->first_state, early->profile.strings, early->profile.modules);
	early->samples.attrs = (struct event_sink){ .context = early, .on_event = on_attr };
	early->samples.begin = begin;
	for (size_t i = 0; i < EARLY_PARTS_MAX; i++) {
		early->parts[i].plan = &early->plan;
		early->samples.parts[i] = pairing_rows_sink(&early->parts[i]);
	}
	return early;
}

void early_switches_discard(struct early_switches *early)
{
	for (size_t i = 0; early && i < EARLY_PARTS_MAX; i++)
		pairing_rows_deinit(&early->parts[i]);
}

void early_switches_destroy(struct early_switches *early)
{
	if (!early)
		return;
	early_switches_discard(early);
	pairing_plan_free(&early->plan);
	process_state_deinit(&early->first_state);
	profile_deinit(&early->profile);
	memory_free(early);
}

/*
 * The plans are made of the same attrs, because early samples are incomplete if a record could
 * change attrs or formats. They may still differ, because which types of records a capture has is
 * known only at its end.
 */
bool early_switches_have(const struct early_switches *early, const struct pairing_plan *plan)
{
	if (!early || !early->samples.is_complete || plan->event_count != early->plan.event_count ||
	    plan->uses_records || plan->ends_in_records)
		return false;
	for (size_t i = 0; i < plan->event_count; i++)
		if (plan->events[i].role != early->plan.events[i].role)
			return false;
	return true;
}
