/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/display_name.h"

#include "base/scan.h"

enum number {
	NUMBER_NONE,
	NUMBER_OPTIONAL,
	NUMBER_DECIMAL,
	NUMBER_HEXADECIMAL,
};

static const struct {
	const char *text;
	enum number number; /* number after a further dot */
} suffixes[] = {
	{ ".cold", NUMBER_OPTIONAL },       { ".warm", NUMBER_OPTIONAL },
	{ ".localalias", NUMBER_OPTIONAL }, { ".part", NUMBER_DECIMAL },
	{ ".isra", NUMBER_DECIMAL },        { ".constprop", NUMBER_DECIMAL },
	{ ".lto_priv", NUMBER_DECIMAL },    { ".__uniq", NUMBER_DECIMAL },
	{ ".clone", NUMBER_DECIMAL },       { ".split", NUMBER_DECIMAL },
	{ ".__part", NUMBER_DECIMAL },   /* clang -fbasic-block-sections: groups of blocks */
	{ ".llvm", NUMBER_HEXADECIMAL }, /* hash of a file */
	{ ".abi0", NUMBER_NONE },        /* Go: functions with arguments on the stack */
};

static bool is_digit_of(char c, enum number number)
{
	return number == NUMBER_HEXADECIMAL ? is_hex_digit(c) : is_digit(c);
}

/*
 * Returns the length before a final number such as ".123", or the whole length if there is no such
 * number.
 */
static uint32_t before_number(struct text name, enum number number)
{
	uint32_t length = name.length;

	while (length > 0 && is_digit_of(name.at[length - 1], number))
		length--;
	return length > 0 && length < name.length && name.at[length - 1] == '.' ? length - 1
										: name.length;
}

/* Returns the length before the last suffix, or the whole length if there is no suffix. */
static uint32_t before_suffix(struct text name)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		uint32_t size = (uint32_t)strlen(suffixes[i].text);
		bool has_number = suffixes[i].number != NUMBER_NONE;
		struct text rest = name;

		if (has_number)
			rest.length = before_number(name, suffixes[i].number);
		if (rest.length == name.length && (suffixes[i].number == NUMBER_DECIMAL ||
						   suffixes[i].number == NUMBER_HEXADECIMAL))
			continue;
		if (rest.length > size && text_has_suffix(rest, suffixes[i].text))
			return rest.length - size;
	}
	return name.length;
}

/* The length of the name without compiler suffixes for parts and copies of a function: .cold,
 * .part.N, .isra.N, .constprop.N, .lto_priv.N, .llvm.N. */
static uint32_t display_name_stem(struct text name)
{
	for (;;) {
		uint32_t shorter = before_suffix(name);

		if (shorter == name.length)
			return shorter;
		name.length = shorter;
	}
}

uint32_t display_name_before_word(struct text name)
{
	/* Fast path, because this runs for every symbol, and most symbols have no dot. */
	if (!name.length || !memchr(name.at, '.', name.length))
		return name.length;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		uint32_t size = (uint32_t)strlen(suffixes[i].text);

		if (suffixes[i].number == NUMBER_OPTIONAL && name.length > size &&
		    text_has_suffix(name, suffixes[i].text))
			return name.length - size;
	}
	return name.length;
}

struct text display_name_without_version(struct text name)
{
	const char *at = memchr(name.at, '@', name.length);

	if (at && at > name.at)
		name.length = (uint32_t)(at - name.at);
	return name;
}

struct display_parts display_parts_of(struct text name, bool is_whole,
				      const struct symbolise_options *options)
{
	struct display_parts parts = { .stem = name };
	struct text whole;

	if (!options->perf_names && !is_whole) {
		whole = display_name_without_version(name);
		parts.stem = (struct text){ whole.at, display_name_stem(whole) };
		if (!options->fold_suffixes) {
			parts.suffix = (struct text){ whole.at + parts.stem.length,
						      whole.length - parts.stem.length };
			parts.hashes = DEMANGLE_WITH_HASHES;
		}
	}
	/* perf does not demangle D. */
	parts.is_mangled = options->demangle &&
			   !(options->perf_names && text_has_prefix(name, "_D")) &&
			   is_mangled(parts.stem);
	return parts;
}

struct text display_name(struct text name, bool is_whole, const struct symbolise_options *options,
			 char *buffer)
{
	struct display_parts parts = display_parts_of(name, is_whole, options);
	size_t length;

	if (!parts.is_mangled ||
	    !demangle(parts.stem, parts.hashes, buffer, DEMANGLED_BYTES_MAX, &length))
		return (struct text){ parts.stem.at, parts.stem.length + parts.suffix.length };
	if (parts.suffix.length)
		memcpy(buffer + length, parts.suffix.at, parts.suffix.length);
	return (struct text){ buffer, (uint32_t)length + parts.suffix.length };
}
