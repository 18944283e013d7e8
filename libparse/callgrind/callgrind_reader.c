/* SPDX-License-Identifier: MIT */
/* The input format: self costs of functions with their callers. */
#include "libparse/callgrind/callgrind_file.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "libparse/callgrind/callgrind_stacks.h"

/*
 * Maximum number of frames in which stacks differ from the preceding stack, for each byte of a
 * callgrind file. The stack of 50 functions takes 20 bytes if an earlier part of the file defines
 * the name.
 */
#define LIMIT_CALLGRIND_FRAMES_PER_BYTE 64u
/* Frames that are allowed in any callgrind file, beyond those allowed for its size. */
#define LIMIT_CALLGRIND_FREE_FRAMES (1u << 16)

/* The longest name of a DSO in brackets, and a NUL. */
#define NAME_BYTES 1024
/* The digits of the number of a frame, and a NUL. */
#define NUMBER_BYTES 11
/* The frame at the root of a stack that lacks its outermost callers. */
#define CUT_FRAME CALLGRIND_NONE
#define CUT_TEXT  "-"

struct step {
	uint32_t node, frame;
};

struct callgrind_scan {
	const struct callgrind_file *file;
	const struct event_sink *sink;
	struct text comm;
	char (*numbers)[NUMBER_BYTES]; /* texts of frames */
	VEC(struct step) path;         /* steps of the stack, the outermost first */
	VEC(struct text) frames;       /* of path */
	uint32_t shared_count;         /* frames shared with the previous stack */
	uint64_t frames_left;
};

static bool callgrind_open(struct capture *capture, struct error *err)
{
	struct callgrind_file *file = memory_zalloc(1, sizeof(*file));

	capture->reader = file;
	capture->lacks_sample_counts = true;
	callgrind_file_init(file);
	if (!callgrind_file_read(file, capture, err))
		return false;
	vec_push(&capture->slices, (struct slice){ .end = capture->input.size_bytes });
	return true;
}

static void callgrind_close(struct capture *capture)
{
	callgrind_file_deinit(capture->reader);
	memory_free(capture->reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct callgrind_file *file = capture->reader;
	const struct strings *strings = &file->stacks.strings;

	(void)err;
	if (file->command_line.i)
		text_report_fact(sink, FACT_COMMAND_LINE, strings_get(strings, file->command_line));
	text_report_skips(&file->skips, sink);
	text_report_loss(sink, LOSS_CALLERS, file->cut_count, 0);
	return true;
}

/*
 * Lists the frames of a stack. Visits only the frames in which the stack differs from the previous
 * stack. Returns false if there are too many frames.
 */
static bool list_frames(struct callgrind_scan *scan, const struct callgrind_cost *cost)
{
	const struct callgrind_stacks *stacks = &scan->file->stacks;
	const struct callgrind_node *nodes = stacks->nodes.at;
	struct step step = { cost->stack, cost->frame };
	uint32_t known = (uint32_t)scan->path.count;
	uint32_t depth = nodes[step.node].depth + callgrind_stacks_is_cut(stacks, step.node);

	while (scan->path.count < depth) {
		vec_push(&scan->path, (struct step){ CALLGRIND_NONE, CALLGRIND_NONE });
		vec_push(&scan->frames, (struct text){ NULL, 0 });
	}
	scan->path.count = scan->frames.count = depth;
	for (; depth; depth--) {
		const struct step *old = &scan->path.at[depth - 1];

		if (depth <= known && old->node == step.node && old->frame == step.frame)
			break;
		if (!scan->frames_left)
			return false;
		scan->frames_left--;
		scan->path.at[depth - 1] = step;
		scan->frames.at[depth - 1] =
			text_of(step.frame == CUT_FRAME ? CUT_TEXT : scan->numbers[step.frame]);
		step.node = step.node == CALLGRIND_NONE ? CALLGRIND_NONE : nodes[step.node].parent;
		step.frame = step.node == CALLGRIND_NONE ? CUT_FRAME : nodes[step.node].frame;
	}
	scan->shared_count = depth;
	return true;
}

static void send(struct callgrind_scan *scan, const struct callgrind_cost *cost)
{
	const struct callgrind_event *row = &scan->file->events.at[cost->event];
	struct event_text_sample text = {
		.comm = scan->comm,
		.event = strings_get(&scan->file->stacks.strings, row->name),
		.unit = row->unit,
		.sample_count = 1,
		.frames = scan->frames.at,
		.frame_count = (uint32_t)scan->frames.count,
		.is_outermost_first = true,
		.shared_count = scan->shared_count,
	};
	struct event event = { .kind = EVENT_SAMPLE };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = saturate_multiply(cost->value, row->factor),
		.text = &text,
	};
	if (scan->file->pid) {
		event.sample.present |= SAMPLE_HAS_TID;
		event.sample.pid = scan->file->pid;
		event.sample.tid = cost->thread ? cost->thread : scan->file->pid;
	}
	event_send(scan->sink, &event);
}

/* Returns the name of the program: the file name of the command. */
static struct text comm_of(const struct callgrind_file *file)
{
	struct text rest = strings_get(&file->stacks.strings, file->command_line);
	struct text program;

	if (!text_next_word(&rest, &program) || !text_basename(program).length)
		return text_of("[program]");
	return text_basename(program);
}

static void begin_scan(struct callgrind_scan *scan, const struct capture *capture)
{
	size_t count = scan->file->stacks.frames.count;

	scan->comm = comm_of(scan->file);
	scan->frames_left = LIMIT_CALLGRIND_FREE_FRAMES +
			    LIMIT_CALLGRIND_FRAMES_PER_BYTE * capture->input.size_bytes;
	scan->numbers = memory_alloc(count, sizeof(*scan->numbers));
	for (size_t i = 0; i < count; i++)
		snprintf(scan->numbers[i], NUMBER_BYTES, "%u", (uint32_t)i);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct callgrind_scan scan = { .file = capture->reader, .sink = sink };
	bool good = true;

	(void)slice;
	begin_scan(&scan, capture);
	for (size_t i = 0; good && i < scan.file->costs.rows.count; i++) {
		good = list_frames(&scan, &scan.file->costs.rows.at[i]) ||
		       error_set(err, ERROR_LIMIT,
				 "its stacks have more frames than the limit for a file of this "
				 "size");
		if (good)
			send(&scan, &scan.file->costs.rows.at[i]);
	}
	memory_free(scan.numbers);
	vec_free(&scan.path);
	vec_free(&scan.frames);
	return good;
}

/*
 * The outermost function usually belongs to the dynamic linker, and has no symbol. No symbol is
 * missing here, so the frame gets the name of its DSO.
 */
static struct text name_of_outermost(struct text module, char buffer[static NAME_BYTES])
{
	struct text name = text_basename(module);
	int length = snprintf(buffer, NAME_BYTES, "[%.*s]", (int)name.length, name.at);

	return (struct text){ buffer, (uint32_t)length };
}

static struct event_frame frame_of(const struct callgrind_file *file, uint64_t index,
				   char buffer[static NAME_BYTES])
{
	const struct callgrind_frame *row = &file->stacks.frames.at[index];
	struct event_frame frame = {
		.name = strings_get(&file->stacks.strings, row->name),
		.module = strings_get(&file->stacks.strings, row->module),
	};
	bool is_in_no_file = text_is(frame.module, CALLGRIND_NO_FILE);
	uint64_t address;
	bool is_address = callgrind_stacks_is_address(frame.name, &address);

	if (is_in_no_file)
		frame.module = text_of(is_address ? "[anonymous code]" : "");
	if (row->is_outermost && text_basename(frame.module).length < NAME_BYTES - 2)
		frame.name = name_of_outermost(frame.module, buffer);
	else if (is_address)
		frame.name = text_of("");
	if (is_address)
		frame.address = address;
	frame.is_exact = frame.name.length > 0;
	return frame;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	const struct callgrind_file *file = reader;
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	char buffer[NAME_BYTES];
	uint64_t index;

	if (text_to_u64(raw, &index) && index < file->stacks.frames.count) {
		frame = frame_of(file, index, buffer);
	} else {
		frame.name = text_of("[truncated]");
		frame.is_mark = true;
	}
	callback(context, &frame);
}

/* Whether the line comes before the costs, such as "# callgrind format" or "version: 1". */
static bool is_header(struct text line)
{
	uint32_t length = 0;

	line = text_trim(line);
	while (length < line.length && is_lower(line.at[length]))
		length++;
	return !line.length || *line.at == '#' ||
	       (length && text_has_prefix(text_from(line, length), ":"));
}

static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	struct text line;

	while (text_next_line(&next, (const char *)head.end, true, &line) && is_header(line))
		if (text_has_prefix(line, "creator: callgrind-"))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the creator line of callgrind");
	return evidence_none();
}

const struct input_format callgrind_format = {
	.name = "callgrind",
	.summary = "callgrind.out of Valgrind with --separate-callers",
	.title = "callgrind.out of Valgrind",
	.probe = probe,
	.ends_in = "\n",
	.open = callgrind_open,
	.close = callgrind_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
