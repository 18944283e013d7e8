/* SPDX-License-Identifier: MIT */
#include "render/text/record_line.h"

/* The names of an option of perf record. */
struct record_names {
	char letter; /* 0 if none */
	const char *name;
	bool has_value;
	enum record_option replaced_by;
};

/* An option is written with the name in its first row. */
static const struct record_names replaced[] = {
	{ 'F', "freq", true, RECORD_FREQUENCY },
	{ 'c', "count", true, RECORD_FREQUENCY },
	{ 0, "call-graph", true, RECORD_CALL_GRAPH },
	{ 'g', NULL, false, RECORD_CALL_GRAPH },
	{ 'm', "mmap-pages", true, RECORD_BUFFER },
	{ 'k', "clockid", true, RECORD_CLOCK },
	{ 0, "buildid-mmap", false, RECORD_BUILD_IDS },
	{ 'B', "no-buildid", false, RECORD_BUILD_IDS },
	{ 'T', "timestamp", false, RECORD_TIMES },
	{ 0, "no-timestamp", false, RECORD_TIMES },
	{ 0, "proc-map-timeout", true, RECORD_MAP_TIMEOUT },
};

/* Other options of perf record whose value is the next word. */
static const char value_letters[] = "eopCtruDjG";
static const char *const value_names[] = {
	"event",     "filter",           "pid",           "tid",      "realtime", "cpu",
	"output",    "cgroup",           "uid",           "delay",    "control",  "max-size",
	"user-regs", "switch-max-files", "branch-filter", "affinity",
};

/* Splits a command line into its first word, with quotes, and the rest. */
static bool next_word(struct text *rest, struct text *ret)
{
	char quote = 0;
	uint32_t i = 0;

	while (rest->length && *rest->at == ' ') {
		rest->at++;
		rest->length--;
	}
	for (; i < rest->length && (quote || rest->at[i] != ' '); i++) {
		char at = rest->at[i];

		if (at == '\\' && quote != '\'' && i + 1 < rest->length)
			i++;
		else if (at == quote)
			quote = 0;
		else if (!quote && (at == '\'' || at == '"'))
			quote = at;
	}
	*ret = (struct text){ rest->at, i };
	rest->at += i;
	rest->length -= i;
	return i > 0;
}

static bool is_long_name(struct text word, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	return length && word.length >= length + 2 && memcmp(word.at + 2, name, length) == 0 &&
	       (word.length == length + 2 || word.at[length + 2] == '=');
}

static const struct record_names *find_replaced(struct text word)
{
	bool is_long = word.length > 2 && word.at[1] == '-';

	for (size_t i = 0; i < ARRAY_SIZE(replaced); i++)
		if (is_long ? is_long_name(word, replaced[i].name)
			    : replaced[i].letter && word.at[1] == replaced[i].letter &&
				      (replaced[i].has_value || word.length == 2))
			return &replaced[i];
	return NULL;
}

static bool takes_value(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(replaced); i++)
		if (replaced[i].letter == letter)
			return replaced[i].has_value;
	return strchr(value_letters, letter) != NULL;
}

/* Whether the word after this option is its value. */
static bool has_next_value(struct text word, const struct record_names *names)
{
	bool is_long = word.at[1] == '-';
	char last = word.at[word.length - 1];

	if (is_long && memchr(word.at, '=', word.length))
		return false;
	if (is_long && names)
		return names->has_value;
	/*
	 * The value is the next word in -e cycles, but not in -F99. If a word has several letters,
	 * as in -age cycles, only the last letter can have a value.
	 */
	if (!is_long)
		return takes_value(last) && (word.length == 2 || !takes_value(word.at[1]));
	for (size_t i = 0; i < ARRAY_SIZE(value_names); i++)
		if (is_long_name(word, value_names[i]))
			return true;
	return false;
}

static void write_word(struct sink *sink, struct text word)
{
	sink_char(sink, ' ');
	sink_text(sink, word);
}

/*
 * Copies the options that are not replaced, except -q, and everything from the recorded program on.
 */
static void write_rest(const struct record_line *line, struct text rest, struct sink *sink)
{
	struct text word;

	while (next_word(&rest, &word)) {
		const struct record_names *names;
		bool is_dropped;

		if (word.length < 2 || *word.at != '-' || text_is(word, "--")) {
			write_word(sink, word);
			sink_text(sink, rest);
			return;
		}
		names = find_replaced(word);
		is_dropped = text_is(word, "-q") || text_is(word, "--quiet") ||
			     (names && names->replaced_by < RECORD_OPTION_COUNT &&
			      line->values[names->replaced_by]);
		if (!is_dropped)
			write_word(sink, word);
		if (has_next_value(word, names) && next_word(&rest, &word) && !is_dropped)
			write_word(sink, word);
	}
}

void record_line_write_option(const struct record_line *line, enum record_option option,
			      struct sink *sink)
{
	for (size_t i = 0; i < ARRAY_SIZE(replaced); i++) {
		if (replaced[i].replaced_by != option)
			continue;
		if (replaced[i].letter)
			sink_printf(sink, "-%c", replaced[i].letter);
		else
			sink_printf(sink, "--%s", replaced[i].name);
		if (replaced[i].has_value)
			sink_printf(sink, " %s", line->values[option]);
		return;
	}
}

void record_line_write(const struct record_line *line, struct text recorded, struct sink *sink)
{
	struct text rest = recorded;
	struct text tool = { NULL, 0 };
	struct text command = { NULL, 0 };
	bool is_known = next_word(&rest, &tool) && next_word(&rest, &command) &&
			(text_is(command, "record") || text_is(command, "rec"));

	sink_puts(sink, "perf record");
	for (int i = 0; i < RECORD_OPTION_COUNT; i++) {
		if (!line->values[i])
			continue;
		sink_char(sink, ' ');
		record_line_write_option(line, (enum record_option)i, sink);
	}
	if (is_known)
		write_rest(line, rest, sink);
	else
		sink_puts(sink, " -- COMMAND");
}
