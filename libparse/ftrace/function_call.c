/* SPDX-License-Identifier: MIT */
#include "libparse/ftrace/function_call.h"

#include "base/scan.h"
#include "libparse/ftrace/ftrace_line.h"
#include "libparse/text.h"

#define DECIMALS 3

static struct text until(struct text text, const char *stop)
{
	return (struct text){ text.at, (uint32_t)(stop - text.at) };
}

/* Reads "12.345 us" at the end of the text. Long durations have a mark before them. */
static bool parse_duration(struct text text, uint64_t *ret)
{
	struct text word;
	struct text unit;
	const char *point;
	uint64_t whole;
	uint64_t fraction = 0;
	uint32_t digits;

	if (!text_next_word(&text, &word))
		return false;
	/* The mark of a long duration: one of + ! # * @ $ */
	if (word.length == 1 && !is_digit(word.at[0]) && !text_next_word(&text, &word))
		return false;
	if (!text_next_word(&text, &unit) || !text_is(unit, "us"))
		return false;
	point = memchr(word.at, '.', word.length);
	if (!text_to_u64(point ? until(word, point) : word, &whole))
		return false;
	digits = point ? (uint32_t)(word.at + word.length - point - 1) : 0;
	if (digits > DECIMALS ||
	    (digits && !text_to_u64((struct text){ point + 1, digits }, &fraction)))
		return false;
	for (; digits < DECIMALS; digits++)
		fraction *= 10;
	return !__builtin_mul_overflow(whole, 1000u, ret) &&
	       !__builtin_add_overflow(*ret, fraction, ret);
}

/* Reads the functions column. */
static void parse_function(struct text text, struct function_call *call)
{
	uint32_t blanks = 0;
	const char *open;

	while (blanks < text.length && text.at[blanks] == ' ')
		blanks++;
	call->level = blanks ? (blanks - 1) / 2 : 0;
	text = text_trim(text);
	if (text_has_prefix(text, "}")) {
		call->kind = FUNCTION_CALL_END;
		return;
	}
	/* A call is "f();", "f() {" or, with arguments, "f(a=1) {"; anything else is a note. */
	open = text.length ? memchr(text.at, '(', text.length) : NULL;
	if (!open || text.at[0] == '/' || open == text.at || text.at[0] == '=') {
		call->kind = FUNCTION_CALL_NOTE;
		return;
	}
	call->name = text_trim(until(text, open));
	text = text_from(text, (uint32_t)(open - text.at));
	call->kind = memmem(text.at, text.length, ");", 2) ? FUNCTION_CALL_LEAF
		     : memchr(text.at, '{', text.length)   ? FUNCTION_CALL_BEGIN
							   : FUNCTION_CALL_NOTE;
}

/* Parses a switch line: "bash-812 => sleep-90". */
static bool parse_switch(struct text text, struct function_call *call)
{
	const char *arrow = memmem(text.at, text.length, "=>", 2);

	if (!arrow)
		return false;
	call->kind = FUNCTION_CALL_SWITCH;
	call->name = text_trim(text_from(text, (uint32_t)(arrow + 2 - text.at)));
	return call->name.length > 0;
}

/* Whether a column that is no duration begins like one, as only a corrupt duration does. */
static bool is_like_duration(struct text column)
{
	uint32_t digits = scan_digits_length(column);

	return digits && digits < column.length && column.at[digits] == '.';
}

/* Reads the columns before the function: time, task and duration, each optional. */
static void parse_columns(struct text text, struct function_call *call)
{
	const char *bar;

	/*
	 * The last column may be a duration. The task is the column with a dash, as in "app-4711".
	 */
	while ((bar = text.length ? memchr(text.at, '|', text.length) : NULL)) {
		struct text column = text_trim(until(text, bar));
		const char *dash = column.length ? memrchr(column.at, '-', column.length) : NULL;

		text = text_from(text, (uint32_t)(bar + 1 - text.at));
		if (parse_duration(column, &call->duration_ns))
			continue;
		if (dash && dash > column.at && dash + 1 < column.at + column.length)
			call->task = column;
		else
			call->is_duration_wrong |= is_like_duration(column);
	}
}

/* Finds the functions column: after the last bar that precedes a brace, a bracket or a comment. */
static const char *find_functions(struct text text)
{
	const char *found = NULL;

	for (uint32_t i = 0; i < text.length; i++) {
		if (text.at[i] == '(' || text.at[i] == '}' || text.at[i] == '/' ||
		    text.at[i] == '{')
			break;
		if (text.at[i] == '|')
			found = text.at + i + 1;
	}
	return found;
}

/* Finds the end of the CPU number in " 1) ..." or, with times, "35911.808690 |   1) ...". */
static const char *find_cpu(struct text line, uint32_t *cpu_ret)
{
	const char *bracket = line.length ? memchr(line.at, ')', line.length) : NULL;
	const char *begin = bracket;
	uint64_t cpu;

	while (begin && begin > line.at && is_digit(begin[-1]))
		begin--;
	if (!begin || begin == bracket || (begin > line.at && begin[-1] != ' ') ||
	    !text_to_u64((struct text){ begin, (uint32_t)(bracket - begin) }, &cpu) ||
	    cpu > UINT32_MAX)
		return NULL;
	for (const char *at = line.at; at < begin; at++)
		if (!strchr(" .|0123456789", *at))
			return NULL;
	*cpu_ret = (uint32_t)cpu;
	return bracket + 1;
}

static bool parse_report(struct text line, struct function_call *call)
{
	struct ftrace_line parsed;
	struct text event;
	const char *functions;

	if (!memmem(line.at, line.length, ": funcgraph_e", 13) || !ftrace_line_parse(line, &parsed))
		return false;
	if (!text_next_word(&parsed.rest, &event) ||
	    (!text_is(event, "funcgraph_entry:") && !text_is(event, "funcgraph_exit:")))
		return false;
	functions = find_functions(parsed.rest);
	if (!functions)
		return false;
	call->cpu = parsed.cpu;
	call->task = (struct text){ parsed.comm.at, (uint32_t)(parsed.comm.length + 1) };
	while (call->task.at + call->task.length < line.at + line.length &&
	       is_digit(call->task.at[call->task.length]))
		call->task.length++;
	parse_columns(until(parsed.rest, functions), call);
	parse_function(text_from(parsed.rest, (uint32_t)(functions - parsed.rest.at)), call);
	return true;
}

bool function_call_parse(struct text line, struct function_call *ret)
{
	const char *functions;
	const char *columns;
	struct text text;

	*ret = (struct function_call){ .task = { "", 0 }, .name = { "", 0 } };
	columns = find_cpu(line, &ret->cpu);
	if (!columns)
		return parse_report(line, ret);
	text = text_from(line, (uint32_t)(columns - line.at));
	functions = find_functions(text);
	if (!functions)
		return parse_switch(text, ret);
	parse_columns(until(text, functions), ret);
	parse_function(text_from(text, (uint32_t)(functions - text.at)), ret);
	return true;
}
