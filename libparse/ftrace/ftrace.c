/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/ftrace.h"

#include <ctype.h>

#include "libparse/ftrace/ftrace_line.h"
#include "libparse/script/switch_text.h"
#include "libparse/text.h"

/*
 * The number of events that are searched for the stack of an event, and the number of lines of any
 * kind. Events of other CPUs also have stacks, so many lines can come before the stack of an event.
 * The number of events bounds the time: each line is searched for at most so many events.
 */
#define EVENTS_BETWEEN 32u
#define LINES_BETWEEN  1024u

static bool is_stack(const struct ftrace_line *line)
{
	return text_has_prefix(line->rest, "<stack trace") ||
	       (text_has_prefix(line->rest, "kernel_stack:") &&
		memmem(line->rest.at, line->rest.length, "<stack trace", 12));
}

/* User stacks contain only addresses. */
static bool is_user_stack(const struct ftrace_line *line)
{
	return text_has_prefix(line->rest, "<user stack trace");
}

static bool is_frame(struct text line, struct text *frame_ret)
{
	struct text text = text_trim(line);

	if (!text_has_prefix(text, "=>"))
		return false;
	*frame_ret = text_trim((struct text){ text.at + 2, text.length - 2 });
	return frame_ret->length > 0;
}

static bool is_decoration(struct text line)
{
	struct text text = text_trim(line);

	return !text.length || text.at[0] == '#' || text_has_prefix(text, "cpus=") ||
	       text_has_prefix(text, "CPU ");
}

/* Whether a frame is a function of the tracer itself. */
static bool is_of_tracer(struct text frame)
{
	return text_has_prefix(frame, "trace_event_raw_event_") ||
	       text_has_prefix(frame, "__traceiter_") ||
	       text_has_prefix(frame, "trace_event_buffer_") || text_has_prefix(frame, "ftrace_") ||
	       text_has_prefix(frame, "0x");
}

/* Parses "vfs_read <-ksys_read" or, as trace-cmd prints it, "function: vfs_read <-- ksys_read". */
static bool parse_function(struct text rest, struct text *name_ret, struct text *caller_ret)
{
	const char *arrow;

	if (text_has_prefix(rest, "function:"))
		rest = text_trim((struct text){ rest.at + 9, rest.length - 9 });
	arrow = rest.length ? memmem(rest.at, rest.length, " <-", 3) : NULL;
	if (!arrow)
		return false;
	*name_ret = (struct text){ rest.at, (uint32_t)(arrow - rest.at) };
	arrow += 3;
	arrow += arrow < rest.at + rest.length && *arrow == '-';
	*caller_ret = text_trim((struct text){ arrow, (uint32_t)(rest.at + rest.length - arrow) });
	return name_ret->length && caller_ret->length;
}

/* Parses "sched_switch: prev_comm=..." or "sys_write(fd: 1, ...". */
static bool parse_event(struct text rest, struct text *name_ret)
{
	uint32_t length = 0;

	while (length < rest.length &&
	       (isalnum((unsigned char)rest.at[length]) || rest.at[length] == '_'))
		length++;
	*name_ret = (struct text){ rest.at, length };
	return length && length < rest.length && (rest.at[length] == ':' || rest.at[length] == '(');
}

enum search {
	SEARCH_DONE,
	SEARCH_CUT, /* the window ends before the search is complete */
};

static enum search read_frames(struct text_parser *parser, const struct text_window *window,
			       const char *next)
{
	struct text line;
	struct text frame;

	while (text_next_line(&next, window->end, window->is_last, &line)) {
		if (!is_frame(line, &frame))
			return SEARCH_DONE;
		if (parser->frames.count || !is_of_tracer(frame))
			vec_push(&parser->frames, frame);
	}
	return window->is_last ? SEARCH_DONE : SEARCH_CUT;
}

/* Searches for the stack of an event, which is in the next line of the same CPU. */
static enum search find_stack(struct text_parser *parser, const struct text_window *window,
			      const char *next, const struct ftrace_line *event)
{
	unsigned event_count = 0;
	struct ftrace_line parsed;
	struct text frame;
	struct text line;

	for (unsigned i = 0; i < LINES_BETWEEN && event_count < EVENTS_BETWEEN; i++) {
		if (!text_next_line(&next, window->end, window->is_last, &line))
			return window->is_last ? SEARCH_DONE : SEARCH_CUT;
		if (is_frame(line, &frame) || !ftrace_line_parse(line, &parsed))
			continue;
		if (parsed.cpu != event->cpu) {
			event_count++;
			continue;
		}
		if (!is_stack(&parsed) || parsed.tid != event->tid)
			return SEARCH_DONE;
		return read_frames(parser, window, next);
	}
	return SEARCH_DONE;
}

/* The text after "sched_switch:". */
static struct text fields_of(const struct ftrace_line *line, struct text name)
{
	return text_trim(text_from(line->rest, name.length + 1));
}

static void send(struct text_parser *parser, const struct ftrace_line *line, struct text name,
		 uint64_t offset)
{
	struct event_text_sample text = {
		.comm = line->comm,
		.event = name,
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.frames = parser->frames.at,
		.frame_count = (uint32_t)parser->frames.count,
	};
	struct event_sched_switch sched_switch;
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = line->has_time,
		.time_ns = line->time_ns,
		.offset = offset,
	};

	if (switch_text_is_event(name) && switch_text_parse(fields_of(line, name), &sched_switch))
		text.sched_switch = &sched_switch;
	text.is_wakeup = switch_text_is_wakeup(name) &&
			 switch_text_parse_wakeup(fields_of(line, name), &text.woken_tid);
	event.sample = (struct event_sample){
		.pid = line->pid,
		.tid = line->tid,
		.cpu = line->cpu,
		.present = SAMPLE_HAS_TID | SAMPLE_HAS_CPU | SAMPLE_HAS_CALLCHAIN |
			   (line->has_time ? SAMPLE_HAS_TIME : 0),
		.period = 1,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

/* Reads an event and its stack. Returns false if the stack does not end in the window. */
static bool read_event(struct text_parser *parser, const struct text_window *window,
		       const char *next, const struct ftrace_line *line)
{
	uint64_t offset = text_offset(window, window->at);
	struct text name = { "", 0 };
	struct text caller = { "", 0 };
	bool is_function = parse_function(line->rest, &name, &caller);

	parser->frames.count = 0;
	if (find_stack(parser, window, next, line) == SEARCH_CUT)
		return false;
	if (is_function) {
		if (!parser->frames.count) {
			vec_push(&parser->frames, name);
			vec_push(&parser->frames, caller);
		}
		send(parser, line, text_of("function"), offset);
	} else if (parse_event(line->rest, &name)) {
		send(parser, line, name, offset);
	} else {
		text_skip(&parser->skips, offset);
	}
	return true;
}

static void read_records(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	const char *next = window->at;
	struct ftrace_line parsed;
	uint64_t lost_count;
	struct text frame;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (ftrace_line_parse(line, &parsed)) {
			if (!is_stack(&parsed) && !is_user_stack(&parsed) &&
			    !read_event(parser, window, next, &parsed))
				return;
		} else if (ftrace_line_is_lost(line, &lost_count)) {
			text_report_loss(parser->sink, LOSS_RECORDS, lost_count,
					 text_offset(window, line.at));
		} else if (!is_frame(line, &frame) && !is_decoration(line)) {
			text_skip(&parser->skips, text_offset(window, line.at));
		}
		window->at = next;
	}
}

static bool open_ftrace(struct capture *capture, struct error *err)
{
	/*
	 * Lines of other CPUs may separate an event from its stack, so a slice could end between
	 * the two.
	 */
	return text_cut(capture, NULL, err);
}

bool ftrace_read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_records, sink, err);
}

/* Parses "ext4_sync_file+0x1d/0x40 [ext4]" or "vfs_read (ffffffff8113e2a0)". */
void ftrace_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = { .name = raw, .module = { "", 0 }, .is_kernel = true };
	struct text rest = raw;
	const char *plus;

	(void)reader;
	if (text_next_word(&rest, &frame.name)) {
		rest = text_trim(rest);
		if (rest.length > 2 && rest.at[0] == '[' && rest.at[rest.length - 1] == ']')
			frame.module = rest;
	}
	plus = frame.name.length ? memmem(frame.name.at, frame.name.length, "+0x", 3) : NULL;
	if (plus && plus > frame.name.at)
		frame.name.length = (uint32_t)(plus - frame.name.at);
	if (!frame.name.length)
		frame.name = text_of("");
	callback(context, &frame);
}

/* Traces in the latency format have the same heading, but different lines. */
static bool is_latency_trace(struct span head)
{
	static const char heading[] = " latency trace v";

	return memmem(head.begin, (size_t)(head.end - head.begin), heading, strlen(heading));
}

static struct evidence probe(struct span head)
{
	const char *line;

	if (ftrace_kind_of(head, &line) != FTRACE_EVENTS || is_latency_trace(head))
		return evidence_none();
	return evidence_at(CONFIDENCE_LIKELY, head, line, "an ftrace event");
}

const struct input_format ftrace_format = {
	.name = "ftrace",
	.summary = "events and functions traced by ftrace or trace-cmd",
	.title = "ftrace text",
	.probe = probe,
	.ends_in = "\n",
	.open = open_ftrace,
	.read_samples = ftrace_read_samples,
	.read_frame = ftrace_read_frame,
};
