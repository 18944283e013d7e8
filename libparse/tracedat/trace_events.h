/* SPDX-License-Identifier: MIT */
/*
 * The events that need special treatment: stacks, function calls, and the scheduler's events, which
 * contain thread names.
 *
 *     id of a record ─▶ row of the tracepoints ─▶ kind and fields
 */
#ifndef LIBPARSE_TRACEDAT_TRACE_EVENTS_H
#define LIBPARSE_TRACEDAT_TRACE_EVENTS_H

#include "libparse/event.h"
#include "libparse/tracepoint/task_state.h"
#include "libparse/tracepoint/tracepoints.h"

enum trace_event_kind {
	TRACE_EVENT_OTHER,
	TRACE_EVENT_KERNEL_STACK,
	TRACE_EVENT_USER_STACK,
	TRACE_EVENT_FUNCTION,
	TRACE_EVENT_CALL, /* a call, from the function_graph tracer */
	TRACE_EVENT_SWITCH,
	TRACE_EVENT_WAKEUP,
};

struct trace_event {
	struct text name; /* name of the event, without its system */
	enum trace_event_kind kind;
	/*
	 * Fields by kind, in the order of trace_events.c; size_bytes is 0 if there is no such
	 * field.
	 */
	struct field fields[5];
	struct task_states states; /* TRACE_EVENT_SWITCH */
};

struct trace_events {
	VEC(struct trace_event) rows; /* parallel to the tracepoints */
	struct field tid;             /* common_pid, a field of every event */
};

/*
 * The tracepoints must outlive the events. release: the kernel release, or an empty text. The
 * release selects the letters of states if the format of sched_switch does not list them.
 */
void trace_events_init(struct trace_events *events, struct perf_tracepoints *tracepoints,
		       struct text release);
void trace_events_deinit(struct trace_events *events);

/* The event of a record, or NULL. */
const struct trace_event *trace_events_find(const struct trace_events *events,
					    const struct perf_tracepoints *tracepoints,
					    struct span raw);

bool trace_event_read_switch(const struct trace_event *event, struct span raw,
			     struct event_sched_switch *ret);

/*
 * Reads which thread is woken. False if the event is not a wake-up, or if the thread was already
 * awake (success is 0, before Linux 4.3).
 */
bool trace_event_read_wakeup(const struct trace_event *event, struct span raw, uint32_t *tid_ret);

/* Reads the name of a thread from the event. index: 0 or 1. */
bool trace_event_read_comm(const struct trace_event *event, struct span raw, unsigned index,
			   uint32_t *tid, struct text *comm);

/* Reads the function and its caller. */
bool trace_event_read_function(const struct trace_event *event, struct span raw, uint64_t *function,
			       uint64_t *caller);

/* Returns where the addresses of a stack begin in the data, or 0 if unknown. */
uint32_t trace_event_stack_offset(const struct trace_event *event);

#endif
