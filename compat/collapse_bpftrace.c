/* SPDX-License-Identifier: MIT */
#include "compat/collapse_bpftrace.h"

#include "base/scan.h"
#include "base/vec.h"

/* A stack under way: its frames one behind another. */
struct collapser {
	struct sink *sink;
	bool is_in_stack;
	VEC(char) bytes;
	VEC(size_t) ends; /* of frames, in bytes */
};

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
		line = text_from(line, 1);
	vec_reserve(&collapser->bytes, collapser->bytes.count + line.length);
	if (line.length)
		memcpy(collapser->bytes.at + collapser->bytes.count, line.at, line.length);
	collapser->bytes.count += line.length;
	vec_push(&collapser->ends, collapser->bytes.count);
}

static void take_line(void *context, struct text line)
{
	struct collapser *collapser = context;
	struct text number;
	struct text text;

	if (!collapser->is_in_stack) {
		if (text_is(line, "@["))
			collapser->is_in_stack = true;
		else if (text_has_prefix(line, "@[,") && line.length > 3 && is_space(line.at[3]) &&
			 part(text_from(line, 4), &text, &number))
			write_entry(collapser, text, number);
		return;
	}
	text = line;
	if (text.length && text.at[0] == ',')
		text = text_from(text, 1);
	if (text.length && is_space(text.at[0]))
		text = text_from(text, 1);
	if (!part(text, &text, &number)) {
		push_frame(collapser, line);
		return;
	}
	write_entry(collapser, text, number);
	collapser->is_in_stack = false;
	collapser->bytes.count = collapser->ends.count = 0;
}

bool collapse_bpftrace(const char *const *paths, size_t count, struct sink *sink,
		       struct input_lines *lines, struct error *err)
{
	struct collapser collapser = { .sink = sink };
	bool good = true;

	input_lines_init(lines, take_line, &collapser);
	for (size_t i = 0; good && i < count; i++)
		good = input_lines_read(lines, paths[i], err);
	input_lines_deinit(lines);
	vec_free(&collapser.bytes);
	vec_free(&collapser.ends);
	return good;
}
