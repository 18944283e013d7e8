/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/kernel_symbols.h"

#include "base/scan.h"
#include "libparse/text.h"

/*
 * Maximum number of symbols of a kernel and its modules. Distribution kernels have about 250,000.
 */
#define LIMIT_KERNEL_SYMBOLS (1u << 21)

/* Maximum length of a symbol name. The kernel allows 511 bytes (KSYM_NAME_LEN). */
#define LIMIT_KERNEL_SYMBOL_BYTES 512u

static bool read_line(struct text line, struct kernel_symbol *ret)
{
	struct text word;
	char type;

	if (!scan_hex(&line, &ret->address) || !text_next_word(&line, &word) || word.length != 1)
		return false;
	type = word.at[0];
	if (!text_next_word(&line, &ret->name) || ret->name.length > LIMIT_KERNEL_SYMBOL_BYTES)
		return false;
	/*
	 * Ignore the symbols that trace-cmd ignores: the mapping symbols of arm ($a), and absolute
	 * symbols. x86 uses absolute symbols for offsets of per-CPU variables. All addresses are 0
	 * if the user who recorded was not allowed to see addresses.
	 */
	return ret->address && type != 'a' && type != 'A' && ret->name.at[0] != '$' &&
	       !memchr(ret->name.at, '\0', ret->name.length);
}

/*
 * If several symbols have the same address, the first in the file is sorted last, because searches
 * find the last one.
 */
static int compare(const void *a, const void *b)
{
	const struct kernel_symbol *left = a;
	const struct kernel_symbol *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->name.at < right->name.at ? 1 : left->name.at > right->name.at ? -1 : 0;
}

void kernel_symbols_read(struct kernel_symbols *symbols, struct text text)
{
	const char *next = text.at;
	struct text line;

	while (symbols->rows.count < LIMIT_KERNEL_SYMBOLS &&
	       text_next_line(&next, text.at + text.length, true, &line)) {
		struct kernel_symbol row;

		if (read_line(line, &row))
			vec_push(&symbols->rows, row);
	}
	if (symbols->rows.count)
		qsort(symbols->rows.at, symbols->rows.count, sizeof(*symbols->rows.at), compare);
}

void kernel_symbols_deinit(struct kernel_symbols *symbols)
{
	vec_free(&symbols->rows);
}

struct text kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t address)
{
	const struct text none = { NULL, 0 };
	size_t count = vec_count_first(&symbols->rows, row, row->address <= address);
	const struct kernel_symbol *row = count ? &symbols->rows.at[count - 1] : NULL;

	/* The end of the last symbol is unknown. */
	if (!row || (count == symbols->rows.count && row->address != address))
		return none;
	return row->name;
}
