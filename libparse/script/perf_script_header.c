/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script_header.h"

#include "base/scan.h"
#include "libparse/script/perf_script_frame.h"
#include "libparse/text.h"

#define NANOSECOND_DIGITS      9
#define NANOSECONDS_PER_SECOND ((uint64_t)1000000000)

/* The widths of perf's fields. */
#define PERIOD_COLUMNS 10
#define TID_COLUMNS    5
#define FLAG_COLUMNS   6

/* Linux: PID_MAX_LIMIT */
#define TID_MAX (4u << 20)

/* Removes the last word of *text. Does not read what precedes the word, which can be long. */
static bool previous_word(struct text *text, struct text *ret)
{
	uint32_t end = text->length;
	uint32_t begin;

	while (end && (is_blank(text->at[end - 1]) || text->at[end - 1] == '\r'))
		end--;
	begin = end;
	while (begin && !is_blank(text->at[begin - 1]))
		begin--;
	*ret = (struct text){ text->at + begin, end - begin };
	text->length = begin;
	return ret->length > 0;
}

/* Reads "5669.617688" as nanoseconds. */
static bool parse_time(struct text word, uint64_t *ret, uint32_t *decimals_ret)
{
	struct text digits = word;
	uint64_t seconds;
	uint64_t fraction;

	if (!scan_u64(&digits, &seconds) || !scan_char(&digits, '.') ||
	    digits.length > NANOSECOND_DIGITS || !text_to_u64(digits, &fraction))
		return false;
	*decimals_ret = digits.length;
	for (uint32_t i = digits.length; i < NANOSECOND_DIGITS; i++)
		fraction *= 10;
	return !__builtin_mul_overflow(seconds, NANOSECONDS_PER_SECOND, ret) &&
	       !__builtin_add_overflow(*ret, fraction, ret);
}

/* Finds the first word that is a time with a colon, and splits the line there. */
static bool find_time(struct text line, struct text *before, struct text *after,
		      struct perf_script_header *header)
{
	const char *end = line.at + line.length;
	const char *at = line.at;
	const char *colon;

	while ((colon = at < end ? memchr(at, ':', (size_t)(end - at)) : NULL)) {
		const char *begin = colon;

		while (begin > line.at && (is_digit(begin[-1]) || begin[-1] == '.'))
			begin--;
		if ((colon + 1 == end || colon[1] == ' ' || colon[1] == '\t') &&
		    (begin == line.at || begin[-1] == ' ' || begin[-1] == '\t') &&
		    parse_time(text_between(begin, colon), &header->time_ns,
			       &header->time_decimals)) {
			*before = text_between(line.at, begin);
			*after = text_between(colon + 1, end);
			return true;
		}
		at = colon + 1;
	}
	return false;
}

static bool parse_task(struct text word, uint32_t *ret)
{
	bool is_negative = word.length > 1 && word.at[0] == '-';
	uint64_t value;

	if (is_negative)
		word = (struct text){ word.at + 1, word.length - 1 };
	if (!text_to_u64(word, &value) || value > UINT32_MAX)
		return false;
	*ret = is_negative ? -(uint32_t)value : (uint32_t)value;
	return true;
}

/* Parses "4711/4712", or a single number, which may be the pid or the tid. */
static bool parse_tasks(struct text word, struct perf_script_header *header)
{
	const char *end = word.at + word.length;
	const char *slash;

	header->has_pid = false;
	if (!is_digit(word.at[0]) && word.at[0] != '-')
		return false;
	slash = memchr(word.at, '/', word.length);
	header->has_pid = slash;
	if (slash)
		return parse_task(text_between(word.at, slash), &header->pid) &&
		       parse_task(text_between(slash + 1, end), &header->tid);
	if (!parse_task(word, &header->tid))
		return false;
	header->pid = header->tid;
	return true;
}

static bool parse_cpu(struct text word, struct perf_script_header *header)
{
	uint64_t cpu;

	if (word.length < 3 || word.at[0] != '[' || word.at[word.length - 1] != ']' ||
	    !text_to_u64(text_between(word.at + 1, word.at + word.length - 1), &cpu) ||
	    cpu > UINT32_MAX)
		return false;
	header->cpu = (uint32_t)cpu;
	header->present |= SAMPLE_HAS_CPU;
	return true;
}

/* Whether a word is from -F misc (letters) or -F tod (a time of day). */
static bool is_flag(struct text word)
{
	static const char letters[] = "KUHGgMESp";
	uint32_t i = 0;

	while (i < word.length && memchr(letters, word.at[i], sizeof(letters) - 1))
		i++;
	if (i == word.length)
		return true;
	for (i = 0; i < word.length && (is_digit(word.at[i]) || strchr(":.", word.at[i])); i++)
		;
	return i == word.length && memchr(word.at, ':', word.length);
}

/* Removes "VM:   17 " and "VCPU:003 " in front of the comm. */
static struct text drop_machine(struct text text)
{
	static const char *const prefixes[] = { "VM:", "VCPU:" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		uint32_t length = (uint32_t)strlen(prefixes[i]);
		struct text rest = { text.at + length, text.length - length };
		struct text word;
		uint64_t number;

		if (text_has_prefix(text, prefixes[i]) && text_next_word(&rest, &word) &&
		    text_to_u64(word, &number))
			text = text_trim(rest);
	}
	return text;
}

static void take_comm(struct text text, struct perf_script_header *header)
{
	text = drop_machine(text_trim(text));
	if (text.length)
		header->comm = text;
}

/*
 * Parses the text before the time, from right to left: flags, CPU, pid and tid. The remaining text
 * is the comm.
 */
static void parse_before(struct text before, struct perf_script_header *header)
{
	struct text rest = before;
	struct text word;

	while (previous_word(&rest, &word)) {
		struct text kept = text_between(before.at, word.at + word.length);

		if (parse_tasks(word, header)) {
			header->present |= SAMPLE_HAS_TID;
			take_comm(rest, header);
			return;
		}
		if (header->present & SAMPLE_HAS_CPU ||
		    (!parse_cpu(word, header) && !is_flag(word))) {
			take_comm(kept, header);
			return;
		}
	}
}

/*
 * Reads the event at the front of the text after the time. The event ends in a colon and a blank.
 */
static bool take_event(struct text *text, struct perf_script_header *header)
{
	const char *end = text->at + text->length;
	const char *at = text->at;
	const char *colon;

	while ((colon = at < end ? memchr(at, ':', (size_t)(end - at)) : NULL)) {
		if (colon + 1 == end || colon[1] == ' ' || colon[1] == '\t') {
			header->event = text_between(text->at, colon);
			*text = text_between(colon + 1, end);
			return true;
		}
		at = colon + 1;
	}
	return false;
}

static bool take_period(struct text *text, struct perf_script_header *header)
{
	struct text rest = *text;
	struct text word;

	if (!text_next_word(&rest, &word) || !is_digit(word.at[0]) ||
	    scan_digits_length(word) != word.length)
		return false;
	rest = text_trim(rest);
	if (!rest.length)
		return false;
	header->is_period_too_large = !text_to_u64(word, &header->period);
	*text = rest;
	header->present |= SAMPLE_HAS_PERIOD;
	return true;
}

static void parse_after(struct text after, bool has_frames, struct perf_script_header *header)
{
	struct text rest = text_trim(after);
	struct text behind = rest;
	struct text number;
	bool has_address = text_next_word(&behind, &number) && perf_script_has_wide_address(behind);

	if (has_frames && rest.length && scan_digits_length(rest) == rest.length) {
		/* There is no event. The frames follow, so the number is not the address of one. */
		header->is_period_too_large = !text_to_u64(rest, &header->period);
		header->present |= SAMPLE_HAS_PERIOD;
		rest.length = 0;
	} else if (take_period(&rest, header) && !take_event(&rest, header) && !has_address) {
		/* There is no event, because the supposed period is the address of a frame. */
		header->present &= ~(uint64_t)SAMPLE_HAS_PERIOD;
		header->period = 0;
		header->is_period_too_large = false;
		rest = text_trim(after);
	} else if (!header->event.length) {
		take_event(&rest, header);
	}
	header->rest = text_trim(rest);
}

/* How many columns a word takes up with the padding in front of it. begin: of the line */
static uint32_t columns_of(const char *begin, struct text word)
{
	struct text before = text_trim(text_between(begin, word.at));

	if (before.length)
		begin = before.at + before.length + 1;
	return (uint32_t)(word.at + word.length - begin);
}

/*
 * Whether a number is a period, not a tid. Their columns differ, unless another program removed the
 * padding. A number is then a period if it follows a CPU or another number.
 */
static bool is_period(struct text before, struct text word)
{
	uint32_t columns = columns_of(before.at, word);
	struct perf_script_header ignored = { 0 };
	struct text last;

	if (columns >= PERIOD_COLUMNS)
		return true;
	return previous_word(&before, &last) &&
	       (parse_cpu(last, &ignored) ||
		(columns < TID_COLUMNS && parse_tasks(last, &ignored)));
}

/* Removes the period at the end of a text, if there is one. */
static void take_period_at_end(struct text *text, struct perf_script_header *header)
{
	struct text rest = *text;
	bool is_too_large;
	uint64_t period;
	struct text word;

	if (!previous_word(&rest, &word) || scan_digits_length(word) != word.length)
		return;
	is_too_large = !text_to_u64(word, &period);
	if (!is_too_large && period <= TID_MAX && !is_period(text_between(text->at, word.at), word))
		return;
	header->is_period_too_large = is_too_large;
	header->period = is_too_large ? 0 : period;
	header->present |= SAMPLE_HAS_PERIOD;
	*text = rest;
}

/* Removes the flags of -F misc at the end of a text, if there are any. perf pads them. */
static void drop_flags(struct text *text)
{
	struct text rest = *text;
	struct text word;

	if (previous_word(&rest, &word) && is_flag(word) &&
	    text->at + text->length - word.at >= FLAG_COLUMNS)
		*text = rest;
}

/*
 * Parses the fields before the event, from right to left. They include no time. Returns the text
 * that remains, which contains the comm.
 */
static struct text parse_untimed_fields(struct text before, struct perf_script_header *header)
{
	struct text rest = before;
	struct text word;

	take_period_at_end(&rest, header);
	drop_flags(&rest);
	before = rest;
	if (!previous_word(&rest, &word) || !parse_cpu(word, header))
		rest = before;
	before = rest;
	if (previous_word(&rest, &word) && parse_tasks(word, header))
		header->present |= SAMPLE_HAS_TID;
	else
		rest = before;
	return rest;
}

/*
 * Returns where the fields of a line begin. Of the blanks in front, only as many are kept as tell a
 * padded period from a tid.
 */
static const char *begin_of_fields(struct text line)
{
	const char *first = text_trim(line).at;

	return first - line.at > PERIOD_COLUMNS ? first - PERIOD_COLUMNS : line.at;
}

/*
 * Whether perf prints this text after an event and its colon: nothing, a padded number, the payload
 * of a tracepoint, or another field behind two blanks. In prose, a number can also precede a colon,
 * but one blank follows.
 */
static bool is_behind_event(struct text rest, struct text event)
{
	return rest.length < 2 || (is_blank(rest.at[0]) && is_blank(rest.at[1])) ||
	       memchr(event.at, ':', event.length) || perf_script_has_wide_address(rest);
}

/*
 * Parses "node 31912 cpu-clock:" or "node 31912 [001]   10101010 cpu-clock:", without a time. Words
 * of a comm can also end in a colon, but no thread id precedes them.
 */
static bool parse_untimed(struct text line, bool has_frames, struct perf_script_header *header)
{
	const char *begin = begin_of_fields(line);
	struct text rest = line;
	struct text word;

	while (text_next_word(&rest, &word)) {
		struct perf_script_header found = { .event = { word.at, word.length - 1 } };
		struct text before;

		if (word.length < 2 || word.at[word.length - 1] != ':' ||
		    !(has_frames || is_behind_event(rest, found.event)))
			continue;
		before = parse_untimed_fields(text_between(begin, word.at), &found);
		if (!(found.present & SAMPLE_HAS_TID))
			continue;
		take_comm(before, &found);
		found.rest = text_trim(rest);
		*header = found;
		return true;
	}
	return false;
}

/*
 * Parses "cycles:", "comm cycles:" or "[001] cycles:". Only frames after such a line show that the
 * line is a sample.
 */
static bool parse_bare(struct text line, struct perf_script_header *header)
{
	struct text rest = line;
	struct text word;

	if (!previous_word(&rest, &word) || word.length < 2 || word.at[word.length - 1] != ':')
		return false;
	header->event = (struct text){ word.at, word.length - 1 };
	header->rest = (struct text){ line.at + line.length, 0 };
	take_comm(parse_untimed_fields(text_between(line.at, word.at), header), header);
	return true;
}

bool perf_script_header_parse(struct text line, bool has_frames, struct perf_script_header *ret)
{
	struct text before;
	struct text after;

	*ret = (struct perf_script_header){ 0 };
	if (find_time(line, &before, &after, ret)) {
		ret->present |= SAMPLE_HAS_TIME;
		ret->behind_time = after;
		parse_before(before, ret);
		parse_after(after, has_frames, ret);
		return true;
	}
	return parse_untimed(line, has_frames, ret) || (has_frames && parse_bare(line, ret));
}

bool perf_script_header_is_certain(struct text line)
{
	struct perf_script_header header = { 0 };
	struct text ignored;

	if (find_time(line, &ignored, &ignored, &header) &&
	    header.time_decimals >= PERF_SCRIPT_TIME_DECIMALS_MIN)
		return true;
	return parse_untimed(line, false, &header) &&
	       perf_script_has_wide_address(text_between(header.event.at + header.event.length + 1,
							 line.at + line.length));
}

bool perf_script_header_parse_task(struct text line, struct perf_script_header *ret)
{
	*ret = (struct perf_script_header){ 0 };
	/* perf prints a blank after each field. */
	if (!line.length || line.at[line.length - 1] != ' ')
		return false;
	ret->rest = (struct text){ line.at + line.length, 0 };
	take_comm(parse_untimed_fields(line, ret), ret);
	return ret->present & SAMPLE_HAS_TID && (ret->comm.at || ret->has_pid);
}
