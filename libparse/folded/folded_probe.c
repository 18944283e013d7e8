/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_probe.h"

#include "libparse/folded/folded_reader.h"
#include "libparse/folded/folded_line.h"
#include "libparse/table_row.h"
#include "libparse/text.h"

/* A line without an end that is this long can be a stack that goes on behind the head. */
#define CUT_BYTES_MIN 1024
/* Of eight lines, one has to have a `;` where all end in a count; of what speaks against, one is too many. */
#define FAIR_SHARE 8

enum line_kind {
	LINE_STACK,  /* a;b 3 */
	LINE_SINGLE, /* main 3: one frame, or anything */
	LINE_ROW,    /* of a table */
	LINE_HEADING,
	LINE_OTHER,
	LINE_KIND_COUNT,
};

struct shape {
	size_t counts[LINE_KIND_COUNT];
	size_t zero_count;      /* of singles, those whose count is 0 */
	size_t numbered_count;  /* of singles, those with a number before the count */
	bool begins_with_stack; /* the first line is one */
	bool has_heading;       /* before the first stack */
};

bool folded_is_comment(struct text line)
{
	return line.length == 0 || text_has_prefix(line, "# ") || text_is(line, "#");
}

/* The first `;` that joins frames: prose and programs have a blank behind theirs. */
static const char *find_join(struct text text)
{
	const char *end = text.at + text.length;
	const char *at = text.at;

	while (at < end && (at = memchr(at, ';', (size_t)(end - at)))) {
		at++;
		if (at == end || *at != ' ')
			return at - 1;
	}
	return NULL;
}

bool folded_is_table_row(struct text name, uint32_t blank_count)
{
	const char *join = name.length ? find_join(name) : NULL;
	struct table_columns all = table_columns_of(name);
	struct table_columns first;

	/* Folded stacks have one blank before the count. */
	if (!join)
		return all.gap_count || all.number_count >= 2 || all.has_number_first ||
		       blank_count > 1 || name.at[name.length] == '\t';
	/* A column may be a command line, which can have a `;`. */
	first = table_columns_of((struct text){ name.at, (uint32_t)(join - name.at) });
	return first.gap_count + first.number_count && all.gap_count + all.number_count >= 4;
}

/* A stack with a number that is no count: less than nothing, too large, or as computers write it. */
static bool has_odd_count(struct text line)
{
	const char *blank = memrchr(line.at, ' ', line.length);
	const char *last = blank ? blank + 1 : NULL;

	return last && last < line.at + line.length && memchr("-+.0123456789", *last, 13) &&
	       memchr(line.at, ';', (size_t)(blank - line.at));
}

/* A stack so long that the head ends before its number. */
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

static enum line_kind kind_of(struct text line, struct shape *shape)
{
	struct text name = line;
	struct folded_number number;

	/* Maps of bpftrace end in a number too. */
	if (memchr("@ \t", line.at[0], 3))
		return LINE_OTHER;
	if (table_is_heading(line))
		return LINE_HEADING;
	if (!folded_line_take_number(&name, 0, &number))
		return has_odd_count(line) ? LINE_STACK : LINE_OTHER;
	if (!name.length || text_has_suffix(name, ":") || text_has_suffix(name, " ="))
		return LINE_OTHER;
	if (folded_is_table_row(name, line.length - number.length - name.length))
		return LINE_ROW;
	if (find_join(name))
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

		/* The last line may be cut, and with it its number. */
		if (!folded_is_comment(line) && !(is_cut && has_any))
			add_line(&shape, line, is_cut);
	}
	return shape;
}

/* Whether nothing speaks against names with a count: a heading, other lines, counts of 0, or a second column of
 * numbers. */
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
		return evidence_of(counted > 2 * other_count && stack_count * FAIR_SHARE >= counted
					   ? CONFIDENCE_LIKELY
					   : CONFIDENCE_PERHAPS,
				   "%zu of the first %zu lines end in a count, %zu have a `;`",
				   counted, counted + other_count, stack_count);
	if (!are_consistent(&shape))
		return evidence_none();
	return evidence_of(CONFIDENCE_PERHAPS, "%zu of the first %zu lines are a name and a count",
			   counted, counted + other_count);
}
