/* SPDX-License-Identifier: MIT */
/*
 * A jitdump of any content. For any jitdump: pieces of code lie in the file and in the address
 * space, each piece has a name, and names are neither empty nor contain a NUL.
 */
#include <stdint.h>

#include "base/strings.h"
#include "symbolise/jit/jitdump.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check(const struct jitdump *dump, size_t size)
{
	struct symbol_cursor cursor = { .table = &dump->symbols };

	for (size_t i = 0; i < dump->codes.count; i++) {
		const struct jitdump_code *code = &dump->codes.at[i];

		require(code->size_bytes > 0 && code->address <= UINT64_MAX - code->size_bytes);
		require(code->offset <= size && code->size_bytes <= size - code->offset);
		cursor.range = 0;
		require(symbol_cursor_find(&cursor, code->offset) != NULL);
	}
	for (size_t i = 0; i < dump->symbols.symbols.count; i++) {
		struct text name = dump->symbols.symbols.at[i].name;

		require(name.length > 0 && name.length <= LIMIT_SYMBOL_BYTES);
		require(!memchr(name.at, '\0', name.length));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct memory_file file;
	static bool is_open;
	struct jitdump dump;
	struct error err;

	if (!is_open)
		memory_file_open(&file, bytes, size);
	else
		memory_file_replace(&file, bytes, size);
	is_open = true;
	if (!jitdump_read(&dump, file.fd, &err))
		return 0;
	check(&dump, size);
	jitdump_deinit(&dump);
	return 0;
}
