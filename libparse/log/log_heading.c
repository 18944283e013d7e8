/* SPDX-License-Identifier: MIT */
#include "libparse/log/log_heading.h"

#include "libparse/table_row.h"
#include "libparse/text.h"

#define MANY 255u

static bool is_equal(struct text text, const char *name)
{
	uint32_t length = (uint32_t)strlen(name);

	if (text.length != length)
		return false;
	for (uint32_t i = 0; i < length; i++)
		if (to_lower(text.at[i]) != to_lower(name[i]))
			return false;
	return true;
}

static bool is_one_of(struct text text, const char *const *names)
{
	for (; *names; names++)
		if (is_equal(text, *names))
			return true;
	return false;
}

/* Suffixes of column names that state a unit. No suffix ends in another suffix. */
static const struct unit {
	const char *ending;
	uint64_t ns;
} units[] = {
	{ "(nsecs)", 1 },        { "(usecs)", 1000 },
	{ "(msecs)", 1000000 },  { "(secs)", 1000000000 },
	{ "(sec)", 1000000000 }, { "(ns)", 1 },
	{ "(us)", 1000 },        { "(ms)", 1000000 },
	{ "(s)", 1000000000 },   { "_ns", 1 },
	{ "_us", 1000 },         { "_usecs", 1000 },
	{ "_ms", 1000000 },      { "_s", 1000000000 },
	{ "_sec", 1000000000 },
};

static bool split_unit(struct text name, struct text *base_ret, uint64_t *unit_ret)
{
	/* Units that follow capitals, as in LATms and AVGus. */
	static const struct unit bare[] = { { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_has_suffix(name, units[i].ending)) {
			*base_ret =
				(struct text){ name.at,
					       name.length - (uint32_t)strlen(units[i].ending) };
			*unit_ret = units[i].ns;
			return base_ret->length != 0;
		}
	for (size_t i = 0; i < ARRAY_SIZE(bare); i++)
		if (name.length > 2 && text_has_suffix(name, bare[i].ending) &&
		    is_upper(name.at[name.length - 3])) {
			*base_ret = (struct text){ name.at, name.length - 2 };
			*unit_ret = bare[i].ns;
			return true;
		}
	return false;
}

static struct log_column column_of(struct text name)
{
	static const char *const comms[] = { "COMM", "PCOMM", "TASK", "COMMAND", "PROCESS", NULL };
	static const char *const times[] = { "TIME", "ENDTIME", "TS", "TIMESTAMP", NULL };
	static const char *const latencies[] = { "LAT",   "LATENCY", "DURATION", "DUR", "ELAPSED",
						 "DELTA", "MS",      "AGE",      "QUE", NULL };
	static const char *const numbers[] = {
		"PID",   "TID",    "PPID",  "TGID",  "UID",   "FD",       "ERR",   "RET",
		"BYTES", "SECTOR", "LEN",   "IP",    "LPORT", "RPORT",    "DPORT", "SPORT",
		"CPU",   "OFF_KB", "TX_KB", "RX_KB", "PRIO",  "OFFSET_b", "PAGES", NULL,
	};
	struct log_column column = { .name = name, .base = name };

	if (!split_unit(name, &column.base, &column.unit_ns))
		column.base = name;
	/* The column of tcplife. */
	if (is_equal(name, "MS"))
		column.unit_ns = 1000000;
	column.is_comm = is_one_of(column.base, comms);
	column.is_time = is_one_of(column.base, times);
	column.is_latency = is_one_of(column.base, latencies);
	column.is_number = !column.is_comm && !column.is_time &&
			   (column.unit_ns || column.is_latency || is_one_of(column.base, numbers));
	return column;
}

/*
 * Returns the number of cells. Returns MANY if there are too many cells, or if the quotes do not
 * match.
 */
static uint32_t split_cells(char separator, struct text line, struct text *cells)
{
	uint32_t count = 0;

	for (struct text rest = line; rest.at; count++)
		if (count == LIMIT_LOG_COLUMNS || !table_next_cell(&rest, separator, &cells[count]))
			return MANY;
	return count;
}

static uint32_t split_words(struct text line, struct text *words)
{
	uint32_t count = 0;
	struct text word;

	while (text_next_word(&line, &word)) {
		if (count == LIMIT_LOG_COLUMNS)
			return MANY;
		words[count++] = word;
	}
	return count;
}

static bool is_number(struct text text)
{
	uint64_t ignored;

	if (text.length && text.at[0] == '-')
		text = text_from(text, 1);
	return scan_decimal(&text, 0, &ignored) && !text.length;
}

static bool has_number(const struct text *cells, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (cells[i].length && is_digit(cells[i].at[0]))
			return true;
	return false;
}

static bool are_names(const struct text *names, uint32_t count)
{
	if (count < 2 || count == MANY)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!names[i].length || is_digit(names[i].at[0]) || names[i].at[0] == '-' ||
		    memchr(names[i].at, '=', names[i].length) ||
		    memchr(names[i].at, ';', names[i].length))
			return false;
	return true;
}

static bool parse_as(char separator, struct text line, struct text next, struct log_heading *ret)
{
	struct text names[LIMIT_LOG_COLUMNS];
	struct text cells[LIMIT_LOG_COLUMNS];
	uint32_t count =
		separator == ' ' ? split_words(line, names) : split_cells(separator, line, names);

	if (!are_names(names, count))
		return false;
	ret->separator = separator;
	ret->count = count;
	for (uint32_t i = 0; i < count; i++)
		ret->columns[i] = column_of(names[i]);
	return log_heading_split(ret, next, cells) && has_number(cells, count);
}

bool log_heading_parse(struct text line, struct text next, struct log_heading *ret)
{
	line = text_trim(line);
	if (text_has_prefix(line, "#"))
		line = text_trim(text_from(line, 1));
	if (!line.length)
		return false;
	return (memchr(line.at, ',', line.length) && parse_as(',', line, next, ret)) ||
	       (memchr(line.at, '\t', line.length) && parse_as('\t', line, next, ret)) ||
	       parse_as(' ', line, next, ret);
}

/* The words of a row, before they are assigned to columns. */
struct words {
	struct text at[LIMIT_LOG_COLUMNS];
	uint32_t count;
};

/*
 * Assigns words to columns. The comm gets 1 + extra words. If the last column is text, this column
 * gets all remaining words. Returns false if the words do not fit.
 */
static bool fits(const struct log_heading *heading, const struct words *words, uint32_t comm,
		 uint32_t extra, const char *end, struct text *cells)
{
	uint32_t last = heading->count - 1;
	uint32_t word = 0;

	for (uint32_t i = 0; i <= last; i++) {
		uint32_t taken = i == comm ? 1 + extra : 1;

		/* The last column may be empty. */
		if (word == words->count && i == last && !heading->columns[i].is_number) {
			cells[i] = (struct text){ end, 0 };
			return true;
		}
		if (word + taken > words->count)
			return false;
		cells[i].at = words->at[word].at;
		word += taken;
		if (i == last && !heading->columns[i].is_number && i != comm)
			word = words->count;
		cells[i].length = (uint32_t)(words->at[word - 1].at + words->at[word - 1].length -
					     cells[i].at);
		if (heading->columns[i].is_number && !is_number(cells[i]))
			return false;
	}
	return word == words->count;
}

static uint32_t find_comm(const struct log_heading *heading)
{
	for (uint32_t i = 0; i < heading->count; i++)
		if (heading->columns[i].is_comm)
			return i;
	return heading->count;
}

static bool split_row(const struct log_heading *heading, struct text line, struct text *cells)
{
	uint32_t comm = find_comm(heading);
	const char *end = line.at + line.length;
	struct words words = { .count = 0 };
	struct text rest = line;

	/* Further words belong to the last column, which ends with the line. */
	while (words.count < LIMIT_LOG_COLUMNS && text_next_word(&rest, &words.at[words.count]))
		words.count++;
	rest = text_trim(rest);
	if (rest.length)
		words.at[LIMIT_LOG_COLUMNS - 1].length =
			(uint32_t)(rest.at + rest.length - words.at[LIMIT_LOG_COLUMNS - 1].at);
	for (uint32_t extra = 0; extra < words.count; extra++) {
		if (fits(heading, &words, comm, extra, end, cells))
			return true;
		if (comm == heading->count)
			return false;
	}
	return false;
}

bool log_heading_split(const struct log_heading *heading, struct text line, struct text *cells)
{
	if (!text_trim(line).length)
		return false;
	if (heading->separator == ' ')
		return split_row(heading, line, cells);
	return split_cells(heading->separator, line, cells) == heading->count;
}

enum log_name_match log_column_match(const struct log_column *column, struct text name)
{
	struct text begin = column->name;

	if (!name.length || name.length > column->name.length)
		return LOG_NAME_DIFFERS;
	begin.length = name.length;
	for (uint32_t i = 0; i < name.length; i++)
		if (to_lower(begin.at[i]) != to_lower(name.at[i]))
			return LOG_NAME_DIFFERS;
	if (name.length == column->name.length)
		return LOG_NAME_EQUALS;
	return name.length == column->base.length ? LOG_NAME_LACKS_UNIT : LOG_NAME_BEGINS;
}
