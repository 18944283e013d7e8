/* SPDX-License-Identifier: MIT */
#include "compat/collapse_sched.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/saturate.h"
#include "base/scan.h"

#define NANOSECONDS_PER_MICROSECOND 1000u

/* The word behind the first NAME= that has one; empty: there is none. */
static struct text find_variable(struct text line, const char *name)
{
	size_t length = strlen(name);
	const char *end = line.at + line.length;
	const char *at = line.at;

	while (at < end && (at = memmem(at, (size_t)(end - at), name, length))) {
		const char *stop = at += length;

		while (stop < end && !is_space(*stop))
			stop++;
		if (stop > at)
			return (struct text){ at, (uint32_t)(stop - at) };
	}
	return (struct text){ "", 0 };
}

/* The script's timestamp is the first word that ends in a colon; here it matters only whether there is one. */
static bool has_time(struct text line)
{
	for (uint32_t i = 1; i < line.length; i++) {
		uint32_t begin = i;

		while (begin && line.at[begin - 1] != ' ' && line.at[begin - 1] != ':')
			begin--;
		if (line.at[i] == ':' && begin && begin < i && line.at[begin - 1] == ' ')
			return true;
	}
	return false;
}

static struct text next_field(struct text *line)
{
	struct text field;
	uint32_t begin = 0;
	uint32_t end;

	while (begin < line->length && is_blank(line->at[begin]))
		begin++;
	end = begin;
	while (end < line->length && !is_blank(line->at[end]))
		end++;
	field = (struct text){ line->at + begin, end - begin };
	*line = (struct text){ line->at + end, line->length - end };
	return field;
}

/* All fields but the first, which is the address, and the last, the file; blanks between them are one. */
static void write_function(struct text line, struct sink *sink)
{
	struct text field;
	struct text next;

	next_field(&line);
	field = next_field(&line);
	sink_text(sink, field);
	if (!field.length)
		return;
	field = next_field(&line);
	while (field.length && (next = next_field(&line)).length) {
		sink_char(sink, ' ');
		sink_text(sink, field);
		field = next;
	}
}

static uint64_t number_of(struct text text)
{
	uint64_t value;

	scan_u64_saturated(&text, &value);
	return value;
}

static void set(struct sink *sink, struct text text)
{
	sink->used = 0;
	sink_text(sink, text);
}

static uint32_t find_task(struct collapse_sched *collapse, struct text name)
{
	str_id id = strings_intern(&collapse->task_names, name.length ? name.at : "", name.length);

	while (collapse->tasks.count < collapse->task_names.rows.count)
		vec_push(&collapse->tasks, (struct collapse_sched_task){ .stack = STR_EMPTY });
	return id.i;
}

static str_id intern(struct strings *strings, struct text text)
{
	return strings_intern(strings, text.length ? text.at : "", text.length);
}

static void begin(struct collapse_sched *collapse, struct collapse_sched_event *event,
		  struct text task)
{
	/* Who has no number is the idle task. */
	event->is_open = !text_is(task, "0");
	event->task = find_task(collapse, task);
	event->stack.used = 0;
}

static void begin_sleep(struct collapse_sched *collapse, struct text line)
{
	struct collapse_sched_event *slept = &collapse->slept;
	struct text rest = line;

	begin(collapse, slept, find_variable(line, "pid="));
	set(&slept->waker_comm, next_field(&rest));
	set(&slept->waker, next_field(&rest));
	set(&slept->comm, find_variable(line, "comm="));
	slept->is_timed = has_time(line);
	slept->delay_ns = number_of(find_variable(line, "delay="));
}

/* Frames come innermost first: those of who sleeps are turned round, those of the waker are not. */
static void push_switched(struct collapse_sched *collapse, struct text line)
{
	struct sink *line_sink = &collapse->line;
	struct sink *stack = &collapse->switched.stack;

	line_sink->used = 0;
	write_function(line, line_sink);
	if (stack->used) {
		sink_char(line_sink, ';');
		sink_text(line_sink, sink_memory(stack));
	}
	set(stack, sink_memory(line_sink));
}

static void push_slept(struct collapse_sched *collapse, struct text line)
{
	struct sink *stack = &collapse->slept.stack;

	if (stack->used)
		sink_char(stack, ';');
	write_function(line, stack);
}

static void end_switch(struct collapse_sched *collapse)
{
	struct collapse_sched_task *task = &collapse->tasks.at[collapse->switched.task];

	task->stack = intern(&collapse->texts, sink_memory(&collapse->switched.stack));
	task->has_stack = true;
	task->chain = STR_EMPTY;
	collapse->switched.is_open = false;
}

/* Writes who woke a task, and who had woken that. */
static void write_waker(struct collapse_sched *collapse, struct sink *line)
{
	const struct collapse_sched_event *slept = &collapse->slept;
	const struct collapse_sched_task *waker;
	struct text chain;

	sink_char(line, ';');
	sink_text(line, sink_memory(&slept->stack));
	sink_char(line, ';');
	sink_text(line, sink_memory(&slept->waker_comm));
	if (collapse->variables.with_tid) {
		sink_char(line, '-');
		sink_text(line, sink_memory(&slept->waker));
	}
	if (!collapse->variables.with_chain)
		return;
	waker = &collapse->tasks.at[find_task(collapse, sink_memory(&slept->waker))];
	if (!waker->was_woken)
		return;
	chain = strings_get(&collapse->texts, waker->chain);
	if (line->used + chain.length > LIMIT_WAKER_CHAIN_BYTES) {
		collapse->cut_count++;
		return;
	}
	sink_puts(line, ";-;");
	sink_text(line, chain);
}

static void add_time(struct collapse_sched *collapse, struct text stack, uint64_t time_ns)
{
	str_id id = intern(&collapse->stacks, stack);

	while (collapse->times_ns.count < collapse->stacks.rows.count)
		vec_push(&collapse->times_ns, 0);
	collapse->times_ns.at[id.i] = saturate_add(collapse->times_ns.at[id.i], time_ns);
}

static void end_sleep(struct collapse_sched *collapse)
{
	struct collapse_sched_event *slept = &collapse->slept;
	struct collapse_sched_task *task = &collapse->tasks.at[slept->task];
	struct sink *line = &collapse->line;
	size_t prefix;

	slept->is_open = false;
	if (!task->has_stack)
		return;
	task->was_woken = slept->is_timed;
	set(line, sink_memory(&slept->comm));
	if (collapse->variables.with_tid) {
		sink_char(line, '-');
		sink_text(line, strings_get(&collapse->task_names, (str_id){ slept->task }));
	}
	sink_char(line, ';');
	prefix = line->used;
	sink_text(line, strings_get(&collapse->texts, task->stack));
	if (collapse->variables.with_waker || collapse->variables.with_chain)
		write_waker(collapse, line);
	/* Finding the waker may have moved the tasks. */
	task = &collapse->tasks.at[slept->task];
	if (collapse->variables.with_chain)
		task->chain =
			intern(&collapse->texts, (struct text){ line->buffer + prefix,
								(uint32_t)(line->used - prefix) });
	task->has_stack = false;
	add_time(collapse, sink_memory(line), slept->delay_ns);
}

/* The rules of the script in their order: a line can be of several. */
static void take_line(void *context, struct text line)
{
	struct collapse_sched *collapse = context;
	bool is_comment = text_has_prefix(line, "#");
	bool is_frame = line.length && is_space(line.at[0]);

	if (!is_comment && text_contains(line, "sched:sched_switch"))
		begin(collapse, &collapse->switched, find_variable(line, "prev_pid="));
	if (collapse->switched.is_open && is_frame)
		push_switched(collapse, line);
	if (collapse->switched.is_open && !line.length)
		end_switch(collapse);
	if (!is_comment && (text_contains(line, "sched:sched_stat_sleep") ||
			    text_contains(line, "sched:sched_stat_blocked")))
		begin_sleep(collapse, line);
	if (collapse->slept.is_open && is_frame)
		push_slept(collapse, line);
	if (collapse->slept.is_open && !line.length)
		end_sleep(collapse);
}

static void init_event(struct collapse_sched_event *event)
{
	*event = (struct collapse_sched_event){ .is_open = false };
	sink_init_memory(&event->stack);
	sink_init_memory(&event->comm);
	sink_init_memory(&event->waker_comm);
	sink_init_memory(&event->waker);
}

static void deinit_event(struct collapse_sched_event *event)
{
	sink_deinit(&event->stack);
	sink_deinit(&event->comm);
	sink_deinit(&event->waker_comm);
	sink_deinit(&event->waker);
}

void collapse_sched_init(struct collapse_sched *collapse)
{
	*collapse = (struct collapse_sched){ .cut_count = 0 };
	input_lines_init(&collapse->lines, take_line, collapse);
	init_event(&collapse->switched);
	init_event(&collapse->slept);
	strings_init(&collapse->task_names);
	strings_init(&collapse->texts);
	strings_init(&collapse->stacks);
	sink_init_memory(&collapse->line);
}

void collapse_sched_deinit(struct collapse_sched *collapse)
{
	input_lines_deinit(&collapse->lines);
	deinit_event(&collapse->switched);
	deinit_event(&collapse->slept);
	strings_deinit(&collapse->task_names);
	strings_deinit(&collapse->texts);
	strings_deinit(&collapse->stacks);
	vec_free(&collapse->tasks);
	vec_free(&collapse->times_ns);
	sink_deinit(&collapse->line);
}

bool collapse_sched_read(struct collapse_sched *collapse, const char *path, struct error *err)
{
	return input_lines_read(&collapse->lines, path, err);
}

/* A stack and its row. */
struct sorted {
	struct text text;
	uint64_t time_us;
};

static int compare(const void *a, const void *b)
{
	const struct text left = ((const struct sorted *)a)->text;
	const struct text right = ((const struct sorted *)b)->text;
	uint32_t common = left.length < right.length ? left.length : right.length;
	int order = memcmp(left.at, right.at, common);

	return order ? order : (left.length > right.length) - (left.length < right.length);
}

void collapse_sched_write(const struct collapse_sched *collapse, struct sink *sink)
{
	VEC(struct sorted) rows = { 0 };

	for (uint32_t i = 0; i < collapse->times_ns.count; i++) {
		uint64_t time_us = collapse->times_ns.at[i] / NANOSECONDS_PER_MICROSECOND;

		if (time_us)
			vec_push(&rows,
				 (struct sorted){ strings_get(&collapse->stacks, (str_id){ i }),
						  time_us });
	}
	if (rows.count)
		qsort(rows.at, rows.count, sizeof(*rows.at), compare);
	for (size_t i = 0; i < rows.count; i++) {
		sink_text(sink, rows.at[i].text);
		sink_char(sink, ' ');
		sink_u64(sink, rows.at[i].time_us);
		sink_char(sink, '\n');
	}
	vec_free(&rows);
}
