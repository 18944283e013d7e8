/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/cplusplus_names.h"

#include <stdint.h>

#include "base/limits.h"

static bool contains(struct text name, const char *part)
{
	return memmem(name.at, name.length, part, strlen(part)) != NULL;
}

static bool is_index_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

/*
 * How often a reference of that kind, its number and what behind it are in the name: S_ and S1A_, T_I and
 * T0_I. Those inside identifiers count as well: where those end is not known without demangling.
 */
static uint32_t count_references(struct text name, char kind, const char *behind)
{
	uint32_t count = 0;
	size_t length = strlen(behind);

	for (uint32_t i = 0; i < name.length; i++) {
		uint32_t end = i + 1;

		if (name.at[i] != kind)
			continue;
		while (end < name.length && is_index_digit(name.at[end]))
			end++;
		count += name.length - end >= length && memcmp(name.at + end, behind, length) == 0;
	}
	return count;
}

bool cplusplus_name_is_bounded(struct text mangled)
{
	bool has_conversion = contains(mangled, "cv");
	/* Expansions, and the two kinds of sizeof... */
	bool has_pack =
		contains(mangled, "Dp") || contains(mangled, "sZ") || contains(mangled, "sP");

	return (!has_conversion ||
		count_references(mangled, 'T', "_I") <= LIMIT_CPLUSPLUS_TRIALS) &&
	       (!has_pack || count_references(mangled, 'S', "_") <= LIMIT_CPLUSPLUS_REFERENCES);
}
