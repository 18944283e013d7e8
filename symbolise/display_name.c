/* SPDX-License-Identifier: MIT */
#include "symbolise/display_name.h"

static const struct {
	const char *text;
	bool needs_number;
} suffixes[] = {
	{ ".cold", false },     { ".part", true },        { ".isra", true },
	{ ".constprop", true }, { ".lto_priv", true },    { ".llvm", true },
	{ ".warm", false },     { ".localalias", false }, { ".split", true },
};

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Length before a trailing ".123"; the whole length when there is none. */
static uint32_t before_number(struct text name)
{
	uint32_t length = name.length;

	while (length > 0 && is_digit(name.at[length - 1]))
		length--;
	return length > 0 && length < name.length && name.at[length - 1] == '.' ? length - 1
										: name.length;
}

/* Length before the last suffix; the whole length when there is none. */
static uint32_t before_suffix(struct text name)
{
	uint32_t numbered = before_number(name);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		uint32_t size = (uint32_t)strlen(suffixes[i].text);
		uint32_t end = numbered;

		if (numbered == name.length && suffixes[i].needs_number)
			continue;
		if (end > size && memcmp(name.at + end - size, suffixes[i].text, size) == 0)
			return end - size;
	}
	return name.length;
}

uint32_t display_name_stem(struct text name)
{
	for (;;) {
		uint32_t shorter = before_suffix(name);

		if (shorter == name.length)
			return shorter;
		name.length = shorter;
	}
}

/* Symbols of shared libraries are name@VERSION or name@@VERSION. */
static struct text without_version(struct text name)
{
	const char *at = memchr(name.at, '@', name.length);

	if (at && at > name.at)
		name.length = (uint32_t)(at - name.at);
	return name;
}

static struct text as_perf(struct text name, const struct symbolise_options *options, char *buffer)
{
	size_t length;

	if (options->demangle && demangle(name, buffer, DEMANGLED_BYTES_MAX, &length))
		return (struct text){ buffer, (uint32_t)length };
	return name;
}

struct text display_name(struct text name, const struct symbolise_options *options, char *buffer)
{
	struct text whole, stem, suffix;
	size_t length;

	if (options->perf_names)
		return as_perf(name, options, buffer);
	whole = without_version(name);
	stem = (struct text){ whole.at, display_name_stem(whole) };
	suffix = (struct text){ whole.at + stem.length, whole.length - stem.length };
	if (!options->demangle || !demangle(stem, buffer, DEMANGLED_BYTES_MAX, &length))
		return options->fold_suffixes ? stem : whole;
	if (!options->fold_suffixes) {
		memcpy(buffer + length, suffix.at, suffix.length);
		length += suffix.length;
	}
	return (struct text){ buffer, (uint32_t)length };
}
