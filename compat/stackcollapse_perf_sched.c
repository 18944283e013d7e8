/* SPDX-License-Identifier: MIT */
/*
 * Implements stackcollapse-perf-sched.awk: writes off-CPU stacks from `perf script` text of
 * sched_switch and of sched_stat_sleep or sched_stat_blocked, weighted by the microseconds slept.
 *
 *     app 7 [0] 1.5: sched:sched_switch: ... prev_pid=7 ...    and its stack
 *     waker 9 [0] 1.9: sched:sched_stat_sleep: comm=app pid=7 delay=400000000 [ns]
 *
 * becomes "app;main;wait 400000". kiln offcpu pairs sched_switch events itself.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/scan.h"
#include "cli/output.h"
#include "compat/dropin.h"
#include "compat/input_lines.h"

/*
 * The waker chain in one output line of stackcollapse-perf-sched.awk. Eight stacks of 100 frames
 * need fewer bytes.
 */
#define LIMIT_WAKER_CHAIN_BYTES ((size_t)32 << 10)

/* The exit code of awk after a fatal error. */
#define EXIT_FATAL                  2
#define NANOSECONDS_PER_MICROSECOND 1000u

/* The variables of the script. */
struct sched_variables {
	bool with_tid;   /* record_tid */
	bool with_waker; /* record_wake_stack */
	bool with_chain; /* recurse: the waker's waker, and so on; implies with_waker */
};

struct sched_task {
	bool has_stack; /* the task went to sleep, and has not been woken yet */
	bool was_woken;
	str_id stack; /* where it went to sleep */
	str_id chain; /* its last sleep, with the stacks of all wakers */
};

/* An event line. Frames follow, up to an empty line. */
struct sched_event {
	bool is_open;
	uint32_t task; /* task that goes to sleep, or that slept */
	struct sink stack;
	/* For events that end a sleep. */
	struct sink comm, waker_comm, waker;
	bool is_timed;
	uint64_t delay_ns;
};

struct sched_collapser {
	struct sched_variables variables; /* assignments between the inputs can change them */
	struct input_lines lines;
	struct sched_event switched, slept;
	struct strings task_names;
	VEC(struct sched_task) tasks; /* by str_id of the task's name */
	struct strings texts;         /* stacks of tasks */
	struct strings stacks;        /* stacks as they are written */
	VEC(uint64_t) times_ns;       /* by stack id */
	struct sink line;             /* scratch */
	uint64_t cut_count;           /* waker chains truncated at LIMIT_WAKER_CHAIN_BYTES */
};

/*
 * Returns the value of the first NAME= that is followed by a value; if there is none, an empty
 * text.
 */
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

/* Whether the line has a word that ends in a colon, which the script reads as the timestamp. */
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

/*
 * Writes all fields, separated by one blank, except the first (the address) and the last (the DSO).
 */
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

static uint32_t find_task(struct sched_collapser *collapser, struct text name)
{
	str_id id = strings_intern(&collapser->task_names, name.length ? name.at : "", name.length);

	while (collapser->tasks.count < collapser->task_names.rows.count)
		vec_push(&collapser->tasks, (struct sched_task){ .stack = STR_EMPTY });
	return id.i;
}

static str_id intern(struct strings *strings, struct text text)
{
	return strings_intern(strings, text.length ? text.at : "", text.length);
}

static void begin(struct sched_collapser *collapser, struct sched_event *event, struct text task)
{
	/* pid 0 is the idle task. */
	event->is_open = !text_is(task, "0");
	event->task = find_task(collapser, task);
	event->stack.used = 0;
}

static void begin_sleep(struct sched_collapser *collapser, struct text line)
{
	struct sched_event *slept = &collapser->slept;
	struct text rest = line;

	begin(collapser, slept, find_variable(line, "pid="));
	set(&slept->waker_comm, next_field(&rest));
	set(&slept->waker, next_field(&rest));
	set(&slept->comm, find_variable(line, "comm="));
	slept->is_timed = has_time(line);
	slept->delay_ns = number_of(find_variable(line, "delay="));
}

/*
 * The text has the innermost frame first. The sleeper's frames are reversed; the waker's are not.
 */
static void push_switched(struct sched_collapser *collapser, struct text line)
{
	struct sink *line_sink = &collapser->line;
	struct sink *stack = &collapser->switched.stack;

	line_sink->used = 0;
	write_function(line, line_sink);
	if (stack->used) {
		sink_char(line_sink, ';');
		sink_text(line_sink, sink_memory(stack));
	}
	set(stack, sink_memory(line_sink));
}

static void push_slept(struct sched_collapser *collapser, struct text line)
{
	struct sink *stack = &collapser->slept.stack;

	if (stack->used)
		sink_char(stack, ';');
	write_function(line, stack);
}

static void end_switch(struct sched_collapser *collapser)
{
	struct sched_task *task = &collapser->tasks.at[collapser->switched.task];

	task->stack = intern(&collapser->texts, sink_memory(&collapser->switched.stack));
	task->has_stack = true;
	task->chain = STR_EMPTY;
	collapser->switched.is_open = false;
}

/* Appends the stack of the waker, and with `recurse` that of the waker's waker, and so on. */
static void write_waker(struct sched_collapser *collapser, struct sink *line)
{
	const struct sched_event *slept = &collapser->slept;
	const struct sched_task *waker;
	struct text chain;
	uint32_t task;

	sink_char(line, ';');
	sink_text(line, sink_memory(&slept->stack));
	sink_char(line, ';');
	sink_text(line, sink_memory(&slept->waker_comm));
	if (collapser->variables.with_tid) {
		sink_char(line, '-');
		sink_text(line, sink_memory(&slept->waker));
	}
	if (!collapser->variables.with_chain)
		return;
	/* find_task may move the array of tasks. */
	task = find_task(collapser, sink_memory(&slept->waker));
	waker = &collapser->tasks.at[task];
	if (!waker->was_woken)
		return;
	chain = strings_get(&collapser->texts, waker->chain);
	if (line->used + chain.length > LIMIT_WAKER_CHAIN_BYTES) {
		collapser->cut_count++;
		return;
	}
	sink_puts(line, ";-;");
	sink_text(line, chain);
}

static void add_time(struct sched_collapser *collapser, struct text stack, uint64_t time_ns)
{
	str_id id = intern(&collapser->stacks, stack);

	while (collapser->times_ns.count < collapser->stacks.rows.count)
		vec_push(&collapser->times_ns, 0);
	collapser->times_ns.at[id.i] = saturate_add(collapser->times_ns.at[id.i], time_ns);
}

static void end_sleep(struct sched_collapser *collapser)
{
	struct sched_event *slept = &collapser->slept;
	struct sched_task *task = &collapser->tasks.at[slept->task];
	struct sink *line = &collapser->line;
	size_t prefix;

	slept->is_open = false;
	if (!task->has_stack)
		return;
	task->was_woken = slept->is_timed;
	set(line, sink_memory(&slept->comm));
	if (collapser->variables.with_tid) {
		sink_char(line, '-');
		sink_text(line, strings_get(&collapser->task_names, (str_id){ slept->task }));
	}
	sink_char(line, ';');
	prefix = line->used;
	sink_text(line, strings_get(&collapser->texts, task->stack));
	if (collapser->variables.with_waker || collapser->variables.with_chain)
		write_waker(collapser, line);
	/* write_waker may have reallocated the tasks. */
	task = &collapser->tasks.at[slept->task];
	if (collapser->variables.with_chain)
		task->chain =
			intern(&collapser->texts, (struct text){ line->buffer + prefix,
								 (uint32_t)(line->used - prefix) });
	task->has_stack = false;
	add_time(collapser, sink_memory(line), slept->delay_ns);
}

/* The rules of the script, in their order; several can match a line. */
static void read_line(void *context, struct text line)
{
	struct sched_collapser *collapser = context;
	bool is_comment = text_has_prefix(line, "#");
	bool is_frame = line.length && is_space(line.at[0]);

	if (!is_comment && text_contains(line, "sched:sched_switch"))
		begin(collapser, &collapser->switched, find_variable(line, "prev_pid="));
	if (collapser->switched.is_open && is_frame)
		push_switched(collapser, line);
	if (collapser->switched.is_open && !line.length)
		end_switch(collapser);
	if (!is_comment && (text_contains(line, "sched:sched_stat_sleep") ||
			    text_contains(line, "sched:sched_stat_blocked")))
		begin_sleep(collapser, line);
	if (collapser->slept.is_open && is_frame)
		push_slept(collapser, line);
	if (collapser->slept.is_open && !line.length)
		end_sleep(collapser);
}

static void init_event(struct sched_event *event)
{
	*event = (struct sched_event){ .is_open = false };
	sink_init_memory(&event->stack);
	sink_init_memory(&event->comm);
	sink_init_memory(&event->waker_comm);
	sink_init_memory(&event->waker);
}

static void deinit_event(struct sched_event *event)
{
	sink_deinit(&event->stack);
	sink_deinit(&event->comm);
	sink_deinit(&event->waker_comm);
	sink_deinit(&event->waker);
}

static void sched_collapser_init(struct sched_collapser *collapser)
{
	*collapser = (struct sched_collapser){ .cut_count = 0 };
	input_lines_init(&collapser->lines, read_line, collapser);
	init_event(&collapser->switched);
	init_event(&collapser->slept);
	strings_init(&collapser->task_names);
	strings_init(&collapser->texts);
	strings_init(&collapser->stacks);
	sink_init_memory(&collapser->line);
}

static void sched_collapser_deinit(struct sched_collapser *collapser)
{
	input_lines_deinit(&collapser->lines);
	deinit_event(&collapser->switched);
	deinit_event(&collapser->slept);
	strings_deinit(&collapser->task_names);
	strings_deinit(&collapser->texts);
	strings_deinit(&collapser->stacks);
	vec_free(&collapser->tasks);
	vec_free(&collapser->times_ns);
	sink_deinit(&collapser->line);
}

struct sched_row {
	struct text text;
	uint64_t time_us;
};

static int compare(const void *a, const void *b)
{
	const struct text left = ((const struct sched_row *)a)->text;
	const struct text right = ((const struct sched_row *)b)->text;
	uint32_t common = left.length < right.length ? left.length : right.length;
	int order = memcmp(left.at, right.at, common);

	return order ? order : (left.length > right.length) - (left.length < right.length);
}

static void write_stacks(const struct sched_collapser *collapser, struct sink *sink)
{
	VEC(struct sched_row) rows = { 0 };

	for (uint32_t i = 0; i < collapser->times_ns.count; i++) {
		uint64_t time_us = collapser->times_ns.at[i] / NANOSECONDS_PER_MICROSECOND;

		if (time_us)
			vec_push(&rows,
				 (struct sched_row){ strings_get(&collapser->stacks, (str_id){ i }),
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

/* Whether awk regards a value as true: a number unless it is 0, a string unless it is empty. */
static bool is_true(const char *value)
{
	char *end;
	double number = strtod(value, &end);

	return *end || end == value ? *value != '\0' : number != 0;
}

/*
 * Applies an assignment such as "recurse=1". Returns false if the argument is not an assignment.
 * Other variables are ignored.
 */
static bool assign(const char *argument, struct sched_variables *variables)
{
	const char *equals = strchr(argument, '=');
	struct text name = { argument, equals ? (uint32_t)(equals - argument) : 0 };

	if (!name.length || (*argument >= '0' && *argument <= '9'))
		return false;
	for (uint32_t i = 0; i < name.length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    name.at[i]))
			return false;
	if (text_is(name, "record_tid"))
		variables->with_tid = is_true(equals + 1);
	else if (text_is(name, "record_wake_stack"))
		variables->with_waker = is_true(equals + 1);
	else if (text_is(name, "recurse"))
		variables->with_chain = is_true(equals + 1);
	return true;
}

/*
 * Parses the leading -v options. Returns the index of the first operand, or 0 after a usage error.
 */
static int parse_options(int argc, char **argv, struct sched_variables *variables)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1]) {
		const char *value = argv[at] + 2;

		if (strcmp(argv[at], "--") == 0)
			return at + 1;
		if (argv[at][1] != 'v' || (!*value && at + 1 == argc))
			return 0;
		if (!*value)
			value = argv[++at];
		if (!assign(value, variables))
			return 0;
		at++;
	}
	return at;
}

/* Operands are files, and assignments for the files that follow. */
static bool read_operands(struct sched_collapser *collapser, int argc, char **argv,
			  struct error *err)
{
	bool has_files = false;

	for (int i = 0; i < argc; i++) {
		if (assign(argv[i], &collapser->variables))
			continue;
		has_files = true;
		if (!input_lines_read(&collapser->lines, argv[i], err))
			return false;
	}
	return has_files || input_lines_read(&collapser->lines, "-", err);
}

static bool collapse_all(struct sched_collapser *collapser, int argc, char **argv,
			 struct error *err)
{
	struct output output;

	if (!read_operands(collapser, argc, argv, err) || !output_open(&output, NULL, err))
		return false;
	write_stacks(collapser, &output.sink);
	dropin_warn_empty(&output.sink);
	if (collapser->cut_count)
		fprintf(stderr, "kiln: truncated %llu line%s with too many wakers\n",
			(unsigned long long)collapser->cut_count,
			collapser->cut_count == 1 ? "" : "s");
	return output_commit(&output, err);
}

static int run(int argc, char **argv)
{
	struct sched_collapser collapser;
	struct error err;
	bool good = false;
	int first;

	sched_collapser_init(&collapser);
	first = parse_options(argc, argv, &collapser.variables);
	if (first)
		good = collapse_all(&collapser, argc - first, argv + first, &err);
	else
		fprintf(stderr,
			"kiln: the only option is -v NAME=VALUE\n"
			"usage: %s [-v record_tid=1] [-v record_wake_stack=1] [-v recurse=1] "
			"[file...] > folded\n",
			argv[0]);
	if (first && !good)
		command_fail(&err);
	dropin_warn_skipped(&collapser.lines);
	sched_collapser_deinit(&collapser);
	return good ? EXIT_DONE : EXIT_FATAL;
}

const struct dropin dropin_stackcollapse_perf_sched = { "stackcollapse-perf-sched.awk", run };
