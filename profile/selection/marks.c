/* SPDX-License-Identifier: MIT */
#include "profile/selection/marks.h"

#include <strings.h>

#include "base/scan.h"
#include "profile/selection/selection_time.h"

/* Longer words are not times. */
#define MOMENT_BYTES_MAX 48
#define COLUMNS_MAX      16

#define MARK_SYNTAX                                                   \
	"a mark is a time, or two times, and a label: 5669.62 slow, " \
	"10:30:00.5, 2026-11-22T10:30:00Z or +1.5"

/* The columns that a CSV file with a header may have. */
enum column {
	COLUMN_OTHER,
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_LABEL,
};

struct header {
	char delimiter; /* 0 if there is no header */
	enum column columns[COLUMNS_MAX];
	size_t count;
};

static const struct {
	const char *name;
	enum column column;
} column_names[] = {
	{ "time", COLUMN_BEGIN },    { "timestamp", COLUMN_BEGIN }, { "ts", COLUMN_BEGIN },
	{ "date", COLUMN_BEGIN },    { "begin", COLUMN_BEGIN },     { "start", COLUMN_BEGIN },
	{ "from", COLUMN_BEGIN },    { "end", COLUMN_END },         { "stop", COLUMN_END },
	{ "finish", COLUMN_END },    { "to", COLUMN_END },          { "until", COLUMN_END },
	{ "label", COLUMN_LABEL },   { "name", COLUMN_LABEL },      { "event", COLUMN_LABEL },
	{ "message", COLUMN_LABEL }, { "text", COLUMN_LABEL },      { "description", COLUMN_LABEL },
};

static struct text trimmed(struct text text)
{
	while (text.length && is_space(*text.at))
		text = text_from(text, 1);
	while (text.length && is_space(text.at[text.length - 1]))
		text.length--;
	return text;
}

/*
 * Integers with 13, 16 or 19 digits are milliseconds, microseconds or nanoseconds since 1970, for
 * times from 2001 to 2286.
 */
static bool parse_epoch(struct text word, struct selection_moment *ret)
{
	uint64_t unit_ns = word.length == 13 ? 1000000 : word.length == 16 ? 1000 : 1;
	uint64_t number;

	if ((word.length != 13 && word.length != 16 && word.length != 19) ||
	    scan_digits_length(word) != word.length || !text_to_u64(word, &number) ||
	    __builtin_mul_overflow(number, unit_ns, &ret->ns))
		return false;
	ret->kind = SELECTION_TIME_UTC;
	return true;
}

/*
 * Whether a comma separates seconds from a fraction, as in logs of Python and Java: "10:30:00,123".
 */
static bool is_fraction(struct text rest, uint32_t at)
{
	uint32_t digits = scan_digits_length(text_from(rest, at + 1));

	return at >= 8 && rest.at[at - 3] == ':' && rest.at[at - 6] == ':' &&
	       (digits == 3 || digits == 6 || digits == 9);
}

/* Whether a blank separates a date from a time of day: "2026-11-22 10:30:00". */
static bool is_date_blank(struct text rest, uint32_t at)
{
	return at == 10 && rest.at[4] == '-' && rest.at[7] == '-' && rest.length > at + 5 &&
	       is_digit(rest.at[at + 1]) && rest.at[at + 3] == ':';
}

/* Copies the next word in the form that --time accepts, and returns its length in the text. */
static uint32_t copy_word(struct text rest, char word[MOMENT_BYTES_MAX])
{
	uint32_t i = 0;

	for (; i < rest.length && i < MOMENT_BYTES_MAX; i++) {
		char c = rest.at[i];

		if (c == ',' && is_fraction(rest, i))
			c = '.';
		else if (c == ' ' && is_date_blank(rest, i))
			c = 'T';
		else if (is_space(c) || c == ',' || c == ';')
			break;
		word[i] = c;
	}
	return i;
}

/* Reads a time, which may be in quotes or brackets. */
static bool take_moment(struct text *rest, struct selection_moment *ret)
{
	char open = rest->length ? *rest->at : 0;
	char close = open == '[' ? ']' : open == '"' ? '"' : 0;
	const char *end = close ? memchr(rest->at + 1, close, rest->length - 1) : NULL;
	struct text inside = end ? text_between(rest->at + 1, end) : *rest;
	char word[MOMENT_BYTES_MAX];
	uint32_t length = copy_word(inside, word);
	struct text time = { word, length };

	if (!length || length == MOMENT_BYTES_MAX || (end && length != inside.length) ||
	    !(parse_epoch(time, ret) || selection_moment_parse(time, ret)))
		return false;
	*rest = text_from(*rest, length + (end ? 2 : 0));
	return true;
}

/* Skips the separators between two times, or between a time and a label. */
static void take_separator(struct text *rest)
{
	*rest = trimmed(*rest);
	if (!scan_char(rest, ',') && !scan_char(rest, ';'))
		return;
	*rest = trimmed(*rest);
}

/* Times of different kinds cannot be compared before the capture is open. */
static bool is_reversed(const struct selection_period *period)
{
	return period->first.kind == period->last.kind && period->last.ns < period->first.ns &&
	       period->first.kind != SELECTION_TIME_OF_DAY &&
	       period->first.kind != SELECTION_TIME_OF_UTC_DAY;
}

static struct text unquoted(struct text text)
{
	text = trimmed(text);
	if (text.length >= 2 && text.at[0] == '"' && text.at[text.length - 1] == '"')
		return (struct text){ text.at + 1, text.length - 2 };
	return text;
}

/*
 * Whether a number after a time can be the end of a range, not the first word of a label, as in
 * "5669.62 200 OK".
 */
static bool is_range(const struct selection_period *period)
{
	return !is_reversed(period) && (period->first.kind == SELECTION_TIME_CLOCK) ==
					       (period->last.kind == SELECTION_TIME_CLOCK);
}

static bool parse_line(struct text line, struct mark *ret)
{
	struct text rest = line;
	struct text label;

	if (!take_moment(&rest, &ret->period.first))
		return false;
	ret->period.last = ret->period.first;
	take_separator(&rest);
	label = rest;
	if (take_moment(&rest, &ret->period.last) && is_range(&ret->period)) {
		take_separator(&rest);
	} else {
		ret->period.last = ret->period.first;
		rest = label;
	}
	ret->label = unquoted(rest);
	return !is_reversed(&ret->period);
}

/* Reads the next field of a line; a field in quotes may contain delimiters. */
static struct text take_field(struct text *rest, char delimiter)
{
	struct text field = { rest->at, 0 };
	bool is_quoted = false;

	for (; field.length < rest->length; field.length++) {
		char c = rest->at[field.length];

		is_quoted ^= c == '"';
		if (c == delimiter && !is_quoted)
			break;
	}
	*rest = text_from(*rest, field.length + (field.length < rest->length));
	return unquoted(field);
}

static enum column column_of(struct text name)
{
	for (size_t i = 0; i < ARRAY_SIZE(column_names); i++)
		if (name.length == strlen(column_names[i].name) &&
		    strncasecmp(name.at, column_names[i].name, name.length) == 0)
			return column_names[i].column;
	return COLUMN_OTHER;
}

static char delimiter_of(struct text line)
{
	if (memchr(line.at, ',', line.length))
		return ',';
	return memchr(line.at, ';', line.length) ? ';' : '\t';
}

/* Whether the line is the header of a CSV file. */
static bool parse_header(struct text line, struct header *ret)
{
	struct header header = { .delimiter = delimiter_of(line) };
	bool has_begin = false;

	while (line.length && header.count < COLUMNS_MAX) {
		enum column column = column_of(take_field(&line, header.delimiter));

		has_begin |= column == COLUMN_BEGIN;
		header.columns[header.count++] = column;
	}
	if (has_begin)
		*ret = header;
	return has_begin;
}

static bool parse_field(struct text field, struct selection_moment *ret)
{
	return take_moment(&field, ret) && !field.length;
}

static bool parse_fields(const struct header *header, struct text line, struct mark *ret)
{
	bool has_begin = false;
	bool has_end = false;

	for (size_t i = 0; i < header->count && line.length; i++) {
		struct text field = take_field(&line, header->delimiter);

		if (header->columns[i] == COLUMN_LABEL && !ret->label.length)
			ret->label = field;
		if (header->columns[i] == COLUMN_BEGIN && !has_begin) {
			has_begin = true;
			if (!parse_field(field, &ret->period.first))
				return false;
		}
		/* Ranges and times may be mixed. */
		if (header->columns[i] == COLUMN_END && field.length) {
			has_end = true;
			if (!parse_field(field, &ret->period.last))
				return false;
		}
	}
	if (!has_end)
		ret->period.last = ret->period.first;
	return has_begin && !is_reversed(&ret->period);
}

static void note_unknown(struct marks *marks, struct text line, uint32_t number)
{
	uint32_t length = line.length < MARK_EXCERPT_BYTES ? line.length : MARK_EXCERPT_BYTES;

	if (marks->unknown_count++)
		return;
	marks->unknown_line = number;
	memcpy(marks->unknown_text, line.at, length);
	marks->unknown_text[length] = '\0';
}

static void add_mark(struct marks *marks, const struct mark *mark)
{
	struct mark own = *mark;

	own.label.at =
		arena_text(&marks->arena, mark->label.at ? mark->label.at : "", mark->label.length);
	vec_push(&marks->rows, own);
}

static struct text take_line(struct text *rest)
{
	const char *end = memchr(rest->at, '\n', rest->length);
	struct text line = { rest->at, end ? (uint32_t)(end - rest->at) : rest->length };

	*rest = text_from(*rest, line.length + (end != NULL));
	return trimmed(line);
}

bool marks_parse(struct marks *marks, struct text file, const char *file_name, struct error *err)
{
	struct header header = { .delimiter = 0 };
	bool is_first = true;

	*marks = (struct marks){ .file_name = file_name };
	arena_init(&marks->arena);
	scan_prefix(&file, "\xef\xbb\xbf");
	for (uint32_t number = 1; file.length; number++) {
		struct text line = take_line(&file);
		struct mark mark = { .line = number };

		if (!line.length || *line.at == '#')
			continue;
		if (header.delimiter ? parse_fields(&header, line, &mark) : parse_line(line, &mark))
			add_mark(marks, &mark);
		else if (!is_first || !parse_header(line, &header))
			note_unknown(marks, line, number);
		is_first = false;
	}
	if (marks->rows.count)
		return true;
	if (!marks->unknown_count)
		return error_set(err, ERROR_FORMAT, "%s: contains no marks; " MARK_SYNTAX,
				 file_name);
	return error_set(err, ERROR_FORMAT, "%s: no line is a mark (line %u: \"%s\"); " MARK_SYNTAX,
			 file_name, marks->unknown_line, marks->unknown_text);
}

void marks_deinit(struct marks *marks)
{
	vec_free(&marks->rows);
	arena_deinit(&marks->arena);
}
