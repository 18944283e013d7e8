/* SPDX-License-Identifier: MIT */
/*
 * Reads the stacks of all threads of a process, as printed by gdb and eu-stack; several dumps may
 * be concatenated. Each thread with a stack is a sample.
 *
 *     Thread 2 (Thread 0x7f58e2a0d6c0 (LWP 25417) "worker 1"):      gdb: thread apply all bt
 *     #0  0x00007f58e2ae4d8a in sleep (seconds=5) at sleep.c:55
 *     #1  wait_here (s=5) at w.c:4                                  no address: inlined
 *
 *     TID 25417:                                                    eu-stack -p, -m, -s, -v
 *     #0  0x00007f58e2ae4d8a - 1 sleep - /usr/lib/libc.so.6
 */
#include "libparse/dump/dumps.h"

#include "base/scan.h"
#include "libparse/dump/thread_dump.h"

/* The length of an address of a 32-bit and of a 64-bit process, with the "0x". */
#define ADDRESS_LENGTH_32 10
#define ADDRESS_LENGTH_64 18

/* Finds the number that follows a word in the text. */
static bool find_number(struct text text, const char *word, uint32_t *ret)
{
	const char *at = memmem(text.at, text.length, word, strlen(word));
	struct text rest;

	if (!at)
		return false;
	rest = text_from(text, (size_t)(at - text.at) + strlen(word));
	return scan_u32(&rest, ret);
}

/*
 * Reads the line that begins a thread. For any other line, returns false and leaves *ret unchanged.
 */
static bool parse_thread(struct text line, struct dumped_thread *ret)
{
	struct dumped_thread thread = { .has_tid = false };
	uint32_t number_length;
	const char *quote;
	const char *last;

	if (text_has_prefix(line, "TID ") && line.at[line.length - 1] == ':') {
		thread.has_tid = find_number(line, "TID ", &thread.tid);
		if (thread.has_tid)
			*ret = thread;
		return thread.has_tid;
	}
	if (!text_has_prefix(line, "Thread "))
		return false;
	number_length = scan_digits_length(text_from(line, 7));
	if (!number_length || line.at[line.length - 1] != ':' ||
	    !text_has_prefix(text_from(line, 7 + number_length), " ("))
		return false;
	thread.has_tid = find_number(line, "LWP ", &thread.tid) ||
			 find_number(line, "process ", &thread.tid);
	quote = memchr(line.at, '"', line.length);
	last = memrchr(line.at, '"', line.length);
	if (quote && last > quote)
		thread.comm = text_between(quote + 1, last);
	*ret = thread;
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
 * Whether a line between stacks can be skipped: where a thread stopped, a source line, or the
 * wrapped end of a frame.
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
		"warning: ",
		"No locals.",
		"No symbol table info available.",
	};
	uint32_t digits = scan_digits_length(line);

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(line, prefixes[i]))
			return true;
	return digits && digits < line.length && line.at[digits] == '\t';
}

static enum dump_line read_line(struct text line, struct dumped_thread *thread)
{
	struct text rest;
	bool is_first;

	if (!line.length || text_has_prefix(line, "PID "))
		return DUMP_END;
	if (parse_frame_number(line, &rest, &is_first))
		return is_first ? DUMP_FIRST_FRAME : DUMP_FRAME;
	if (parse_thread(line, thread))
		return DUMP_THREAD;
	return is_decoration(line) ? DUMP_NOTE : DUMP_UNKNOWN;
}

static const struct dump_syntax syntax = {
	.read_line = read_line,
	.comm = { "[threads]", sizeof("[threads]") - 1 },
	.has_bare_stacks = true,
};

/*
 * Finds the start of the arguments: the first " (" outside template brackets, or the end of the
 * name.
 */
static uint32_t find_arguments(struct text name)
{
	uint32_t fallback = name.length;
	uint32_t depth = 0;

	for (uint32_t i = 0; i + 1 < name.length; i++) {
		if (name.at[i] == '<' && (!i || name.at[i - 1] != ' '))
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

/* "<signal handler called>". Names such as "<A as B>::f" are followed by arguments. */
static bool is_note(struct text rest)
{
	return text_has_prefix(rest, "<") && text_has_suffix(text_trim(rest), ">");
}

/* "0x7f58 in sleep (seconds=5) from /lib/libc.so.6", also without the address. */
static void read_gdb(struct text rest, struct event_frame *frame)
{
	static const char from[] = " from ";
	uint32_t arguments;
	struct text behind_name;
	const char *module;

	if (is_note(rest)) {
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
		frame.is_inlined = !is_first && !is_note(rest);
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

static const char *find_thread(const char *from, const char *end)
{
	return dump_find_thread(&syntax, from, end);
}

static bool open_capture(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_thread, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return dump_read_samples(capture, slice, &syntax, sink, err);
}

/*
 * Whether a text in front of " (" can be the name of a function. Names contain blanks only between
 * brackets, as in "C<int, long>::f", in front of them, as in "void f<int>", and after "operator".
 * Titles of lists also have brackets behind them, but they are not followed by a place.
 */
static bool is_name(struct text text)
{
	uint32_t depth = 0;
	bool has_brackets = memchr(text.at, '<', text.length) || memchr(text.at, '(', text.length);

	for (uint32_t i = 0; i < text.length; i++) {
		depth += text.at[i] == '<' || text.at[i] == '(';
		depth -= depth && (text.at[i] == '>' || text.at[i] == ')');
		if (text.at[i] == ' ' && !depth && !has_brackets &&
		    !memmem(text.at, i, "operator", 8))
			return false;
	}
	return text.length > 0;
}

/*
 * Whether gdb prints this text behind the name of a function: its arguments, and where it is.
 * Arguments consist of names and values, and long lines are wrapped.
 */
static bool is_behind_name(struct text text)
{
	struct text arguments = text_trim(text);
	const char *end = memrchr(arguments.at, ')', arguments.length);
	const char *after = end ? end + 1 : arguments.at + arguments.length;
	struct text place = text_trim(text_between(after, arguments.at + arguments.length));

	if (text_has_prefix(place, "at ") || text_has_prefix(place, "from "))
		return true;
	return text_has_prefix(arguments, "()") || memchr(arguments.at, '=', arguments.length);
}

/*
 * Whether a text begins with an address as gdb or eu-stack prints it: followed by "in" or "-", or
 * as wide as all addresses of the process. Colours also begin with "0x".
 */
static bool is_address(struct text text)
{
	struct text rest = text;
	uint64_t ignored;
	uint32_t length;

	if (!scan_hex(&rest, &ignored) || (rest.length && !is_blank(rest.at[0])))
		return false;
	length = text.length - rest.length;
	rest = text_trim(rest);
	return text_has_prefix(rest, "in ") || text_has_prefix(rest, "- ") ||
	       length == ADDRESS_LENGTH_32 || length == ADDRESS_LENGTH_64;
}

/* Whether gdb or eu-stack prints this text behind the number of a frame. */
static bool is_frame(struct text rest)
{
	uint32_t arguments;

	if (text_has_prefix(rest, "0x"))
		return is_address(rest);
	arguments = find_arguments(rest);
	return arguments < rest.length && is_name((struct text){ rest.at, arguments }) &&
	       is_behind_name(text_from(rest, arguments));
}

/* A frame with an address or arguments must come before any line of a different format. */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct dumped_thread ignored;
	struct text line;
	struct text rest;
	bool is_first;

	while (text_next_line(&next, end, true, &line)) {
		if (parse_thread(line, &ignored))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the heading of a thread");
		if (!parse_frame_number(line, &rest, &is_first) || !is_frame(rest))
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
