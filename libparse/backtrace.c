/* SPDX-License-Identifier: MIT */
/*
 * Stacks of all threads of a process, as gdb and eu-stack print them; several dumps may be
 * concatenated. Each thread is a sample.
 *
 *     Thread 2 (Thread 0x7f58e2a0d6c0 (LWP 25417) "worker 1"):      gdb: thread apply all bt
 *     #0  0x00007f58e2ae4d8a in sleep (seconds=5) at sleep.c:55
 *     #1  wait_here (s=5) at w.c:4                                  no address: inlined
 *
 *     TID 25417:                                                    eu-stack -p, -m, -s, -v
 *     #0  0x00007f58e2ae4d8a - 1 sleep - /usr/lib/libc.so.6
 */
#include "libparse/text.h"

#include "base/scan.h"
#include "libparse/text.h"

struct stack_thread {
	struct text comm; /* .at NULL: unknown, shown as [threads] */
	uint32_t tid;
	bool has_tid;
};

/* The number that follows a word in the text. */
static bool find_number(struct text text, const char *word, uint32_t *ret)
{
	const char *at = memmem(text.at, text.length, word, strlen(word));
	struct text rest;

	if (!at)
		return false;
	rest = text_from(text, (size_t)(at - text.at) + strlen(word));
	return scan_u32(&rest, ret);
}

/* The line that begins a thread. */
static bool parse_thread(struct text line, struct stack_thread *ret)
{
	uint32_t number_length;
	const char *quote;
	const char *last;

	*ret = (struct stack_thread){ .has_tid = false };
	if (text_has_prefix(line, "TID ") && line.at[line.length - 1] == ':') {
		ret->has_tid = find_number(line, "TID ", &ret->tid);
		return ret->has_tid;
	}
	if (!text_has_prefix(line, "Thread "))
		return false;
	number_length = scan_digits_length(text_from(line, 7));
	if (!number_length || line.at[line.length - 1] != ':' ||
	    !text_has_prefix(text_from(line, 7 + number_length), " ("))
		return false;
	ret->has_tid =
		find_number(line, "LWP ", &ret->tid) || find_number(line, "process ", &ret->tid);
	quote = memchr(line.at, '"', line.length);
	last = memrchr(line.at, '"', line.length);
	if (quote && last > quote)
		ret->comm = (struct text){ quote + 1, (uint32_t)(last - quote - 1) };
	return true;
}

/* "#12  ..." */
static bool parse_frame_number(struct text line, struct text *rest_ret, bool *is_first_ret)
{
	struct text number;

	if (!text_has_prefix(line, "#"))
		return false;
	number = (struct text){ line.at + 1, scan_digits_length(text_from(line, 1)) };
	if (!number.length || !text_has_prefix(text_from(line, 1 + number.length), " "))
		return false;
	*is_first_ret = text_is(number, "0");
	*rest_ret = text_trim(text_from(line, 1 + number.length));
	return rest_ret->length > 0;
}

/*
 * Lines between stacks that contain nothing of interest and are skipped: where a thread stopped,
 * source lines, and the wrapped ends of frames.
 */
static bool is_decoration(struct text line)
{
	static const char *const prefixes[] = {
		" ",
		"0x",
		"[New ",
		"[Thread ",
		"[Inferior ",
		"[Switching ",
		"Using host lib",
		"Backtrace stopped",
		"(More stack frames",
		"Detaching from ",
		"PID ",
		"warning: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(line, prefixes[i]))
			return true;
	return line.length == 0;
}

static void send(struct text_parser *parser, const struct stack_thread *thread, uint64_t offset)
{
	struct event_text_sample text = {
		.comm = thread->comm,
		.event = text_of("stacks"),
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.frames = parser->frames.at,
		.frame_count = (uint32_t)parser->frames.count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.pid = thread->tid,
		.tid = thread->tid,
		.present = SAMPLE_HAS_CALLCHAIN | (thread->has_tid ? SAMPLE_HAS_TID : 0),
		.period = 1,
		.text = &text,
	};
	if (!thread->comm.at)
		text.comm = text_of("[threads]");
	event_send(parser->sink, &event);
}

/* Reads the frames from *at up to the next thread. False: they continue beyond the window. */
static bool read_frames(struct text_parser *parser, const struct text_window *window,
			const char **at)
{
	const char *next = *at;
	struct stack_thread ignored;
	struct text line;
	struct text rest;
	bool is_first;

	while (text_next_line(&next, window->end, window->is_last, &line)) {
		if (parse_frame_number(line, &rest, &is_first)) {
			if (is_first && parser->frames.count)
				return true;
			vec_push(&parser->frames, line);
		} else if (parse_thread(line, &ignored) || text_has_prefix(line, "PID ")) {
			return true;
		} else if (line.length == 0 && parser->frames.count) {
			*at = next;
			return true;
		} else if (!is_decoration(line)) {
			text_skip(&parser->skips, text_offset(window, line.at));
		}
		*at = next;
	}
	return window->is_last;
}

/* Reads the stack at window->at. False: it continues beyond the window. */
static bool read_stack(struct text_parser *parser, struct text_window *window, const char *next,
		       const struct stack_thread *thread)
{
	struct text_skips skips = parser->skips;
	const char *begin = window->at;

	if (!read_frames(parser, window, &next)) {
		parser->skips = skips;
		return false;
	}
	if (parser->frames.count)
		send(parser, thread, text_offset(window, begin));
	window->at = next;
	return true;
}

static void read_records(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	const char *next = window->at;
	struct stack_thread thread;
	struct text line;
	struct text rest;
	bool is_first;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		bool is_frame = parse_frame_number(line, &rest, &is_first);
		bool is_thread = parse_thread(line, &thread);

		parser->frames.count = 0;
		parser->drops_record &= !is_thread && line.length && (!is_frame || !is_first);
		if (parser->drops_record) {
			window->at = next;
			continue;
		}
		if (is_frame)
			vec_push(&parser->frames, line);
		if (is_thread || is_frame) {
			if (!read_stack(parser, window, next, &thread)) {
				parser->drops_record = text_give_up(window, &parser->skips);
				return;
			}
			next = window->at;
			continue;
		}
		if (!is_decoration(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static const char *find_record(const char *from, const char *end)
{
	const char *at = from;
	const char *next = from;
	struct stack_thread ignored;
	struct text line;

	while (text_next_line(&next, end, false, &line)) {
		if (parse_thread(line, &ignored))
			return at;
		at = next;
	}
	return NULL;
}

/* The start of the arguments: the first " (" outside template brackets, or the end of the name. */
static uint32_t find_arguments(struct text name)
{
	uint32_t fallback = name.length;
	uint32_t depth = 0;

	for (uint32_t i = 0; i + 1 < name.length; i++) {
		if (name.at[i] == '<' && i && name.at[i - 1] != ' ')
			depth++;
		else if (name.at[i] == '>' && depth)
			depth--;
		if (name.at[i] != ' ' || name.at[i + 1] != '(')
			continue;
		if (fallback == name.length)
			fallback = i;
		if (!depth)
			return i;
	}
	return fallback;
}

/* "0x7f58 in sleep (seconds=5) from /lib/libc.so.6", also without the address. */
static void read_gdb(struct text rest, struct event_frame *frame)
{
	static const char from[] = " from ";
	uint32_t arguments;
	struct text behind_name;
	const char *module;

	if (text_has_prefix(rest, "<")) {
		frame->name = rest;
		frame->is_exact = true;
		return;
	}
	arguments = find_arguments(rest);
	behind_name = text_from(rest, arguments);
	frame->name = (struct text){ rest.at, arguments };
	module = memmem(behind_name.at, behind_name.length, from, sizeof(from) - 1);
	if (module)
		frame->module = text_trim(text_from(behind_name, (size_t)(module - behind_name.at) +
									 sizeof(from) - 1));
	if (text_is(frame->name, "??"))
		frame->name = text_of("");
}

/* "0x7f58 - 1 sleep@GLIBC_2.2.5 - /usr/lib/libc.so.6": the part after the address. */
static void read_eu_stack(struct text rest, struct event_frame *frame)
{
	static const char dash[] = " - ";
	const char *module;
	const char *version;

	if (text_has_prefix(rest, "- 1"))
		rest = text_trim(text_from(rest, 3));
	if (text_has_prefix(rest, "- ")) {
		frame->module = text_trim(text_from(rest, 2));
		return;
	}
	module = memmem(rest.at, rest.length, dash, sizeof(dash) - 1);
	frame->name = rest;
	if (module) {
		frame->name.length = (uint32_t)(module - rest.at);
		frame->module = text_trim(text_from(rest, frame->name.length + sizeof(dash) - 1));
	}
	version = frame->name.length ? memchr(frame->name.at, '@', frame->name.length) : NULL;
	if (version && version > frame->name.at)
		frame->name.length = (uint32_t)(version - frame->name.at);
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	struct text rest = raw;
	bool is_first = true;

	(void)reader;
	parse_frame_number(raw, &rest, &is_first);
	if (!text_has_prefix(rest, "0x")) {
		frame.is_inlined = !is_first && !text_has_prefix(rest, "<");
		read_gdb(rest, &frame);
	} else if (scan_hex(&rest, &frame.address)) {
		rest = text_trim(rest);
		if (text_has_prefix(rest, "in "))
			read_gdb(text_trim(text_from(rest, 3)), &frame);
		else
			read_eu_stack(rest, &frame);
	}
	callback(context, &frame);
}

static bool open_capture(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_record, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_records, sink, err);
}

/* A frame with an address or arguments, before any line of another format. */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct stack_thread ignored;
	struct text line;
	struct text rest;
	bool is_first;

	while (text_next_line(&next, end, true, &line)) {
		if (parse_thread(line, &ignored))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the heading of a thread");
		if (!parse_frame_number(line, &rest, &is_first) ||
		    (!text_has_prefix(rest, "0x") && !memmem(rest.at, rest.length, " (", 2)))
			continue;
		/* The first frames may be missing. */
		return evidence_at(is_first ? CONFIDENCE_LIKELY : CONFIDENCE_PERHAPS, head, line.at,
				   "a frame printed by gdb or eu-stack");
	}
	return evidence_none();
}

const struct input_format backtrace_format = {
	.name = "backtrace",
	.summary = "stacks of all threads, printed by gdb or eu-stack",
	.title = "stacks of gdb or eu-stack",
	.probe = probe,
	.ends_in = "\n",
	.open = open_capture,
	.read_samples = read_samples,
	.read_frame = read_frame,
};
