/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace.h"

#include "base/scan.h"
#include "libparse/banner.h"
#include "libparse/bpftrace/bpftrace_entry.h"
#include "libparse/bpftrace/bpftrace_frame.h"

/* The length of "@name" at the front. */
static uint32_t name_length(struct text line)
{
	uint32_t length = 1;

	if (!line.length || line.at[0] != '@')
		return 0;
	while (length < line.length && is_identifier(line.at[length]))
		length++;
	return length;
}

bool bpftrace_text_begins(struct text line)
{
	uint32_t length = name_length(line);

	return length && length < line.length &&
	       (line.at[length] == '[' || (line.at[length] == ':' && (length + 1 == line.length ||
								      line.at[length + 1] == ' ')));
}

static struct text drop_blanks_behind(struct text text)
{
	while (text.length && (text.at[text.length - 1] == ' ' || text.at[text.length - 1] == '\t'))
		text.length--;
	return text;
}

/*
 * Reads the number after a name, in "count 3, average 2, total 6" or "{ .count = 3, .average = 2,
 * .total = 6 }".
 */
static bool read_stat(struct text *value, const char *name, uint64_t *ret)
{
	const char *at = memmem(value->at, value->length, name, strlen(name));
	struct text digits;

	if (!at)
		return false;
	*value = text_from(*value, (uint32_t)(at - value->at + (ptrdiff_t)strlen(name)));
	while (value->length && (value->at[0] == ' ' || value->at[0] == '='))
		*value = text_from(*value, 1);
	digits = (struct text){ value->at, 0 };
	while (digits.length < value->length && digits.at[digits.length] >= '0' &&
	       digits.at[digits.length] <= '9')
		digits.length++;
	return text_to_u64(digits, ret);
}

static enum bpftrace_value read_value(struct bpftrace_entry *entry, struct text value)
{
	bool is_stats = text_has_prefix(value, "count ") || text_has_prefix(value, "{ .count");

	if (is_stats)
		return read_stat(&value, "count", &entry->sample_count) &&
				       read_stat(&value, "total", &entry->total)
			       ? BPFTRACE_STATS
			       : BPFTRACE_WRONG;
	return bpftrace_value_of(value, &entry->total);
}

/*
 * Finds the end of a key: the last "]: ", or "]:" at the end of the line. Returns NULL if the key
 * does not end in this line.
 */
static const char *find_key_end(struct text line)
{
	struct text trimmed = drop_blanks_behind(line);

	if (text_has_suffix(trimmed, "]:"))
		return trimmed.at + trimmed.length - 2;
	for (uint32_t i = line.length; i-- > 2;)
		if (line.at[i] == ' ' && line.at[i - 1] == ':' && line.at[i - 2] == ']')
			return line.at + i - 2;
	return NULL;
}

struct bpftrace_reading {
	struct bpftrace_entry *entry;
	const struct text_window *window;
	struct text_skips *skips;
	const char *next;
	bool is_key_done, has_rows;
};

/* Reads a line of a key that is not a frame, starting after its bracket or comma. */
static bool read_key_line(struct bpftrace_reading *reading, struct text rest)
{
	struct bpftrace_entry *entry = reading->entry;
	const char *end = find_key_end(rest);
	struct text value;

	if (end) {
		value = text_trim(text_from(rest, (uint32_t)(end - rest.at) + 2));
		bpftrace_entry_add_words(entry, (struct text){ rest.at, (uint32_t)(end - rest.at) },
					 ", ");
		reading->is_key_done = true;
		reading->has_rows = !value.length;
		entry->value = read_value(entry, value);
		entry->key.length = (uint32_t)(end - entry->key.at);
		return true;
	}
	rest = drop_blanks_behind(rest);
	if (rest.length && rest.at[rest.length - 1] != ',')
		return false;
	rest.length -= rest.length > 0;
	bpftrace_entry_add_words(entry, rest, ", ");
	bpftrace_entry_add_stack(entry);
	return true;
}

/* Reads a key up to the value: the frames of its stacks and the lines between them. */
static enum bpftrace_progress read_key(struct bpftrace_reading *reading)
{
	const struct text_window *window = reading->window;
	struct text line;

	while (!reading->is_key_done) {
		const char *begin = reading->next;

		if (!banner_next_line(&reading->next, window->end, window->is_last, &line))
			return window->is_last ? BPFTRACE_BROKEN : BPFTRACE_INCOMPLETE;
		if (bpftrace_text_begins(line)) {
			reading->next = begin;
			return BPFTRACE_BROKEN;
		}
		if (!line.length)
			continue;
		if (line.at[0] == ' ' || line.at[0] == '\t') {
			bpftrace_entry_add_frame(reading->entry, line);
		} else if (line.at[0] == ']') {
			if (!find_key_end(line) || !read_key_line(reading, line))
				return BPFTRACE_BROKEN;
		} else if (line.at[0] == ',') {
			bool has_blank = line.length > 1 && line.at[1] == ' ';

			if (!read_key_line(reading, text_from(line, has_blank ? 2 : 1)))
				return BPFTRACE_BROKEN;
		} else if (bpftrace_frame_is_bare(line)) {
			bpftrace_entry_add_frame(reading->entry, line);
		} else {
			text_skip(reading->skips, text_offset(window, line.at));
		}
	}
	return BPFTRACE_COMPLETE;
}

/* A row of a time series: "12:00:01.5 |  *   | 12". */
static bool read_time_row(struct text line, const char *bar, struct bpftrace_row *ret)
{
	const char *last = memrchr(line.at, '|', line.length);
	struct text label = text_trim((struct text){ line.at, (uint32_t)(bar - line.at) });

	ret->label = (struct text){ label.at - 1, label.length + 1 };
	return memchr(label.at, ':', label.length) &&
	       text_to_u64(text_trim(text_from(line, (uint32_t)(last + 1 - line.at))), &ret->count);
}

/* "[2, 4) 3 |@@@@@ |", or a row of a time series. Returns false for any other line. */
static bool read_row(struct text line, struct bpftrace_row *ret)
{
	const char *bar = memchr(line.at, '|', line.length);
	struct text rest;
	uint32_t begin;

	if (!bar)
		return false;
	if (line.at[0] >= '0' && line.at[0] <= '9')
		return read_time_row(line, bar, ret);
	if (line.at[0] != '[' && line.at[0] != '(')
		return false;
	rest = text_trim((struct text){ line.at, (uint32_t)(bar - line.at) });
	begin = rest.length;
	while (begin && rest.at[begin - 1] != ' ')
		begin--;
	if (!begin || !text_to_u64(text_from(rest, begin), &ret->count))
		return false;
	rest = text_trim((struct text){ rest.at, begin });
	ret->label = (struct text){ rest.at - 1, rest.length + 1 };
	return true;
}

bool bpftrace_text_is_map(struct text line, struct text following)
{
	uint32_t length = name_length(line);
	struct bpftrace_row row;
	struct text value;
	uint64_t ignored;

	if (!bpftrace_text_begins(line))
		return false;
	if (line.at[length] == '[')
		return true;
	value = text_trim(text_from(line, length + 1));
	if (!value.length)
		return following.length && read_row(following, &row);
	return bpftrace_value_of(value, &ignored) != BPFTRACE_NOTHING ||
	       text_has_prefix(value, "count ") || text_has_prefix(value, "{ .count");
}

/* Reads the rows of a histogram. After an empty line, only further rows belong to the histogram. */
static enum bpftrace_progress read_rows(struct bpftrace_reading *reading)
{
	const struct text_window *window = reading->window;
	bool is_behind_empty = false;
	struct bpftrace_row row;
	struct text line;

	for (;;) {
		const char *begin = reading->next;
		bool is_row;

		if (!banner_next_line(&reading->next, window->end, window->is_last, &line))
			return window->is_last ? BPFTRACE_COMPLETE : BPFTRACE_INCOMPLETE;
		is_behind_empty |= !line.length;
		if (!line.length)
			continue;
		is_row = read_row(line, &row);
		if (bpftrace_text_begins(line) || (is_behind_empty && !is_row)) {
			reading->next = begin;
			return BPFTRACE_COMPLETE;
		}
		if (is_row) {
			vec_push(&reading->entry->rows, row);
			reading->entry->value = BPFTRACE_ROWS;
		} else if (line.at[0] != ' ' && line.at[0] != '\t' &&
			   !memchr(line.at, '|', line.length)) {
			/*
			 * Frames of a stack that is a value, and other lines with bars, are not
			 * counted.
			 */
			text_skip(reading->skips, text_offset(window, line.at));
		}
	}
}

enum bpftrace_progress bpftrace_text_read(struct bpftrace_entry *entry, struct text line,
					  const struct text_window *window, const char **at,
					  struct text_skips *skips)
{
	uint32_t length = name_length(line);
	struct text rest = text_from(line, length + 1);
	struct bpftrace_reading reading = {
		.entry = entry,
		.window = window,
		.skips = skips,
		.next = *at,
	};
	enum bpftrace_progress taken = BPFTRACE_COMPLETE;

	bpftrace_entry_reset(entry, (struct text){ line.at, length }, text_offset(window, line.at));
	if (line.at[length] == ':') {
		rest = text_trim(rest);
		reading.has_rows = !rest.length;
		entry->value = read_value(entry, rest);
	} else {
		entry->key.at = rest.at;
		taken = read_key_line(&reading, rest) ? read_key(&reading) : BPFTRACE_BROKEN;
	}
	if (taken == BPFTRACE_COMPLETE && reading.has_rows)
		taken = read_rows(&reading);
	*at = reading.next;
	return taken;
}
