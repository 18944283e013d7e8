/* SPDX-License-Identifier: MIT */
/*
 * Reads the output of strace: a line for each system call, or two lines if a call of another thread
 * is printed in between.
 *
 *     12 10:20:30.123456 openat(AT_FDCWD, "x", O_RDONLY) = -1 ENOENT (No such file ...) <0.000012>
 *     [pid 13] futex(0x7f, FUTEX_WAIT, 2, NULL <unfinished ...>
 *     [pid 13] <... futex resumed>)        = 0 <1.234567>
 *     12 --- SIGCHLD {si_signo=SIGCHLD, ...} ---
 *
 * With -f, a message may divide a line:
 *
 *     clone3({flags=CLONE_VM, ...strace: Process 14 attached
 *      => {parent_tid=[14]}, 88) = 14 <0.000120>
 *
 * The thread (-f), the time (-t, -tt, -ttt) and the duration (-T) may be missing. strace prints the
 * thread only once there are several threads. With -o, strace always prints the thread.
 */
#include "libparse/calls/call_line.h"
#include "libparse/text.h"

#define NS_PER_SECOND 1000000000u
/*
 * Times below this number are relative to the previous line (-r). Larger times are since 1970
 * (-ttt).
 */
#define EPOCH_SECONDS_MIN 100000000u

/* Removes the first word if it is followed by another word. */
static bool take_word(struct text *rest, struct text *ret)
{
	struct text after = *rest;

	if (!text_next_word(&after, ret) || !text_trim(after).length)
		return false;
	*rest = text_trim(after);
	return true;
}

/* Reads "12", or "12<cat>" (--decode-pids=comm). */
static bool read_pid(struct text word, struct call_line *line)
{
	uint32_t length = 0;
	uint64_t tid;

	while (length < word.length && is_digit(word.at[length]))
		length++;
	if (!text_to_u64((struct text){ word.at, length }, &tid) || tid >= EVENT_NO_TID)
		return false;
	if (length < word.length) {
		if (word.at[length] != '<' || word.at[word.length - 1] != '>')
			return false;
		line->comm = (struct text){ word.at + length + 1, word.length - length - 2 };
	}
	line->tid = (uint32_t)tid;
	return true;
}

/* Reads "12 " or "[pid    12] ". */
static void read_thread(struct text *rest, struct call_line *line)
{
	struct text after = *rest;
	struct text word;

	if (text_has_prefix(*rest, "[pid ")) {
		const char *end = memchr(rest->at, ']', rest->length);
		uint32_t begin = (uint32_t)strlen("[pid ");
		uint32_t length = end ? (uint32_t)(end - rest->at) : 0;

		if (!end ||
		    !read_pid(text_trim((struct text){ rest->at + begin, length - begin }), line))
			return;
		*rest = text_trim(
			(struct text){ rest->at + length + 1, rest->length - length - 1 });
		return;
	}
	if (take_word(&after, &word) && read_pid(word, line))
		*rest = after;
}

/* Reads the first word if it is a time, and removes it. */
static bool take_time(struct text *rest, struct call_line *line)
{
	struct text after = *rest;
	struct text word, left;
	uint64_t ns;

	if (!take_word(&after, &word))
		return false;
	left = word;
	if (scan_time_of_day(&left, &ns) && !left.length) {
		line->has_time = true;
		line->time_ns = ns;
	} else if (memchr(word.at, '.', word.length) && call_line_read_decimal(word, &ns)) {
		line->has_time = ns / NS_PER_SECOND >= EPOCH_SECONDS_MIN;
		line->time_ns = line->has_time ? ns : 0;
	} else {
		return false;
	}
	*rest = after;
	return true;
}

/* With -r and -t, both times are printed. */
static void read_time(struct text *rest, struct call_line *line)
{
	if (take_time(rest, line) && !line->has_time)
		(void)take_time(rest, line);
}

/* Reads "<0.000012>" at the end of a line, and removes it. */
static void read_duration(struct text *rest, struct call_line *line)
{
	const char *begin = memrchr(rest->at, '<', rest->length);
	uint32_t length;

	if (!begin || rest->at[rest->length - 1] != '>')
		return;
	length = (uint32_t)(rest->at + rest->length - begin);
	if (length > 2 &&
	    call_line_read_decimal((struct text){ begin + 1, length - 2 }, &line->call.duration_ns))
		*rest = text_trim((struct text){ rest->at, rest->length - length });
}

/* Reads "<... futex resumed>" and the text after it. */
static bool read_resumed(struct text rest, struct call_line *line)
{
	struct text word;

	if (!text_next_word(&rest, &word))
		return false;
	rest = text_trim(rest);
	if (!call_line_read_name(&rest, &line->call.name) || !text_has_prefix(rest, " resumed>"))
		return false;
	line->call.phase = EVENT_SYSCALL_EXIT;
	/* The call was interrupted again, and has not returned yet. */
	return text_has_suffix(rest, "<unfinished ...>") || call_line_read_result(rest, line);
}

static bool read_call(struct text rest, struct call_line *line)
{
	if (text_has_prefix(rest, "<... "))
		return read_resumed(rest, line);
	if (!call_line_read_name(&rest, &line->call.name) || !rest.length || rest.at[0] != '(')
		return false;
	if (text_has_suffix(rest, "<unfinished ...>")) {
		line->call.phase = EVENT_SYSCALL_ENTER;
		line->has_call = true;
		return true;
	}
	line->call.phase = EVENT_SYSCALL_WHOLE;
	return call_line_read_result(rest, line);
}

static bool parse(struct text text, struct call_line *line)
{
	struct text rest = text_trim(text);

	*line = (struct call_line){ .tid = EVENT_NO_TID,
				    .call.duration_ns = EVENT_SYSCALL_NO_DURATION };
	read_thread(&rest, line);
	read_time(&rest, line);
	if (!rest.length)
		return false;
	read_duration(&rest, line);
	if (!read_call(rest, line))
		return false;
	/* The second line of a call is printed when the call ends. */
	if (line->call.phase == EVENT_SYSCALL_EXIT && line->has_time &&
	    line->call.duration_ns != EVENT_SYSCALL_NO_DURATION)
		line->time_ns -=
			line->call.duration_ns < line->time_ns ? line->call.duration_ns : 0;
	return true;
}

/* A row of the table that strace -C prints at the end: "33.96    0.000054          54 ..." */
static bool is_table_row(struct text text)
{
	uint64_t ignored;
	struct text word;

	for (int i = 0; i < 2; i++)
		if (!text_next_word(&text, &word) || !memchr(word.at, '.', word.length) ||
		    !call_line_read_decimal(word, &ignored))
			return false;
	return true;
}

/*
 * Whether a line is a signal, the end of a process, a message from strace, or part of the table of
 * -c.
 */
static bool is_expected(struct text line)
{
	struct text rest = text_trim(line);
	struct call_line ignored = { .tid = EVENT_NO_TID };

	if (is_table_row(rest) || text_has_prefix(rest, "% time ") || text_has_prefix(rest, "---"))
		return true;
	read_thread(&rest, &ignored);
	read_time(&rest, &ignored);
	return !rest.length || text_has_prefix(rest, "---") || text_has_prefix(rest, "+++ ") ||
	       text_has_prefix(rest, "strace: ") || text_has_prefix(rest, "<unfinished ...>");
}

/* Whether a message interrupts the line. The next line then contains the rest of the call. */
static bool is_divided(struct text text, struct call_line *line)
{
	struct text rest = text_trim(text);

	*line = (struct call_line){ .tid = EVENT_NO_TID,
				    .call.phase = EVENT_SYSCALL_WHOLE,
				    .call.duration_ns = EVENT_SYSCALL_NO_DURATION };
	if (!text_has_suffix(rest, " attached") ||
	    !memmem(rest.at, rest.length, "strace: Process ", strlen("strace: Process ")))
		return false;
	read_thread(&rest, line);
	read_time(&rest, line);
	return call_line_read_name(&rest, &line->call.name) && rest.length && rest.at[0] == '(';
}

/* Whether a line is the rest of a call. */
static bool is_rest(struct text line)
{
	return text_has_prefix(line, " => ") || text_has_prefix(line, ", ");
}

/*
 * Reads a divided call, whose second line begins at *next. Returns false if this line is not in the
 * window.
 */
static bool read_divided(struct text_parser *parser, struct text_window *window,
			 struct call_line *call, const char **next)
{
	const char *after = *next;
	struct text rest;

	if (!text_next_line(&after, window->end, window->is_last, &rest))
		return window->is_last;
	if (!is_rest(rest))
		return true;
	*next = after;
	rest = text_trim(rest);
	read_duration(&rest, call);
	if (call_line_read_result(rest, call))
		call_line_send(parser->sink, call, text_offset(window, window->at));
	return true;
}

static void read_lines(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	const char *next = window->at;
	struct call_line parsed;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (parse(line, &parsed)) {
			call_line_send(parser->sink, &parsed, text_offset(window, line.at));
		} else if (is_divided(line, &parsed)) {
			if (!read_divided(parser, window, &parsed, &next)) {
				text_give_up(window, &parser->skips);
				return;
			}
		} else if (!is_expected(line)) {
			text_skip(&parser->skips, text_offset(window, line.at));
		}
		window->at = next;
	}
}

static bool is_own(struct text line)
{
	struct call_line parsed;

	return parse(line, &parsed) || is_divided(line, &parsed);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_own, "a system call as strace prints it");
}

/* A slice must not begin with the rest of a call. */
static const char *find_line(const char *from, const char *end)
{
	const char *next = from;
	struct text line;

	while (text_next_line(&next, end, true, &line))
		if (!is_rest(line))
			return line.at;
	return NULL;
}

static bool open_strace(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_line, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_lines, sink, err);
}

const struct input_format strace_format = {
	.name = "strace",
	.summary = "system calls printed by strace, for kiln syscalls",
	.title = "strace",
	.probe = probe,
	.ends_in = "\n",
	.open = open_strace,
	.read_samples = read_samples,
	.read_frame = call_line_read_frame,
	.has_exact_comms = true,
	.only_command = "kiln syscalls",
};
