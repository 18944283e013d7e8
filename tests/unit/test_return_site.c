/* SPDX-License-Identifier: MIT */
#include "object/return_site.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"

#define TEXT_OFFSET 0x600
#define SITE        0x40

/* The instruction before a return address, as assemblers encode it. */
static const struct {
	const char *what;
	uint16_t machine;
	unsigned char bytes[8];
	size_t count;
	bool is_call;
	unsigned odd; /* 1: the lowest bit marks T32 code, and is not part of the address */
} rows[] = {
	{ "call rel32", EM_X86_64, { 0xe8, 0x10, 0, 0, 0 }, 5, true, 0 },
	{ "call rel32, backwards", EM_X86_64, { 0xe8, 0xe0, 0xff, 0xff, 0xff }, 5, true, 0 },
	{ "call rel32, to where there is no code",
	  EM_X86_64,
	  { 0xe8, 0, 0, 0, 0x40 },
	  5,
	  false,
	  0 },
	{ "jmp rel32", EM_X86_64, { 0xe9, 0x10, 0, 0, 0 }, 5, false, 0 },
	{ "call *%rax", EM_X86_64, { 0xff, 0xd0 }, 2, true, 0 },
	{ "call *%r15", EM_X86_64, { 0x41, 0xff, 0xd7 }, 3, true, 0 },
	{ "call *(%rax)", EM_X86_64, { 0xff, 0x10 }, 2, true, 0 },
	{ "call *0x8(%rax)", EM_X86_64, { 0xff, 0x50, 0x08 }, 3, true, 0 },
	{ "call *0x8(%rsp)", EM_X86_64, { 0xff, 0x54, 0x24, 0x08 }, 4, true, 0 },
	{ "call *(%rax,%rcx,8)", EM_X86_64, { 0xff, 0x14, 0xc8 }, 3, true, 0 },
	{ "call *0x1000(%rip)", EM_X86_64, { 0xff, 0x15, 0, 0x10, 0, 0 }, 6, true, 0 },
	{ "call *0x1000(%rax)", EM_X86_64, { 0xff, 0x90, 0, 0x10, 0, 0 }, 6, true, 0 },
	{ "call *0x1000(,%rax,8)", EM_X86_64, { 0xff, 0x14, 0xc5, 0, 0x10, 0, 0 }, 7, true, 0 },
	{ "call *0x1000(%rax,%rcx,8)", EM_X86_64, { 0xff, 0x94, 0xc8, 0, 0x10, 0, 0 }, 7, true, 0 },
	{ "jmp *%rax", EM_X86_64, { 0xff, 0xe0 }, 2, false, 0 },
	{ "inc %rax", EM_X86_64, { 0x48, 0xff, 0xc0 }, 3, false, 0 },
	{ "nops", EM_X86_64, { 0x90, 0x90, 0x90 }, 3, false, 0 },
	{ "call rel32", EM_386, { 0xe8, 0x10, 0, 0, 0 }, 5, true, 0 },
	{ "call *%eax", EM_386, { 0xff, 0xd0 }, 2, true, 0 },
	{ "bl", EM_AARCH64, { 0x04, 0, 0, 0x94 }, 4, true, 0 },
	{ "bl, backwards", EM_AARCH64, { 0xf0, 0xff, 0xff, 0x97 }, 4, true, 0 },
	{ "blr x8", EM_AARCH64, { 0x00, 0x01, 0x3f, 0xd6 }, 4, true, 0 },
	{ "blraa x8, x9", EM_AARCH64, { 0x09, 0x09, 0x3f, 0xd7 }, 4, true, 0 },
	{ "b", EM_AARCH64, { 0x04, 0, 0, 0x14 }, 4, false, 0 },
	{ "br x8", EM_AARCH64, { 0x00, 0x01, 0x1f, 0xd6 }, 4, false, 0 },
	{ "nop", EM_AARCH64, { 0x1f, 0x20, 0x03, 0xd5 }, 4, false, 0 },
	{ "bl", EM_ARM, { 0x04, 0, 0, 0xeb }, 4, true, 0 },
	{ "blx r3", EM_ARM, { 0x33, 0xff, 0x2f, 0xe1 }, 4, true, 0 },
	{ "bl of T32", EM_ARM, { 0x00, 0xf0, 0x02, 0xf8 }, 4, true, 1 },
	{ "blx r3 of T32", EM_ARM, { 0x98, 0x47 }, 2, true, 1 },
	{ "nop", EM_ARM, { 0x00, 0xf0, 0x20, 0xe3 }, 4, false, 0 },
	{ "nop of T32", EM_ARM, { 0x00, 0xbf }, 2, false, 1 },
	{ "brasl", EM_S390, { 0xc0, 0xe5, 0, 0, 0, 0x10 }, 6, true, 0 },
	{ "basr", EM_S390, { 0x0d, 0xe1 }, 2, true, 0 },
	{ "nopr", EM_S390, { 0x07, 0x00 }, 2, false, 0 },
};

static unsigned char *write_file(uint16_t machine, const unsigned char *code, size_t count,
				 size_t *size)
{
	struct elf_writer writer = {
		.machine = machine,
		.is_32_bit = machine == EM_386 || machine == EM_ARM,
		.is_big_endian = machine == EM_S390,
		.text_offset = TEXT_OFFSET,
		.text_address = 0x401000,
		.text_bytes = 0x100,
	};
	unsigned char *bytes = elf_writer_write(&writer, size);

	memcpy(bytes + TEXT_OFFSET + SITE - count, code, count);
	return bytes;
}

Test(return_site, instructions)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct elf_file elf;
		struct error err;
		size_t size;
		unsigned char *bytes =
			write_file(rows[i].machine, rows[i].bytes, rows[i].count, &size);

		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
		cr_assert(return_site_is_known(&elf));
		cr_expect_eq(return_site_is_at(&elf, TEXT_OFFSET + SITE + rows[i].odd),
			     rows[i].is_call, "row %zu: %s", i, rows[i].what);
		elf_close(&elf);
		memory_free(bytes);
	}
	assert_no_leaks();
}

/* Offsets come from a capture, and may be any number. */
Test(return_site, what_is_no_code)
{
	static const uint64_t offsets[] = { 0, 1, 5, 0x10000, UINT32_MAX, UINT64_MAX };
	static const unsigned char call[] = { 0xff, 0xd0 };
	struct elf_file elf;
	struct error err;
	size_t size;
	unsigned char *bytes = write_file(EM_X86_64, call, sizeof(call), &size);

	cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		cr_expect_not(return_site_is_at(&elf, offsets[i]), "offset %zu", i);
	elf_close(&elf);
	memory_free(bytes);
	bytes = write_file(EM_SPARCV9, call, sizeof(call), &size);
	cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
	cr_expect_not(return_site_is_known(&elf));
	cr_expect_not(return_site_is_at(&elf, TEXT_OFFSET + SITE));
	elf_close(&elf);
	memory_free(bytes);
	assert_no_leaks();
}
