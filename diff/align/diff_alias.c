/* SPDX-License-Identifier: MIT */
#include "diff/align/diff_alias.h"

/* Spellings, and what is written in their place. The first that fits counts. */
struct spelling {
	const char *from, *to;
	bool is_word; /* not in the middle of a longer word */
};

static const struct spelling spellings[] = {
	{ "(anonymous namespace)", "{anonymous}", false },
	{ "<anonymous namespace>", "{anonymous}", false },
	{ "`anonymous namespace'", "{anonymous}", false },
	{ "_GLOBAL__N_1", "{anonymous}", true },
	{ "std::__cxx11::", "std::", false },
	{ "std::__1::", "std::", false },
	{ "std::__debug::", "std::", false },
	{ "[abi:cxx11]", "", false },
	{ "long long unsigned int", "unsigned long long", true },
	{ "long unsigned int", "unsigned long", true },
	{ "short unsigned int", "unsigned short", true },
	{ "long long int", "long long", true },
	{ "long int", "long", true },
	{ "short int", "short", true },
	{ "std::basic_string<char>", "std::string", true },
	{ "{{closure}}", "{closure}", false },
	{ "{closure#}", "{closure}", false },
	{ "[go.shape", "[...", false },
};

/* Template arguments that are defaults nearly always, and that only some tools print. */
static const char *const default_arguments[] = {
	"std::allocator<", "std::char_traits<", "std::less<",
	"std::hash<",      "std::equal_to<",    "std::default_delete<",
};

static bool is_word_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* A name that is written as a key. */
struct reading {
	struct sink *sink;
	struct text name;
	bool is_unbalanced; /* a bracket is not closed: no other one is looked for, lest each takes all of the name */
};

/* One past the bracket that closes the one here, or 0: none does. */
static uint32_t find_end(struct reading *reading, uint32_t at, char open, char close)
{
	struct text name = reading->name;
	uint32_t depth = 0;

	for (; !reading->is_unbalanced && at < name.length; at++) {
		/* operator->, and -> of a lambda's type. */
		if (name.at[at] == close && close == '>' && at && name.at[at - 1] == '-')
			continue;
		depth += name.at[at] == open;
		if (name.at[at] == close && --depth == 0)
			return at + 1;
	}
	reading->is_unbalanced = true;
	return 0;
}

static const struct spelling *spelling_at(struct text name, uint32_t at)
{
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		const struct spelling *spelling = &spellings[i];
		uint32_t end = at + (uint32_t)strlen(spelling->from);

		if (!text_has_prefix(text_from(name, at), spelling->from))
			continue;
		if (!spelling->is_word || ((!at || !is_word_char(name.at[at - 1])) &&
					   (end == name.length || !is_word_char(name.at[end]))))
			return spelling;
	}
	return NULL;
}

/* The bytes of a comma and the default argument behind it, or 0. */
static uint32_t default_at(struct reading *reading, uint32_t at)
{
	struct text name = reading->name;
	uint32_t begin = at + 1;

	if (name.at[at] != ',')
		return 0;
	while (begin < name.length && name.at[begin] == ' ')
		begin++;
	for (size_t i = 0; i < ARRAY_SIZE(default_arguments); i++) {
		uint32_t end;

		if (!text_has_prefix(text_from(name, begin), default_arguments[i]))
			continue;
		end = find_end(reading, begin + (uint32_t)strlen(default_arguments[i]) - 1, '<',
			       '>');
		return end ? end - at : 0;
	}
	return 0;
}

/* The bytes of {lambda(int)#}, <lambda(int)> and {lambda}, or 0. */
static uint32_t lambda_at(struct reading *reading, uint32_t at)
{
	struct text rest = text_from(reading->name, at);
	uint32_t end;

	if (text_has_prefix(rest, "{lambda"))
		end = find_end(reading, at, '{', '}');
	else if (text_has_prefix(rest, "<lambda("))
		end = find_end(reading, at, '<', '>');
	else
		return 0;
	return end ? end - at : 0;
}

static bool is_blank_needed(struct text name, uint32_t at)
{
	return at && at + 1 < name.length && is_word_char(name.at[at - 1]) &&
	       is_word_char(name.at[at + 1]);
}

/* Writes the key of what is here; returns how many bytes that was. */
static uint32_t write_at(struct reading *reading, uint32_t at)
{
	struct sink *sink = reading->sink;
	struct text name = reading->name;
	const struct spelling *spelling = spelling_at(name, at);
	uint32_t length;

	if (spelling) {
		sink_puts(sink, spelling->to);
		return (uint32_t)strlen(spelling->from);
	}
	if ((length = lambda_at(reading, at))) {
		sink_puts(sink, "{lambda}");
		return length;
	}
	if ((length = default_at(reading, at)))
		return length;
	if (name.at[at] != ' ' || is_blank_needed(name, at))
		sink_char(sink, name.at[at]);
	return 1;
}

/* What the C library appends to names of one function for different processors. */
static const char *const variants[] = {
	"_sse2",    "_sse2_bsf",  "_sse3",      "_ssse3",  "_sse4",     "_sse4_1", "_sse4_2",
	"_sse42",   "_avx",       "_avx2",      "_avx512", "_avx512bw", "_evex",   "_evex512",
	"_erms",    "_unaligned", "_movbe",     "_rtm",    "_bmi2",     "_back",   "_no_vzeroupper",
	"_generic", "_fma",       "_fma4",      "_bmi",    "_sve",      "_neon",   "_simd",
	"_falkor",  "_thunderx",  "_thunderx2", "_a64fx",  "_mops",     "_asimd",  "_aligned",
};

/* __strlen_avx2_rtm: strlen. A name without leading underscores may be anything. */
static struct text without_variant(struct text name)
{
	struct text rest = name;
	bool has_variant = false;

	if (!text_has_prefix(name, "__"))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
		if (!text_has_suffix(rest, variants[i]) ||
		    rest.length <= strlen(variants[i]) + strlen("__"))
			continue;
		rest.length -= (uint32_t)strlen(variants[i]);
		has_variant = true;
		i = SIZE_MAX; /* from the first again */
	}
	return has_variant ? text_from(rest, strlen("__")) : name;
}

/* Names of the C library and of the kernel's page for it. */
static struct text without_internal(struct text name)
{
	static const char *const prefixes[] = { "__GI_", "__libc_", "__vdso_", "__kernel_" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(name, prefixes[i]) && name.length > strlen(prefixes[i]))
			name = text_from(name, (uint32_t)strlen(prefixes[i]));
	return name;
}

/* Where these are one code, or one falls into the other, tools choose either name. */
static const struct twin {
	const char *name, *other;
} twins[] = {
	{ "memcpy", "memmove" },
	{ "cfree", "free" },
	{ "_dl_start_user", "_start" },
};

void diff_alias_write(struct sink *sink, struct text name)
{
	size_t before = sink->used;
	struct reading reading = { .sink = sink };

	name = without_variant(without_internal(name));
	for (size_t i = 0; i < ARRAY_SIZE(twins); i++)
		if (text_is(name, twins[i].name))
			name = text_of(twins[i].other);
	reading.name = name;
	for (uint32_t at = 0; at < name.length;)
		at += write_at(&reading, at);
	if (sink->used == before)
		sink_text(sink, name);
}

/* operator<, operator<<=, operator() and so on are no brackets: their length, or 0. */
static uint32_t operator_at(struct text name, uint32_t at)
{
	uint32_t end = at + (uint32_t)strlen("operator");

	if (!text_has_prefix(text_from(name, at), "operator") ||
	    (at && is_word_char(name.at[at - 1])))
		return 0;
	if (text_has_prefix(text_from(name, end), "()"))
		return end + 2 - at;
	while (end < name.length && strchr("<>=-", name.at[end]))
		end++;
	return end - at;
}

bool diff_alias_write_bare(struct sink *sink, struct text name)
{
	size_t before = sink->used;
	struct reading reading = { .sink = sink, .name = name };
	bool had_any = false;

	for (uint32_t at = 0; at < name.length;) {
		uint32_t kept = operator_at(name, at);
		uint32_t end = 0;

		if (!kept && name.at[at] == '<')
			end = find_end(&reading, at, '<', '>');
		if (!kept && name.at[at] == '(' &&
		    !text_has_prefix(text_from(name, at), "(anonymous namespace)"))
			end = find_end(&reading, at, '(', ')');
		if (end && at) {
			had_any = true;
			at = end;
			continue;
		}
		kept = kept ? kept : 1;
		sink_bytes(sink, name.at + at, kept);
		at += kept;
	}
	if (sink->used == before)
		sink_text(sink, name);
	return had_any;
}
