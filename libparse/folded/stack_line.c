/* SPDX-License-Identifier: MIT */
#include "libparse/folded/stack_line.h"

void stack_line_free(struct stack_line *line)
{
	vec_free(&line->frames);
	vec_free(&line->ends);
}

void stack_line_forget(struct stack_line *line)
{
	line->last = (struct text){ 0 };
	line->frames.count = 0;
	line->ends.count = 0;
}

/* How many bytes two texts begin with in common; a word at a time, as most is. */
static uint32_t common_length(struct text a, struct text b)
{
	uint32_t shorter = a.length < b.length ? a.length : b.length;
	uint32_t i = 0;

	while (shorter - i >= sizeof(uint64_t)) {
		uint64_t words[2];

		memcpy(&words[0], a.at + i, sizeof(words[0]));
		memcpy(&words[1], b.at + i, sizeof(words[1]));
		if (words[0] != words[1])
			break;
		i += (uint32_t)sizeof(uint64_t);
	}
	while (i < shorter && a.at[i] == b.at[i])
		i++;
	return i;
}

/* Whether a frame of the last line that ends there is one of stack too. */
static bool is_shared(struct text stack, uint32_t end, uint32_t common)
{
	return end <= common && (end == stack.length || stack.at[end] == ';');
}

static uint32_t keep_shared(struct stack_line *line, struct text stack)
{
	uint32_t common = line->last.at ? common_length(line->last, stack) : 0;
	size_t count = line->last.at ? line->frames.count : 0;

	while (count && !is_shared(stack, line->ends.at[count - 1], common))
		count--;
	line->frames.count = count;
	line->ends.count = count;
	return (uint32_t)count;
}

uint32_t stack_line_split(struct stack_line *line, struct text stack)
{
	uint32_t shared = keep_shared(line, stack);
	uint32_t at = shared ? line->ends.at[shared - 1] + 1 : 0;

	line->last = stack;
	if (shared && at > stack.length)
		return shared;
	for (;;) {
		const char *begin = stack.at + at;
		const char *stop = at < stack.length ? memchr(begin, ';', stack.length - at) : NULL;
		uint32_t end = stop ? (uint32_t)(stop - stack.at) : stack.length;

		vec_push(&line->frames, (struct text){ begin, end - at });
		vec_push(&line->ends, end);
		if (!stop)
			return shared;
		at = end + 1;
	}
}
