/* SPDX-License-Identifier: MIT */
#include "libparse/stat/perf_stat.h"

#include "base/json_reader.h"
#include "base/scan.h"
#include "libparse/text.h"

#define WORDS_MAX  12
#define FIELDS_MAX 16
/* The number of fields that may precede the value: time, CPU or core, and number of CPUs. */
#define FIELDS_BEFORE_MAX 4

/* Values have a fraction in units of 10^-9. */
#define FRACTION_DIGITS 9
#define PER_WHOLE       1000000000u
#define PER_MILLIONTH   1000u

/* The rounding error of a percentage with two decimals. */
#define HALF_DIGIT 0.005

/* perf prints percentages with %.2f. */
#define PERCENT_DECIMALS 2

struct number {
	uint64_t whole, fraction;
};

/* "1,234,567", "0.64". Decimals beyond FRACTION_DIGITS are dropped. */
static bool parse_number(struct text text, struct number *ret)
{
	uint64_t place = PER_WHOLE;
	bool is_behind_point = false;

	*ret = (struct number){ 0, 0 };
	if (!text.length || !is_digit(text.at[0]))
		return false;
	for (uint32_t i = 0; i < text.length; i++) {
		char c = text.at[i];

		if (c == '.' && !is_behind_point) {
			is_behind_point = true;
		} else if (c == ',' && !is_behind_point) {
			continue;
		} else if (!is_digit(c)) {
			return false;
		} else if (is_behind_point) {
			place /= 10;
			ret->fraction += place * (uint64_t)(c - '0');
		} else if (__builtin_mul_overflow(ret->whole, 10u, &ret->whole) ||
			   __builtin_add_overflow(ret->whole, (unsigned)(c - '0'), &ret->whole)) {
			return false;
		}
	}
	return true;
}

static bool is_missing(struct text text)
{
	return text_has_prefix(text, "<not");
}

static const struct {
	const char *name;
	uint64_t ns;
} times[] = {
	{ "nsec", 1 },     { "ns", 1 },           { "usec", 1000 },    { "msec", 1000000 },
	{ "ms", 1000000 }, { "sec", 1000000000 }, { "s", 1000000000 }, { "seconds", 1000000000 },
};

/* Units that are not times. */
static const char *const units[] = { "Joules", "MiB", "KiB", "GiB", "Bytes", "C", "Watts", "RPM" };

static bool is_unit(struct text text)
{
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (text_is(text, times[i].name))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_is(text, units[i]))
			return true;
	return false;
}

/*
 * Converts a time to nanoseconds, and a number with any other unit to millionths. Returns false on
 * overflow.
 */
static bool set_value(struct number number, struct text unit, struct perf_stat_line *line)
{
	line->unit = UNIT_EVENTS;
	line->value = number.whole;
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (!text_is(unit, times[i].name))
			continue;
		line->unit = UNIT_NANOSECONDS;
		return !__builtin_mul_overflow(number.whole, times[i].ns, &line->value) &&
		       !__builtin_add_overflow(line->value,
					       number.fraction / (PER_WHOLE / times[i].ns),
					       &line->value);
	}
	if (!unit.length)
		return true;
	line->unit = UNIT_MILLIONTHS;
	line->unit_name = unit;
	return !__builtin_mul_overflow(number.whole, 1000000u, &line->value) &&
	       !__builtin_add_overflow(line->value, number.fraction / PER_MILLIONTH, &line->value);
}

static bool finish(struct text value, struct text unit, struct text event,
		   struct perf_stat_line *ret)
{
	struct number number = { 0, 0 };

	*ret = (struct perf_stat_line){ .event = event, .unit_name = { "", 0 } };
	ret->is_counted = !is_missing(value);
	if (!event.length || (ret->is_counted && !parse_number(value, &number)))
		return false;
	/* "app 17 cycles:" is a line of perf script. */
	if (event.at[event.length - 1] == ':')
		return false;
	return set_value(number, unit, ret);
}

/*
 * Sets the deviation to this percentage of the value, plus half of the last digit. perf may have
 * rounded by so much.
 */
static bool set_deviation(struct text percent, struct perf_stat_line *line)
{
	struct number number;
	double share;

	if (text_has_suffix(percent, "%"))
		percent.length--;
	if (!parse_number(percent, &number))
		return false;
	share = ((double)number.whole + (double)number.fraction / PER_WHOLE + HALF_DIGIT) / 100;
	line->has_deviation = true;
	line->deviation = (double)line->value * share;
	return true;
}

/* Finds "( +-  0.52% )" at the end of a line. */
static void find_deviation(struct text line, struct perf_stat_line *ret)
{
	const char *end = line.at + line.length;
	const char *at = line.at;
	const char *next;
	struct text rest;
	struct text word;

	if (!line.length || !(at = memmem(at, line.length, "+-", 2)))
		return;
	/*
	 * Lines in seconds may have an absolute deviation before the percentage, so use the last
	 * one.
	 */
	while ((next = memmem(at + 2, (size_t)(end - at) - 2, "+-", 2)))
		at = next;
	rest = (struct text){ at + 2, (uint32_t)(end - at) - 2 };
	if (text_next_word(&rest, &word) && text_has_suffix(word, "%"))
		set_deviation(word, ret);
}

/* Splits the words before the comment (#) or a bracket. */
static size_t split_words(struct text line, struct text *words)
{
	const char *hash = line.length ? memchr(line.at, '#', line.length) : NULL;
	size_t count = 0;
	struct text word;

	if (hash)
		line.length = (uint32_t)(hash - line.at);
	while (count < WORDS_MAX && text_next_word(&line, &word)) {
		if (word.at[0] == '(')
			break;
		words[count++] = word;
	}
	return count;
}

/*
 * Whether a word can precede the values of a row: "CPU0", "S0-D0-C0" or "app-4711". Such words end
 * in a number, unlike those of prose: "There are 3 cycles".
 */
static bool is_row_name(struct text word)
{
	return is_digit(word.at[word.length - 1]);
}

bool perf_stat_parse_text(struct text line, struct perf_stat_line *ret)
{
	struct text words[WORDS_MAX];
	size_t count = split_words(line, words);
	struct text unit = { "", 0 };
	struct number ignored;
	struct text event;
	size_t value = 0;
	size_t next;

	while (value < count && !parse_number(words[value], &ignored) && !is_missing(words[value]))
		value++;
	if (value && value < count && !is_row_name(words[value - 1]))
		return false;
	/* Skip times and CPUs before the value. */
	while (value + 1 < count &&
	       (parse_number(words[value + 1], &ignored) || is_missing(words[value + 1])))
		value++;
	next = value + 1 + (value < count && is_missing(words[value]));
	if (next + 1 < count && text_is(words[next], "+-"))
		next += 2;
	if (next + 1 < count && is_unit(words[next]))
		unit = words[next++];
	if (next >= count || value > FIELDS_BEFORE_MAX)
		return false;
	event = words[next];
	/* Event "seconds time elapsed": all remaining words */
	if (text_is(unit, "seconds"))
		event.length = (uint32_t)(words[count - 1].at + words[count - 1].length - event.at);
	else if (next + 1 != count)
		return false;
	if (!finish(words[value], unit, event, ret))
		return false;
	find_deviation(line, ret);
	return true;
}

static size_t split_fields(struct text line, char separator, struct text *fields)
{
	const char *at = line.at;
	const char *end = line.at + line.length;
	size_t count = 0;

	while (count < FIELDS_MAX) {
		const char *stop = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;

		if (!stop)
			stop = end;
		fields[count++] = text_trim((struct text){ at, (uint32_t)(stop - at) });
		if (stop == end)
			break;
		at = stop + 1;
	}
	return count;
}

static bool has_letter(struct text text)
{
	for (uint32_t i = 0; i < text.length; i++)
		if ((text.at[i] | 32) >= 'a' && (text.at[i] | 32) <= 'z')
			return true;
	return false;
}

/* Whether a text is a percentage, with the decimal point of any language. */
static bool is_percentage(struct text text)
{
	uint32_t whole = scan_digits_length(text);
	struct text decimals;

	if (!whole || whole > 3 || text.length != whole + 1 + PERCENT_DECIMALS)
		return false;
	decimals = text_from(text, whole + 1);
	return (text.at[whole] == '.' || text.at[whole] == ',') &&
	       scan_digits_length(decimals) == PERCENT_DECIMALS;
}

/* Whether the fields behind an event are a run time and a percentage, which perf always prints. */
static bool is_run_time(const struct text *fields, size_t count)
{
	/* The deviation of -r */
	if (count && text_has_suffix(fields[0], "%")) {
		fields++;
		count--;
	}
	return count >= 2 && fields[0].length &&
	       scan_digits_length(fields[0]) == fields[0].length && is_percentage(fields[1]);
}

bool perf_stat_parse_fields(struct text line, struct perf_stat_line *ret)
{
	static const char separators[] = ",;|\t";
	struct text fields[FIELDS_MAX];
	struct number ignored;

	for (const char *separator = separators; *separator; separator++) {
		size_t count = split_fields(line, *separator, fields);

		for (size_t i = 0; i <= FIELDS_BEFORE_MAX && i + 4 < count; i++) {
			if (!is_missing(fields[i]) && !parse_number(fields[i], &ignored))
				continue;
			if ((fields[i + 1].length && !is_unit(fields[i + 1])) ||
			    !has_letter(fields[i + 2]) ||
			    !is_run_time(fields + i + 3, count - i - 3))
				continue;
			if (!finish(fields[i], fields[i + 1], fields[i + 2], ret))
				return false;
			if (text_has_suffix(fields[i + 3], "%"))
				set_deviation(fields[i + 3], ret);
			return true;
		}
	}
	return false;
}

/* Reads a string verbatim, because the expected strings do not contain escapes. */
static struct text read_string(struct json_reader *json)
{
	struct text text = { "", 0 };

	json_read_number(json, &text);
	return text;
}

bool perf_stat_parse_json(struct text line, struct perf_stat_line *ret)
{
	struct json_reader json = json_reader_of(line);
	struct text value = { "", 0 };
	struct text unit = { "", 0 };
	struct text event = { "", 0 };
	struct text deviation = { "", 0 };
	struct text name;

	if (!json_read_begins(&json, '{') || !json_read_open(&json, '{'))
		return false;
	while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
		if (text_is(name, "counter-value"))
			value = read_string(&json);
		else if (text_is(name, "unit"))
			unit = read_string(&json);
		else if (text_is(name, "event"))
			event = read_string(&json);
		else if (text_is(name, "variance"))
			deviation = read_string(&json);
		else
			json_read_skip(&json);
	}
	if (json.has_failed || !value.length || !finish(value, unit, event, ret))
		return false;
	if (deviation.length)
		set_deviation(deviation, ret);
	return true;
}
