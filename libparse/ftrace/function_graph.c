/* SPDX-License-Identifier: MIT */
/*
 * Reads the output of the function_graph tracer, from the trace file or trace-cmd report. Calls are
 * nested. The weight of a stack is the self time of its innermost call:
 *
 *     vfs_read() {                     bash;vfs_read                 870 ns
 *       0.513 us  rw_verify_area();    bash;vfs_read;rw_verify_area  513 ns
 *     1.383 us }
 *
 * A task's calls continue when it is switched in again, so no stack is final before the end of the
 * file. The stacks are therefore spooled (libparse/spooled.h).
 */
#include "libparse/ftrace/ftrace.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "libparse/ftrace/ftrace_line.h"
#include "libparse/ftrace/function_call.h"
#include "libparse/spooled.h"
#include "libparse/text.h"

/*
 * Maximum number of unfinished calls of a task. The kernel records at most 50
 * (FTRACE_RETFUNC_DEPTH).
 */
#define LIMIT_OPEN_CALLS 4096u

#define NONE UINT32_MAX

/* Maximum number of CPUs whose current task is tracked. Linux supports 8192 CPUs. */
#define CPUS_MAX 8192u

/*
 * The call tree, built from function entries and exits. A node contains the count and the self time
 * of one callchain. Each task has a current node.
 *
 *     root ─ bash ─ ksys_read ─ vfs_read ◀── task "bash-812"
 */
struct graph_call {
	uint32_t parent, name; /* parent: index of a node; name: a frame */
	uint32_t child, sibling;
	uint32_t depth;
	uint64_t self_ns, count;
};

/* A call that has not ended yet. */
struct call_open {
	uint32_t node;
	uint64_t children_ns;
};

struct call_task {
	str_id name;
	VEC(struct call_open) open; /* the first is the task itself */
};

struct graph_calls {
	struct spooled *spooled; /* owns the frames that nodes refer to */
	struct idtable nodes_of, tasks_of;
	VEC(struct graph_call) nodes;
	VEC(struct call_task) tasks;
};

/* spooled must be empty; frames are added to it. */
static void call_tree_init(struct graph_calls *tree, struct spooled *spooled)
{
	*tree = (struct graph_calls){ .spooled = spooled };
	idtable_init(&tree->nodes_of);
	idtable_init(&tree->tasks_of);
	vec_push(&tree->nodes, (struct graph_call){ .child = NONE, .sibling = NONE });
}

static void call_tree_deinit(struct graph_calls *tree)
{
	for (size_t i = 0; i < tree->tasks.count; i++)
		vec_free(&tree->tasks.at[i].open);
	vec_free(&tree->tasks);
	vec_free(&tree->nodes);
	idtable_deinit(&tree->nodes_of);
	idtable_deinit(&tree->tasks_of);
}

static uint32_t find_node(struct graph_calls *tree, uint32_t parent, uint32_t name)
{
	uint64_t hash = hash_u64((uint64_t)parent << 32 | name);
	struct idtable_probe probe = idtable_find(&tree->nodes_of, hash);
	struct graph_call node;
	uint32_t id;

	while ((id = idtable_next(&tree->nodes_of, &probe)) != IDTABLE_NONE)
		if (tree->nodes.at[id].parent == parent && tree->nodes.at[id].name == name)
			return id;
	id = (uint32_t)tree->nodes.count;
	idtable_add(&tree->nodes_of, hash, id);
	node = (struct graph_call){
		.parent = parent,
		.name = name,
		.child = NONE,
		.sibling = tree->nodes.at[parent].child,
		.depth = tree->nodes.at[parent].depth + 1,
	};
	vec_push(&tree->nodes, node);
	tree->nodes.at[parent].child = id;
	return id;
}

/* The index of a task, by name and tid: "bash-812". */
static uint32_t call_tree_task(struct graph_calls *tree, struct text name)
{
	str_id id = { spooled_intern_frame(tree->spooled, name) };
	uint64_t hash = hash_u64(id.i);
	struct idtable_probe probe = idtable_find(&tree->tasks_of, hash);
	struct call_task *task;
	const char *dash = name.length ? memrchr(name.at, '-', name.length) : NULL;
	uint32_t found;
	uint32_t comm;

	while ((found = idtable_next(&tree->tasks_of, &probe)) != IDTABLE_NONE)
		if (tree->tasks.at[found].name.i == id.i)
			return found;
	found = (uint32_t)tree->tasks.count;
	idtable_add(&tree->tasks_of, hash, found);
	vec_push(&tree->tasks, (struct call_task){ .name = id });
	if (dash && dash > name.at)
		name.length = (uint32_t)(dash - name.at);
	comm = spooled_intern_frame(tree->spooled, name);
	tree->spooled->frames.at[comm].kind = SPOOLED_GROUP;
	task = &tree->tasks.at[found];
	vec_push(&task->open, (struct call_open){ .node = find_node(tree, 0, comm) });
	return found;
}

/* Begins a call. Returns false if the call is deeper than LIMIT_OPEN_CALLS. */
static bool call_tree_begin(struct graph_calls *tree, uint32_t task, struct text name)
{
	struct call_task *at = &tree->tasks.at[task];
	uint32_t frame = spooled_intern_frame(tree->spooled, name);
	uint32_t node;

	if (at->open.count >= LIMIT_OPEN_CALLS)
		return false;
	if (tree->spooled->frames.at[frame].kind == SPOOLED_KIND_COUNT)
		tree->spooled->frames.at[frame].kind = SPOOLED_KERNEL;
	node = find_node(tree, at->open.at[at->open.count - 1].node, frame);
	vec_push(&at->open, (struct call_open){ .node = node });
	return true;
}

/* Ends the innermost call. Returns false if the task has no open call. */
static bool call_tree_end(struct graph_calls *tree, uint32_t task, uint64_t duration_ns)
{
	struct call_task *at = &tree->tasks.at[task];
	struct call_open call;
	struct call_open *above;
	struct graph_call *node;

	if (at->open.count < 2)
		return false;
	call = at->open.at[--at->open.count];
	above = &at->open.at[at->open.count - 1];
	above->children_ns = saturate_add(above->children_ns, duration_ns);
	node = &tree->nodes.at[call.node];
	node->count++;
	if (duration_ns > call.children_ns)
		node->self_ns = saturate_add(node->self_ns, duration_ns - call.children_ns);
	return true;
}

/* Ends all calls at this level or deeper, because their ends were not recorded. */
static void call_tree_cut(struct graph_calls *tree, uint32_t task, uint32_t level)
{
	struct call_task *at = &tree->tasks.at[task];

	while (at->open.count > (size_t)level + 1)
		at->open.count--;
}

/* Adds all nodes to spooled as rows. */
static void call_tree_finish(struct graph_calls *tree)
{
	const struct graph_call *nodes = tree->nodes.at;
	uint32_t i = nodes[0].child;

	while (i != NONE) {
		struct spooled_row row = { nodes[i].depth, nodes[i].name, { nodes[i].self_ns, 0 } };

		tree->spooled->samples.after =
			saturate_add(tree->spooled->samples.after, nodes[i].count);
		/* The depth fits, because call_tree_begin refuses deeper calls. */
		if (spooled_push(tree->spooled, &row) && nodes[i].child != NONE) {
			i = nodes[i].child;
			continue;
		}
		while (nodes[i].sibling == NONE && nodes[i].parent)
			i = nodes[i].parent;
		i = nodes[i].sibling;
	}
}

struct graph_reader {
	struct spooled spooled; /* first: see spooled_read_samples */
	struct text_skips skips;
	uint64_t lost_count, lost_offset;
};

struct scan {
	struct graph_calls tree;
	struct graph_reader *reader;
	VEC(uint32_t) task_of_cpu; /* index of the task plus 1; 0 if not known yet */
};

static uint32_t *task_of_cpu(struct scan *scan, uint32_t cpu)
{
	while (scan->task_of_cpu.count <= cpu)
		vec_push(&scan->task_of_cpu, 0);
	return &scan->task_of_cpu.at[cpu];
}

/*
 * The task of a call is the task in the line. Without a task in the line, it is the last task seen
 * on that CPU; otherwise, a task named after the CPU.
 */
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

/*
 * Returns false if the line contradicts the previous calls, exceeds a limit, or lost its duration.
 * A call without a duration still begins or ends, so that calls around it keep their callers.
 */
static bool read_call(struct scan *scan, const struct function_call *call)
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
		       call_tree_end(&scan->tree, task, call->duration_ns) &&
		       !call->is_duration_wrong;
	case FUNCTION_CALL_END:
		call_tree_cut(&scan->tree, task, call->level + 1);
		return call_tree_end(&scan->tree, task, call->duration_ns) &&
		       !call->is_duration_wrong;
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

static void add_lost(struct graph_reader *reader, uint64_t count, uint64_t offset)
{
	if (!reader->lost_count)
		reader->lost_offset = offset;
	reader->lost_count = saturate_add(reader->lost_count, count);
}

static void read_lines(void *context, struct text_window *window)
{
	struct scan *scan = context;
	const char *next = window->at;
	struct function_call call;
	uint64_t lost_count;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (ftrace_line_is_lost(line, &lost_count))
			add_lost(scan->reader, lost_count, text_offset(window, line.at));
		else if (!is_decoration(line) &&
			 (!function_call_parse(line, &call) || !read_call(scan, &call)))
			text_skip(&scan->reader->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static bool open_function_graph(struct capture *capture, struct error *err)
{
	struct graph_reader *reader = memory_zalloc(1, sizeof(*reader));
	struct scan scan = { .reader = reader };
	bool good;

	capture->reader = reader;
	spooled_init(&reader->spooled, &capture->input);
	call_tree_init(&scan.tree, &reader->spooled);
	good = text_read(capture, (struct slice){ .end = capture->input.size_bytes }, read_lines,
			 &scan, &reader->skips, err);
	if (good)
		call_tree_finish(&scan.tree);
	if (reader->skips.count || reader->skips.long_count)
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
	text_report_skips(&reader->skips, sink);
	text_report_loss(sink, LOSS_RECORDS, reader->lost_count, reader->lost_offset);
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
	.summary = "calls recorded by the function_graph tracer",
	.title = "ftrace function_graph",
	.probe = probe,
	.ends_in = "\n",
	.open = open_function_graph,
	.close = close_function_graph,
	.read_state = read_state,
	.read_samples = spooled_read_samples,
	.read_frame = spooled_read_frame,
};
