/* SPDX-License-Identifier: MIT */
#include "symbolise/perf_map.h"

#include "base/hex.h"
#include "base/limits.h"

static bool is_blank(struct text text)
{
	return text.length && (*text.at == ' ' || *text.at == '\t');
}

/* Takes a number and the blanks behind it off the line. */
static bool take_number(struct text *line, uint64_t *ret)
{
	/* Some writers put 0x in front. */
	if (!hex_take(line, ret) || !is_blank(*line))
		return false;
	while (is_blank(*line))
		*line = (struct text){ line->at + 1, line->length - 1 };
	return true;
}

static bool take_line(struct text line, struct symbol_table *table)
{
	struct symbol symbol = {
		.limit = UINT64_MAX,
		.binding = SYMBOL_GLOBAL,
		.is_whole = true,
	};
	uint64_t size_bytes;

	if (text_has_suffix(line, "\r"))
		line.length--;
	if (memchr(line.at, '\0', line.length) || !take_number(&line, &symbol.start) ||
	    !take_number(&line, &size_bytes) || !line.length)
		return false;
	if (__builtin_add_overflow(symbol.start, size_bytes, &symbol.end))
		return false;
	symbol.name = line;
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
		if (newline > at &&
		    !take_line((struct text){ at, (uint32_t)(newline - at) }, table))
			damaged_count++;
		at = newline + 1;
	}
	symbol_table_finish(table, SYMBOL_RULES_LATEST);
	return damaged_count;
}
