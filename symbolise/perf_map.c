/* SPDX-License-Identifier: MIT */
#include "symbolise/perf_map.h"

#include "base/limits.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Takes a number and the blanks behind it; *at moves on. */
static bool take_number(const char **at, const char *end, uint64_t *ret)
{
	const char *next = *at;
	uint64_t value = 0;
	int digits = 0;

	/* Some writers put 0x in front. */
	if (end - next > 2 && next[0] == '0' && (next[1] == 'x' || next[1] == 'X'))
		next += 2;
	for (; next < end && digit_value(*next) >= 0; next++, digits++)
		value = value << 4 | (uint64_t)digit_value(*next);
	if (digits == 0 || digits > 16 || next == end || (*next != ' ' && *next != '\t'))
		return false;
	while (next < end && (*next == ' ' || *next == '\t'))
		next++;
	*at = next;
	*ret = value;
	return true;
}

static bool take_line(const char *at, const char *end, struct symbol_table *table)
{
	struct symbol symbol = { .limit = UINT64_MAX, .binding = SYMBOL_GLOBAL };
	uint64_t size_bytes;

	if (end > at && end[-1] == '\r')
		end--;
	if (memchr(at, '\0', (size_t)(end - at)) || !take_number(&at, end, &symbol.start) ||
	    !take_number(&at, end, &size_bytes) || at == end)
		return false;
	if (__builtin_add_overflow(symbol.start, size_bytes, &symbol.end))
		return false;
	symbol.name = (struct text){ at, (uint32_t)(end - at) };
	if (symbol.name.length > LIMIT_SYMBOL_BYTES)
		symbol.name.length = LIMIT_SYMBOL_BYTES;
	symbol_table_add(table, &symbol);
	return true;
}

uint32_t perf_map_read(struct text text, struct symbol_table *table)
{
	const char *at = text.at;
	const char *end = text.at + text.length;
	uint32_t damaged_count = 0;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		/* The process may have been in the middle of it. */
		if (!newline)
			break;
		if (newline > at && !take_line(at, newline, table))
			damaged_count++;
		at = newline + 1;
	}
	symbol_table_finish(table, SYMBOL_RULES_LATEST);
	return damaged_count;
}
