/* SPDX-License-Identifier: MIT */
#include "compat/folded_pairs.h"

#include "base/input.h"
#include "base/scan.h"
#include "base/sink.h"

/* Below this a number has a whole part of 64 bits. */
#define WHOLE_END 0x1p64

#define CHUNK_BYTES ((size_t)1 << 20)
/* Digits of a number that are read; a double has 17 that matter. */
#define NUMBER_BYTES 64

static const struct folded_sum zero = { 0, 0, false };

void folded_pairs_init(struct folded_pairs *pairs)
{
	*pairs = (struct folded_pairs){ 0 };
	strings_init(&pairs->stacks);
}

void folded_pairs_deinit(struct folded_pairs *pairs)
{
	strings_deinit(&pairs->stacks);
	vec_free(&pairs->rows);
}

static double as_real(const struct folded_sum *sum)
{
	return sum->is_real ? sum->real : (double)sum->whole;
}

static void add(struct folded_sum *sum, const struct folded_sum *more)
{
	uint64_t whole;

	if (!sum->is_real && !more->is_real &&
	    !__builtin_add_overflow(sum->whole, more->whole, &whole)) {
		sum->whole = whole;
		return;
	}
	*sum = (struct folded_sum){ 0, as_real(sum) + as_real(more), true };
}

static struct folded_sum parse_number(const char *at, uint32_t length)
{
	char digits[NUMBER_BYTES];
	struct folded_sum sum = zero;

	if (text_to_u64((struct text){ at, length }, &sum.whole))
		return sum;
	/* What more digits there are change nothing, but how many stand before the point. */
	if (length >= sizeof(digits))
		return (struct folded_sum){ 0, (double)UINT64_MAX, true };
	memcpy(digits, at, length);
	digits[length] = '\0';
	return (struct folded_sum){ 0, strtod(digits, NULL), true };
}

/* Takes the number off the end of a line, and one blank before it. */
static bool take_number(struct text *line, struct folded_sum *ret)
{
	uint32_t begin = line->length;

	while (begin && is_digit(line->at[begin - 1]))
		begin--;
	if (begin && line->at[begin - 1] == '.') {
		uint32_t point = --begin;

		while (begin && is_digit(line->at[begin - 1]))
			begin--;
		if (begin == point)
			return false;
	}
	if (begin == line->length || !begin || !strchr(" \t\r\f\v", line->at[begin - 1]))
		return false;
	*ret = parse_number(line->at + begin, line->length - begin);
	line->length = begin - 1;
	return true;
}

/* The bytes of a number in hexadecimal that begins here, or 0. */
static uint32_t hex_at(struct text stack, uint32_t at)
{
	uint32_t end = at + 2;

	if (!text_has_prefix((struct text){ stack.at + at, stack.length - at }, "0x"))
		return 0;
	while (end < stack.length && stack.at[end] &&
	       strchr("0123456789abcdefABCDEF", stack.at[end]))
		end++;
	return end > at + 2 ? end - at : 0;
}

/* Writes a stack whose numbers in hexadecimal are all alike. */
static void strip_hex(struct text stack, struct sink *sink)
{
	for (uint32_t i = 0; i < stack.length;) {
		uint32_t length = hex_at(stack, i);

		if (length) {
			sink_puts(sink, "0x...");
			i += length;
		} else {
			sink_char(sink, stack.at[i++]);
		}
	}
}

static void take_line(struct folded_pairs *pairs, struct text line, int side,
		      const struct folded_pairs_options *options, struct sink *scratch)
{
	struct folded_sum count;
	str_id id;

	if (options->cuts_decimals)
		while (line.length && strchr(" \t\r", line.at[line.length - 1]))
			line.length--;
	if (options->cuts_decimals && (!line.length || text_has_prefix(line, "# ")))
		return;
	if (!take_number(&line, &count)) {
		pairs->skipped_count++;
		return;
	}
	if (count.is_real && options->cuts_decimals && count.real < WHOLE_END)
		count = (struct folded_sum){ .whole = (uint64_t)count.real };
	scratch->used = 0;
	if (options->strips_hex) {
		strip_hex(line, scratch);
		line = sink_memory(scratch);
	}
	id = strings_intern(&pairs->stacks, line.at, line.length);
	pairs->has_empty |= id.i == STR_EMPTY.i;
	while (pairs->rows.count <= id.i)
		vec_push(&pairs->rows, (struct folded_pair){ { zero, zero } });
	add(&pairs->rows.at[id.i].side[side], &count);
	add(&pairs->total[side], &count);
}

static void take_lines(struct folded_pairs *pairs, const char *at, const char *end, int side,
		       const struct folded_pairs_options *options)
{
	struct sink scratch;

	sink_init_memory(&scratch);
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		if (length < UINT32_MAX)
			take_line(pairs, (struct text){ at, (uint32_t)length }, side, options,
				  &scratch);
		else
			pairs->skipped_count++;
		at += length + (stop != NULL);
	}
	sink_deinit(&scratch);
}

bool folded_pairs_read(struct folded_pairs *pairs, const char *path, int side,
		       const struct folded_pairs_options *options, struct error *err)
{
	struct input input;
	VEC(char) bytes = { 0 };
	size_t got = CHUNK_BYTES;
	bool good = true;

	if (!input_open(&input, path, err))
		return false;
	while (good && got == CHUNK_BYTES) {
		vec_reserve(&bytes, bytes.count + CHUNK_BYTES);
		good = input_read(&input, bytes.count, bytes.at + bytes.count, CHUNK_BYTES, &got,
				  err);
		bytes.count += good ? got : 0;
	}
	input_close(&input);
	if (good)
		take_lines(pairs, bytes.at, bytes.at + bytes.count, side, options);
	vec_free(&bytes);
	return good;
}

static bool is_same(const struct folded_sum *a, const struct folded_sum *b)
{
	return a->is_real || b->is_real ? as_real(a) == as_real(b) : a->whole == b->whole;
}

bool folded_pairs_normalise(struct folded_pairs *pairs)
{
	const struct folded_sum *from = &pairs->total[0];
	const struct folded_sum *to = &pairs->total[1];

	if (is_same(from, to))
		return true;
	if (as_real(from) == 0)
		return false;
	for (size_t i = 0; i < pairs->rows.count; i++) {
		struct folded_sum *sum = &pairs->rows.at[i].side[0];
		double scaled = as_real(sum) * as_real(to) / as_real(from);

		if (scaled < WHOLE_END)
			*sum = (struct folded_sum){ .whole = (uint64_t)scaled };
		else
			*sum = (struct folded_sum){ 0, scaled, true };
	}
	return true;
}
