/* SPDX-License-Identifier: MIT */
/*
 * Rows are sorted by "name;", which is the order of lines that continue after the name. The line of
 * the row itself ends with the bare name, which may sort earlier:
 *
 *     rows     read2  read                  lines    app;read 3      (self of read)
 *              ("read2;" < "read;")                  app;read2 5
 *                                                    app;read;copy 7
 *
 * Therefore, siblings with a line are sorted by bare name when the first of them is reached. Each
 * line is written before the first row that sorts after it. Rows of histograms are in the order of
 * their ranges instead.
 */
#include "render/text/folded.h"

#include <inttypes.h>

#include "base/scan.h"
#include "base/vec.h"
#include "profile/bucket.h"
#include "process/loss.h"
#include "render/escape.h"
#include "render/number.h"

struct pending_line {
	struct text name;
	uint32_t row;
};

struct writer {
	const struct profile *profile;
	struct text *names; /* by frame; stored because a row may need its name several times */
	struct sink *sink;
	bool is_escaped;
	uint64_t unit;              /* weight that is written as 1 */
	VEC(char) path;             /* "comm;main;" above the current row */
	VEC(uint32_t) path_lengths; /* length of the path at each depth */
	/* lines of all open groups of siblings; the last is written next */
	VEC(struct pending_line) pending;
};

static struct text name_of(const struct writer *writer, uint32_t row)
{
	return writer->names[writer->profile->stacks.at[row].frame.i];
}

static int compare_bare(struct text a, struct text b)
{
	int order = bucket_order(&a, &b);

	return order ? order : text_compare(a, b);
}

static int compare_descending(const void *a, const void *b)
{
	const struct pending_line *left = a;
	const struct pending_line *right = b;

	return compare_bare(right->name, left->name);
}

/* Collects the lines of a row and its later siblings. */
static void open_siblings(struct writer *writer, uint32_t first)
{
	const struct stack *stacks = writer->profile->stacks.at;
	uint32_t end = stacks[stacks[first].parent].end;
	size_t begin = writer->pending.count;

	for (uint32_t row = first; row < end; row = stacks[row].end)
		if (stacks[row].self >= writer->unit)
			vec_push(&writer->pending,
				 (struct pending_line){ name_of(writer, row), row });
	if (writer->pending.count - begin > 1)
		qsort(writer->pending.at + begin, writer->pending.count - begin,
		      sizeof(*writer->pending.at), compare_descending);
}

/* Finds where the digits, points and blanks at the end of a name begin. */
static uint32_t find_numbers(struct text name)
{
	uint32_t at = name.length;

	while (at && (is_digit(name.at[at - 1]) || strchr(". \t", name.at[at - 1])))
		at--;
	return at;
}

/*
 * Whether a character must be escaped. A blank before digits would be parsed as the blank before
 * the count.
 */
static bool needs_escape(struct text name, uint32_t at, uint32_t numbers)
{
	char c = name.at[at];

	if ((c == ' ' || c == '\t') && at + 1 >= numbers)
		return true;
	/* A comment begins like this. */
	return c == ';' || c == '\\' || c == '\n' || c == '\r' || (c == '#' && at == 0);
}

static size_t escape(struct text name, char *to)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t numbers = find_numbers(name);
	size_t length = 0;

	for (uint32_t i = 0; i < name.length; i++) {
		unsigned char c = (unsigned char)name.at[i];

		if (!needs_escape(name, i, numbers)) {
			to[length++] = (char)c;
			continue;
		}
		to[length++] = '\\';
		to[length++] = 'x';
		to[length++] = digits[c >> 4];
		to[length++] = digits[c & 15];
	}
	return length;
}

/* Appends a name to the path; it stays there for the rows below. */
static void append_name(struct writer *writer, struct text name)
{
	size_t room = (size_t)name.length * (writer->is_escaped ? 4 : 1) + 2;
	char *to;

	vec_reserve(&writer->path, writer->path.count + room);
	to = writer->path.at + writer->path.count;
	if (writer->is_escaped) {
		writer->path.count += escape(name, to);
		return;
	}
	memcpy(to, name.at, name.length);
	writer->path.count += name.length;
}

static void write_line(struct writer *writer, const struct pending_line *line)
{
	size_t above = writer->path.count;
	uint64_t count = writer->is_escaped ? profile_sample_count(writer->profile, line->row) : 0;

	/* Simple parsers skip this line because it does not end with a number. */
	if (count > 1 && writer->profile->unit != UNIT_SAMPLES)
		sink_printf(writer->sink, "# %" PRIu64 " samples\n", count);
	append_name(writer, line->name);
	sink_bytes(writer->sink, writer->path.at, writer->path.count);
	writer->path.count = above;
	sink_char(writer->sink, ' ');
	number_plain(writer->sink, writer->profile->stacks.at[line->row].self / writer->unit,
		     writer->profile->unit);
	sink_char(writer->sink, '\n');
}

/* Whether a line that ends with `name` sorts before lines that continue after `other`. */
static bool ends_before(struct text name, struct text other)
{
	int order = bucket_order(&name, &other);
	uint32_t shorter = name.length < other.length ? name.length : other.length;

	if (!order)
		order = memcmp(name.at, other.at, shorter);
	if (order)
		return order < 0;
	return name.length <= other.length || (unsigned char)name.at[other.length] < ';';
}

/*
 * Writes the pending lines that sort before the row. No line of a deeper row can be pending,
 * because a row's own line sorts before its descendants, so all lines of a group of siblings are
 * written by the time the walk leaves the group.
 */
static void write_lines_before(struct writer *writer, uint32_t row)
{
	const struct stack *stacks = writer->profile->stacks.at;

	while (writer->pending.count) {
		const struct pending_line *line = &writer->pending.at[writer->pending.count - 1];

		if (stacks[line->row].parent != stacks[row].parent ||
		    !ends_before(line->name, name_of(writer, row)))
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
	append_name(writer, name);
	writer->path.at[writer->path.count++] = ';';
}

static void write_stacks(const struct profile *profile, bool is_escaped, uint64_t unit,
			 struct sink *sink)
{
	struct writer writer = {
		.profile = profile,
		.names = memory_alloc(profile->frames.count, sizeof(*writer.names)),
		.sink = sink,
		.is_escaped = is_escaped,
		.unit = unit,
	};
	const struct stack *stacks = profile->stacks.at;

	for (uint32_t i = 0; i < profile->frames.count; i++)
		writer.names[i] = profile_frame_name(profile, (frame_id){ i });
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
	memory_free(writer.names);
}

void folded_write(const struct profile *profile, struct sink *sink)
{
	write_stacks(profile, false, 1, sink);
}

void folded_write_in(const struct profile *profile, uint64_t unit, struct sink *sink)
{
	write_stacks(profile, false, unit, sink);
}

/* Writes a comment line; the value comes from the capture. */
static void write_comment(struct sink *sink, const char *key, struct text value)
{
	sink_puts(sink, "# ");
	sink_puts(sink, key);
	sink_puts(sink, ": ");
	escape_terminal(sink, value);
	sink_char(sink, '\n');
}

void folded_write_provenance(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "# kiln folded 1\n");
	write_comment(sink, "capture", strings_get(profile->strings, profile->input_name));
	write_comment(sink, "event", strings_get(profile->strings, profile->event_name));
	write_comment(sink, "unit", text_of(number_unit_name(profile->unit)));
	sink_printf(sink, "# samples: %" PRIu64 " in all\n", profile->view_sample_count);
	if (profile->sample_counts.count && profile->unit != UNIT_SAMPLES)
		sink_puts(sink, "# sample counts: before each stack of several\n");
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		if (profile->losses[i])
			sink_printf(sink, "# lost: %" PRIu64 " %s\n", profile->losses[i],
				    loss_words((enum loss_kind)i, profile->losses[i]));
	if (profile->partial_reason)
		write_comment(sink, "partial", text_of(profile->partial_reason));
	sink_puts(sink, "# escapes: \\xHH\n");
	write_stacks(profile, true, 1, sink);
}
