/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/ftrace_line.h"

#include "base/scan.h"
#include "libparse/ftrace/function_call.h"
#include "libparse/text.h"

#define NS_DIGITS 9
/*
 * The number of brackets in a line that are tried as the start of the CPU number. A comm has at
 * most 15 bytes.
 */
#define BRACKETS_MAX 8
/* trace-cmd pads comms to this width. */
#define COMM_WIDTH 16

/* Removes the number at the end of the text. */
static bool read_last_number(struct text *text, uint32_t *ret)
{
	uint32_t begin = scan_last_digits(*text);

	if (!text_to_u32(text_from(*text, begin), ret))
		return false;
	text->length = begin;
	return true;
}

/* Removes "(  9)", or "(-----)" for an unknown process, from the end of the text. */
static void read_process(struct text *text, uint32_t *pid)
{
	struct text inner;
	uint64_t value;
	uint32_t begin = text->length;

	if (!begin || text->at[begin - 1] != ')')
		return;
	while (begin && text->at[begin - 1] != '(')
		begin--;
	if (!begin)
		return;
	inner = text_trim((struct text){ text->at + begin, text->length - 1 - begin });
	if (text_to_u64(inner, &value) && value <= UINT32_MAX)
		*pid = (uint32_t)value;
	else if (!inner.length || inner.at[0] != '-')
		return;
	text->length = begin - 1;
	*text = text_trim(*text);
}

/*
 * Removes " NAME: " from the front. trace-cmd prints NAME, the trace buffer, if a file has several
 * buffers. trace-cmd pads the comm after NAME to a fixed width. Without such padding, the ": " is
 * part of a comm.
 */
static struct text drop_instance(struct text comm)
{
	for (uint32_t i = 0; i + 1 < comm.length && comm.at[i] != ' '; i++)
		if (comm.at[i] == ':' && comm.at[i + 1] == ' ' &&
		    comm.length - (i + 2) >= COMM_WIDTH)
			return text_trim((struct text){ comm.at + i + 2, comm.length - (i + 2) });
	return comm;
}

/*
 * In "14828/-1" and "   -1", perf script prints a tid that is not known. These lines must not be
 * mistaken for those of thread 1.
 */
static bool is_negative(struct text comm, uint32_t tid)
{
	char last = comm.at[comm.length - 1];

	return tid == 1 && (last == '/' || last == ' ');
}

/* Reads the part before the CPU: "comm-tid (tgid)". */
static bool parse_task(struct text text, struct ftrace_line *line)
{
	uint32_t pid = UINT32_MAX;

	text = text_trim(text);
	read_process(&text, &pid);
	if (!read_last_number(&text, &line->tid) || text.length < 2 ||
	    text.at[text.length - 1] != '-')
		return false;
	text.length--;
	if (is_negative(text, line->tid))
		return false;
	line->pid = pid == UINT32_MAX ? line->tid : pid;
	line->comm = drop_instance(text);
	return true;
}

/*
 * Reads "35911.808690" as nanoseconds. If the trace clock is a counter, there is no decimal point,
 * and no time.
 */
static bool parse_time(struct text word, struct ftrace_line *line)
{
	const char *point = memchr(word.at, '.', word.length);
	struct text whole = { word.at, point ? (uint32_t)(point - word.at) : word.length };
	uint32_t digits = point ? word.length - whole.length - 1 : 0;
	uint64_t fraction = 0;
	uint64_t seconds;

	if (!text_to_u64(whole, &seconds) || digits > NS_DIGITS || (point && !digits) ||
	    (digits && !text_to_u64((struct text){ point + 1, digits }, &fraction)))
		return false;
	for (; digits < NS_DIGITS; digits++)
		fraction *= 10;
	line->has_time = point && !__builtin_mul_overflow(seconds, 1000000000u, &seconds) &&
			 !__builtin_add_overflow(seconds, fraction, &line->time_ns);
	return true;
}

/* Reads the part after the CPU: optional flags, the time and the rest. */
static bool parse_moment(struct text text, struct ftrace_line *line)
{
	struct text word;

	for (int i = 0; i < 2 && text_next_word(&text, &word); i++) {
		if (word.at[word.length - 1] != ':')
			continue;
		word.length--;
		line->rest = text_trim(text);
		return parse_time(word, line);
	}
	return false;
}

bool ftrace_line_parse(struct text line, struct ftrace_line *ret)
{
	const char *end = line.at + line.length;
	const char *open = line.at;

	*ret = (struct ftrace_line){ .has_time = false };
	for (int i = 0; i < BRACKETS_MAX && open < end; i++, open++) {
		struct text number;
		uint64_t cpu;

		open = memchr(open, '[', (size_t)(end - open));
		if (!open)
			return false;
		number = (struct text){ open + 1, 0 };
		while (number.at + number.length < end && is_digit(number.at[number.length]))
			number.length++;
		if (number.at + number.length == end || number.at[number.length] != ']' ||
		    !text_to_u64(number, &cpu) || cpu > UINT32_MAX)
			continue;
		ret->cpu = (uint32_t)cpu;
		if (parse_task((struct text){ line.at, (uint32_t)(open - line.at) }, ret) &&
		    parse_moment((struct text){ number.at + number.length + 1,
						(uint32_t)(end - number.at - number.length - 1) },
				 ret))
			return true;
	}
	return false;
}

/* "# entries-in-buffer/entries-written: 147/1626   #P:2" */
static bool is_overwritten(struct text line, uint64_t *count_ret)
{
	uint64_t kept;
	uint64_t written;

	if (!scan_prefix(&line, "# entries-in-buffer/entries-written: ") ||
	    !scan_u64(&line, &kept) || !scan_char(&line, '/') || !scan_u64(&line, &written) ||
	    written <= kept)
		return false;
	*count_ret = written - kept;
	return true;
}

bool ftrace_line_is_lost(struct text line, uint64_t *count_ret)
{
	struct text rest = text_trim(line);
	bool is_lost = false;
	uint64_t cpu;
	struct text word;

	if (is_overwritten(line, count_ret))
		return true;
	*count_ret = 1;
	if (!text_has_prefix(rest, "CPU:") || !text_has_suffix(rest, "]"))
		return false;
	rest = text_from(rest, strlen("CPU:"));
	rest.length--;
	if (!scan_u64(&rest, &cpu) || !scan_char(&rest, ' ') || !scan_char(&rest, '['))
		return false;
	while (text_next_word(&rest, &word)) {
		is_lost |= text_is(word, "LOST") || text_is(word, "DROPPED");
		if (!text_is(word, "LOST") && !text_is(word, "EVENTS") &&
		    !text_is(word, "DROPPED") && !text_to_u64(word, count_ret))
			return false;
	}
	return is_lost;
}

enum ftrace_kind ftrace_kind_of(struct span head, const char **ret)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct function_call call;
	struct ftrace_line parsed;
	struct text line;

	while (text_next_line(&next, end, true, &line)) {
		*ret = line.at;
		if (text_has_prefix(line, "# tracer: function_graph"))
			return FTRACE_GRAPH;
		if (text_has_prefix(line, "# tracer: "))
			return FTRACE_EVENTS;
		/*
		 * Ignore notes, because rows of a truncated histogram also have a column after a
		 * bar.
		 */
		if (function_call_parse(line, &call) && call.kind != FUNCTION_CALL_NOTE)
			return FTRACE_GRAPH;
		if (ftrace_line_parse(line, &parsed) && parsed.rest.length)
			return FTRACE_EVENTS;
	}
	return FTRACE_NONE;
}
