/* SPDX-License-Identifier: MIT */
/*
 * Rows come in the order of "name;", which is the order of lines that go on behind the name. The
 * line of a row itself ends there and compares by the bare name, which can come earlier:
 *
 *     rows     read2  read                  lines    app;read 3      (self of read)
 *              ("read2;" < "read;")                  app;read2 5
 *                                                    app;read;copy 7
 *
 * So the siblings that have a line are put in order of bare names when the first of them is
 * reached, and each line is written when a row is reached that it sorts before.
 */
#include "render/folded.h"

#include "base/vec.h"

struct pending_line {
	struct text name;
	uint32_t row;
};

struct writer {
	const struct profile *profile;
	struct sink *sink;
	VEC(char) path;             /* "comm;main;" above the row being written */
	VEC(uint32_t) path_lengths; /* of the path above each depth */
	VEC(struct pending_line)
	pending; /* of all siblings groups that are open, last sorts first */
};

static struct text name_of(const struct writer *writer, uint32_t row)
{
	return profile_frame_name(writer->profile, writer->profile->stacks.at[row].frame);
}

static int compare_descending(const void *a, const void *b)
{
	const struct pending_line *left = a;
	const struct pending_line *right = b;

	return text_compare(right->name, left->name);
}

/* Collects the lines of a row and its later siblings. */
static void open_siblings(struct writer *writer, uint32_t first)
{
	const struct stack *stacks = writer->profile->stacks.at;
	uint32_t end = stacks[stacks[first].parent].end;
	size_t begin = writer->pending.count;

	for (uint32_t row = first; row < end; row = stacks[row].end)
		if (stacks[row].self)
			vec_push(&writer->pending,
				 (struct pending_line){ name_of(writer, row), row });
	if (writer->pending.count - begin > 1)
		qsort(writer->pending.at + begin, writer->pending.count - begin,
		      sizeof(*writer->pending.at), compare_descending);
}

static void write_line(struct writer *writer, const struct pending_line *line)
{
	sink_bytes(writer->sink, writer->path.at, writer->path.count);
	sink_text(writer->sink, line->name);
	sink_char(writer->sink, ' ');
	sink_u64(writer->sink, writer->profile->stacks.at[line->row].self);
	sink_char(writer->sink, '\n');
}

/* Whether a line ending in this name sorts before lines that go on behind the other. */
static bool ends_before(struct text name, struct text other)
{
	uint32_t shorter = name.length < other.length ? name.length : other.length;
	int order = memcmp(name.at, other.at, shorter);

	if (order)
		return order < 0;
	return name.length <= other.length || (unsigned char)name.at[other.length] < ';';
}

/*
 * Lines left from deeper rows are none: a row's own line sorts before whatever is below it, so a
 * group of siblings is written out by the time the last of them is left.
 */
static void write_lines_before(struct writer *writer, uint32_t row)
{
	const struct stack *stacks = writer->profile->stacks.at;
	struct text name = name_of(writer, row);

	while (writer->pending.count) {
		const struct pending_line *line = &writer->pending.at[writer->pending.count - 1];

		if (stacks[line->row].parent != stacks[row].parent ||
		    !ends_before(line->name, name))
			return;
		write_line(writer, line);
		writer->pending.count--;
	}
}

static void shorten_path(struct writer *writer, uint32_t depth)
{
	while (writer->path_lengths.count >= depth) {
		writer->path_lengths.count--;
		writer->path.count = writer->path_lengths.at[writer->path_lengths.count];
	}
}

static void lengthen_path(struct writer *writer, uint32_t row)
{
	struct text name = name_of(writer, row);

	vec_push(&writer->path_lengths, (uint32_t)writer->path.count);
	vec_reserve(&writer->path, writer->path.count + name.length + 1);
	memcpy(writer->path.at + writer->path.count, name.at, name.length);
	writer->path.count += name.length;
	writer->path.at[writer->path.count++] = ';';
}

void folded_write(const struct profile *profile, struct sink *sink)
{
	struct writer writer = { .profile = profile, .sink = sink };
	const struct stack *stacks = profile->stacks.at;

	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		shorten_path(&writer, stacks[row].depth);
		if (row == stacks[row].parent + 1)
			open_siblings(&writer, row);
		write_lines_before(&writer, row);
		if (stacks[row].end > row + 1)
			lengthen_path(&writer, row);
	}
	vec_free(&writer.path);
	vec_free(&writer.path_lengths);
	vec_free(&writer.pending);
}
