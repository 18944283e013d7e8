/* SPDX-License-Identifier: MIT */
#include "object/elf_slim.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"

#define TEXT_ADDRESS 0x401000

static const struct elf_writer_symbol symbols[] = {
	{ "first", TEXT_ADDRESS, 0x10, STT_FUNC, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "second", TEXT_ADDRESS + 0x10, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "third", TEXT_ADDRESS + 0x20, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

static const uint8_t build_id[20] = { 1, 2, 3 };

/* The sections the tests keep: the note, and the tables of symbols with their strings. */
static bool *keep_sections(const struct elf_file *elf)
{
	bool *keeps = memory_zalloc(elf->sections.count, sizeof(*keeps));

	for (size_t i = 1; i < elf->sections.count; i++)
		keeps[i] = elf->sections.at[i].type == SHT_NOTE ||
			   elf->sections.at[i].type == SHT_SYMTAB ||
			   text_is(elf->sections.at[i].name, ".strtab");
	return keeps;
}

static void expect_slim(const struct elf_file *whole, const struct elf_file *slim)
{
	struct elf_symbols table;
	struct elf_symbol symbol;
	const struct elf_section *section;
	uint64_t address;
	struct span bytes;

	cr_expect(slim->is_slim && !whole->is_slim);
	cr_expect_eq(slim->is_64_bit, whole->is_64_bit);
	cr_expect_eq(slim->is_swapped, whole->is_swapped);
	cr_expect(build_id_equal(&slim->build_id, &whole->build_id));
	cr_expect(elf_has_code(slim));
	cr_expect_eq(slim->segments.count, whole->segments.count);
	bytes = elf_segment_bytes(slim, &slim->segments.at[0]);
	cr_expect_eq(span_left(&bytes), 0);
	cr_expect(elf_address_of_offset(slim, 0x600, &address) && address == TEXT_ADDRESS);

	/* Sections keep their numbers. */
	cr_expect_eq(slim->sections.count, whole->sections.count + 2);
	cr_expect_eq(slim->sections.at[ELF_WRITER_TEXT].type, SHT_NOBITS);
	cr_expect_eq(slim->sections.at[ELF_WRITER_TEXT].address, TEXT_ADDRESS);
	cr_expect_eq(slim->sections.at[ELF_WRITER_TEXT].size_bytes,
		     whole->sections.at[ELF_WRITER_TEXT].size_bytes);
	cr_expect_null(elf_find_section(slim, ".comment"));

	cr_assert(elf_symbols_open(slim, ELF_SYMBOLS_STATIC, &table));
	cr_expect_eq(table.count, 2);
	cr_expect(elf_symbols_get(&table, 1, &symbol) && text_is(symbol.name, "second") &&
		  symbol.value == TEXT_ADDRESS + 0x10 && symbol.section == ELF_WRITER_TEXT);
	cr_expect_null(memmem(slim->bytes, slim->size_bytes, "first", 5));

	section = elf_find_section(slim, ELF_SLIM_SECTION);
	cr_assert_not_null(section);
	bytes = elf_section_bytes(slim, section);
	cr_expect(span_left(&bytes) == 5 && memcmp(bytes.at, "table", 5) == 0);
}

/* A file to reduce, with the sections that are kept. */
struct slimming {
	unsigned char *bytes;
	size_t size_bytes;
	struct elf_file whole;
	bool *keeps;
	struct sink sink;
};

/* Makes the file with the writer, and completes the plan for it. */
static void slimming_open(struct slimming *slimming, const struct elf_writer *writer,
			  struct elf_slim_plan *plan)
{
	struct error err;

	slimming->bytes = elf_writer_write(writer, &slimming->size_bytes);
	cr_assert(elf_open_memory(&slimming->whole, slimming->bytes, slimming->size_bytes, &err),
		  "%s", err.text);
	slimming->keeps = keep_sections(&slimming->whole);
	plan->elf = &slimming->whole;
	plan->keeps_section = slimming->keeps;
	sink_init_memory(&slimming->sink);
}

static void slimming_write(struct slimming *slimming, const struct elf_slim_plan *plan,
			   struct elf_file *slim)
{
	struct error err;

	cr_assert(elf_slim_write(plan, &slimming->sink));
	cr_assert(elf_open_memory(slim, slimming->sink.buffer, slimming->sink.used, &err), "%s",
		  err.text);
}

static void slimming_close(struct slimming *slimming)
{
	elf_close(&slimming->whole);
	sink_deinit(&slimming->sink);
	memory_free(slimming->keeps);
	memory_free(slimming->bytes);
}

static void reduce(const struct elf_writer *writer)
{
	static const bool keeps_symbol[] = { false, false, true, false };
	struct elf_slim_plan plan = {
		.keeps_symbol = { [ELF_SYMBOLS_STATIC] = keeps_symbol },
		.table = "table",
		.table_bytes = 5,
	};
	struct slimming slimming;
	struct elf_file slim;

	slimming_open(&slimming, writer, &plan);
	slimming_write(&slimming, &plan, &slim);
	expect_slim(&slimming.whole, &slim);
	cr_expect_lt(slimming.sink.used, 3000);
	elf_close(&slim);
	slimming_close(&slimming);
}

Test(elf_slim, keeps_what_is_asked_for)
{
	for (unsigned form = 0; form < 4; form++)
		reduce(&(struct elf_writer){
			.is_32_bit = form & 1,
			.is_big_endian = form & 2,
			.text_address = TEXT_ADDRESS,
			.text_offset = 0x600,
			.text_bytes = 0x4000,
			.build_id = build_id,
			.build_id_bytes = sizeof(build_id),
			.symbols = symbols,
			.symbol_count = ARRAY_SIZE(symbols),
			.comment = "GCC",
		});
	assert_no_leaks();
}

Test(elf_slim, whole_tables_stay_as_they_are)
{
	struct elf_writer writer = {
		.text_address = TEXT_ADDRESS,
		.text_offset = 0x600,
		.text_bytes = 0x100,
		.symbols = symbols,
		.symbol_count = ARRAY_SIZE(symbols),
	};
	struct elf_slim_plan plan = { .table = "" };
	struct slimming slimming;
	struct elf_symbols table;
	struct elf_file slim;

	slimming_open(&slimming, &writer, &plan);
	slimming_write(&slimming, &plan, &slim);
	cr_expect(elf_symbols_open(&slim, ELF_SYMBOLS_STATIC, &table) && table.count == 4);
	elf_close(&slim);
	slimming_close(&slimming);
	assert_no_leaks();
}

/* Every symbol of a file has the same long name. */
Test(elf_slim, names_shared_by_many_are_not_copied_for_each)
{
	static const bool keeps_symbol[] = { false, true, true, true, true, true, true, true };
	static char name[20001];
	struct elf_writer_symbol alike[7];
	struct elf_writer writer = {
		.text_address = TEXT_ADDRESS,
		.text_offset = 0x600,
		.text_bytes = 0x100,
		.symbols = alike,
		.symbol_count = ARRAY_SIZE(alike),
	};
	struct elf_slim_plan plan = {
		.keeps_symbol = { [ELF_SYMBOLS_STATIC] = keeps_symbol },
		.table = "",
	};
	struct slimming slimming;
	struct elf_symbols table;
	uint32_t name_offset;

	memset(name, 'n', sizeof(name) - 1);
	for (size_t i = 0; i < ARRAY_SIZE(alike); i++) {
		alike[i] = symbols[i % ARRAY_SIZE(symbols)];
		alike[i].name = i ? "short" : name;
	}
	slimming_open(&slimming, &writer, &plan);
	cr_assert(elf_symbols_open(&slimming.whole, ELF_SYMBOLS_STATIC, &table));
	cr_expect(elf_slim_write(&plan, &slimming.sink));
	cr_expect_lt(slimming.sink.used, slimming.size_bytes + 1000);
	/* The rows are in the bytes that the plan reads, so they can be changed here. */
	memcpy(&name_offset, table.rows.at + sizeof(Elf64_Sym), sizeof(name_offset));
	for (size_t i = 2; i <= ARRAY_SIZE(alike); i++)
		memcpy((unsigned char *)table.rows.at + i * sizeof(Elf64_Sym), &name_offset,
		       sizeof(name_offset));
	cr_expect(!elf_slim_write(&plan, &slimming.sink));
	slimming_close(&slimming);
	assert_no_leaks();
}

/* Relocations without a symbol are dropped, except those of .plt, which perf counts. */
Test(elf_slim, relocations)
{
	/* Little-endian: byte 12 is the lowest of the symbol's number. */
	static const uint8_t rows[48] = { [12] = 1 };
	static const struct elf_writer_section sections[] = {
		{ ".rela.dyn", SHT_RELA, SHF_ALLOC, 0x500, 24, rows, sizeof(rows) },
		{ ".rela.plt", SHT_RELA, SHF_ALLOC, 0x540, 24, rows, sizeof(rows) },
	};
	static const uint64_t kept_bytes[] = { 24, 48 };
	const struct elf_writer writer = { .more = sections, .more_count = ARRAY_SIZE(sections) };
	struct elf_slim_plan plan = { .table = "" };
	struct slimming slimming;
	struct elf_file slim;

	slimming_open(&slimming, &writer, &plan);
	for (size_t i = 0; i < slimming.whole.sections.count; i++)
		slimming.keeps[i] |= slimming.whole.sections.at[i].type == SHT_RELA;
	slimming_write(&slimming, &plan, &slim);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		const struct elf_section *section = elf_find_section(&slim, sections[i].name);

		cr_assert_not_null(section, "%s", sections[i].name);
		cr_expect_eq(section->size_bytes, kept_bytes[i], "%s", sections[i].name);
	}
	elf_close(&slim);
	slimming_close(&slimming);
	assert_no_leaks();
}
