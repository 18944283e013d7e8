/* SPDX-License-Identifier: MIT */
/*
 * Reads the output of perf trace: a line for each system call, or two lines if a call of another
 * thread is printed in between.
 *
 *       0.146 ( 0.002 ms): ls/19666 brk()                            = 0x5604ce44f000
 *       1.304 (         ): cat/12 read(fd: 0, buf: 0x7f, count: 9)                ...
 *       1.304 ( 7.000 ms): cat/12  ... [continued]: read())          = 9
 *           ? (         ): ls/19666  ... [continued]: execve())      = 0
 *           ? (         ): sh/19667  ... [continued]: clone())       =
 *
 * Times are milliseconds since the first event, when the call began. The second line of a call
 * repeats this time. Source: trace__fprintf_sys_enter and trace__sys_exit of
 * tools/perf/builtin-trace.c.
 */
#include "libparse/calls/call_line.h"
#include "libparse/text.h"

/* The decimal number is in milliseconds, but call_line_read_decimal reads it as seconds. */
#define MS_PER_SECOND 1000u

/* Splits at the first separator. */
static bool split_first(struct text text, const char *separator, struct text *before_ret,
			struct text *behind_ret)
{
	const char *at =
		text.length ? memmem(text.at, text.length, separator, strlen(separator)) : NULL;
	uint32_t length;

	if (!at)
		return false;
	length = (uint32_t)(at - text.at);
	*before_ret = (struct text){ text.at, length };
	length += (uint32_t)strlen(separator);
	*behind_ret = (struct text){ text.at + length, text.length - length };
	return true;
}

/* Reads "  0.146 ( 0.002 ms)" or "  ? (         )", without the closing bracket. */
static bool read_times(struct text head, struct call_line *line)
{
	struct text time;
	struct text duration;
	struct text unit;

	if (!text_next_word(&head, &time) || !text_next_word(&head, &duration) ||
	    duration.at[0] != '(')
		return false;
	if (call_line_read_decimal(time, &line->time_ns)) {
		line->has_time = true;
		line->time_ns /= MS_PER_SECOND;
	} else if (!text_is(time, "?")) {
		return false;
	}
	duration = (struct text){ duration.at + 1, duration.length - 1 };
	if (!duration.length && !text_next_word(&head, &duration))
		return true;
	if (!text_next_word(&head, &unit) || !text_is(unit, "ms") ||
	    !call_line_read_decimal(duration, &line->call.duration_ns))
		return false;
	line->call.duration_ns /= MS_PER_SECOND;
	return true;
}

/* Reads the number after a slash: "19666 brk()" of "ls/19666 brk()". */
static bool read_tid(struct text text, uint32_t *tid_ret, struct text *behind_ret)
{
	uint32_t length = 0;
	uint64_t tid;

	while (length < text.length && is_digit(text.at[length]))
		length++;
	if (length == text.length || text.at[length] != ' ' ||
	    !text_to_u64((struct text){ text.at, length }, &tid) || tid >= EVENT_NO_TID)
		return false;
	*tid_ret = (uint32_t)tid;
	*behind_ret = text_trim((struct text){ text.at + length, text.length - length });
	return true;
}

/* Thread names have at most 15 bytes, but some versions of perf escape or extend them. */
#define COMM_BYTES_MAX 64

/* Reads "ls/19666 ". Without a name, only one thread was traced. */
static void read_thread(struct text *rest, struct call_line *line)
{
	for (uint32_t at = 0; at < rest->length && at < COMM_BYTES_MAX; at++) {
		struct text behind = { rest->at + at + 1, rest->length - at - 1 };

		if (rest->at[at] != '/' || !read_tid(behind, &line->tid, &behind))
			continue;
		line->comm = (struct text){ rest->at, at };
		*rest = behind;
		return;
	}
}

/*
 * For calls that return a thread id, perf prints nothing if it knows no thread with this id: in the
 * child of clone, which returns 0, or after wait4 for a process that has exited. Errors are never
 * omitted.
 */
static bool returned_unknown_thread(struct text rest)
{
	if (!text_has_suffix(rest, " ="))
		return false;
	rest = text_trim((struct text){ rest.at, rest.length - 2 });
	return text_has_suffix(rest, ")");
}

static bool read_call(struct text rest, struct call_line *line)
{
	struct text ignored;
	bool is_continued = split_first(rest, "... [continued]: ", &ignored, &rest);

	if (!call_line_read_name(&rest, &line->call.name) || !rest.length || rest.at[0] != '(')
		return true;
	if (!is_continued && text_has_suffix(rest, "...")) {
		line->call.phase = EVENT_SYSCALL_ENTER;
		line->has_call = true;
		return true;
	}
	line->call.phase = is_continued ? EVENT_SYSCALL_EXIT : EVENT_SYSCALL_WHOLE;
	if (returned_unknown_thread(rest)) {
		line->has_call = true;
		return true;
	}
	return call_line_read_result(rest, line);
}

static bool parse(struct text text, struct call_line *line)
{
	struct text head;
	struct text rest;

	*line = (struct call_line){ .tid = EVENT_NO_TID,
				    .call.duration_ns = EVENT_SYSCALL_NO_DURATION };
	if (!split_first(text, "): ", &head, &rest) || !read_times(head, line))
		return false;
	rest = text_trim(rest);
	read_thread(&rest, line);
	return read_call(rest, line);
}

static void read_lines(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	const char *next = window->at;
	struct call_line parsed;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (parse(line, &parsed))
			call_line_send(parser->sink, &parsed, text_offset(window, line.at));
		else if (!text_is_blank(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		window->at = next;
	}
}

static bool is_own(struct text line)
{
	struct call_line parsed;

	return parse(line, &parsed);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_own, "a system call as perf trace prints it");
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

static bool open_perf_trace(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_line, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_lines, sink, err);
}

const struct input_format perf_trace_format = {
	.name = "perf-trace",
	.summary = "system calls printed by perf trace, for kiln syscalls",
	.title = "perf trace",
	.probe = probe,
	.ends_in = "\n",
	.open = open_perf_trace,
	.read_samples = read_samples,
	.read_frame = call_line_read_frame,
	.has_exact_comms = true,
	.only_command = "kiln syscalls",
};
