/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/elf_names.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "base/attributes.h"
#include "base/memory.h"
#include "base/sink.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"

static const struct elf_writer_symbol imports[] = {
	{ .name = "read", .type = STT_FUNC, .binding = STB_GLOBAL },
	{ .name = "write", .type = STT_FUNC, .binding = STB_GLOBAL },
};

#define CODE SHF_ALLOC | SHF_EXECINSTR

/* The bytes of a little-endian number, on any machine. */
#define LE32(value)                                                          \
	(uint8_t)(value), (uint8_t)((value) >> 8), (uint8_t)((value) >> 16), \
		(uint8_t)((value) >> 24)
#define LE64(value) LE32((uint64_t)(value)), LE32((uint64_t)(value) >> 32)

typedef void stub_reader(const struct elf_file *elf, struct symbol_table *table);

/* Opens the file of the writer and lists the stubs: "1000-1010 read". */
static void expect_read(stub_reader *reader, const struct elf_writer *writer, const char *expected,
			const char *what)
{
	struct symbol_table table;
	struct elf_file elf;
	struct sink sink;
	struct error err;
	size_t size_bytes;
	unsigned char *bytes = elf_writer_write(writer, &size_bytes);

	cr_assert(elf_open_memory(&elf, bytes, size_bytes, &err), "%s: %s", what, err.text);
	symbol_table_init(&table);
	sink_init_memory(&sink);
	reader(&elf, &table);
	for (size_t i = 0; i < table.symbols.count; i++) {
		const struct symbol *symbol = &table.symbols.at[i];

		cr_expect(symbol->is_stub);
		sink_printf(&sink, "%llx-%llx %.*s\n", (unsigned long long)symbol->start,
			    (unsigned long long)symbol->end, (int)symbol->name.length,
			    symbol->name.at);
	}
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s:\n%s", what, sink.buffer);
	sink_deinit(&sink);
	symbol_table_deinit(&table);
	elf_close(&elf);
	memory_free(bytes);
}

static void expect_stubs(const struct elf_writer *writer, const char *expected, const char *what)
{
	expect_read(plt_names_add, writer, expected, what);
}

static struct elf_writer library(uint16_t machine, const struct elf_writer_section *more,
				 size_t more_count)
{
	return (struct elf_writer){
		.machine = machine,
		.text_address = 0x401000,
		.text_offset = 512,
		.text_bytes = 64,
		.dynamic_symbols = imports,
		.dynamic_symbol_count = ARRAY_SIZE(imports),
		.more = more,
		.more_count = more_count,
	};
}

/*
 * The relocations of slots 0x4018 and 0x4020. The first one belongs to the second stub, after the
 * resolver's.
 */
static const uint8_t relocations[] = {
	LE64(0x4018), LE64(2ull << 32 | R_X86_64_JUMP_SLOT),
	LE64(0), /* write */
	LE64(0x4020), LE64(1ull << 32 | R_X86_64_JUMP_SLOT),
	LE64(0), /* read */
	LE64(0x4028), LE64(77ull << 32),
	LE64(0), /* no such symbol */
};

/* push; jmp *0x4010: the first stub of .plt is the resolver's. */
static const uint8_t lazy_plt[] = {
	0xff, 0x35, 0xe2, 0x2f, 0, 0,    0xff, 0x25, 0xea, 0x2f, 0,
	0,    0x0f, 0x1f, 0x40, 0, 0xff, 0x25, 0x02, 0x30, 0,    0, /* 1016: *0x4018 */
	0x68, 0,    0,    0,    0, 0xe9, 0xe0, 0xff, 0xff, 0xff, 0xff,
	0x25, 0xfa, 0x2f, 0,    0, /* 1026: *0x4020 */
	0x68, 1,    0,    0,    0, 0xe9, 0xd0, 0xff, 0xff, 0xff,
};

/* endbr64; bnd jmp *0x4018 */
static const uint8_t secure_plt[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xd5,
				      0x1f, 0,    0,    0x0f, 0x1f, 0x44, 0,    0 };

/* jmp *0x4020, and one of an unknown slot */
static const uint8_t short_plt[] = { 0xff, 0x25, 0x1a, 0x10, 0, 0, 0x66, 0x90,
				     0xff, 0x25, 0x99, 0x10, 0, 0, 0x66, 0x90 };

Test(plt_names, x86_64)
{
	static const struct elf_writer_section sections[] = {
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x500, 24, relocations, sizeof(relocations) },
		{ ".plt", SHT_PROGBITS, CODE, 0x1000, 16, lazy_plt, sizeof(lazy_plt) },
		{ ".plt.sec", SHT_PROGBITS, CODE, 0x2038, 0, secure_plt, sizeof(secure_plt) },
		{ ".plt.got", SHT_PROGBITS, CODE, 0x3000, 8, short_plt, sizeof(short_plt) },
		{ ".other", SHT_PROGBITS, CODE, 0x1000, 16, lazy_plt, sizeof(lazy_plt) },
	};
	struct elf_writer writer = library(0, sections, ARRAY_SIZE(sections));

	expect_stubs(&writer, "1010-1020 write\n1020-1030 read\n2038-2048 write\n3000-3008 read\n",
		     "x86-64");
	/* Without imported symbols, stubs have no names. */
	writer.dynamic_symbol_count = 0;
	expect_stubs(&writer, "", "no imports");
	writer = library(0, sections + 1, ARRAY_SIZE(sections) - 1);
	expect_stubs(&writer, "", "no relocations");
	writer = library(EM_PPC64, sections, ARRAY_SIZE(sections));
	expect_stubs(&writer, "", "a machine that is not known");
	assert_no_leaks();
}

/* i386: by address in a program, by distance to the GOT in a library. */
Test(plt_names, i386)
{
	static const uint8_t slots[] = { LE32(0x4018), LE32(2 << 8 | R_386_JMP_SLOT), LE32(0x4020),
					 LE32(1 << 8 | R_386_JMP_SLOT) };
	static const uint8_t plt[] = { 0xff, 0x25, 0x18, 0x40, 0, 0,    0x68, 0,    0, 0, 0,
				       0xe9, 0,    0,    0,    0, 0xff, 0xa3, 0x14, 0, 0, 0,
				       0x68, 0,    0,    0,    0, 0xe9, 0,    0,    0, 0 };
	static const struct elf_writer_section sections[] = {
		{ ".rel.plt", SHT_REL, SHF_ALLOC, 0x500, 8, slots, sizeof(slots) },
		{ ".plt", SHT_PROGBITS, CODE, 0x1000, 16, plt, sizeof(plt) },
		{ ".got.plt", SHT_PROGBITS, SHF_ALLOC, 0x400c, 4, slots, sizeof(slots) },
	};
	struct elf_writer writer = library(EM_386, sections, ARRAY_SIZE(sections));

	writer.is_32_bit = true;
	expect_stubs(&writer, "1000-1010 write\n1010-1020 read\n", "i386");
}

/* aarch64: a first stub of 32 bytes, then 16 each; with a landing pad in front of the last. */
Test(plt_names, aarch64)
{
	static const uint8_t plt[] = {
		LE32(0xa9bf7bf0u), LE32(0xd0000010u), LE32(0xf9400a11u),
		LE32(0x91004210u), LE32(0xd61f0220u), LE32(0xd503201fu),
		LE32(0xd503201fu), LE32(0xd503201fu), LE32(0xf0000010u),
		LE32(0xf9400e11u), LE32(0x91006210u), LE32(0xd61f0220u), /* 1020: page 4000, 0x18 */
		LE32(0xf0000010u), LE32(0xf9401211u), LE32(0x91008210u),
		LE32(0xd61f0220u), /* 1030: 0x20 */
		LE32(0xd503245fu), LE32(0xb0ffff90u), LE32(0xf9400e11u),
		LE32(0xd61f0220u), /* a page before: not in the GOT */
	};
	static const struct elf_writer_section sections[] = {
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x500, 24, relocations, sizeof(relocations) },
		{ ".plt", SHT_PROGBITS, CODE, 0x1000, 16, plt, sizeof(plt) },
	};
	struct elf_writer writer = library(EM_AARCH64, sections, ARRAY_SIZE(sections));

	expect_stubs(&writer, "1020-1030 write\n1030-1040 read\n", "aarch64");
}

/* Wrong sizes: stubs larger than any section, truncated relocations. */
Test(plt_names, lies)
{
	static const struct elf_writer_section sections[] = {
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x500, 24, relocations, 40 },
		{ ".plt", SHT_PROGBITS, CODE, 0x1000, UINT64_MAX, lazy_plt, sizeof(lazy_plt) },
		{ ".plt.sec", SHT_PROGBITS, CODE, UINT64_MAX - 7, 16, secure_plt,
		  sizeof(secure_plt) },
		{ ".plt.got", SHT_PROGBITS, CODE, 0x3000, 1, short_plt, sizeof(short_plt) },
	};
	struct elf_writer writer = library(0, sections, ARRAY_SIZE(sections));

	expect_stubs(&writer, "", "lies");
	assert_no_leaks();
}

/* perf counts the relocations of .plt, and does not look at the code. */
Test(plt_names, as_perf)
{
	static const uint8_t indirect[] = { LE64(0x4018),
					    LE64(R_X86_64_IRELATIVE),
					    LE64(0x1234),
					    LE64(0x4020),
					    LE64(1ull << 32 | R_X86_64_JUMP_SLOT),
					    LE64(0) };
	static const uint8_t slots[] = { LE32(0x4018), LE32(2 << 8 | R_386_JMP_SLOT) };
	static const struct elf_writer_section tables[] = {
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x500, 24, relocations, sizeof(relocations) },
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x500, 24, indirect, sizeof(indirect) },
		{ ".rel.plt", SHT_REL, SHF_ALLOC, 0x500, 8, slots, sizeof(slots) },
		{ ".rela.dyn", SHT_RELA, SHF_ALLOC, 0x500, 24, relocations, sizeof(relocations) },
	};
	static const struct {
		const char *what;
		uint16_t machine;
		uint8_t table;
		uint64_t entry_bytes;
		const char *expected;
	} rows[] = {
		{ "x86-64", 0, 0, 16, "1010-1020 write\n1020-1030 read\n" },
		{ "an indirect function", 0, 1, 16, "1010-1020 \n1020-1030 read\n" },
		{ "aarch64", EM_AARCH64, 0, 16, "1020-1030 write\n" },
		{ "arm", EM_ARM, 2, 4, "1014-1020 write\n" },
		{ "i386", EM_386, 2, 16, "1010-1020 write\n" },
		{ "other relocations", 0, 3, 16, "" },
		{ "stubs without a size", 0, 0, 0, "" },
		{ "stubs larger than their section", 0, 0, 60, "" },
		{ "the largest size", 0, 0, UINT64_MAX, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct elf_writer_section sections[] = {
			tables[rows[i].table],
			{ ".plt", SHT_PROGBITS, CODE, 0x1000, rows[i].entry_bytes, lazy_plt,
			  sizeof(lazy_plt) },
			{ ".plt.sec", SHT_PROGBITS, CODE, 0x2038, 16, secure_plt,
			  sizeof(secure_plt) },
		};
		struct elf_writer writer = library(rows[i].machine, sections, ARRAY_SIZE(sections));

		writer.is_32_bit = rows[i].table == 2;
		expect_read(plt_names_add_as_perf, &writer, rows[i].expected, rows[i].what);
	}
	assert_no_leaks();
}
