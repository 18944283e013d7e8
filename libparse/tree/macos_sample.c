/* SPDX-License-Identifier: MIT */
/*
 * Reads reports of the macOS command `sample`, and of "Sample Process" in Activity Monitor. The
 * count of a line includes the counts of the lines below it:
 *
 *     Analysis of sampling app (pid 712) every 1 millisecond
 *     ...
 *     Call graph:
 *         812 Thread_4711: worker   DispatchQueue_1: com.example.work  (serial)
 *         + 812 thread_start  (in libsystem_pthread.dylib) + 13  [0x7fff739c240d]
 *         +   800 work(int)  (in app) + 24  [0x103747c3a]
 *         +   ! 800 ???  (in libm.dylib)  load address 0x7fff69c1d000 + 0x5958  [0x7fff69c22958]
 *         +   12 rest  (in app) + 4,12  [0x103749bdf,0x103749be7]  app.c:71
 *
 *     Total number in stack (recursive counted multiple, when >=5):
 *
 * Each level is indented by two characters, of which + ! : and | only connect siblings.
 */
#include "base/scan.h"
#include "libparse/text.h"
#include "libparse/tree/tree_path.h"
#include "libparse/tree/trees.h"

/* The text before each line of the call graph. */
#define MARGIN         "    "
#define GRAPH_HEADING  "Call graph:"
#define REPORT_HEADING "Analysis of sampling "
#define GRAPH_END      "Total number in stack"

struct sample_process {
	struct text name; /* .at is NULL if unknown */
	uint32_t pid;
};

struct sample_thread {
	struct text name;  /* .at is NULL if the thread has no name */
	struct text queue; /* the thread's dispatch queue; .at is NULL if there is none */
	uint32_t tid;
	bool has_tid;
};

struct sample_parser {
	const struct event_sink *sink;
	struct text_skips skips;
	/* the thread, then its functions; `count` is the weight that is left */
	struct tree_path path;
	struct sink process_name; /* empty: unknown */
	uint32_t pid;
	bool is_in_graph;
};

/* "Analysis of sampling Web Content (pid 712) every 1 millisecond" */
static bool parse_process(struct text line, struct sample_process *ret)
{
	static const char mark[] = " (pid ";
	const char *found;
	struct text rest = line;

	if (!scan_prefix(&rest, REPORT_HEADING))
		return false;
	found = memmem(rest.at, rest.length, mark, sizeof(mark) - 1);
	if (!found || (size_t)(found - rest.at) > LIMIT_TREE_ROOT_BYTES)
		return false;
	ret->name = text_between(rest.at, found);
	rest = text_from(rest, ret->name.length + sizeof(mark) - 1);
	return scan_u32(&rest, &ret->pid);
}

/*
 * Splits a line of the call graph into the depth, the count and the rest. Returns false for other
 * lines; *depth_ret is set if the line is indented as in a call graph.
 */
static bool parse_node(struct text line, size_t *depth_ret, uint64_t *count_ret, struct text *ret)
{
	uint32_t length = 0;

	*depth_ret = 0;
	if (!scan_prefix(&line, MARGIN))
		return false;
	while (length < line.length && memchr(" +!:|", line.at[length], 5))
		length++;
	*depth_ret = length / 2;
	line = text_from(line, length);
	if (length % 2 || !scan_u64(&line, count_ret) || !scan_char(&line, ' '))
		return false;
	*ret = text_trim(line);
	return ret->length > 0;
}

/* "Thread_4711: worker   DispatchQueue_1: com.example.work  (serial)" */
static struct sample_thread parse_thread(struct text text)
{
	static const char mark[] = "   DispatchQueue_";
	struct sample_thread thread = { .has_tid = false };
	const char *queue = memmem(text.at, text.length, mark, sizeof(mark) - 1);
	struct text rest = queue ? text_between(text.at, queue) : text;

	thread.has_tid = scan_prefix(&rest, "Thread_") && scan_u32(&rest, &thread.tid) &&
			 thread.tid != EVENT_NO_TID;
	if (scan_prefix(&rest, ": "))
		thread.name = text_trim(rest);
	if (queue) {
		const char *colon, *kind;

		text = text_from(text, (size_t)(queue - text.at) + sizeof(mark) - 1);
		colon = memmem(text.at, text.length, ": ", 2);
		kind = memmem(text.at, text.length, "  (", 3);
		if (kind && kind > colon)
			text.length = (uint32_t)(kind - text.at);
		if (colon)
			text = text_between(colon + 2, text.at + text.length);
		thread.queue = text;
	}
	return thread;
}

/*
 * Sends the last node of the path as a sample, with its weight minus the weights of the nodes below
 * it.
 */
static void send(struct sample_parser *parser)
{
	struct tree_path *path = &parser->path;
	struct sample_thread thread = parse_thread(tree_path_text(path, 0));
	struct event_label queue = { text_of("queue"), thread.queue };
	uint64_t count = path->nodes.at[path->nodes.count - 1].count;
	/* The thread does not count as a frame. */
	size_t shared_count = path->shared_count ? path->shared_count - 1 : 0;
	struct event_text_sample text = {
		.comm = thread.name.at ? thread.name : sink_memory(&parser->process_name),
		.event = text_of("samples"),
		.unit = UNIT_SAMPLES,
		.sample_count = count,
		.frames = tree_path_frames(path, 1),
		.frame_count = (uint32_t)path->nodes.count - 1,
		.is_outermost_first = true,
		.shared_count = (uint32_t)shared_count,
		.labels = &queue,
		.label_count = thread.queue.at != NULL,
	};
	struct event event = { .kind = EVENT_SAMPLE };

	if (!text.comm.length)
		text.comm = (struct text){ NULL, 0 };
	event.sample = (struct event_sample){
		.pid = parser->process_name.used ? parser->pid : thread.tid,
		.tid = thread.tid,
		.present = SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_PERIOD |
			   (thread.has_tid ? SAMPLE_HAS_TID : 0),
		.period = count,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

/* Removes the nodes at this depth and below, and sends those that have their own weight. */
static void cut_path(struct sample_parser *parser, size_t depth)
{
	struct tree_path *path = &parser->path;

	for (; path->nodes.count > depth; tree_path_pop(path))
		if (path->nodes.at[path->nodes.count - 1].count)
			send(parser);
}

/*
 * Adds a line to the path. Skips a node if it has no parent, if its count exceeds the weight left
 * in its parent, or if it is a root with a long name. Also skips all nodes below such a node,
 * because their parent is missing.
 */
static void read_node(struct sample_parser *parser, struct text line, uint64_t offset)
{
	struct tree_path *path = &parser->path;
	struct tree_node *parent = NULL;
	struct text text;
	uint64_t count;
	size_t depth;
	bool is_node = parse_node(line, &depth, &count, &text);

	cut_path(parser, depth);
	if (depth && depth == path->nodes.count)
		parent = &path->nodes.at[depth - 1];
	if (!is_node || depth > path->nodes.count || (parent && count > parent->count) ||
	    (!depth && text.length > LIMIT_TREE_ROOT_BYTES)) {
		text_skip(&parser->skips, offset);
		return;
	}
	if (parent)
		parent->count -= count;
	tree_path_push(path, text, count);
}

static void read_line(struct sample_parser *parser, struct text line, uint64_t offset)
{
	struct sample_process process = { .pid = 0 };

	if (parser->is_in_graph && (text_has_prefix(line, MARGIN) || text_is_blank(line))) {
		if (!text_is_blank(line))
			read_node(parser, line, offset);
		return;
	}
	cut_path(parser, 0);
	if (parser->is_in_graph && !text_has_prefix(line, GRAPH_END))
		text_skip(&parser->skips, offset);
	parser->is_in_graph = text_has_prefix(line, GRAPH_HEADING);
	if (parse_process(line, &process)) {
		parser->process_name.used = 0;
		sink_text(&parser->process_name, process.name);
		parser->pid = process.pid;
	}
}

static void read_records(void *context, struct text_window *window)
{
	struct sample_parser *parser = context;
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line))
		read_line(parser, line, text_offset(window, line.at));
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct sample_parser parser = { .sink = sink };
	bool good;

	/* A report is one record, because the counts of a function depend on later lines. */
	slice = capture->slices.at[0];
	sink_init_memory(&parser.process_name);
	good = text_read(capture, slice, read_records, &parser, &parser.skips, err);
	cut_path(&parser, 0);
	text_report_skips(&parser.skips, sink);
	tree_path_deinit(&parser.path);
	sink_deinit(&parser.process_name);
	return good;
}

/* The first pass. */
struct sample_scan {
	const struct event_sink *sink;
	bool is_in_graph;
};

static void scan_lines(void *context, struct text_window *window)
{
	static const struct {
		const char *heading;
		enum fact fact;
	} rows[] = {
		{ "OS Version:", FACT_OS_RELEASE },
		{ "Code Type:", FACT_ARCH },
		{ "Path:", FACT_COMMAND_LINE },
	};
	struct sample_scan *scan = context;
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line)) {
		if (text_has_prefix(line, GRAPH_HEADING))
			scan->is_in_graph = true;
		if (text_has_prefix(line, GRAPH_END))
			scan->is_in_graph = false;
		for (size_t i = 0; !scan->is_in_graph && i < ARRAY_SIZE(rows); i++) {
			struct text rest = line;

			if (scan_prefix(&rest, rows[i].heading))
				text_report_fact(scan->sink, rows[i].fact, text_trim(rest));
		}
	}
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct sample_scan scan = { .sink = sink };
	struct text_skips ignored = { 0 };

	if (!text_read(capture, capture->slices.at[0], scan_lines, &scan, &ignored, err))
		return false;
	if (!scan.is_in_graph || capture->is_partial)
		return true;
	capture->is_partial = true;
	error_set(&capture->damage, ERROR_CORRUPT,
		  "the call graph does not end in \"" GRAPH_END "\", so stacks may be missing");
	return true;
}

static bool macos_sample_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, NULL, err);
}

/* Removes the suffix of a part of a function, which is not an argument list: "work (.cold.1)". */
static struct text drop_part(struct text name)
{
	const char *part =
		text_has_suffix(name, ")") ? memmem(name.at, name.length, " (.", 3) : NULL;

	return part ? text_between(name.at, part) : name;
}

/* "work(int)  (in app) + 24  [0x103747c3a]  work.c:7"; the offset and the address are the first ones. */
static struct event_frame parse_frame(struct text text)
{
	struct event_frame frame = { .name = text, .module = { "", 0 } };
	const char *bracket = memmem(text.at, text.length, "  [0x", 5);
	const char *in = NULL, *close;
	struct text rest;

	if (bracket) {
		rest = text_from(text, (size_t)(bracket - text.at) + 3);
		(void)scan_hex(&rest, &frame.address);
		text = text_between(text.at, bracket);
	}
	for (uint32_t i = 0; i + 5 <= text.length; i++)
		if (memcmp(text.at + i, " (in ", 5) == 0)
			in = text.at + i;
	frame.name = drop_part(text_trim(in ? text_between(text.at, in) : text));
	close = in ? memrchr(in, ')', (size_t)(text.at + text.length - in)) : NULL;
	if (close) {
		frame.module = text_between(in + 5, close);
		rest = text_from(text, (size_t)(close + 1 - text.at));
		if (scan_prefix(&rest, " + "))
			(void)scan_u64(&rest, &frame.offset);
	}
	if (text_is(frame.module, "<unknown binary>"))
		frame.module = text_of("");
	if (text_is(frame.name, "???"))
		frame.name = text_of("");
	/*
	 * Brackets in the names of Objective-C methods are not arguments: "-[View(Category)
	 * draw:]".
	 */
	frame.is_exact = text_has_prefix(frame.name, "-[") || text_has_prefix(frame.name, "+[");
	return frame;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = parse_frame(raw);

	(void)reader;
	callback(context, &frame);
}

static bool is_own(struct text line)
{
	struct sample_process ignored;
	struct text text;
	uint64_t count;
	size_t depth;

	if (parse_process(line, &ignored))
		return true;
	return parse_node(line, &depth, &count, &text) &&
	       (depth ? text_contains(text, " (in ") && text_contains(text, "  [0x")
		      : text_has_prefix(text, "Thread_"));
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_own, "part of a report of sample");
}

const struct input_format macos_sample_format = {
	.name = "macos-sample",
	.summary = "reports of sample on macOS, also from Activity Monitor",
	.title = "report of sample",
	.probe = probe,
	.ends_in = "\n",
	.open = macos_sample_open,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
