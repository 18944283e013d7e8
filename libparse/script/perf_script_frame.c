/* SPDX-License-Identifier: MIT */
#include "libparse/script/perf_script_frame.h"

#include "base/scan.h"
#include "libparse/callchain.h"
#include "libparse/text.h"

/* perf prints addresses with %16lx. */
#define ADDRESS_COLUMNS 16

/* The columns of the tab in front, if another program replaced it with blanks. */
#define TAB_COLUMNS 8

static uint64_t hex_value_of(struct text text)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < text.length; i++) {
		unsigned char c = (unsigned char)text.at[i];

		value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return value;
}

/* The length of the address at the front, or 0. */
static uint32_t address_length(struct text text)
{
	uint32_t length = 0;

	while (length < text.length && is_hex_digit(text.at[length]))
		length++;
	return length == text.length || is_blank(text.at[length]) ? length : 0;
}

bool perf_script_is_frame(struct text line)
{
	struct text rest;
	uint32_t length;

	if (!text_is_indented(line) || line.at[0] == '\t')
		return text_is_indented(line);
	rest = text_trim(line);
	length = address_length(rest);
	if (!length)
		return false;
	/*
	 * A comm or tid can look like an address. However, a tid or "[CPU]" follows it, and symbols
	 * do not begin with a digit.
	 */
	rest = text_trim((struct text){ rest.at + length, rest.length - length });
	if (rest.length > 1 && rest.at[0] == '[')
		rest = text_from(rest, 1);
	return !rest.length || !is_digit(rest.at[0]);
}

/* The column after an address without capital letters, or 0. */
static uint32_t address_end(struct text line)
{
	struct text rest = text_trim(line);
	uint32_t length = text_is_indented(line) ? address_length(rest) : 0;

	for (uint32_t i = 0; i < length; i++)
		if (is_upper(rest.at[i]))
			return 0;
	return length ? (uint32_t)(rest.at - line.at) + length : 0;
}

bool perf_script_has_wide_address(struct text line)
{
	return address_end(line) >= ADDRESS_COLUMNS;
}

bool perf_script_is_bare_address(struct text line)
{
	uint32_t end = address_end(line);

	return end >= ADDRESS_COLUMNS && !text_trim(text_from(line, end)).length;
}

bool perf_script_has_address(struct text line)
{
	uint32_t end = address_end(line);

	if (end && line.at[0] == '\t')
		for (uint32_t i = 1; i < end; i++)
			if (is_digit(line.at[i]))
				return true;
	return end >= ADDRESS_COLUMNS;
}

/* The "(" that matches the last ")" and follows a blank, or NULL. */
static const char *last_bracket(struct text text)
{
	uint32_t depth = 0;

	if (!text.length || text.at[text.length - 1] != ')')
		return NULL;
	for (uint32_t i = text.length; i-- > 0;) {
		depth += text.at[i] == ')';
		if (text.at[i] != '(' || --depth > 0)
			continue;
		return i == 0 || is_blank(text.at[i - 1]) ? text.at + i : NULL;
	}
	/* If the path has unbalanced brackets, use the last "(" that follows a blank. */
	for (uint32_t i = text.length; i-- > 1;)
		if (text.at[i] == '(' && is_blank(text.at[i - 1]))
			return text.at + i;
	return NULL;
}

/* Returns an empty text for "[unknown]", which perf prints for unknown modules and symbols. */
static struct text unless_unknown(struct text text)
{
	return text_is(text, "[unknown]") ? (struct text){ "", 0 } : text;
}

/* Removes "+0x1f" from the end. */
static struct text drop_offset(struct text symbol, uint64_t *offset_ret)
{
	uint32_t i = symbol.length;

	while (i && is_hex_digit(symbol.at[i - 1]))
		i--;
	if (i < symbol.length && i >= 3 && memcmp(symbol.at + i - 3, "+0x", 3) == 0) {
		*offset_ret = hex_value_of((struct text){ symbol.at + i, symbol.length - i });
		symbol.length = i - 3;
	}
	return symbol;
}

/*
 * Whether a word is a number in a column of at least this width. end: where the word before it ends;
 * NULL if it is the first word, whose padding is unknown
 */
static bool is_number_in(struct text word, const char *end, uint32_t columns)
{
	return word.length && address_length(word) == word.length &&
	       (!end || word.at + word.length - end >= columns);
}

/* An address follows a blank. */
static bool is_padded_address(struct text word, const char *end)
{
	return is_number_in(word, end, 1 + ADDRESS_COLUMNS);
}

/*
 * Whether a symbol or module follows a number, not another number or a memory access, "|OP LOAD|".
 * Symbols do not begin with a digit.
 */
static bool precedes_symbol(struct text number, struct text behind)
{
	struct text word;

	return text_next_word(&behind, &word) && word.at[0] != '|' && !is_digit(word.at[0]) &&
	       !text_is(word, "N/A") && !is_padded_address(word, number.at + number.length);
}

/* Returns the last number that a symbol follows or, if there is none, the last number. */
static struct text drop_fields_in_front(struct text line)
{
	const char *line_end = line.at + line.length;
	const char *end = NULL;
	struct text frame = line;
	bool has_symbol = false;
	struct text word;

	while (text_next_word(&line, &word)) {
		bool is_address = is_padded_address(word, end);

		end = word.at + word.length;
		if (!is_address || (has_symbol && !precedes_symbol(word, line)))
			continue;
		has_symbol = precedes_symbol(word, line);
		frame = text_between(word.at, line_end);
	}
	return frame;
}

/* The flags of a branch, "/P/-/-/": predicted, in a transaction, an abort. Returns NULL if none. */
static const char *find_branch_flags(struct text text)
{
	static const char *const flags[] = { "PMN-", "X-", "A-" };

	for (uint32_t i = 0; i + 2 * ARRAY_SIZE(flags) < text.length; i++) {
		const char *at = text.at + i;
		size_t count = 0;

		while (count < ARRAY_SIZE(flags) && at[2 * count] == '/' && at[2 * count + 1] &&
		       strchr(flags[count], at[2 * count + 1]))
			count++;
		if (count == ARRAY_SIZE(flags) && at[2 * count] == '/')
			return at;
	}
	return NULL;
}

/* "4K", "2M" or "N/A": -F data_page_size, -F code_page_size */
static bool is_page_size(struct text word)
{
	return text_is(word, "N/A") ||
	       (word.length > 1 && memchr("BKMG", word.at[word.length - 1], 4) &&
		scan_digits_length(word) == word.length - 1);
}

/* Whether a word begins a field that perf prints behind frames. end: where the word before it ends */
static bool begins_field_behind(struct text word, const char *end)
{
	bool is_registers =
		text_has_prefix(word, "ABI:") && word.length > 4 && is_digit(word.at[4]);

	return is_registers || text_is(word, "ilen:") || text_is(word, "insn:") ||
	       text_is(word, "IPC:") || is_page_size(word) || find_branch_flags(word) ||
	       is_number_in(word, end, ADDRESS_COLUMNS);
}

bool perf_script_is_behind_frames(struct text line)
{
	const char *end = line.at;
	struct text word;

	if (!text_next_word(&line, &word) || !begins_field_behind(word, end))
		return false;
	end = word.at + word.length;
	/* The comm of the next sample can look like such a number: "               a 17 [000]". */
	if (address_length(word) != word.length && !is_page_size(word))
		return true;
	return !text_next_word(&line, &word) || begins_field_behind(word, end);
}

/* The end of a module, "(/bin/app)" or "([kernel.kallsyms])", behind a blank; NULL if there is none. */
static const char *find_module_end(struct text text)
{
	const char *end = text.at + text.length;

	for (const char *at = text.at; at + 2 < end; at++) {
		if (!is_blank(at[0]) || at[1] != '(' || (at[2] != '/' && at[2] != '['))
			continue;
		at = memchr(at, ')', (size_t)(end - at));
		/* "(/bin/app (deleted))" */
		while (at && at + 1 < end && at[1] == ')')
			at++;
		return at ? at + 1 : NULL;
	}
	return NULL;
}

/*
 * Returns where the branches of a frame begin. word: the first with the flags of a branch, as in
 * "0x401136/0x401149/P/-/-/4/". With -F brstacksym, no blank precedes the first branch:
 * "(/bin/app)operator new(/bin/app)/parse(/bin/app)/P/-/-/4/".
 */
static const char *begin_of_branches(struct text frame, struct text word)
{
	const char *end = word.at + word.length;
	const char *behind = find_module_end(text_between(frame.at, end));

	return behind && behind < end && !is_blank(*behind) && *behind != '/' ? behind : word.at;
}

/* Removes registers, branches, instructions, and physical addresses. */
static struct text drop_fields_behind(struct text frame)
{
	struct text rest = frame;
	const char *end;
	struct text word;

	text_next_word(&rest, &word);
	for (end = rest.at; text_next_word(&rest, &word); end = rest.at) {
		/* Instructions follow two tabs. */
		if (!begins_field_behind(word, end) &&
		    !memmem(end, (size_t)(word.at - end), "\t\t", 2))
			continue;
		end = find_branch_flags(word) ? begin_of_branches(frame, word) : word.at;
		return text_trim(text_between(frame.at, end));
	}
	return frame;
}

struct text perf_script_single_frame(struct text rest)
{
	return drop_fields_behind(drop_fields_in_front(rest));
}

void perf_script_parse_frame(struct text raw, struct event_frame *ret)
{
	const char *line_end = raw.length ? memchr(raw.at, '\n', raw.length) : NULL;
	struct text rest = raw;
	const char *bracket;
	uint32_t length;

	*ret = (struct event_frame){ .name = { "", 0 }, .module = { "", 0 } };
	if (line_end)
		rest.length = (uint32_t)(line_end - raw.at);
	rest = text_trim(rest);
	length = address_length(rest);
	ret->address = hex_value_of((struct text){ rest.at, length });
	rest = text_trim((struct text){ rest.at + length, rest.length - length });
	bracket = last_bracket(rest);
	if (bracket) {
		struct text module = { bracket + 1,
				       rest.length - (uint32_t)(bracket - rest.at) - 2 };

		ret->is_inlined = text_is(module, "inlined");
		if (!ret->is_inlined)
			ret->module = unless_unknown(module);
		rest = text_trim((struct text){ rest.at, (uint32_t)(bracket - rest.at) });
	}
	ret->name = unless_unknown(drop_offset(rest, &ret->offset));
}

bool perf_script_is_stray_frame(struct text raw)
{
	struct event_frame frame;

	/* "add" can be an address or, with -F sym, a symbol. */
	if (!perf_script_has_address(raw))
		return false;
	perf_script_parse_frame(raw, &frame);
	return frame.address < CALLCHAIN_LOWEST_ADDRESS && !frame.name.length &&
	       !frame.module.length;
}

/*
 * perf-map-agent with unfold=inline writes Lorg/A;::a->Lorg/B;::b if b is inlined into a. Other
 * names also contain arrows: operator->, fn() -> T. In Java names, both sides begin with a class.
 */
static bool is_java_class(struct text name)
{
	return name.length > 2 && name.at[0] == 'L' && memmem(name.at, name.length, ";::", 3);
}

static bool next_method(struct text *rest, struct text *ret)
{
	const char *arrow = memmem(rest->at, rest->length, "->", 2);

	if (!arrow)
		return false;
	*ret = (struct text){ rest->at, (uint32_t)(arrow - rest->at) };
	*rest = (struct text){ arrow + 2, rest->length - ret->length - 2 };
	return is_java_class(*ret);
}

static bool is_unfolded(struct text name)
{
	struct text method;
	bool has_several = false;

	while (memmem(name.at, name.length, "->", 2)) {
		if (!next_method(&name, &method))
			return false;
		has_several = true;
	}
	return has_several && is_java_class(name);
}

/*
 * Whether an address ends in the column where perf ends it: behind a tab, or behind the blanks that
 * replaced the tab.
 */
static bool is_in_column(uint32_t end)
{
	return end == 1 + ADDRESS_COLUMNS || end == TAB_COLUMNS + ADDRESS_COLUMNS;
}

bool perf_script_is_certain_frame(struct text line)
{
	uint32_t end = address_end(line);
	struct event_frame frame;

	if (!end)
		return false;
	if (is_in_column(end))
		return true;
	perf_script_parse_frame(line, &frame);
	return frame.offset || (frame.module.length && strchr("/[", frame.module.at[0]));
}

void perf_script_read_frame(const void *reader, struct text raw, event_frame_callback *take,
			    void *context)
{
	struct event_frame frame;
	struct text rest;

	(void)reader;
	perf_script_parse_frame(raw, &frame);
	rest = frame.name;
	if (rest.length && is_unfolded(rest))
		while (next_method(&rest, &frame.name)) {
			take(context, &frame);
			frame.is_inlined = true;
		}
	frame.name = rest;
	take(context, &frame);
}
