/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_plan.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/sink.h"

#define SWITCH "sched:sched_switch"

/*
 * The layout of sched_switch if the capture does not describe it: 8 common bytes; comm, tid,
 * priority and state of the previous thread; comm, tid and priority of the next thread.
 */
#define COMM_OFFSET  8u
#define COMM_SIZE    16u
#define TID_OFFSET   (COMM_OFFSET + COMM_SIZE)
#define STATE_OFFSET (TID_OFFSET + 8u)

static struct field number_field(uint32_t offset, uint32_t size_bytes)
{
	return (struct field){ .offset = offset, .size_bytes = size_bytes, .is_signed = true };
}

static bool has_32_bits(const struct profile *profile)
{
	struct text arch = profile->facts[FACT_ARCH];

	return arch.at && (text_has_prefix(arch, "armv") || text_is(arch, "i386") ||
			   text_is(arch, "i486") || text_is(arch, "i586") ||
			   text_is(arch, "i686") || text_is(arch, "ppc") || text_is(arch, "mips"));
}

static void guess_switch(const struct profile *profile, struct pairing_event *event)
{
	uint32_t state_bytes = has_32_bits(profile) ? 4 : 8;

	event->previous = number_field(TID_OFFSET, 4);
	event->state = number_field(STATE_OFFSET, state_bytes);
	event->next = number_field(STATE_OFFSET + state_bytes + COMM_SIZE, 4);
}

static bool find_number(const struct profile *profile, const struct profile_event *event,
			const char *name, struct field *ret)
{
	const struct field *field = profile_find_field(profile, event, text_of(name));

	if (!field || field->is_array || field->is_located)
		return false;
	*ret = *field;
	return true;
}

static void plan_switch(const struct profile *profile, const struct profile_event *event,
			struct pairing_plan *plan, struct pairing_event *ret)
{
	struct text release = profile->facts[FACT_OS_RELEASE];

	ret->role = PAIRING_SWITCH;
	if (!find_number(profile, event, "prev_pid", &ret->previous) ||
	    !find_number(profile, event, "next_pid", &ret->next) ||
	    !find_number(profile, event, "prev_state", &ret->state)) {
		guess_switch(profile, ret);
		plan->is_guessed = true;
	}
	if (!task_states_read(strings_get(profile->strings, event->print_format), &ret->states))
		task_states_guess(release.at ? release : text_of(""), &ret->states);
	plan->begin_event = event->name;
	plan->id_count += event->id_count;
}

static void plan_wake(const struct profile *profile, const struct profile_event *event,
		      struct pairing_plan *plan, struct pairing_event *ret)
{
	ret->role = PAIRING_WAKE;
	(void)find_number(profile, event, "common_flags", &ret->flags);
	if (find_number(profile, event, "pid", &ret->next))
		return;
	ret->next = number_field(TID_OFFSET, 4);
	plan->is_guessed = true;
}

static bool is_named(const struct profile *profile, const struct profile_event *event,
		     const char *name)
{
	return text_is(strings_get(profile->strings, event->name), name);
}

/* An event without these fields, as in very old kernels, is not used. */
static void plan_disk(const struct profile *profile, const struct profile_event *event,
		      struct pairing_event *ret)
{
	bool is_issue = is_named(profile, event, "block:block_rq_issue");

	if (!is_issue && !is_named(profile, event, "block:block_rq_complete"))
		return;
	if (find_number(profile, event, "dev", &ret->device) &&
	    find_number(profile, event, "sector", &ret->sector) &&
	    find_number(profile, event, "nr_sector", &ret->sector_count))
		ret->role = is_issue ? PAIRING_DISK_ISSUE : PAIRING_DISK_COMPLETE;
}

static bool is_wake(const struct profile *profile, const struct profile_event *event)
{
	return is_named(profile, event, "sched:sched_waking") ||
	       is_named(profile, event, "sched:sched_wakeup") ||
	       is_named(profile, event, "sched:sched_wakeup_new");
}

#define CLOCK_HZ 999

/* Writes perf's option for on-CPU samples, if the capture has some or the user's options require
 * them. */
static void write_clock(const struct profile *profile, const struct pairing_plan *plan,
			struct sink *sink)
{
	const struct profile_event *clock = NULL;
	uint64_t frequency_hz = CLOCK_HZ;
	bool are_cycles;

	for (size_t i = 0; i < profile->events.count && !clock; i++)
		if (profile_event_is_of_cpu_time(profile, &profile->events.at[i]))
			clock = &profile->events.at[i];
	if (!clock && !plan->options.is_wall)
		return;
	if (clock && clock->is_frequency && clock->sample_period)
		frequency_hz = clock->sample_period;
	are_cycles = clock && text_has_prefix(strings_get(profile->strings, clock->name), "cycles");
	sink_printf(sink, "-e %s/freq=%" PRIu64 "/ ", are_cycles ? "cycles" : "cpu-clock",
		    frequency_hz);
}

/* Writes perf's options for all events that the user's options require. name: one of them. */
static void write_events(const struct profile *profile, const struct pairing_plan *plan,
			 const char *name, struct sink *sink)
{
	const char *wake = "sched:sched_waking";

	if (plan->options.span) {
		sink_printf(sink, "-e %s", plan->options.span);
		return;
	}
	write_clock(profile, plan, sink);
	sink_puts(sink, "-e " SWITCH);
	for (size_t i = 0; i < profile->events.count; i++)
		if (is_wake(profile, &profile->events.at[i]))
			wake = strings_text(profile->strings, profile->events.at[i].name);
	if (pairing_options_want_wakes(&plan->options))
		sink_printf(sink, " -e %s", strcmp(name, SWITCH) ? name : wake);
}

/*
 * Checks that every event was recorded. If an event was missing, beginnings would be paired with
 * the wrong ends.
 */
static bool check_period(const struct profile *profile, const struct profile_event *event,
			 struct pairing_plan *plan, struct error *err)
{
	const char *name = strings_text(profile->strings, event->name);
	struct sink events;

	if (profile_event_is_complete(event))
		return true;
	plan->is_sampled = true;
	if (plan->options.is_forced)
		return true;
	sink_init_memory(&events);
	write_events(profile, plan, name, &events);
	error_set(err, ERROR_USAGE,
		  "only some %s events were recorded, so times would be wrong; record all of them "
		  "with perf record %.*s -c 1 -a -g, without -F, or use --allow-missing-switches",
		  name, (int)sink_memory(&events).length, sink_memory(&events).at);
	sink_deinit(&events);
	return false;
}

/*
 * Checks that samples have a time, and a field that identifies the thread, both of which pairing
 * needs.
 */
static bool check_sample(const struct profile *profile, const struct profile_event *event,
			 struct error *err)
{
	const char *name = strings_text(profile->strings, event->name);

	if (!(event->sample_type & SAMPLE_HAS_TIME))
		return error_set(err, ERROR_USAGE,
				 "samples of %s have no timestamps; record them with perf record "
				 "-T",
				 name);
	return event->sample_type & SAMPLE_HAS_RAW ||
	       error_set(err, ERROR_USAGE,
			 "samples of %s have no raw data; record them with perf record -R", name);
}

bool pairing_is_measured(const struct profile *profile, const struct pairing_options *options)
{
	bool is_measured = false;

	/* Samples can be sums over states and durations, so neither can be selected. */
	if (options->span || options->states || options->has_preempted ||
	    pairing_options_want_wakes(options) || options->groups_by_duration ||
	    options->is_wall || options->shortest_ns || options->longest_ns)
		return false;
	for (size_t i = 0; i < profile->events.count; i++) {
		if (is_named(profile, &profile->events.at[i], SWITCH))
			return false;
		is_measured |= is_named(profile, &profile->events.at[i], PAIRING_MEASURED_EVENT);
	}
	return is_measured;
}

static bool refuse_wall(const char *timeless, struct error *err)
{
	if (timeless)
		return error_set(
			err, ERROR_USAGE,
			"--wall: samples of %s have no timestamps; record them with perf record -T",
			timeless);
	return error_set(err, ERROR_USAGE,
			 "--wall requires on-CPU samples and context switches; record both with "
			 "perf record -e cpu-clock/freq=999/ -e " SWITCH " -a -g");
}

/*
 * Plans the use of on-CPU samples: on-CPU time is divided among them, or they provide the stacks
 * for switch records.
 */
static bool plan_samples(const struct profile *profile, struct pairing_plan *plan,
			 struct error *err)
{
	const char *timeless = NULL;
	bool has_clock = false;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct pairing_event *ret = &plan->events[i];
		bool has_place =
			event->sample_type & SAMPLE_HAS_TIME && event->sample_type & SAMPLE_HAS_TID;

		if (ret->role != PAIRING_NONE || event->is_dummy)
			continue;
		if (!(event->sample_type & SAMPLE_HAS_TIME) &&
		    profile_event_is_of_cpu_time(profile, event))
			timeless = strings_text(profile->strings, event->name);
		if (!has_place)
			continue;
		ret->is_clock = (plan->options.is_wall || plan->options.is_critical) &&
				profile_event_is_of_cpu_time(profile, event);
		if (ret->is_clock || plan->uses_records)
			ret->role = PAIRING_SAMPLE;
		has_clock |= ret->is_clock;
	}
	return has_clock || !plan->options.is_wall || refuse_wall(timeless, err);
}

/* The records of perf record --switch-events for selected threads and for whole CPUs. */
#define THREAD_SWITCH "SWITCH"
#define CPU_SWITCH    "SWITCH_CPU_WIDE"

static bool has_records(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->records.count; i++)
		if (text_is(profile->records.at[i].name, name))
			return true;
	return false;
}

bool pairing_has_switches(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (strcmp(strings_text(profile->strings, profile->events.at[i].name), SWITCH) == 0)
			return true;
	return has_records(profile, THREAD_SWITCH) || has_records(profile, CPU_SWITCH);
}

/* Plans the use of switch records, which contain neither states nor wakers. */
static bool plan_records(const struct profile *profile, struct pairing_plan *plan,
			 struct error *err)
{
	const struct pairing_options *options = &plan->options;

	if (profile_nameless_tracepoint(profile))
		return error_set(
			err, ERROR_USAGE,
			"does not name its tracepoints, such as %s, so kiln cannot find context "
			"switches; if the capture is truncated, copy or record it again",
			profile_nameless_tracepoint(profile));
	if (!options->reads_records ||
	    !(has_records(profile, THREAD_SWITCH) || has_records(profile, CPU_SWITCH)))
		return error_set(
			err, ERROR_USAGE,
			"no context switches were recorded; record them with perf record -e " SWITCH
			" -a -g");
	if (options->states || pairing_options_want_wakes(options))
		return error_set(
			err, ERROR_USAGE,
			"--state, --runqueue, --wakers, --chain and --critical require samples of context "
			"switches, not only switch records; record samples with perf record "
			"-e " SWITCH " -e sched:sched_waking -a -g");
	plan->uses_records = true;
	return true;
}

/* Whether there are samples of switches and of wake-ups, and the wake-ups can be used without an
 * error. */
static bool has_usable_wakes(const struct profile *profile, const struct pairing_plan *plan)
{
	struct pairing_plan trial = *plan;
	bool has_switches = false;
	bool has_wakes = false;
	struct error ignored;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		has_switches |= is_named(profile, event, SWITCH);
		if (!is_wake(profile, event))
			continue;
		if (!check_sample(profile, event, &ignored) ||
		    !check_period(profile, event, &trial, &ignored))
			return false;
		has_wakes = true;
	}
	return has_switches && has_wakes;
}

static bool plan_off_cpu(const struct profile *profile, struct pairing_plan *plan,
			 struct error *err)
{
	bool has_switches = false;
	bool has_wakes = false;

	plan->options.has_wakers |= plan->options.prefers_wakers && has_usable_wakes(profile, plan);
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		bool is_switch = is_named(profile, event, SWITCH);

		if (plan->options.is_critical)
			plan_disk(profile, event, &plan->events[i]);
		if (!is_switch &&
		    !(pairing_options_want_wakes(&plan->options) && is_wake(profile, event)))
			continue;
		if (!check_sample(profile, event, err) || !check_period(profile, event, plan, err))
			return false;
		if (is_switch)
			plan_switch(profile, event, plan, &plan->events[i]);
		else
			plan_wake(profile, event, plan, &plan->events[i]);
		has_switches |= is_switch;
		has_wakes |= !is_switch;
	}
	if (!has_switches && !plan_records(profile, plan, err))
		return false;
	plan->ends_in_records =
		has_switches && plan->options.reads_records && has_records(profile, THREAD_SWITCH);
	if (!has_wakes && pairing_options_want_wakes(&plan->options))
		return error_set(err, ERROR_USAGE,
				 "%s requires wake-ups; record them with perf record -e " SWITCH
				 " -e sched:sched_waking -a -g",
				 plan->options.has_run_queue ? "--runqueue"
				 : plan->options.is_critical ? "--critical"
							     : "--wakers");
	return plan_samples(profile, plan, err);
}

/* Reads the next word of a list; returns false at its end. */
static bool next_word(const char **at, char separator, struct text *ret)
{
	const char *end;

	if (!**at)
		return false;
	end = strchr(*at, separator);
	if (!end)
		end = *at + strlen(*at);
	*ret = (struct text){ *at, (uint32_t)(end - *at) };
	*at = *end ? end + 1 : end;
	return true;
}

static bool plan_key(const struct profile *profile, const struct profile_event *event,
		     const struct pairing_key *key, struct pairing_event *ret, struct error *err)
{
	ret->is_keyed_by_tid = !key->is_global;
	for (uint32_t i = 0; i < key->field_count; i++) {
		struct text name = key->fields[i];
		const struct field *field = profile_find_field(profile, event, name);

		if (!field || field->is_array || field->is_located)
			return error_set(err, ERROR_USAGE,
					 "--key %.*s: event %s has no integer field of this name",
					 (int)name.length, name.at,
					 strings_text(profile->strings, event->name));
		ret->keys[ret->key_count++] = *field;
	}
	return true;
}

/* Sets the role of the events with this name. */
static bool plan_side(const struct profile *profile, struct text name, enum pairing_role role,
		      struct pairing_plan *plan, struct error *err)
{
	struct pairing_key key;
	bool has_any = false;

	if (!pairing_key_parse(plan->options.key, &key, err))
		return false;
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!text_equal(strings_get(profile->strings, event->name), name))
			continue;
		has_any = true;
		plan->events[i].role = role;
		if (role == PAIRING_BEGIN)
			plan->begin_event = event->name;
		if (!check_sample(profile, event, err) ||
		    !check_period(profile, event, plan, err) ||
		    !plan_key(profile, event, &key, &plan->events[i], err))
			return false;
	}
	return has_any || error_set(err, ERROR_USAGE, "--span: the capture has no event named %.*s",
				    (int)name.length, name.at);
}

static bool plan_span(const struct profile *profile, struct pairing_plan *plan, struct error *err)
{
	const char *at = plan->options.span;
	struct text begin;
	struct text end;
	struct text more;

	if (!next_word(&at, ',', &begin) || !next_word(&at, ',', &end) ||
	    next_word(&at, ',', &more) || text_equal(begin, end))
		return error_set(err, ERROR_USAGE,
				 "--span requires two different events, such as "
				 "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	return plan_side(profile, begin, PAIRING_BEGIN, plan, err) &&
	       plan_side(profile, end, PAIRING_END, plan, err);
}

bool pairing_plan_make(const struct profile *profile, const struct pairing_options *options,
		       struct pairing_plan *ret, struct error *err)
{
	*ret = (struct pairing_plan){
		.options = *options,
		.events = memory_zalloc(profile->events.count, sizeof(*ret->events)),
		.event_count = profile->events.count,
	};
	if (pairing_options_check(options, err) &&
	    (options->span ? plan_span(profile, ret, err) : plan_off_cpu(profile, ret, err)))
		return true;
	pairing_plan_free(ret);
	return false;
}

bool pairing_plan_make_text(const struct pairing_options *options, struct pairing_plan *ret,
			    struct error *err)
{
	*ret = (struct pairing_plan){ .options = *options };
	if (!pairing_options_check(options, err))
		return false;
	/* The frames of text captures are strings, so frames for interval marks cannot be added. */
	return !(options->span || options->has_preempted || options->is_wall ||
		 options->groups_by_duration || pairing_options_want_wakes(options)) ||
	       error_set(
		       err, ERROR_USAGE,
		       "--span, --preempted, --runqueue, --wakers, --chain, --critical, --wall and "
		       "--latency require a perf.data file; from other formats, kiln offcpu reads "
		       "only context switches");
}

void pairing_plan_free(struct pairing_plan *plan)
{
	memory_free(plan->events);
	plan->events = NULL;
}
