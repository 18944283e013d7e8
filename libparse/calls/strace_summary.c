/* SPDX-License-Identifier: MIT */
/*
 * Reads the table of strace -c. The heading lists the columns; the number of errors may be missing
 * in a row:
 *
 *     % time     seconds  usecs/call     calls    errors syscall
 *     ------ ----------- ----------- --------- --------- ----------------
 *      33.96    0.000054          54         1           execve
 *     ------ ----------- ----------- --------- --------- ----------------
 *     100.00    0.000159           3        43         1 total
 *
 * Seconds are kernel CPU time or, with -w, wall-clock time. The table does not show which of these
 * two times it lists.
 */
#include "libparse/calls/call_line.h"
#include "libparse/text.h"

#define COLUMNS_MAX 12

enum summary_column {
	COLUMN_OTHER,
	COLUMN_SECONDS,
	COLUMN_SHORTEST,
	COLUMN_LONGEST,
	COLUMN_CALLS,
	COLUMN_ERRORS,
	COLUMN_NAME,
};

struct summary_reader {
	enum summary_column columns[COLUMNS_MAX];
	uint32_t count;
};

static enum summary_column column_of(struct text word)
{
	static const struct {
		const char *word;
		enum summary_column column;
	} rows[] = {
		{ "seconds", COLUMN_SECONDS }, { "shortest", COLUMN_SHORTEST },
		{ "longest", COLUMN_LONGEST }, { "calls", COLUMN_CALLS },
		{ "errors", COLUMN_ERRORS },   { "syscall", COLUMN_NAME },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (text_is(word, rows[i].word))
			return rows[i].column;
	return COLUMN_OTHER;
}

/* Reads a heading, which has at least the names and the calls. "% time" is one column. */
static bool read_heading(struct text line, struct summary_reader *ret)
{
	struct text word;
	bool has_name = false;
	bool has_calls = false;

	ret->count = 0;
	while (text_next_word(&line, &word)) {
		if (text_is(word, "%"))
			continue;
		if (ret->count == COLUMNS_MAX)
			return false;
		ret->columns[ret->count] = column_of(word);
		has_name |= ret->columns[ret->count] == COLUMN_NAME;
		has_calls |= ret->columns[ret->count] == COLUMN_CALLS;
		if (!text_is(word, "time") && !text_is(word, "usecs/call") &&
		    ret->columns[ret->count] == COLUMN_OTHER)
			return false;
		ret->count++;
	}
	return has_name && has_calls;
}

static bool read_value(enum summary_column column, struct text word, struct event_syscall *call)
{
	switch (column) {
	case COLUMN_SECONDS:
		return call_line_read_decimal(word, &call->duration_ns);
	case COLUMN_LONGEST:
		return call_line_read_decimal(word, &call->longest_ns);
	case COLUMN_CALLS:
		return text_to_u64(word, &call->call_count);
	case COLUMN_ERRORS:
		return text_to_u64(word, &call->error_count);
	case COLUMN_NAME:
		call->name = word;
		return !is_digit(word.at[0]);
	case COLUMN_SHORTEST:
	case COLUMN_OTHER:
		break;
	}
	return true;
}

/* Reads a row. A row without a number of errors has one word fewer. */
static bool read_row(const struct summary_reader *reader, struct text line,
		     struct event_syscall *ret)
{
	struct text words[COLUMNS_MAX];
	uint32_t count = 0;
	bool lacks_errors;
	uint32_t word = 0;

	while (count < COLUMNS_MAX && text_next_word(&line, &words[count]))
		count++;
	lacks_errors = count + 1 == reader->count;
	if (text_trim(line).length || (count != reader->count && !lacks_errors))
		return false;
	*ret = (struct event_syscall){ .phase = EVENT_SYSCALL_SUM,
				       .duration_ns = EVENT_SYSCALL_NO_DURATION };
	for (uint32_t i = 0; i < reader->count; i++) {
		if (lacks_errors && reader->columns[i] == COLUMN_ERRORS)
			continue;
		if (word == count || !read_value(reader->columns[i], words[word++], ret))
			return false;
	}
	return word == count && ret->error_count <= ret->call_count;
}

static bool is_expected(struct text line)
{
	struct text text = text_trim(line);

	return !text.length || text_has_prefix(text, "---");
}

/* The first heading in [from, end), or NULL. */
static const char *find_table(const char *from, const char *end)
{
	struct summary_reader ignored;
	const char *next = from;
	struct text line;

	while (text_next_line(&next, end, true, &line))
		if (read_heading(line, &ignored))
			return line.at;
	return NULL;
}

/*
 * Reads the rows of [at, stop). Each row gets the offset of its table, where reading it again must
 * begin.
 */
static void read_rows(struct text_parser *parser, const struct text_window *window, const char *at,
		      const char *stop, const struct summary_reader *reader)
{
	uint64_t offset = text_offset(window, window->at);
	struct text line;

	while (text_next_line(&at, stop, true, &line)) {
		struct call_line row = { .tid = EVENT_NO_TID };

		row.has_call = read_row(reader, line, &row.call);
		if (!row.has_call && !is_expected(line))
			text_skip(&parser->skips, text_offset(window, line.at));
		else if (row.has_call && !text_is(row.call.name, "total"))
			call_line_send(parser->sink, &row, offset);
	}
}

/* The program's output may precede the table. */
static void read_tables(void *context, struct text_window *window)
{
	struct text_parser *parser = context;
	struct summary_reader reader;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		if (read_heading(line, &reader)) {
			const char *stop = find_table(next, window->end);

			if (!stop && !window->is_last) {
				text_give_up(window, &parser->skips);
				return;
			}
			next = stop ? stop : window->end;
			read_rows(parser, window, line.at + line.length, next, &reader);
		} else if (!is_expected(line)) {
			text_skip(&parser->skips, text_offset(window, line.at));
		}
		window->at = next;
	}
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return text_read_samples(capture, slice, read_tables, sink, err);
}

/* A line of dashes follows the heading. */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct summary_reader ignored;
	struct text line;
	struct text below;

	while (text_next_line(&next, end, true, &line)) {
		const char *after = next;

		if (read_heading(line, &ignored) && text_next_line(&after, end, true, &below) &&
		    text_has_prefix(text_trim(below), "---"))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the heading of strace -c");
	}
	return evidence_none();
}

static bool open_summary(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_table, err);
}

const struct input_format strace_summary_format = {
	.name = "strace-summary",
	.summary = "table of strace -c, for kiln syscalls",
	.title = "table of strace -c",
	.probe = probe,
	.ends_in = "\n",
	.open = open_summary,
	.read_samples = read_samples,
	.read_frame = call_line_read_frame,
	.has_exact_comms = true,
	.only_command = "kiln syscalls",
};
