/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/function_graph.h"

#include "libparse/ftrace/call_tree.h"
#include "libparse/ftrace/ftrace_line.h"
#include "libparse/ftrace/function_call.h"
#include "libparse/text.h"

/* CPUs whose task is tracked: as many as Linux supports. */
#define CPUS_MAX 8192u

struct graph_reader {
	struct spooled spooled; /* first: see spooled_read_samples */
	struct text_skips skips;
};

struct scan {
	struct call_tree tree;
	struct text_skips *skips;
	VEC(uint32_t) task_of_cpu; /* one more than the task; 0: not known yet */
};

static uint32_t *task_of_cpu(struct scan *scan, uint32_t cpu)
{
	while (scan->task_of_cpu.count <= cpu)
		vec_push(&scan->task_of_cpu, 0);
	return &scan->task_of_cpu.at[cpu];
}

/* The task of a call: that of the line, else the task on that CPU, else the CPU itself. */
static uint32_t task_of(struct scan *scan, const struct function_call *call)
{
	uint32_t *known = task_of_cpu(scan, call->cpu);
	char name[16];

	if (call->kind == FUNCTION_CALL_SWITCH)
		*known = 1 + call_tree_task(&scan->tree, call->name);
	else if (call->task.length)
		*known = 1 + call_tree_task(&scan->tree, call->task);
	else if (!*known) {
		snprintf(name, sizeof(name), "cpu %u", call->cpu);
		*known = 1 + call_tree_task(&scan->tree, text_of(name));
	}
	return *known - 1;
}

/* False: the line does not fit the calls before it. */
static bool take_call(struct scan *scan, const struct function_call *call)
{
	uint32_t task;

	if (call->cpu >= CPUS_MAX)
		return false;
	task = task_of(scan, call);
	switch (call->kind) {
	case FUNCTION_CALL_BEGIN:
		call_tree_cut(&scan->tree, task, call->level);
		return call_tree_begin(&scan->tree, task, call->name);
	case FUNCTION_CALL_LEAF:
		call_tree_cut(&scan->tree, task, call->level);
		return call_tree_begin(&scan->tree, task, call->name) &&
		       call_tree_end(&scan->tree, task, call->duration_ns);
	case FUNCTION_CALL_END:
		call_tree_cut(&scan->tree, task, call->level + 1);
		return call_tree_end(&scan->tree, task, call->duration_ns);
	case FUNCTION_CALL_SWITCH:
	case FUNCTION_CALL_NOTE:
		break;
	}
	return true;
}

/* Lines between calls that need not be reported as skipped. */
static bool is_decoration(struct text line)
{
	struct text text = text_trim(line);

	return !text.length || text.at[0] == '#' || text_has_prefix(text, "-----") ||
	       text_has_prefix(text, "cpus=") || text_has_prefix(text, "CPU ");
}

static void take_lines(void *context, struct text_window *window)
{
	struct scan *scan = context;
	const char *next = window->at;
	struct function_call call;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (!is_decoration(line) &&
		    (!function_call_parse(line, &call) || !take_call(scan, &call)))
			text_skip(scan->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static bool open_function_graph(struct capture *capture, struct error *err)
{
	struct graph_reader *reader = memory_zalloc(1, sizeof(*reader));
	struct scan scan = { .skips = &reader->skips };
	bool good;

	capture->reader = reader;
	spooled_init(&reader->spooled);
	call_tree_init(&scan.tree, &reader->spooled);
	good = text_read(capture, (struct slice){ .end = capture->input.size_bytes }, take_lines,
			 &scan, &reader->skips, err);
	if (good)
		call_tree_finish(&scan.tree);
	if (reader->skips.count)
		capture->first_skipped_line =
			text_line_number(&capture->input, reader->skips.first_offset);
	call_tree_deinit(&scan.tree);
	vec_free(&scan.task_of_cpu);
	reader->spooled.unit = UNIT_NANOSECONDS;
	reader->spooled.event = strings_intern_text(&reader->spooled.strings, "function_graph");
	return good && spooled_replace(&reader->spooled, capture, err);
}

static void close_function_graph(struct capture *capture)
{
	struct graph_reader *reader = capture->reader;

	spooled_deinit(&reader->spooled);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct graph_reader *reader = capture->reader;

	(void)err;
	text_tell_skips(&reader->skips, sink);
	return true;
}

static struct evidence probe(struct span head)
{
	const char *line;

	if (ftrace_kind_of(head, &line) != FTRACE_GRAPH)
		return evidence_none();
	return evidence_at(CONFIDENCE_LIKELY, head, line, "of the function_graph tracer");
}

const struct input_format function_graph_format = {
	.name = "function-graph",
	.summary = "calls of functions traced by ftrace or trace-cmd",
	.title = "ftrace function_graph",
	.probe = probe,
	.ends_in = "\n",
	.open = open_function_graph,
	.close = close_function_graph,
	.read_state = read_state,
	.read_samples = spooled_read_samples,
	.read_frame = spooled_read_frame,
};
