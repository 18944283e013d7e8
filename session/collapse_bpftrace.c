/* SPDX-License-Identifier: MIT */
#include "session/collapse_bpftrace.h"

#include "base/input.h"
#include "base/vec.h"

#define CHUNK_BYTES ((size_t)256 << 10)

/* A stack under way: its frames one behind another. */
struct collapser {
	struct sink *sink;
	bool is_in_stack;
	VEC(char) bytes;
	VEC(size_t) ends; /* of frames, in bytes */
	VEC(char) line;   /* what there is of the line under way */
};

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct text drop_front(struct text text, uint32_t length)
{
	return (struct text){ text.at + length, text.length - length };
}

/* Parts a line at the last "]: " that a digit follows. */
static bool part(struct text line, struct text *text_ret, struct text *number_ret)
{
	for (uint32_t i = line.length; i-- > 3;) {
		uint32_t end = i;

		if (!is_digit(line.at[i]) || memcmp(line.at + i - 3, "]: ", 3) != 0)
			continue;
		while (end < line.length && is_digit(line.at[end]))
			end++;
		*text_ret = (struct text){ line.at, i - 3 };
		*number_ret = (struct text){ line.at + i, end - i };
		return true;
	}
	return false;
}

static void write_entry(struct collapser *collapser, struct text last, struct text number)
{
	struct sink *sink = collapser->sink;

	sink_text(sink, last);
	for (size_t i = collapser->ends.count; i-- > 0;) {
		size_t begin = i ? collapser->ends.at[i - 1] : 0;

		if (last.length || i + 1 < collapser->ends.count)
			sink_char(sink, ';');
		sink_bytes(sink, collapser->bytes.at + begin, collapser->ends.at[i] - begin);
	}
	sink_char(sink, ' ');
	sink_text(sink, number);
	sink_char(sink, '\n');
}

static void push_frame(struct collapser *collapser, struct text line)
{
	while (line.length && is_space(line.at[0]))
		line = drop_front(line, 1);
	vec_reserve(&collapser->bytes, collapser->bytes.count + line.length);
	if (line.length)
		memcpy(collapser->bytes.at + collapser->bytes.count, line.at, line.length);
	collapser->bytes.count += line.length;
	vec_push(&collapser->ends, collapser->bytes.count);
}

static void take_line(struct collapser *collapser, struct text line)
{
	struct text number;
	struct text text;

	if (!collapser->is_in_stack) {
		if (text_is(line, "@["))
			collapser->is_in_stack = true;
		else if (text_has_prefix(line, "@[,") && line.length > 3 && is_space(line.at[3]) &&
			 part(drop_front(line, 4), &text, &number))
			write_entry(collapser, text, number);
		return;
	}
	text = line;
	if (text.length && text.at[0] == ',')
		text = drop_front(text, 1);
	if (text.length && is_space(text.at[0]))
		text = drop_front(text, 1);
	if (!part(text, &text, &number)) {
		push_frame(collapser, line);
		return;
	}
	write_entry(collapser, text, number);
	collapser->is_in_stack = false;
	collapser->bytes.count = collapser->ends.count = 0;
}

static void append_line(struct collapser *collapser, const char *at, size_t length)
{
	vec_reserve(&collapser->line, collapser->line.count + length);
	if (length)
		memcpy(collapser->line.at + collapser->line.count, at, length);
	collapser->line.count += length;
}

static void end_line(struct collapser *collapser)
{
	take_line(collapser, (struct text){ collapser->line.at, (uint32_t)collapser->line.count });
	collapser->line.count = 0;
}

static void take_chunk(struct collapser *collapser, const char *at, size_t size_bytes)
{
	const char *end = at + size_bytes;
	const char *stop;

	while (at < end && (stop = memchr(at, '\n', (size_t)(end - at)))) {
		if (collapser->line.count) {
			append_line(collapser, at, (size_t)(stop - at));
			end_line(collapser);
		} else {
			take_line(collapser, (struct text){ at, (uint32_t)(stop - at) });
		}
		at = stop + 1;
	}
	append_line(collapser, at, (size_t)(end - at));
}

static bool take_input(struct collapser *collapser, const struct input *input, struct error *err)
{
	char *chunk = memory_alloc(CHUNK_BYTES, 1);
	uint64_t offset = 0;
	size_t got = CHUNK_BYTES;
	bool good = true;

	while (good && got == CHUNK_BYTES) {
		good = input_read(input, offset, chunk, CHUNK_BYTES, &got, err);
		if (good)
			take_chunk(collapser, chunk, got);
		offset += got;
	}
	/* A last line without an end is one of this input. */
	if (collapser->line.count)
		end_line(collapser);
	memory_free(chunk);
	return good;
}

static bool take_path(struct collapser *collapser, const char *path, struct error *err)
{
	struct input input;
	bool good = input_open(&input, path, err);

	if (!good)
		return false;
	good = take_input(collapser, &input, err);
	input_close(&input);
	return good;
}

bool collapse_bpftrace(const char *const *paths, size_t count, struct sink *sink, struct error *err)
{
	struct collapser collapser = { .sink = sink };
	bool good = true;

	for (size_t i = 0; good && i < count; i++)
		good = take_path(&collapser, paths[i], err);
	vec_free(&collapser.bytes);
	vec_free(&collapser.ends);
	vec_free(&collapser.line);
	return good;
}
