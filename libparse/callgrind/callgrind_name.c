/* SPDX-License-Identifier: MIT */
#include "libparse/callgrind/callgrind_name.h"

#include "base/scan.h"

/* Open brackets at a byte of a name. */
struct brackets {
	uint32_t round; /* also square and curly ones */
	uint32_t angle; /* outside of the others: inside of them, < can be an operator */
};

struct callgrind_name callgrind_name_of(struct text name)
{
	return (struct callgrind_name){ .rest = name };
}

static void count_bracket(struct brackets *open, struct text text, uint32_t at)
{
	char byte = text.at[at];

	if (memchr("([{", byte, 3))
		open->round++;
	else if (memchr(")]}", byte, 3))
		open->round -= open->round > 0;
	else if (open->round)
		return;
	else if (byte == '<')
		open->angle++;
	else if (byte == '>' && open->angle && text.at[at - 1] != '-')
		open->angle--;
}

/* The end of an "operator" that begins at `at`, with its punctuation; `at` if none begins there. */
static uint32_t skip_operator(struct text text, uint32_t at)
{
	static const char word[] = "operator";
	uint32_t end = at + (uint32_t)sizeof(word) - 1;

	if (!text_has_prefix(text_from(text, at), word) || (at && is_identifier(text.at[at - 1])))
		return at;
	while (end < text.length && memchr("<>=-!*&|+/%^~,", text.at[end], 14))
		end++;
	return end;
}

/* Whether a pair of apostrophes that is part of a name begins here. */
static bool is_quote(struct text text, uint32_t at)
{
	return !at || (at >= 2 && text.at[at - 1] == ':' && text.at[at - 2] == ':');
}

/* Inside brackets: 'x' of a character, which may be a bracket, or only the apostrophe. */
static uint32_t skip_character(struct text text, uint32_t at)
{
	return at + 2 < text.length && text.at[at + 2] == '\'' ? at + 3 : at + 1;
}

/*
 * The length of the first part. False: brackets or pairs of apostrophes do not match; `length_ret`
 * is not set.
 */
static bool find_end(struct text text, uint32_t *length_ret)
{
	struct brackets open = { 0, 0 };
	uint32_t at = 0;

	while (at < text.length) {
		uint32_t behind = skip_operator(text, at);
		const char *quote;

		if (behind > at) {
			at = behind;
		} else if (text.at[at] != '\'') {
			count_bracket(&open, text, at++);
		} else if (open.round || open.angle) {
			at = skip_character(text, at);
		} else if (is_quote(text, at)) {
			quote = memchr(text.at + at + 1, '\'', text.length - at - 1);
			if (!quote)
				return false;
			at = (uint32_t)(quote - text.at) + 1;
		} else {
			break;
		}
	}
	*length_ret = at;
	return !open.round && !open.angle;
}

static uint32_t find_plain_end(struct text text)
{
	const char *end = text.length ? memchr(text.at, '\'', text.length) : NULL;

	return end ? (uint32_t)(end - text.at) : text.length;
}

static struct text take_part(struct callgrind_name *name)
{
	struct text part = name->rest;

	if (name->is_plain || !find_end(name->rest, &part.length)) {
		name->is_plain = true;
		part.length = find_plain_end(name->rest);
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

/* " [clone .part.0]" */
static bool drop_clone(struct text *text)
{
	static const char mark[] = " [clone ";
	const char *open = text->length ? memrchr(text->at, '[', text->length) : NULL;

	if (!text_has_suffix(*text, "]") || !open || open == text->at ||
	    !text_has_prefix(text_between(open - 1, text->at + text->length), mark))
		return false;
	text->length = (uint32_t)(open - 1 - text->at);
	return true;
}

struct text callgrind_name_without_parameters(struct text function)
{
	struct text list = function;
	uint32_t depth = 0;

	while (drop_clone(&list) || drop_suffix(&list, " const") || drop_suffix(&list, "&") ||
	       drop_suffix(&list, " volatile") || drop_suffix(&list, " "))
		continue;
	if (!text_has_suffix(list, ")"))
		return function;
	for (uint32_t at = list.length; at--;) {
		depth += list.at[at] == ')';
		/* (below main) is no list, nor is operator(). */
		if (list.at[at] == '(' && !--depth)
			return at && !text_has_suffix((struct text){ list.at, at }, "operator")
				       ? (struct text){ list.at, at }
				       : function;
	}
	return function;
}
