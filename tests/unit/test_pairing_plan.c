/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_plan.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

#define SWITCH "sched:sched_switch"
#define WAKE   "sched:sched_waking"
#define USABLE (SAMPLE_HAS_TIME | SAMPLE_HAS_TID | SAMPLE_HAS_RAW)

/* One event of a capture. */
struct capture_event {
	const char *name; /* NULL: no more events */
	uint64_t sample_type;
	uint64_t period;
	bool is_frequency;
	const char *fields; /* names, each followed by a blank; at offsets 0, 8, 16... */
};

#define EVENTS_MAX 4

static void add_fields(struct profile *profile, const char *names)
{
	uint32_t offset = 0;

	for (const char *at = names; at && *at; at = strchr(at, ' ') + 1, offset += 8) {
		struct field field = { .offset = offset, .size_bytes = 8 };

		field.name = (struct text){ at, (uint32_t)(strchr(at, ' ') - at) };
		field.is_array = text_is(field.name, "array");
		vec_push(&profile->fields, field);
	}
}

static void make_profile(struct profile *profile, const struct capture_event *events)
{
	profile_init(profile);
	for (size_t i = 0; i < EVENTS_MAX && events[i].name; i++) {
		struct profile_event event = {
			.name = strings_intern_text(profile->strings, events[i].name),
			.sample_type = events[i].sample_type,
			.sample_period = events[i].period,
			.is_frequency = events[i].is_frequency,
			.field_first = (uint32_t)profile->fields.count,
		};

		add_fields(profile, events[i].fields);
		event.field_count = (uint32_t)profile->fields.count - event.field_first;
		vec_push(&profile->events, event);
	}
}

/* Missing events are an error, with the perf command that records them. */
Test(pairing_plan, refusals)
{
	static const struct {
		const char *what;
		struct pairing_options options;
		struct capture_event events[EVENTS_MAX];
		const char *error; /* part of the error; NULL: there is a plan */
	} rows[] = {
		{ "switches", { 0 }, { { SWITCH, USABLE, 1, false, "" } }, NULL },
		{ "no events", { 0 }, { { 0 } }, "perf record -e " SWITCH " -a -g" },
		{ "another event",
		  { 0 },
		  { { "cycles", USABLE, 1, false, "" } },
		  "perf record -e " SWITCH " -a -g" },
		{ "no time",
		  { 0 },
		  { { SWITCH, SAMPLE_HAS_RAW, 1, false, "" } },
		  "perf record -T" },
		{ "no raw data",
		  { 0 },
		  { { SWITCH, SAMPLE_HAS_TIME, 1, false, "" } },
		  "perf record -R" },
		{ "one in two", { 0 }, { { SWITCH, USABLE, 2, false, "" } }, "-c 1 -a -g" },
		{ "a period, but all are recorded, because samples have it",
		  { 0 },
		  { { SWITCH, USABLE | SAMPLE_HAS_PERIOD, 2, false, "" } },
		  NULL },
		{ "one in two, forced",
		  { .is_forced = true },
		  { { SWITCH, USABLE, 2, false, "" } },
		  NULL },
		{ "by frequency",
		  { 0 },
		  { { SWITCH, USABLE | SAMPLE_HAS_PERIOD, 1, true, "" } },
		  "-c 1 -a -g" },
		{ "by frequency, with on-CPU samples",
		  { 0 },
		  { { "cpu-clock", USABLE, 499, true, "" }, { SWITCH, USABLE, 499, true, "" } },
		  "perf record -e cpu-clock/freq=499/ -e " SWITCH " -c 1 -a -g" },
		{ "by frequency, for --wall",
		  { .is_wall = true },
		  { { "cycles:P", USABLE, 1000, false, "" }, { SWITCH, USABLE, 499, true, "" } },
		  "perf record -e cycles/freq=999/ -e " SWITCH " -c 1 -a -g" },
		{ "by frequency, without on-CPU samples, for --wall",
		  { .is_wall = true },
		  { { SWITCH, USABLE, 499, true, "" } },
		  "perf record -e cpu-clock/freq=999/ -e " SWITCH " -c 1 -a -g" },
		{ "by frequency, for --runqueue",
		  { .has_run_queue = true },
		  { { SWITCH, USABLE, 499, true, "" },
		    { "sched:sched_wakeup", USABLE, 9, true, "" } },
		  "perf record -e " SWITCH " -e sched:sched_wakeup -c 1 -a -g" },
		{ "by frequency, for --span",
		  { .span = "a:b,c:d" },
		  { { "a:b", USABLE, 1, false, "" }, { "c:d", USABLE, 9, true, "" } },
		  "perf record -e a:b,c:d -c 1 -a -g" },
		{ "no wake-ups for --runqueue",
		  { .has_run_queue = true },
		  { { SWITCH, USABLE, 1, false, "" } },
		  "--runqueue requires wake-ups" },
		{ "no wake-ups for --wakers",
		  { .has_wakers = true },
		  { { SWITCH, USABLE, 1, false, "" } },
		  "--wakers requires wake-ups" },
		{ "wake-ups",
		  { .has_wakers = true },
		  { { SWITCH, USABLE, 1, false, "" }, { WAKE, USABLE, 1, false, "" } },
		  NULL },
		{ "one in two wake-ups",
		  { .has_wakers = true },
		  { { SWITCH, USABLE, 1, false, "" }, { WAKE, USABLE, 2, false, "" } },
		  "-e " WAKE " -c 1 -a -g" },
		{ "wake-ups that are not asked for may be sampled",
		  { 0 },
		  { { SWITCH, USABLE, 1, false, "" }, { WAKE, USABLE, 2, false, "" } },
		  NULL },
		{ "--wall without samples",
		  { .is_wall = true },
		  { { SWITCH, USABLE, 1, false, "" } },
		  "cpu-clock/freq=999/" },
		{ "--wall with samples without time",
		  { .is_wall = true },
		  { { SWITCH, USABLE, 1, false, "" }, { "cycles:u", SAMPLE_HAS_TID, 9, true, "" } },
		  "samples of cycles:u have no time" },
		{ "--wall",
		  { .is_wall = true },
		  { { SWITCH, USABLE, 1, false, "" }, { "cycles:u", USABLE, 9, true, "" } },
		  NULL },
		{ "--span of one event",
		  { .span = "a:b" },
		  { { 0 } },
		  "--span requires two different events" },
		{ "--span of three",
		  { .span = "a:b,c:d,e:f" },
		  { { 0 } },
		  "--span requires two different events" },
		{ "--span of the same event",
		  { .span = "a:b,a:b" },
		  { { 0 } },
		  "--span requires two different events" },
		{ "--span of nothing",
		  { .span = "" },
		  { { 0 } },
		  "--span requires two different events" },
		{ "--span, begins missing",
		  { .span = "a:b,c:d" },
		  { { "c:d", USABLE, 1, false, "" } },
		  "no event named a:b" },
		{ "--span, ends missing",
		  { .span = "a:b,c:d" },
		  { { "a:b", USABLE, 1, false, "" } },
		  "no event named c:d" },
		{ "--span",
		  { .span = "a:b,c:d" },
		  { { "a:b", USABLE, 1, false, "" }, { "c:d", USABLE, 0, false, "" } },
		  NULL },
		{ "--key of a field that the end lacks",
		  { .span = "a:b,c:d", .key = "dev" },
		  { { "a:b", USABLE, 1, false, "dev " }, { "c:d", USABLE, 1, false, "sector " } },
		  "--key dev: event c:d has no integer field of this name" },
		{ "--key of an array",
		  { .span = "a:b,c:d", .key = "array" },
		  { { "a:b", USABLE, 1, false, "array " }, { "c:d", USABLE, 1, false, "array " } },
		  "--key array: event a:b has no integer field of this name" },
		{ "--key without --span",
		  { .key = "dev" },
		  { { SWITCH, USABLE, 1, false, "" } },
		  "--key requires --span" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pairing_plan plan;
		struct profile profile;
		struct error err = { .text = "" };
		bool good;

		make_profile(&profile, rows[i].events);
		good = pairing_plan_make(&profile, &rows[i].options, &plan, &err);
		cr_expect_eq(good, !rows[i].error, "%s: %s", rows[i].what, err.text);
		if (good) {
			cr_expect_eq(plan.is_sampled, rows[i].options.is_forced, "%s",
				     rows[i].what);
			pairing_plan_free(&plan);
		} else {
			cr_expect(rows[i].error && strstr(err.text, rows[i].error), "%s: %s",
				  rows[i].what, err.text);
			cr_expect_eq(err.code, ERROR_USAGE, "%s", rows[i].what);
		}
		profile_deinit(&profile);
	}
	assert_no_leaks();
}

/* Without a described format, offsets are those of the kernel; prev_state is a long. */
Test(pairing_plan, layouts_of_switches)
{
	static const struct {
		const char *what, *arch, *fields;
		bool is_guessed;
		uint32_t previous, state, state_bytes, next;
	} rows[] = {
		{ "64 bits", "x86_64", "", true, 24, 32, 8, 56 },
		{ "no architecture", NULL, "", true, 24, 32, 8, 56 },
		{ "32 bits", "armv7l", "", true, 24, 32, 4, 52 },
		{ "i686", "i686", "", true, 24, 32, 4, 52 },
		{ "described", "x86_64", "prev_pid prev_state next_pid ", false, 0, 8, 8, 16 },
		{ "described in part", "x86_64", "prev_pid prev_state ", true, 24, 32, 8, 56 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct capture_event events[EVENTS_MAX] = {
			{ SWITCH, USABLE, 1, false, rows[i].fields },
		};
		struct pairing_options options = { 0 };
		struct pairing_plan plan;
		struct profile profile;
		struct error err;

		make_profile(&profile, events);
		if (rows[i].arch)
			profile.facts[FACT_ARCH] = text_of(rows[i].arch);
		cr_assert(pairing_plan_make(&profile, &options, &plan, &err), "%s", err.text);
		cr_expect_eq(plan.is_guessed, rows[i].is_guessed, "%s", rows[i].what);
		cr_expect_eq(plan.events[0].role, PAIRING_SWITCH, "%s", rows[i].what);
		cr_expect_eq(plan.events[0].previous.offset, rows[i].previous, "%s", rows[i].what);
		cr_expect_eq(plan.events[0].state.offset, rows[i].state, "%s", rows[i].what);
		cr_expect_eq(plan.events[0].state.size_bytes, rows[i].state_bytes, "%s",
			     rows[i].what);
		cr_expect_eq(plan.events[0].next.offset, rows[i].next, "%s", rows[i].what);
		pairing_plan_free(&plan);
		profile_deinit(&profile);
	}
	assert_no_leaks();
}

/* Keys are matched without the thread only where --key says so. */
Test(pairing_plan, keys)
{
	static const struct {
		const char *key;
		bool is_keyed_by_tid;
		uint32_t count;
	} rows[] = {
		{ NULL, true, 0 },
		{ "tid", true, 0 },
		{ "dev", true, 1 },
		{ "tid,sector,dev", true, 2 },
		{ "global,dev,sector", false, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const struct capture_event events[EVENTS_MAX] = {
			{ "c:d", USABLE, 1, false, "sector dev " },
			{ "other", USABLE, 1, false, "" },
			{ "a:b", USABLE, 1, false, "dev sector " },
		};
		struct pairing_options options = { .span = "a:b,c:d", .key = rows[i].key };
		struct pairing_plan plan;
		struct profile profile;
		struct error err;

		make_profile(&profile, events);
		cr_assert(pairing_plan_make(&profile, &options, &plan, &err), "%s", err.text);
		cr_expect_eq(plan.events[0].role, PAIRING_END);
		cr_expect_eq(plan.events[1].role, PAIRING_NONE);
		cr_expect_eq(plan.events[2].role, PAIRING_BEGIN);
		cr_expect_eq(plan.begin_event.i, profile.events.at[2].name.i);
		for (size_t k = 0; k < 3; k += 2) {
			cr_expect_eq(plan.events[k].is_keyed_by_tid, rows[i].is_keyed_by_tid, "%s",
				     rows[i].key);
			cr_expect_eq(plan.events[k].key_count, rows[i].count, "%s", rows[i].key);
		}
		/* The same field, wherever the event has it. */
		if (rows[i].count)
			cr_expect(text_equal(plan.events[0].keys[0].name,
					     plan.events[2].keys[0].name));
		pairing_plan_free(&plan);
		profile_deinit(&profile);
	}
	assert_no_leaks();
}

/* perf record --off-cpu needs no pairing, unless there are switches or options that need them. */
Test(pairing_plan, measured_times)
{
	static const struct {
		const char *what;
		struct pairing_options options;
		struct capture_event events[EVENTS_MAX];
		bool is_measured;
	} rows[] = {
		{ "measured", { 0 }, { { PAIRING_MEASURED_EVENT, 0, 1, false, "" } }, true },
		{ "nothing", { 0 }, { { 0 } }, false },
		{ "both",
		  { 0 },
		  { { PAIRING_MEASURED_EVENT, 0, 1, false, "" }, { SWITCH, USABLE, 1, false, "" } },
		  false },
		{ "states",
		  { .states = "D" },
		  { { PAIRING_MEASURED_EVENT, 0, 1, false, "" } },
		  false },
		{ "wakers",
		  { .has_wakers = true },
		  { { PAIRING_MEASURED_EVENT, 0, 1, false, "" } },
		  false },
		{ "durations",
		  { .shortest_ns = 1 },
		  { { PAIRING_MEASURED_EVENT, 0, 1, false, "" } },
		  false },
		{ "longest",
		  { .longest_ns = 1 },
		  { { PAIRING_MEASURED_EVENT, 0, 1, false, "" } },
		  false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct profile profile;

		make_profile(&profile, rows[i].events);
		cr_expect_eq(pairing_is_measured(&profile, &rows[i].options), rows[i].is_measured,
			     "%s", rows[i].what);
		profile_deinit(&profile);
	}
}

/*
 * Text captures have no interval marks and no fields; the error names the options that need these.
 */
Test(pairing_plan, texts)
{
	static const struct {
		const char *what;
		struct pairing_options options;
		const char *error; /* NULL: there is a plan */
	} rows[] = {
		{ "plain", { 0 }, NULL },
		{ "states", { .states = "D" }, NULL },
		{ "states of nothing", { .states = "" }, "--state" },
		{ "span", { .span = "a,b" }, "--span" },
		{ "preempted", { .has_preempted = true }, "--preempted" },
		{ "run queue", { .has_run_queue = true }, "--runqueue" },
		{ "wakers", { .has_wakers = true }, "--wakers" },
		{ "chain", { .has_waker_chain = true }, "--chain" },
		{ "critical", { .is_critical = true }, "--critical" },
		{ "wall", { .is_wall = true }, "--wall" },
		{ "latency", { .groups_by_duration = true }, "--latency" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pairing_plan plan;
		struct error err = { .text = "" };
		bool good = pairing_plan_make_text(&rows[i].options, &plan, &err);

		cr_expect_eq(good, !rows[i].error, "%s: %s", rows[i].what, err.text);
		cr_expect(good || strstr(err.text, rows[i].error), "%s: %s", rows[i].what,
			  err.text);
	}
}
