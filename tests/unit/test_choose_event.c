/* SPDX-License-Identifier: MIT */
#include "profile/selection/choose_event.h"

#include <criterion/criterion.h>

/*
 * Events in the order of their first samples: clock, alloc with fields bytes and comm, load with a
 * weight.
 */
static void make_profile(struct profile *profile)
{
	static const struct field fields[] = {
		{ .name = { "common_pid", 10 }, .size_bytes = 4 },
		{ .name = { "bytes", 5 }, .size_bytes = 8 },
		{ .name = { "comm", 4 }, .size_bytes = 16, .is_array = true },
	};
	static const struct {
		const char *name;
		uint64_t sample_type;
		enum weight_unit unit;
		uint32_t field_count;
	} events[] = {
		{ "clock", SAMPLE_HAS_CGROUP, UNIT_NANOSECONDS, 0 },
		{ "alloc", SAMPLE_HAS_RAW, UNIT_EVENTS, 3 },
		{ "load", SAMPLE_HAS_WEIGHT_STRUCT, UNIT_EVENTS, 0 },
	};

	profile_init(profile);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		vec_push(&profile->fields, fields[i]);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		vec_push(&profile->events,
			 (struct profile_event){
				 .name = strings_intern_text(profile->strings, events[i].name),
				 .unit = events[i].unit,
				 .sample_count = 1,
				 .first_time_ns = i,
				 .sample_type = events[i].sample_type,
				 .field_count = events[i].field_count,
			 });
}

Test(choose_event, by_what_is_asked_for)
{
	static const struct {
		const char *event_pattern, *weight, *by;
		const char *event; /* an error, if none is chosen */
		enum weight_unit unit;
		unsigned shown; /* bit by bit */
	} rows[] = {
		{ NULL, NULL, NULL, "clock", UNIT_NANOSECONDS, 1 },
		{ NULL, "samples", NULL, "clock", UNIT_SAMPLES, 1 },
		{ "load", NULL, NULL, "load", UNIT_EVENTS, 4 },
		/* The first event that has the requested field or weight. */
		{ NULL, "bytes", NULL, "alloc", UNIT_BYTES, 2 },
		{ NULL, "weight", NULL, "load", UNIT_EVENTS, 4 },
		{ NULL, NULL, "comm,bytes", "alloc", UNIT_EVENTS, 2 },
		{ NULL, NULL, "cgroup", "clock", UNIT_NANOSECONDS, 1 },
		{ NULL, NULL, "event", "all events", UNIT_SAMPLES, 7 },
		{ NULL, NULL, "event,cgroup,bytes", "all events", UNIT_SAMPLES, 7 },
		{ NULL, "bytes", "event", "all events", UNIT_BYTES, 2 },
		/* Patterns that match several events. */
		{ "*l*", NULL, NULL, "*l*", UNIT_SAMPLES, 7 },
		{ "?l*", NULL, NULL, "?l*", UNIT_SAMPLES, 3 },
		{ "[al]*", NULL, "event", "[al]*", UNIT_SAMPLES, 6 },
		{ "*o*", "bytes", NULL, "*o*", UNIT_BYTES, 2 },
		{ "*l*", NULL, "comm,bytes", "*l*", UNIT_SAMPLES, 7 },
		/* A pattern that matches one event, and the name of one event. */
		{ "cl*", NULL, NULL, "clock", UNIT_NANOSECONDS, 1 },
		{ "clock", NULL, "event", "clock", UNIT_NANOSECONDS, 1 },
		{ "load", "bytes", NULL, "--weight bytes: event load has no such integer field", 0,
		  0 },
		{ "alloc", "comm", NULL,
		  "--weight comm: event alloc has no such integer field; its fields are bytes", 0,
		  0 },
		{ "alloc", NULL, "x",
		  "--by x: event alloc has no such field; its fields are bytes, comm", 0, 0 },
		{ NULL, NULL, "event,x", "--by x: event clock has no such field", 0, 0 },
		{ "alloc", NULL, "cgroup",
		  "--by cgroup: samples of alloc have no cgroup; record cgroups with perf record "
		  "--all-cgroups",
		  0, 0 },
		{ "alloc", "weight", NULL,
		  "--weight weight: samples of alloc have no hardware weight; record it with perf "
		  "record -W, if the CPU supports it",
		  0, 0 },
		{ "?lo*", "weight", NULL,
		  "--weight weight: samples of clock have no hardware weight; record it with perf "
		  "record -W, if the CPU supports it",
		  0, 0 },
		{ "cl*", NULL, "event,bytes", "--by bytes: event clock has no such field", 0, 0 },
		{ "x*", NULL, NULL, "has no event \"x*\"; its events are clock, alloc, load", 0,
		  0 },
		{ "none", NULL, NULL, "has no event \"none\"; its events are clock, alloc, load", 0,
		  0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct view view = {
			.event_pattern = rows[i].event_pattern,
			.grouping = GROUPING_BY_COMM,
		};
		struct profile profile;
		struct error err;

		make_profile(&profile);
		if (rows[i].weight)
			cr_assert(weighing_parse(rows[i].weight, &view.weighing, &err));
		if (rows[i].by)
			cr_assert(grouping_parse(rows[i].by, &view.grouping, &err));
		if (choose_event(&profile, &view, &err)) {
			cr_expect_str_eq(strings_text(profile.strings, profile.event_name),
					 rows[i].event, "row %zu", i);
			cr_expect_eq(profile.unit, rows[i].unit, "row %zu", i);
			for (uint32_t k = 0; k < 3; k++)
				cr_expect_eq(profile.events.at[k].is_shown, rows[i].shown >> k & 1,
					     "row %zu, event %u", i, k);
		} else {
			cr_expect_eq(err.code, strstr(err.text, "has no event") ? ERROR_NO_MATCH
										: ERROR_USAGE);
			cr_expect_str_eq(err.text, rows[i].event, "row %zu: %s", i, err.text);
		}
		profile_deinit(&profile);
	}
}

Test(choose_event, of_the_previous_input)
{
	static const struct {
		const char *preferred, *event_pattern, *weight;
		const char *event;
		unsigned shown; /* bit by bit */
	} rows[] = {
		{ "load", NULL, NULL, "load", 4 },
		{ "load:P", NULL, NULL, "load", 4 },
		{ "load:u", NULL, NULL, "clock", 1 },
		{ "clock", NULL, NULL, "clock", 1 },
		{ "none", NULL, NULL, "clock", 1 },
		/* Options matter more. */
		{ "load", NULL, "bytes", "alloc", 2 },
		{ "load", "alloc", NULL, "alloc", 2 },
		{ "load", "*l*", NULL, "*l*", 7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct view view = {
			.event_pattern = rows[i].event_pattern,
			.preferred_event = rows[i].preferred,
			.grouping = GROUPING_BY_COMM,
		};
		struct profile profile;
		struct error err;

		make_profile(&profile);
		if (rows[i].weight)
			cr_assert(weighing_parse(rows[i].weight, &view.weighing, &err));
		cr_assert(choose_event(&profile, &view, &err), "row %zu: %s", i, err.text);
		cr_expect_str_eq(strings_text(profile.strings, profile.event_name), rows[i].event,
				 "row %zu", i);
		for (uint32_t k = 0; k < 3; k++)
			cr_expect_eq(profile.events.at[k].is_shown, rows[i].shown >> k & 1,
				     "row %zu, event %u", i, k);
		profile_deinit(&profile);
	}
}

Test(choose_event, of_cpu_time)
{
	static const struct {
		uint64_t times_ns[3];
		const char *event;
	} rows[] = {
		{ { 1, 2, 3 }, "cycles" },
		{ { 1, 2, UINT64_MAX }, "clock" },
		/* Without times, the first event is the one that the file itself shows. */
		{ { UINT64_MAX, UINT64_MAX, UINT64_MAX }, "clock" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct view view = { .grouping = GROUPING_BY_COMM };
		struct profile profile;
		struct error err;

		make_profile(&profile);
		profile.events.at[2].name = strings_intern_text(profile.strings, "cycles");
		for (size_t k = 0; k < 3; k++)
			profile.events.at[k].first_time_ns = rows[i].times_ns[k];
		cr_assert(choose_event(&profile, &view, &err), "row %zu: %s", i, err.text);
		cr_expect_str_eq(strings_text(profile.strings, profile.event_name), rows[i].event,
				 "row %zu", i);
		profile_deinit(&profile);
	}
}
