/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/trace_events.h"

#include "libparse/text.h"

static const struct {
	const char *name;
	enum trace_event_kind kind;
	const char *fields[5];
} known[] = {
	{ "ftrace:kernel_stack", TRACE_EVENT_KERNEL_STACK, { "caller" } },
	{ "ftrace:user_stack", TRACE_EVENT_USER_STACK, { "caller" } },
	{ "ftrace:function", TRACE_EVENT_FUNCTION, { "ip", "parent_ip" } },
	{ "ftrace:funcgraph_entry", TRACE_EVENT_CALL, { NULL } },
	{ "ftrace:funcgraph_exit", TRACE_EVENT_CALL, { NULL } },
	{ "sched:sched_switch",
	  TRACE_EVENT_SWITCH,
	  { "prev_pid", "prev_comm", "next_pid", "next_comm", "prev_state" } },
	{ "sched:sched_waking", TRACE_EVENT_WAKEUP, { "pid", "comm", "success" } },
	{ "sched:sched_wakeup", TRACE_EVENT_WAKEUP, { "pid", "comm", "success" } },
	{ "sched:sched_wakeup_new", TRACE_EVENT_WAKEUP, { "pid", "comm", "success" } },
};

static void read_event(struct trace_event *event, const struct perf_tracepoint *row,
		       struct text release, struct arena *arena)
{
	struct trace_format format;

	event->name = row->name;
	for (uint32_t i = 0; i < row->name.length; i++)
		if (row->name.at[i] == ':') {
			event->name = text_from(row->name, i + 1);
			break;
		}
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!text_is(row->name, known[i].name))
			continue;
		event->kind = known[i].kind;
		trace_format_read(row->text, arena, &format);
		for (size_t k = 0; k < ARRAY_SIZE(known[i].fields) && known[i].fields[k]; k++) {
			const struct field *field =
				trace_format_find(&format, text_of(known[i].fields[k]));

			if (field)
				event->fields[k] = *field;
		}
		if (event->kind == TRACE_EVENT_SWITCH &&
		    !task_states_read(format.print, &event->states))
			task_states_guess(release, &event->states);
	}
}

void trace_events_init(struct trace_events *events, struct perf_tracepoints *tracepoints,
		       struct text release)
{
	struct trace_format format;
	const struct field *tid;

	/* All kernels since 2.6.31 have this offset. */
	*events = (struct trace_events){
		.tid = { .offset = 4, .size_bytes = 4, .is_signed = true },
	};
	for (size_t i = 0; i < tracepoints->rows.count; i++) {
		vec_push(&events->rows, (struct trace_event){ .kind = TRACE_EVENT_OTHER });
		read_event(&events->rows.at[i], &tracepoints->rows.at[i], release,
			   &tracepoints->arena);
	}
	if (!tracepoints->rows.count)
		return;
	trace_format_read(tracepoints->rows.at[0].text, &tracepoints->arena, &format);
	tid = trace_format_find(&format, text_of("common_pid"));
	if (tid)
		events->tid = *tid;
}

void trace_events_deinit(struct trace_events *events)
{
	vec_free(&events->rows);
}

const struct trace_event *trace_events_find(const struct trace_events *events,
					    const struct perf_tracepoints *tracepoints,
					    struct span raw)
{
	const struct perf_tracepoint *row;
	uint16_t id;

	if (!span_u16(&raw, &id))
		return NULL;
	row = perf_tracepoints_find(tracepoints, id);
	return row ? &events->rows.at[row - tracepoints->rows.at] : NULL;
}

static bool read_tid(const struct field *field, struct span raw, uint32_t *ret)
{
	uint64_t value;

	if (!field->size_bytes || !field_number(field, &raw, &value))
		return false;
	*ret = (uint32_t)value;
	return true;
}

bool trace_event_read_switch(const struct trace_event *event, struct span raw,
			     struct event_sched_switch *ret)
{
	struct task_state state;
	uint64_t value;

	*ret = (struct event_sched_switch){ .state = 'R' };
	if (event->kind != TRACE_EVENT_SWITCH ||
	    !read_tid(&event->fields[0], raw, &ret->previous_tid) ||
	    !read_tid(&event->fields[2], raw, &ret->next_tid) || !event->fields[4].size_bytes ||
	    !field_number(&event->fields[4], &raw, &value))
		return false;
	state = task_state_of(&event->states, value);
	ret->state = state.letter;
	ret->is_preempted = state.is_preempted;
	return true;
}

bool trace_event_read_wakeup(const struct trace_event *event, struct span raw, uint32_t *tid_ret)
{
	const struct field *success = &event->fields[2];
	uint64_t value;

	if (event->kind != TRACE_EVENT_WAKEUP || !read_tid(&event->fields[0], raw, tid_ret))
		return false;
	return !success->size_bytes || !field_number(success, &raw, &value) || value;
}

bool trace_event_read_comm(const struct trace_event *event, struct span raw, unsigned index,
			   uint32_t *tid, struct text *comm)
{
	const struct field *field = &event->fields[(size_t)index * 2];
	const unsigned char *nul;
	struct span bytes;

	if ((event->kind != TRACE_EVENT_SWITCH && (event->kind != TRACE_EVENT_WAKEUP || index)) ||
	    !read_tid(field, raw, tid) || !field[1].is_text || !field_bytes(&field[1], raw, &bytes))
		return false;
	nul = span_left(&bytes) ? memchr(bytes.at, 0, span_left(&bytes)) : NULL;
	*comm = text_between((const char *)bytes.at, (const char *)(nul ? nul : bytes.end));
	return comm->length > 0;
}

bool trace_event_read_function(const struct trace_event *event, struct span raw, uint64_t *function,
			       uint64_t *caller)
{
	return event->kind == TRACE_EVENT_FUNCTION && event->fields[0].size_bytes &&
	       event->fields[1].size_bytes && field_number(&event->fields[0], &raw, function) &&
	       field_number(&event->fields[1], &raw, caller);
}

uint32_t trace_event_stack_offset(const struct trace_event *event)
{
	return event->fields[0].offset;
}
