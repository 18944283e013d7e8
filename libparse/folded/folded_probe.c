/* SPDX-License-Identifier: MIT */
/*
 * Detects folded stacks. Numbers at the ends of lines are not enough evidence, because they also
 * occur in many other texts.
 */
#include "libparse/folded/folded_line.h"
#include "libparse/folded/folded_reader.h"
#include "libparse/table_row.h"
#include "libparse/text.h"

/*
 * A last line with at least this length, and without a newline, may be a stack that continues
 * beyond the head.
 */
#define CUT_BYTES_MIN 1024
/*
 * Folded stacks are likely only if at least 1 in 8 lines with a count contains ";". If no line
 * does, there may be at most one table row, and one count of 0, for every 8 single frames.
 */
#define FAIR_SHARE 8

enum line_kind {
	LINE_STACK,  /* a;b 3 */
	LINE_SINGLE, /* main 3: one frame, or any text */
	LINE_ROW,    /* a table row */
	LINE_HEADING,
	LINE_OTHER,
	LINE_KIND_COUNT,
};

struct shape {
	size_t counts[LINE_KIND_COUNT];
	size_t zero_count;     /* LINE_SINGLE with a count of 0 */
	size_t numbered_count; /* LINE_SINGLE with a number before the count */
	bool begins_with_stack;
	bool has_heading; /* there is a heading before the first stack */
};

/*
 * Whether a stack ends in a number that cannot be a count: negative, too large, or in scientific
 * notation.
 */
static bool has_odd_count(struct text line)
{
	const char *end = line.at + line.length;
	const char *blank = memrchr(line.at, ' ', line.length);
	const char *last = blank ? blank + 1 : end;

	for (const char *at = last; at < end; at++)
		if (!memchr("-+.,0123456789eE", *at, 16))
			return false;
	return last < end && *last != 'e' && *last != 'E' &&
	       folded_line_find_join((struct text){ line.at, (uint32_t)(last - line.at) });
}

/* Whether the line is a stack whose count is beyond the end of the head. */
static bool is_cut_stack(struct text line)
{
	if (line.length < CUT_BYTES_MIN || memchr("@<{", line.at[0], 3) ||
	    !memchr(line.at, ';', line.length))
		return false;
	for (uint32_t i = 0; i < line.length; i++)
		if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
			return false;
	return true;
}

/*
 * Whether the line is of an access log: it ends in a number, too, and its path may contain
 * ";jsessionid=". A quote follows the request, but not a frame that is named after a request.
 */
static bool is_of_access_log(struct text line)
{
	const char *end = line.at + line.length;
	const char *at = memmem(line.at, line.length, " HTTP/", 6);

	return at && memmem(at, (size_t)(end - at), "\" ", 2);
}

static enum line_kind kind_of(struct text line, struct shape *shape)
{
	struct text name = line;
	struct folded_number number;

	/* Lines of bpftrace maps, constants of C, and comments of Lisp also end in a number. */
	if (memchr("@ \t", line.at[0], 3) || text_has_prefix(line, "#define ") ||
	    text_has_prefix(line, ";;"))
		return LINE_OTHER;
	if (is_of_access_log(line))
		return LINE_OTHER;
	if (table_is_heading(line))
		return LINE_HEADING;
	if (!folded_line_take_number(&name, 0, &number))
		return has_odd_count(line) ? LINE_STACK : LINE_OTHER;
	if (!name.length || text_has_suffix(name, ":") || text_has_suffix(name, " ="))
		return LINE_OTHER;
	if (folded_line_is_table_row(name, line.length - number.length - name.length))
		return LINE_ROW;
	if (folded_line_find_join(name))
		return LINE_STACK;
	if (memchr(name.at, ';', name.length))
		return LINE_OTHER;
	shape->zero_count += number.value == 0 && !number.decimals;
	shape->numbered_count += table_columns_of(name).number_count > 0;
	return LINE_SINGLE;
}

static void add_line(struct shape *shape, struct text line, bool is_cut)
{
	enum line_kind kind = kind_of(line, shape);
	const size_t *counts = shape->counts;
	bool is_first = !counts[LINE_STACK] && !counts[LINE_SINGLE] && !counts[LINE_ROW] &&
			!counts[LINE_HEADING] && !counts[LINE_OTHER];

	if (is_cut && is_cut_stack(line))
		kind = LINE_STACK;
	shape->begins_with_stack |= is_first && kind == LINE_STACK;
	shape->has_heading |= kind == LINE_HEADING && !counts[LINE_STACK];
	shape->counts[kind]++;
}

static struct shape shape_of(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct shape shape = { .zero_count = 0 };
	struct text line;

	while (text_next_line(&next, end, true, &line)) {
		bool is_cut = next == end && end[-1] != '\n';
		bool has_any = shape.counts[LINE_STACK] || shape.counts[LINE_SINGLE];

		/* The last line may be truncated within its count. */
		if (!folded_line_is_comment(line) && !(is_cut && has_any))
			add_line(&shape, line, is_cut);
	}
	return shape;
}

/*
 * Whether single frames with counts are plausible, because there is no heading, and only few lines
 * are of other kinds, have a count of 0, or have two columns of numbers.
 */
static bool are_consistent(const struct shape *shape)
{
	size_t single_count = shape->counts[LINE_SINGLE];

	return single_count && !shape->has_heading &&
	       shape->counts[LINE_ROW] * FAIR_SHARE <= single_count &&
	       shape->counts[LINE_OTHER] * 2 < single_count &&
	       shape->zero_count * FAIR_SHARE <= single_count &&
	       shape->numbered_count * 2 <= single_count;
}

struct evidence folded_probe(struct span head)
{
	struct text text = { (const char *)head.begin, (uint32_t)(head.end - head.begin) };
	struct shape shape;
	size_t stack_count;
	size_t counted;
	size_t other_count;

	if (text_has_prefix(text, FOLDED_PROVENANCE) || text_has_prefix(text, FOLDED_AUSTIN))
		return evidence_of(CONFIDENCE_CERTAIN, "begins with the header of %s",
				   text_has_prefix(text, FOLDED_AUSTIN) ? "austin"
									: "kiln fold --provenance");
	shape = shape_of(head);
	stack_count = shape.counts[LINE_STACK];
	counted = stack_count + shape.counts[LINE_SINGLE];
	other_count =
		shape.counts[LINE_ROW] + shape.counts[LINE_HEADING] + shape.counts[LINE_OTHER];
	if (stack_count && (shape.begins_with_stack || stack_count * FAIR_SHARE >= other_count) &&
	    (!shape.has_heading || stack_count > other_count))
		return evidence_of(
			counted > 2 * other_count && stack_count * FAIR_SHARE >= counted
				? CONFIDENCE_LIKELY
				: CONFIDENCE_PERHAPS,
			"lines that end in a count: %zu of the first %zu; with a `;`: %zu", counted,
			counted + other_count, stack_count);
	if (!are_consistent(&shape))
		return evidence_none();
	return evidence_of(CONFIDENCE_PERHAPS,
			   "lines that consist of a name and a count: %zu of the first %zu",
			   counted, counted + other_count);
}
