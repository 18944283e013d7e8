/* SPDX-License-Identifier: MIT */
#include "object/elf_layout.h"

#include <criterion/criterion.h>

#include "tests/support/elf_writer.h"

/* The code segment has 0x3000 bytes from offset 0x2e00, and is loaded at 0x402e00. */
Test(elf_layout, what_a_loader_may_have_mapped)
{
	static const struct {
		const char *what;
		uint64_t offset, size_bytes;
		bool is_possible;
	} rows[] = {
		{ "all of it", 0x2000, 0x4000, true },
		{ "its beginning", 0x2000, 0x1000, true },
		{ "a page of it", 0x3000, 0x1000, true },
		{ "its end", 0x5000, 0x1000, true },
		{ "a page too much at its end", 0x5000, 0x2000, false },
		{ "from the page before on", 0x1000, 0x2000, false },
		{ "what is before", 0, 0x1000, false },
		{ "what is behind", 0x6000, 0x1000, false },
		{ "in larger pages", 0, 0x10000, true },
		{ "more than there is", 0x2000, 0x5000, false },
		{ "beyond the last byte", UINT64_MAX - 0xfff, 0x1000, false },
	};
	struct elf_writer writer = {
		.text_offset = 0x2e00,
		.text_address = 0x402e00,
		.text_bytes = 0x3000,
	};

	for (int is_debug_file = 0; is_debug_file < 2; is_debug_file++) {
		unsigned char *bytes;
		struct elf_file elf;
		struct error err;
		size_t size;

		writer.is_debug_file = is_debug_file;
		bytes = elf_writer_write(&writer, &size);
		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			uint64_t address = rows[i].offset + 0x400000;

			if (!is_debug_file)
				cr_expect_eq(elf_layout_may_map(&elf, rows[i].offset,
								rows[i].size_bytes),
					     rows[i].is_possible, "%s", rows[i].what);
			cr_expect_eq(elf_layout_may_lie_at(&elf, address, rows[i].size_bytes),
				     rows[i].is_possible, "%s", rows[i].what);
		}
		elf_close(&elf);
		memory_free(bytes);
	}
}
