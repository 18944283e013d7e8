/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_name.h"

#include "base/scan.h"

static const char operator_word[] = "operator";
#define OPERATOR_LENGTH ((uint32_t)sizeof(operator_word) - 1)

/* A walk over the bytes of a name, which counts open brackets. */
struct bracket_walk {
	struct text text;
	uint32_t at;
	uint32_t round; /* open round, square and curly brackets */
	/* open angle brackets; not counted inside other brackets, where < can be an operator */
	uint32_t angle;
	uint32_t operator_end; /* position after the last "operator" and its punctuation */
};

struct callgrind_name callgrind_name_of(struct text name)
{
	return (struct callgrind_name){ .rest = name };
}

struct callgrind_name callgrind_name_of_callee(struct text name)
{
	return (struct callgrind_name){ .rest = name, .is_callee = true };
}

struct callgrind_name callgrind_name_of_one(struct text name)
{
	return (struct callgrind_name){ .rest = name, .is_one = true };
}

static bool is_open(const struct bracket_walk *walk)
{
	return walk->round || walk->angle;
}

/* Whether the word "operator" ends the text. */
static bool ends_in_operator(struct text text)
{
	return text_has_suffix(text, operator_word) &&
	       (text.length == OPERATOR_LENGTH ||
		!is_identifier(text.at[text.length - OPERATOR_LENGTH - 1]));
}

static bool is_at_operator(const struct bracket_walk *walk)
{
	return text_has_prefix(text_from(walk->text, walk->at), operator_word) &&
	       ends_in_operator((struct text){ walk->text.at, walk->at + OPERATOR_LENGTH });
}

/*
 * Returns the length of the first of these texts that begins the rest of the walk, or 0 if none
 * does.
 */
static uint32_t match(const struct bracket_walk *walk, const char *const texts[], size_t count)
{
	struct text rest = text_from(walk->text, walk->at);

	for (size_t i = 0; i < count; i++)
		if (text_has_prefix(rest, texts[i]))
			return (uint32_t)strlen(texts[i]);
	return 0;
}

/* Skips "operator" and its punctuation, which contains no brackets: operator->* */
static void skip_operator(struct bracket_walk *walk)
{
	static const char *const marks[] = {
		"->*", "<<=", ">>=", "<=>", "->", "<<", ">>", "<=", ">=",
		"()",  "[]",  "<",   ">",   "-",  "=",  "!",  ",",
	};

	walk->at += OPERATOR_LENGTH;
	walk->at += match(walk, marks, ARRAY_SIZE(marks));
	walk->operator_end = walk->at;
}

/*
 * Returns the length of a comparison or shift in an expression, as libiberty writes it: (N)<(1).
 * Other operators, such as (N)>(1), are always inside round brackets.
 */
static uint32_t comparison_length(const struct bracket_walk *walk)
{
	static const char *const marks[] = { "<(", "<=(", "<<(", ">=(", ">>(" };
	uint32_t length = 0;

	if (walk->at && walk->at != walk->operator_end && walk->text.at[walk->at - 1] == ')')
		length = match(walk, marks, ARRAY_SIZE(marks));
	return length ? length - 1 : 0;
}

static void count_bracket(struct bracket_walk *walk, char byte)
{
	if (memchr("([{", byte, 3))
		walk->round++;
	else if (memchr(")]}", byte, 3))
		walk->round -= walk->round > 0;
	else if (walk->round)
		return;
	else if (byte == '<')
		walk->angle++;
	else if (byte == '>' && walk->angle && walk->text.at[walk->at - 1] != '-')
		walk->angle--;
}

/* Moves the walk past one byte or one operator. */
static void walk_on(struct bracket_walk *walk)
{
	uint32_t length;

	if (is_at_operator(walk)) {
		skip_operator(walk);
		return;
	}
	length = comparison_length(walk);
	if (!length)
		count_bracket(walk, walk->text.at[walk->at]);
	walk->at += length ? length : 1;
}

/* Skips a character literal inside brackets, which may contain a bracket, or only an apostrophe. */
static void skip_character(struct bracket_walk *walk)
{
	uint32_t end = walk->at + 2;

	walk->at = end < walk->text.length && walk->text.at[end] == '\'' ? end + 1 : walk->at + 1;
}

/*
 * Returns the length of the first part. If brackets do not match, returns false and leaves
 * `length_ret` unchanged.
 */
static bool find_end(struct text text, uint32_t *length_ret)
{
	struct bracket_walk walk = { .text = text };

	while (walk.at < text.length) {
		if (text.at[walk.at] != '\'')
			walk_on(&walk);
		else if (is_open(&walk))
			skip_character(&walk);
		else
			break;
	}
	*length_ret = walk.at;
	return !is_open(&walk);
}

static uint32_t find_plain_end(struct text text)
{
	const char *end = text.length ? memchr(text.at, '\'', text.length) : NULL;

	return end ? (uint32_t)(end - text.at) : text.length;
}

/* Returns the length without the recursion level at the end: scan'2 */
static uint32_t find_level(struct text text)
{
	uint32_t digits = scan_last_digits(text);

	return digits && digits < text.length && text.at[digits - 1] == '\'' ? digits - 1
									     : text.length;
}

static struct text take_part(struct callgrind_name *name)
{
	struct text part = name->rest;

	if (name->is_plain) {
		part.length = find_plain_end(name->rest);
	} else if (name->is_one || !find_end(name->rest, &part.length)) {
		name->is_plain = !name->is_one && !name->is_callee;
		if (name->is_plain)
			part.length = find_plain_end(name->rest);
		else
			name->rest.length = part.length = find_level(name->rest);
	}
	name->count++;
	if (part.length < name->rest.length)
		name->rest = text_from(name->rest, part.length + 1);
	else
		name->rest = (struct text){ NULL, 0 };
	return part;
}

static bool is_level(struct text part)
{
	return part.length && scan_digits_length(part) == part.length;
}

bool callgrind_name_next(struct callgrind_name *name, struct text *ret)
{
	if (!name->rest.at)
		return false;
	*ret = take_part(name);
	if (name->count != 2 || !is_level(*ret))
		return true;
	if (!name->rest.at)
		return false;
	*ret = take_part(name);
	return true;
}

static bool drop_suffix(struct text *text, const char *suffix)
{
	if (!text_has_suffix(*text, suffix))
		return false;
	text->length -= (uint32_t)strlen(suffix);
	return true;
}

/* Removes " [clone .part.0]" from the end. */
static bool drop_clone(struct text *text)
{
	static const char mark[] = " [clone ";
	const char *open;

	/*
	 * Check the suffix first, so that the time of the search is linear in the length of the
	 * removed text.
	 */
	if (!text_has_suffix(*text, "]"))
		return false;
	open = memrchr(text->at, '[', text->length);
	if (!open || open == text->at ||
	    !text_has_prefix(text_between(open - 1, text->at + text->length), mark))
		return false;
	text->length = (uint32_t)(open - 1 - text->at);
	return true;
}

/*
 * Removes the parameter list at the end. (below main) is not a parameter list, nor are the brackets
 * of operator().
 */
static bool drop_list(struct text *text)
{
	uint32_t depth = 0;

	if (!text_has_suffix(*text, ")"))
		return false;
	for (uint32_t at = text->length; at--;) {
		struct text before = { text->at, at };

		depth += text->at[at] == ')';
		if (text->at[at] != '(' || --depth)
			continue;
		if (!at || ends_in_operator(before))
			return false;
		*text = before;
		return true;
	}
	return false;
}

/* Whether a blank before `rest` separates qualifiers of a function: f() const::{lambda()#1} */
static bool is_qualifier(struct text rest)
{
	static const char *const qualifiers[] = { "const", "volatile", "&&", "&" };

	for (size_t i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		struct text behind = rest;

		if (scan_prefix(&behind, qualifiers[i]) &&
		    (text_has_prefix(behind, "::") || text_has_prefix(behind, " ")))
			return true;
	}
	return false;
}

/* "non-virtual thunk to f", "transaction clone for f": these words are not a type. */
static bool is_title(struct text before)
{
	return text_has_suffix(before, " to") || text_has_suffix(before, " for");
}

/*
 * Finds where the name of a function begins, after its return type. `open_count`: the number of
 * brackets before the name that are not closed, as in int (*get. A function that returns a pointer
 * to a function has such brackets.
 */
static uint32_t find_begin(struct text text, uint32_t open_count)
{
	struct bracket_walk walk = { .text = text };
	uint32_t begin = 0;

	while (walk.at < text.length && (is_open(&walk) || !is_at_operator(&walk))) {
		char byte = text.at[walk.at];

		if (!is_open(&walk) && byte == ' ' && is_title((struct text){ text.at, walk.at }))
			return 0;
		if (!is_open(&walk) && byte == ' ' && !is_qualifier(text_from(text, walk.at + 1)))
			begin = walk.at + 1;
		if (open_count && byte == '(' && !is_open(&walk)) {
			open_count--;
			while (++walk.at < text.length && memchr("*&", text.at[walk.at], 2))
				continue;
			begin = walk.at;
		} else {
			walk_on(&walk);
		}
	}
	return is_open(&walk) || open_count || begin == text.length ? 0 : begin;
}

struct text callgrind_name_of_function(struct text name)
{
	struct text left = name;
	struct text list;
	uint32_t open_count = 0;
	uint32_t begin;

	while (drop_clone(&left) || drop_suffix(&left, " const") || drop_suffix(&left, "&") ||
	       drop_suffix(&left, " volatile") || drop_suffix(&left, " "))
		continue;
	if (!drop_list(&left))
		return name;
	/* In int (*get(long))(int), the parameters of the function are inside brackets. */
	for (list = left; drop_suffix(&list, ")") && drop_list(&list); left = list)
		open_count++;
	begin = find_begin(left, open_count);
	return begin || !open_count ? text_from(left, begin) : name;
}
