/* SPDX-License-Identifier: MIT */
/*
 * Implements stackcollapse-bpftrace.pl: writes one line for each entry of a map, in input order,
 * without adding up equal stacks.
 *
 *     @[
 *         vfs_read+1
 *         ksys_read+5
 *     ]: 3             becomes     ksys_read+5;vfs_read+1 3
 *
 * kiln fold reads the same text by better rules: libparse/bpftrace/bpftrace_text.c.
 */
#include "base/scan.h"
#include "cli/output.h"
#include "compat/dropin.h"
#include "compat/input_lines.h"

/* The stack being read. */
struct collapser {
	struct sink *sink;
	bool is_in_stack;
	VEC(char) bytes;  /* its frames, concatenated */
	VEC(size_t) ends; /* where each frame ends in bytes */
};

/* Splits a line at the last "]: " that is followed by a digit. */
static bool split(struct text line, struct text *text_ret, struct text *number_ret)
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

static void read_line(void *context, struct text line)
{
	struct collapser *collapser = context;
	struct text number;
	struct text text;

	if (!collapser->is_in_stack) {
		if (text_is(line, "@["))
			collapser->is_in_stack = true;
		else if (text_has_prefix(line, "@[,") && line.length > 3 && is_space(line.at[3]) &&
			 split(text_from(line, 4), &text, &number))
			write_entry(collapser, text, number);
		return;
	}
	text = line;
	if (text.length && text.at[0] == ',')
		text = text_from(text, 1);
	if (text.length && is_space(text.at[0]))
		text = text_from(text, 1);
	if (!split(text, &text, &number)) {
		push_frame(collapser, line);
		return;
	}
	write_entry(collapser, text, number);
	collapser->is_in_stack = false;
	collapser->bytes.count = collapser->ends.count = 0;
}

static bool collapse(const char *const *paths, size_t count, struct sink *sink,
		     struct input_lines *lines, struct error *err)
{
	struct collapser collapser = { .sink = sink };
	bool good = true;

	input_lines_init(lines, read_line, &collapser);
	for (size_t i = 0; good && i < count; i++)
		good = input_lines_read(lines, paths[i], err);
	input_lines_deinit(lines);
	vec_free(&collapser.bytes);
	vec_free(&collapser.ends);
	return good;
}

/* The script has no options: every argument is a file. */
static int run(int argc, char **argv)
{
	static const char *const standard_input[] = { "-" };
	bool has_files = argc > 1;
	const char *const *paths = has_files ? (const char *const *)argv + 1 : standard_input;
	struct input_lines lines = { .skipped_count = 0 };
	struct output output;
	struct error err;
	bool good = output_open(&output, NULL, &err);

	if (good) {
		good = collapse(paths, has_files ? (size_t)argc - 1 : 1, &output.sink, &lines,
				&err);
		if (good)
			dropin_warn_empty(&output.sink);
		good = output_close(&output, good, &err);
	}
	dropin_warn_skipped(&lines);
	if (!good)
		command_fail(&err);
	return good ? EXIT_DONE : EXIT_DIED;
}

const struct dropin dropin_stackcollapse_bpftrace = { "stackcollapse-bpftrace.pl", run };
