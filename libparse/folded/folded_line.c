/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_line.h"

#include "base/scan.h"
#include "libparse/table_row.h"

/* Appends `decimals` digits of the fraction to the value, and rounds. Returns false on overflow. */
static bool add_fraction(struct text places, uint32_t decimals, struct folded_number *number)
{
	for (uint32_t i = 0; i < decimals; i++) {
		uint64_t digit = i < places.length ? (uint64_t)(places.at[i] - '0') : 0;

		if (__builtin_mul_overflow(number->value, 10u, &number->value) ||
		    __builtin_add_overflow(number->value, digit, &number->value))
			return false;
	}
	for (uint32_t i = decimals; i < places.length; i++)
		number->is_rounded |= places.at[i] != '0';
	return places.length <= decimals || places.at[decimals] < '5' ||
	       !__builtin_add_overflow(number->value, 1u, &number->value);
}

bool folded_line_take_number(struct text *line, uint32_t decimals, struct folded_number *ret)
{
	uint32_t end = line->length;
	uint32_t begin = end;
	uint32_t point;
	struct text places = { "", 0 };

	while (begin && is_digit(line->at[begin - 1]))
		begin--;
	point = begin;
	if (begin && line->at[begin - 1] == '.') {
		places = (struct text){ line->at + begin, end - begin };
		point = --begin;
		while (begin && is_digit(line->at[begin - 1]))
			begin--;
	} else {
		point = end;
	}
	if (begin == point || !begin || !is_blank(line->at[begin - 1]))
		return false;
	*ret = (struct folded_number){ .decimals = places.length, .length = end - begin };
	if (!text_to_u64((struct text){ line->at + begin, point - begin }, &ret->value) ||
	    !add_fraction(places, decimals, ret))
		return false;
	while (begin && is_blank(line->at[begin - 1]))
		begin--;
	line->length = begin;
	return true;
}

bool folded_line_take_metrics(struct text *line, struct folded_metrics *ret)
{
	uint32_t begin = line->length;
	struct text numbers[3];
	const char *at;
	uint64_t idle;

	while (begin && !is_blank(line->at[begin - 1]))
		begin--;
	at = line->at + begin;
	if (!begin)
		return false;
	for (int i = 0; i < 3; i++) {
		const char *end = line->at + line->length;
		const char *stop = i < 2 && at < end ? memchr(at, ',', (size_t)(end - at)) : end;

		if (!stop)
			return false;
		numbers[i] = (struct text){ at, (uint32_t)(stop - at) };
		at = stop + (stop < end);
	}
	*ret = (struct folded_metrics){ .time_us = 0 };
	if (!text_to_u64(numbers[0], &ret->time_us) || !text_to_u64(numbers[1], &idle) ||
	    (!text_has_prefix(numbers[2], "-") && !text_to_u64(numbers[2], &ret->allocated_bytes)))
		return false;
	ret->is_idle = idle != 0;
	while (begin && is_blank(line->at[begin - 1]))
		begin--;
	line->length = begin;
	return true;
}

bool folded_line_is_comment(struct text line)
{
	return line.length == 0 || text_has_prefix(line, "# ") || text_is(line, "#");
}

/*
 * The first ";" that joins frames. In prose and program text, a blank follows the semicolon, as in
 * "read a; 5", whose name ends in it.
 */
const char *folded_line_find_join(struct text text)
{
	const char *end = text.at + text.length;
	const char *at = text.at;

	while (at < end && (at = memchr(at, ';', (size_t)(end - at)))) {
		at++;
		if (at < end && *at != ' ')
			return at - 1;
	}
	return NULL;
}

bool folded_line_is_table_row(struct text name, uint32_t blank_count)
{
	const char *join = name.length ? folded_line_find_join(name) : NULL;
	struct table_columns all = table_columns_of(name);
	struct table_columns first;

	/* Folded stacks have a single blank before the count. */
	if (!join)
		return all.gap_count || all.number_count >= 2 || all.has_number_first ||
		       blank_count > 1 || name.at[name.length] == '\t';
	/* A command line in a table column may contain ";". */
	first = table_columns_of((struct text){ name.at, (uint32_t)(join - name.at) });
	return first.gap_count + first.number_count && all.gap_count + all.number_count >= 4;
}

void folded_stack_deinit(struct folded_stack *stack)
{
	vec_free(&stack->frames);
	vec_free(&stack->ends);
}

void folded_stack_forget(struct folded_stack *stack)
{
	stack->last = (struct text){ 0 };
	stack->frames.count = 0;
	stack->ends.count = 0;
}

/* The length of the common prefix, compared a machine word at a time. */
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

/* Whether this stack shares the frame of the previous stack that ends at `end`. */
static bool is_shared(struct text text, uint32_t end, uint32_t common)
{
	return end <= common && (end == text.length || text.at[end] == ';');
}

static uint32_t keep_shared(struct folded_stack *stack, struct text text)
{
	uint32_t common = stack->last.at ? common_length(stack->last, text) : 0;
	size_t count = stack->last.at ? stack->frames.count : 0;

	while (count && !is_shared(text, stack->ends.at[count - 1], common))
		count--;
	stack->frames.count = count;
	stack->ends.count = count;
	return (uint32_t)count;
}

uint32_t folded_stack_split(struct folded_stack *stack, struct text text)
{
	uint32_t shared = keep_shared(stack, text);
	uint32_t at = shared ? stack->ends.at[shared - 1] + 1 : 0;

	stack->last = text;
	if (shared && at > text.length)
		return shared;
	for (;;) {
		const char *begin = text.at + at;
		const char *stop = at < text.length ? memchr(begin, ';', text.length - at) : NULL;
		uint32_t end = stop ? (uint32_t)(stop - text.at) : text.length;

		vec_push(&stack->frames, (struct text){ begin, end - at });
		vec_push(&stack->ends, end);
		if (!stop)
			return shared;
		at = end + 1;
	}
}
