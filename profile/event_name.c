/* SPDX-License-Identifier: MIT */
#include "profile/event_name.h"

#include "base/name_pattern.h"

/* Source: man perf-list, "EVENT MODIFIERS". */
static const char modifier_letters[] = "ukhIGHpPSDWeBRbX";
/*
 * Modifiers that select what is counted; the other modifiers select how it is sampled. H, without
 * guests, is what perf does by default. If a capture lacks the name that was given to perf record,
 * as a truncated one does, cycles:u becomes cycles:uH.
 */
static const char scope_letters[] = "ukhGI";

#define MODIFIERS_MAX 8

static struct text part_of(struct text text, uint32_t begin, uint32_t end)
{
	return (struct text){ text.at + begin, end - begin };
}

static uint32_t find(struct text text, uint32_t from, char c)
{
	while (from < text.length && text.at[from] != c)
		from++;
	return from;
}

static bool are_modifiers(struct text text)
{
	if (!text.length || text.length > MODIFIERS_MAX)
		return false;
	for (uint32_t i = 0; i < text.length; i++)
		if (!memchr(modifier_letters, text.at[i], sizeof(modifier_letters) - 1))
			return false;
	return true;
}

/* Whether a term defines a raw event, as in cpu/event=0x3c,umask=1/. */
static bool defines_event(struct text term)
{
	static const char *const terms[] = { "event=",   "umask=",   "config=",
					     "config1=", "config2=", "config3=" };

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (text_has_prefix(term, terms[i]))
			return true;
	return false;
}

/*
 * Parses "PMU/EVENT,TERM,.../" or "EVENT/TERM,.../". Returns false if only the terms define the
 * event.
 */
static bool parse_terms(struct text before, struct text terms, struct event_name *ret)
{
	struct text event = { "", 0 };

	for (uint32_t begin = 0; begin < terms.length;) {
		uint32_t end = find(terms, begin, ',');
		struct text term = part_of(terms, begin, end);

		if (defines_event(term))
			return false;
		if (!event.length && find(term, 0, '=') == term.length)
			event = term;
		begin = end + 1;
	}
	ret->base = event.length ? event : before;
	if (event.length)
		ret->pmu = before;
	return ret->base.length > 0;
}

struct event_name event_name_parse(struct text name)
{
	struct event_name whole = { { "", 0 }, name, { "", 0 } };
	struct event_name ret = whole;
	uint32_t first = find(name, 0, '/');
	uint32_t last = first < name.length ? find(name, first + 1, '/') : name.length;
	uint32_t colon;

	if (last < name.length) {
		struct text rest = part_of(name, last + 1, name.length);

		if (rest.length && rest.at[0] == ':')
			rest = part_of(rest, 1, rest.length);
		if (rest.length && !are_modifiers(rest))
			return whole;
		ret.modifiers = rest;
		return parse_terms(part_of(name, 0, first), part_of(name, first + 1, last), &ret)
			       ? ret
			       : whole;
	}
	colon = name.length;
	while (colon && name.at[colon - 1] != ':')
		colon--;
	if (colon < 2 || !are_modifiers(part_of(name, colon, name.length)))
		return whole;
	ret.base = part_of(name, 0, colon - 1);
	ret.modifiers = part_of(name, colon, name.length);
	return ret;
}

/* Matches "PMU/BASE" with or without a trailing slash. */
static bool is_with_pmu(const struct event_name *name, struct text pattern)
{
	uint32_t slash = name->pmu.length;

	if (pattern.length && pattern.at[pattern.length - 1] == '/')
		pattern.length--;
	return slash && pattern.length == slash + 1 + name->base.length &&
	       memcmp(pattern.at, name->pmu.at, slash) == 0 && pattern.at[slash] == '/' &&
	       memcmp(pattern.at + slash + 1, name->base.at, name->base.length) == 0;
}

/* An invalid pattern was reported when the command line was parsed. */
static bool fits_pattern(struct text name, struct text text)
{
	struct name_pattern pattern;
	struct error ignored;
	bool fits;

	if (name_pattern_is_literal(text) || !name_pattern_parse("event", text, &pattern, &ignored))
		return false;
	fits = name_pattern_fits(&pattern, name);
	name_pattern_deinit(&pattern);
	return fits;
}

enum event_match event_name_match(struct text name, const char *pattern)
{
	struct text text = text_of(pattern);
	struct event_name parsed;

	if (text_equal(name, text))
		return EVENT_MATCH_EXACT;
	if (fits_pattern(name, text))
		return EVENT_MATCH_PATTERN;
	parsed = event_name_parse(name);
	return text_equal(parsed.base, text) || is_with_pmu(&parsed, text) ? EVENT_MATCH_BASE
									   : EVENT_MATCH_NONE;
}

/* Returns the privilege levels as a bit set. */
static unsigned scope_of(struct text modifiers)
{
	unsigned scope = 0;

	for (unsigned i = 0; scope_letters[i]; i++)
		if (modifiers.length && memchr(modifiers.at, scope_letters[i], modifiers.length))
			scope |= 1u << i;
	return scope;
}

bool event_names_alike(struct text left, struct text right)
{
	struct event_name a = event_name_parse(left);
	struct event_name b = event_name_parse(right);

	return text_equal(a.base, b.base) && scope_of(a.modifiers) == scope_of(b.modifiers) &&
	       (!a.pmu.length || !b.pmu.length || text_equal(a.pmu, b.pmu));
}

/* Whether modifiers include all that are wanted, except p and P. */
static bool has_modifiers(struct text modifiers, struct text wanted)
{
	for (uint32_t i = 0; i < wanted.length; i++)
		if (!memchr("pP", wanted.at[i], 2) &&
		    !(modifiers.length && memchr(modifiers.at, wanted.at[i], modifiers.length)))
			return false;
	return true;
}

static struct text before_modifiers(struct text name, struct text modifiers)
{
	name.length -= modifiers.length;
	if (name.length && name.at[name.length - 1] == ':')
		name.length--;
	return name;
}

bool event_names_add_up(struct text left, struct text right)
{
	struct text a = event_name_parse(left).modifiers;
	struct text b = event_name_parse(right).modifiers;

	return text_equal(before_modifiers(left, a), before_modifiers(right, b)) &&
	       has_modifiers(a, b) && has_modifiers(b, a);
}

bool event_name_is_of_cpu_time(struct text name)
{
	static const char *const names[] = { "cpu-clock",  "task-clock", "cycles", "cpu-cycles",
					     "cpu_cycles", "ref-cycles", NULL };
	struct text base = event_name_parse(name).base;

	for (size_t i = 0; names[i]; i++)
		if (text_is(base, names[i]))
			return true;
	return false;
}
