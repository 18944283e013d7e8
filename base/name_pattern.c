/* SPDX-License-Identifier: MIT */
#include "base/name_pattern.h"

#include <regex.h>

#include "base/memory.h"

#define NO_STAR UINT32_MAX
/* Longer names are copied to the heap. */
#define SCRATCH_BYTES 512

struct regex {
	regex_t compiled;
};

static bool is_regex(struct text text)
{
	return text.length > 2 && text.at[0] == '/' && text.at[text.length - 1] == '/';
}

/* Whether the text is a name such as [unknown], [vdso] or [kernel.kallsyms]. */
static bool is_name_in_brackets(struct text text)
{
	return text.length > 1 && text.at[0] == '[' &&
	       memchr(text.at, ']', text.length) == text.at + text.length - 1;
}

static enum name_pattern_kind kind_of(struct text text)
{
	if (is_regex(text))
		return NAME_REGEX;
	if (is_name_in_brackets(text))
		return NAME_LITERAL;
	for (uint32_t i = 0; i < text.length; i++)
		if (strchr("*?[", text.at[i]))
			return NAME_GLOB;
	return NAME_LITERAL;
}

bool name_pattern_is_literal(struct text text)
{
	return kind_of(text) == NAME_LITERAL;
}

struct name_pattern name_pattern_literal(struct text name)
{
	return (struct name_pattern){ .kind = NAME_LITERAL, .text = name };
}

static bool compile(const char *option, struct name_pattern *pattern, struct error *err)
{
	char *source = memory_duplicate(pattern->text.at + 1, pattern->text.length - 2);
	struct regex *regex = memory_zalloc(1, sizeof(*regex));
	int problem = regcomp(&regex->compiled, source, REG_EXTENDED | REG_NOSUB);
	char reason[128];

	memory_free(source);
	if (!problem) {
		pattern->regex = regex;
		return true;
	}
	regerror(problem, &regex->compiled, reason, sizeof(reason));
	memory_free(regex);
	return error_set(err, ERROR_USAGE, "--%s %.*s: invalid regular expression: %s", option,
			 (int)pattern->text.length, pattern->text.at, reason);
}

bool name_pattern_parse(const char *option, struct text text, struct name_pattern *ret,
			struct error *err)
{
	*ret = (struct name_pattern){ .kind = kind_of(text), .text = text };
	return ret->kind != NAME_REGEX || compile(option, ret, err);
}

void name_pattern_deinit(struct name_pattern *pattern)
{
	if (pattern->regex)
		regfree(&pattern->regex->compiled);
	memory_free(pattern->regex);
	pattern->regex = NULL;
}

/*
 * Finds the end of the set that begins after "[". Returns 0 if the set has no end; the opening
 * bracket is then an ordinary character.
 */
static uint32_t set_end(struct text glob, uint32_t begin)
{
	uint32_t at = begin;

	if (at < glob.length && strchr("!^", glob.at[at]))
		at++;
	/* A closing bracket at the beginning of a set is a member of it. */
	for (at++; at < glob.length; at++)
		if (glob.at[at] == ']')
			return at;
	return 0;
}

static bool set_has(struct text glob, uint32_t begin, uint32_t end, unsigned char byte)
{
	bool is_negated = strchr("!^", glob.at[begin]) != NULL;
	bool has = false;

	for (uint32_t at = begin + is_negated; at < end; at++) {
		unsigned char first = (unsigned char)glob.at[at];
		unsigned char last = first;

		if (at + 2 < end && glob.at[at + 1] == '-') {
			last = (unsigned char)glob.at[at + 2];
			at += 2;
		}
		has |= byte >= first && byte <= last;
	}
	return has != is_negated;
}

/*
 * Whether a byte matches the part of the pattern at *at. The part at *at must not be a star.
 * Advances *at past this part.
 */
static bool piece_fits(struct text glob, uint32_t *at, unsigned char byte)
{
	char c = glob.at[(*at)++];
	uint32_t begin = *at;
	uint32_t end;

	if (c == '?')
		return true;
	if (c == '\\' && *at < glob.length)
		c = glob.at[(*at)++];
	else if (c == '[' && (end = set_end(glob, begin))) {
		*at = end + 1;
		return set_has(glob, begin, end, byte);
	}
	return (unsigned char)c == byte;
}

/*
 * After a mismatch, only the last star is retried, because it can match whatever earlier stars
 * could. The time is therefore at most proportional to the product of the lengths. fnmatch() would
 * require a NUL-terminated copy.
 */
static bool glob_fits(struct text glob, struct text name)
{
	uint32_t star = NO_STAR;
	uint32_t star_name = 0;
	uint32_t at = 0;
	uint32_t i = 0;

	while (i < name.length) {
		uint32_t next = at;

		if (at < glob.length && glob.at[at] == '*') {
			star = ++at;
			star_name = i;
		} else if (at < glob.length && piece_fits(glob, &next, (unsigned char)name.at[i])) {
			at = next;
			i++;
		} else if (star != NO_STAR) {
			at = star;
			i = ++star_name;
		} else {
			return false;
		}
	}
	while (at < glob.length && glob.at[at] == '*')
		at++;
	return at == glob.length;
}

static bool regex_fits(const struct regex *regex, struct text name)
{
	char few[SCRATCH_BYTES];
	bool is_cut = name.length > LIMIT_PATTERN_NAME_BYTES;
	size_t length = is_cut ? LIMIT_PATTERN_NAME_BYTES : name.length;
	char *copy = length < sizeof(few) ? few : memory_alloc(length + 1, 1);
	regmatch_t bounds = { .rm_so = 0, .rm_eo = (regoff_t)length };
	bool fits;

	/*
	 * With REG_STARTEND, a name may contain NULs. However, some libraries read beyond the end
	 * of the name, up to the next NUL.
	 */
	if (length)
		memcpy(copy, name.at, length);
	copy[length] = '\0';
	/* In a truncated name, $ must not match at the end. */
	fits = regexec(&regex->compiled, copy, 1, &bounds,
		       REG_STARTEND | (is_cut ? REG_NOTEOL : 0)) == 0;
	if (copy != few)
		memory_free(copy);
	return fits;
}

bool name_pattern_fits(const struct name_pattern *pattern, struct text name)
{
	if (pattern->kind == NAME_REGEX)
		return regex_fits(pattern->regex, name);
	return text_equal(pattern->text, name) ||
	       (pattern->kind == NAME_GLOB && glob_fits(pattern->text, name));
}

/*
 * The length of the first name in a list. If a bracket is not closed, every comma separates names.
 */
static size_t first_length(const char *list)
{
	size_t depth = 0;

	for (size_t i = 0; list[i]; i++) {
		if (list[i] == ',' && !depth)
			return i;
		if (strchr("([{", list[i]))
			depth++;
		else if (strchr(")]}", list[i]) && depth)
			depth--;
	}
	return depth ? strcspn(list, ",") : strlen(list);
}

bool name_patterns_parse(const char *option, const char *list, name_patterns *ret,
			 struct error *err)
{
	/*
	 * An empty list, for example from an unset variable in a script, would select everything.
	 */
	if (!*list)
		return error_set(err, ERROR_USAGE, "--%s requires a name", option);
	while (*list) {
		struct text text = { list, (uint32_t)first_length(list) };
		struct name_pattern pattern;

		if (!name_pattern_parse(option, text, &pattern, err))
			return false;
		vec_push(ret, pattern);
		list += text.length;
		list += *list == ',';
	}
	return true;
}

void name_patterns_deinit(name_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		name_pattern_deinit(&patterns->at[i]);
	vec_free(patterns);
}

bool name_patterns_fit(const name_patterns *patterns, struct text name)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (name_pattern_fits(&patterns->at[i], name))
			return true;
	return false;
}
