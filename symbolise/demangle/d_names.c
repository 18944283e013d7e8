/* SPDX-License-Identifier: MIT */
#include "symbolise/demangle/demangle.h"

#include <stdint.h>

#include "base/scan.h"

/*
 * Maximum number of parts of one D name, including parts that back references repeat. libiberty has
 * no limit.
 */
#define LIMIT_D_STEPS (64u << 10)

/* Cost of demangling a name up to each byte. */
struct cost {
	uint32_t steps;     /* steps with all back references expanded */
	uint32_t functions; /* functions in the text itself */
	uint32_t nested;    /* functions reached through the back reference that begins here */
};

/* Decodes the distance of the back reference at index: base 26, upper-case digits and a final
 * lower-case one. */
static bool read_distance(struct text name, uint32_t index, uint32_t *ret)
{
	uint32_t distance = 0;

	for (uint32_t i = index + 1; i < name.length && distance <= name.length; i++) {
		char c = name.at[i];

		if (is_lower(c)) {
			*ret = distance * 26 + (uint32_t)(c - 'a');
			return *ret > 0 && *ret <= index;
		}
		if (!is_upper(c))
			return false;
		distance = distance * 26 + (uint32_t)(c - 'A');
	}
	return false;
}

/* A function type begins with a letter for the calling convention. */
static bool begins_function(char c)
{
	return memchr("FUWVRY", c, 6) != NULL;
}

static uint32_t add(uint32_t a, uint32_t b)
{
	uint32_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT32_MAX : sum;
}

/*
 * Returns the largest number of nested functions reached through a back reference in [begin, end).
 */
static uint32_t most_nested(const struct cost *costs, uint32_t begin, uint32_t end)
{
	uint32_t most = 0;

	for (uint32_t i = begin; i < end; i++)
		if (costs[i].nested > most)
			most = costs[i].nested;
	return most;
}

/*
 * Computes an upper bound. Counts letters inside identifiers, too, because the ends of identifiers
 * are unknown without demangling. A back reference to an identifier costs at most the length of the
 * name. A back reference to a type costs at most as much as the text from the type to the
 * reference.
 */
bool d_name_is_bounded(struct text mangled)
{
	struct cost costs[LIMIT_MANGLED_BYTES + 1] = { { 0, 0, 0 } };
	uint32_t distance;

	if (mangled.length > LIMIT_MANGLED_BYTES)
		return false;
	for (uint32_t i = 0; i < mangled.length; i++) {
		struct cost *cost = &costs[i];
		const struct cost *target;

		cost[1].steps = add(cost->steps, 1);
		cost[1].functions = cost->functions + begins_function(mangled.at[i]);
		if (mangled.at[i] != 'Q' || !read_distance(mangled, i, &distance))
			continue;
		target = cost - distance;
		if (is_digit(mangled.at[i - distance])) {
			cost[1].steps = add(cost[1].steps, mangled.length);
			continue;
		}
		cost[1].steps = add(cost[1].steps, cost->steps - target->steps);
		cost->nested = add(cost->functions - target->functions,
				   most_nested(costs, i - distance, i));
	}
	return costs[mangled.length].steps <= LIMIT_D_STEPS &&
	       add(costs[mangled.length].functions, most_nested(costs, 0, mangled.length)) <=
		       LIMIT_D_FUNCTIONS;
}

/* Returns the index after the closing parenthesis that matches the parenthesis at index. */
static size_t after_group(const char *name, size_t length, size_t index)
{
	size_t depth = 0;

	for (; index < length; index++) {
		depth += name[index] == '(';
		if (name[index] == ')' && --depth == 0)
			return index + 1;
	}
	return length;
}

size_t d_name_drop_parameters(char *name, size_t length)
{
	size_t kept = 0;
	size_t at = 0;

	while (at < length) {
		size_t end = name[at] == '(' ? after_group(name, length, at) : at + 1;

		if (name[at] == '(' && at > 0 && name[at - 1] != '!') {
			if (end < length && name[end] != '.')
				break;
		} else {
			memmove(name + kept, name + at, end - at);
			kept += end - at;
		}
		at = end;
	}
	return kept;
}
