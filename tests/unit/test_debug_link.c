/* SPDX-License-Identifier: MIT */
#include "object/debug_link.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

/* An ELF file with one more section. */
static unsigned char *write_elf(const struct elf_writer_section *section, size_t *size_ret)
{
	struct elf_writer writer = {
		.text_offset = 0x600,
		.text_address = 0x401000,
		.text_bytes = 0x100,
		.more = section,
		.more_count = 1,
	};

	return elf_writer_write(&writer, size_ret);
}

static uint32_t crc_of(const void *bytes, size_t size_bytes)
{
	struct memory_file file;
	struct error err;
	uint32_t crc;

	memory_file_open(&file, bytes, size_bytes);
	cr_assert(debug_link_crc(file.fd, &crc, &err), "%s", err.text);
	memory_file_close(&file);
	return crc;
}

Test(debug_link, crc)
{
	/* The check value that catalogues of CRCs list for this one. */
	cr_expect_eq(crc_of("123456789", 9), 0xcbf43926u);
	cr_expect_eq(crc_of("", 0), 0u);
}

Test(debug_link, section_contents)
{
	static const struct {
		const char *what, *bytes;
		size_t size_bytes;
		const char *name; /* NULL: corrupt */
	} rows[] = {
		{ "padded", "app.debug\0\0\0\1\2\3\4", 16, "app.debug" },
		{ "without padding", "abc\0\1\2\3\4", 8, "abc" },
		{ "truncated CRC", "abc\0\1\2\3", 7, NULL },
		{ "unterminated name", "abcdefgh", 8, NULL },
		{ "no name", "\0\0\0\0\1\2\3\4", 8, NULL },
		{ "a path", "../a.dbg\0\0\0\0\1\2\3\4", 16, NULL },
		{ "nothing", "", 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct elf_writer_section section = { .name = ".gnu_debuglink",
						      .type = SHT_PROGBITS,
						      .bytes = rows[i].bytes,
						      .size_bytes = rows[i].size_bytes };
		struct debug_link link;
		struct elf_file elf;
		struct error err;
		size_t size;
		unsigned char *bytes = write_elf(&section, &size);
		bool is_read;

		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
		is_read = debug_link_read(&elf, &link);
		cr_expect_eq(is_read, rows[i].name != NULL, "%s", rows[i].what);
		if (is_read && rows[i].name) {
			cr_expect(text_is(link.name, rows[i].name), "%s", rows[i].what);
			cr_expect_eq(link.crc, 0x04030201u, "%s: %x", rows[i].what, link.crc);
		}
		elf_close(&elf);
		memory_free(bytes);
	}
	assert_no_leaks();
}

Test(debug_link, supplement)
{
	static const char rest[] = "\xbb\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2";
	static const struct {
		const char *what;
		size_t cut_bytes;
		bool is_read;
	} rows[] = { { "whole", 0, true },
		     { "a short build-id", 12, true },
		     { "too short", 13, false } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char content[64] = "../.dwz/common";
		struct elf_writer_section section = { .name = ".gnu_debugaltlink",
						      .type = SHT_PROGBITS,
						      .bytes = content,
						      .size_bytes = 35 - rows[i].cut_bytes };
		struct debug_supplement supplement;
		struct elf_file elf;
		struct error err;
		size_t size;
		unsigned char *bytes;

		memcpy(content + 15, rest, 20);
		bytes = write_elf(&section, &size);
		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
		cr_expect_eq(debug_link_read_supplement(&elf, &supplement), rows[i].is_read, "%s",
			     rows[i].what);
		if (rows[i].is_read) {
			cr_expect(text_is(supplement.path, "../.dwz/common"));
			cr_expect_eq(supplement.build_id.size_bytes, 20 - rows[i].cut_bytes);
			cr_expect_eq(supplement.build_id.bytes[0], 0xbb);
		}
		elf_close(&elf);
		memory_free(bytes);
	}
	assert_no_leaks();
}
