/* SPDX-License-Identifier: MIT */
#include "syscalls/syscall_plan.h"

#include "base/memory.h"

#define RAW_ENTER "raw_syscalls:sys_enter"
#define RAW_EXIT  "raw_syscalls:sys_exit"
#define ONE_ENTER "syscalls:sys_enter_"
#define ONE_EXIT  "syscalls:sys_exit_"

static bool find_number(const struct profile *profile, const struct profile_event *event,
			const char *name, struct field *ret)
{
	const struct field *field = profile_find_field(profile, event, text_of(name));

	if (!field || field->is_array || field->is_located)
		return false;
	*ret = *field;
	return true;
}

/*
 * Checks that samples have the required fields, and that all calls were recorded, because entries
 * would otherwise be paired with the wrong exits.
 */
static bool check_event(const struct profile *profile, const struct profile_event *event,
			bool is_forced, struct error *err)
{
	const char *name = strings_text(profile->strings, event->name);

	if (!(event->sample_type & SAMPLE_HAS_TIME) || !(event->sample_type & SAMPLE_HAS_TID))
		return error_set(err, ERROR_USAGE,
				 "samples of %s have no timestamp or no thread; record them with "
				 "perf record -T",
				 name);
	if (!(event->sample_type & SAMPLE_HAS_RAW))
		return error_set(err, ERROR_USAGE,
				 "samples of %s have no raw data; record them with perf record -R",
				 name);
	return is_forced || profile_event_is_complete(event) ||
	       error_set(err, ERROR_USAGE,
			 "only some %s events were recorded, so times would be wrong; record all "
			 "of them with " SYSCALL_PERF_RECORD " -c 1, or use --allow-missing-calls",
			 name);
}

/* Returns the part of a call that the samples of an event report. */
static enum syscall_phase phase_of(struct text name, bool is_raw)
{
	if (is_raw)
		return text_is(name, RAW_ENTER)  ? SYSCALL_ENTER
		       : text_is(name, RAW_EXIT) ? SYSCALL_EXIT
						 : SYSCALL_NONE;
	return text_has_prefix(name, ONE_ENTER)  ? SYSCALL_ENTER
	       : text_has_prefix(name, ONE_EXIT) ? SYSCALL_EXIT
						 : SYSCALL_NONE;
}

static bool plan_event(const struct profile *profile, const struct profile_event *event,
		       bool is_raw, struct syscall_event *ret, struct error *err)
{
	struct text name = strings_get(profile->strings, event->name);
	size_t prefix = strlen(ret->phase == SYSCALL_ENTER ? ONE_ENTER : ONE_EXIT);

	if (!find_number(profile, event, is_raw ? "id" : "__syscall_nr", &ret->number) ||
	    (ret->phase == SYSCALL_EXIT && !find_number(profile, event, "ret", &ret->result)))
		return error_set(err, ERROR_USAGE,
				 "does not describe the fields of %.*s; record again with perf "
				 "record, and do not use a tool that strips the tracepoint formats",
				 (int)name.length, name.at);
	if (!is_raw)
		ret->name =
			strings_intern(profile->strings, name.at + prefix, name.length - prefix);
	return true;
}

static bool plan_events(const struct profile *profile, bool is_forced, bool is_raw,
			struct syscall_plan *plan, struct error *err)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct syscall_event *ret = &plan->events[i];

		ret->phase = phase_of(strings_get(profile->strings, event->name), is_raw);
		if (ret->phase == SYSCALL_NONE)
			continue;
		if (!check_event(profile, event, is_forced, err) ||
		    !plan_event(profile, event, is_raw, ret, err))
			return false;
		plan->has_enters |= ret->phase == SYSCALL_ENTER;
		plan->has_exits |= ret->phase == SYSCALL_EXIT;
	}
	return true;
}

bool syscall_plan_make(const struct profile *profile, bool is_forced, struct syscall_plan *ret,
		       struct error *err)
{
	bool has_raw = false;

	*ret = (struct syscall_plan){
		.events = memory_zalloc(profile->events.count, sizeof(*ret->events)),
		.event_count = profile->events.count,
		.is_forced = is_forced,
	};
	for (size_t i = 0; i < profile->events.count; i++)
		has_raw |= phase_of(strings_get(profile->strings, profile->events.at[i].name),
				    true) != SYSCALL_NONE;
	if (!plan_events(profile, is_forced, has_raw, ret, err))
		return false;
	if (!ret->has_enters && !ret->has_exits && profile_nameless_tracepoint(profile))
		return error_set(err, ERROR_USAGE,
				 "does not name its tracepoints, such as %s, so kiln cannot find "
				 "system calls; if the capture is truncated, copy or record it "
				 "again",
				 profile_nameless_tracepoint(profile));
	return ret->has_enters || ret->has_exits ||
	       error_set(err, ERROR_USAGE,
			 "no system calls were recorded; record them with perf trace record, or "
			 "with " SYSCALL_PERF_RECORD);
}

void syscall_plan_free(struct syscall_plan *plan)
{
	memory_free(plan->events);
	plan->events = NULL;
}
