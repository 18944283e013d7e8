/* SPDX-License-Identifier: MIT */
#include "symbolise/elf/go_names.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "base/attributes.h"
#include "base/sink.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define TEXT        0x10000
#define TEXT_OFFSET 0x200
#define TEXT_BYTES  0x400
/* The place of the table if it is among other data. */
#define HIDDEN_AT 0x140
#define TABLE     0x20000

/* A table of main.main, main.f[...] and runtime.goexit, 0x40, 0x20 and 0x10 bytes long. */
struct table {
	uint32_t magic;
	bool is_32_bit, is_big_endian;
	VEC(unsigned char) bytes;
};

static void put(struct table *table, uint64_t value, unsigned word_bytes)
{
	for (unsigned i = 0; i < word_bytes; i++) {
		unsigned shift = table->is_big_endian ? word_bytes - 1 - i : i;

		vec_push(&table->bytes, (unsigned char)(value >> (8 * shift)));
	}
}

static unsigned pointer_bytes(const struct table *table)
{
	return table->is_32_bit ? 4 : 8;
}

static const char names[] = "\0main.main\0main.f[...]\0runtime.goexit";
static const uint32_t name_offsets[] = { 1, 11, 23 };
static const uint32_t starts[] = { 0, 0x40, 0x60, 0x70 };

#define DESCRIPTION_BYTES 40

/*
 * Puts the starts and descriptions of functions; base is added to each start; offsets count from
 * origin.
 */
static void put_functions(struct table *table, uint64_t base, unsigned word_bytes, size_t origin,
			  uint32_t names_at)
{
	size_t first = table->bytes.count + (2 * 3 + 1) * word_bytes;

	for (size_t i = 0; i < 3; i++) {
		put(table, base + starts[i], word_bytes);
		put(table, first - origin + i * DESCRIPTION_BYTES, word_bytes);
	}
	put(table, base + starts[3], word_bytes);
	for (size_t i = 0; i < 3; i++) {
		size_t begin = table->bytes.count;

		put(table, base + starts[i], word_bytes);
		put(table, names_at + name_offsets[i], 4);
		while (table->bytes.count < begin + DESCRIPTION_BYTES)
			put(table, 0, 1);
	}
}

static void put_names(struct table *table)
{
	for (size_t i = 0; i < sizeof(names); i++)
		vec_push(&table->bytes, (unsigned char)names[i]);
	while (table->bytes.count % 8)
		vec_push(&table->bytes, 0);
}

static void make(struct table *table, uint64_t text_start)
{
	unsigned pointer = pointer_bytes(table);
	unsigned header_words = table->magic == 0xfffffffb ? 1 : table->magic == 0xfffffffa ? 7 : 8;
	uint64_t header_bytes = 8 + (uint64_t)header_words * pointer;
	uint64_t names_bytes = (sizeof(names) + header_bytes + 7) / 8 * 8 - header_bytes;
	uint64_t functions_at = header_bytes + names_bytes;

	table->bytes.count = 0;
	put(table, table->magic, 4);
	put(table, 0, 2);
	put(table, 1, 1);
	put(table, pointer, 1);
	put(table, 3, pointer);
	if (table->magic == 0xfffffffb) {
		/* Names come last; their offsets count from the beginning of the table. */
		put_functions(table, TEXT, pointer, 0,
			      (uint32_t)(header_bytes + 7 * pointer + 3 * DESCRIPTION_BYTES));
		put_names(table);
		return;
	}
	put(table, 0, pointer);
	if (table->magic != 0xfffffffa)
		put(table, text_start, pointer);
	put(table, header_bytes, pointer);
	put(table, 0, pointer);
	put(table, 0, pointer);
	put(table, 0, pointer);
	put(table, functions_at, pointer);
	put_names(table);
	cr_assert_eq(table->bytes.count, functions_at);
	if (table->magic == 0xfffffffa)
		put_functions(table, TEXT, pointer, functions_at, 0);
	else
		put_functions(table, 0, 4, functions_at, 0);
}

static struct elf_writer program(const struct table *table, const struct elf_writer_section *more,
				 size_t more_count)
{
	return (struct elf_writer){
		.is_32_bit = table->is_32_bit,
		.is_big_endian = table->is_big_endian,
		.text_address = TEXT,
		.text_offset = TEXT_OFFSET,
		.text_bytes = TEXT_BYTES,
		.more = more,
		.more_count = more_count,
	};
}

static void list(const struct elf_file *elf, struct sink *sink)
{
	struct symbol_table symbols;

	symbol_table_init(&symbols);
	if (!go_names_add(elf, &symbols))
		sink_printf(sink, "none");
	for (size_t i = 0; i < symbols.symbols.count; i++) {
		const struct symbol *symbol = &symbols.symbols.at[i];

		sink_printf(sink, "%llx-%llx %.*s\n", (unsigned long long)symbol->start,
			    (unsigned long long)symbol->end, (int)symbol->name.length,
			    symbol->name.at);
	}
	symbol_table_deinit(&symbols);
}

/* hidden: a table that is copied among other data, where only its header identifies it. */
static void expect_names(const struct elf_writer *writer, const struct table *hidden,
			 const char *expected, const char *what)
{
	struct elf_file elf;
	struct sink sink;
	struct error err;
	size_t size_bytes;
	unsigned char *bytes = elf_writer_write(writer, &size_bytes);

	if (hidden)
		memcpy(bytes + TEXT_OFFSET + HIDDEN_AT, hidden->bytes.at, hidden->bytes.count);
	cr_assert(elf_open_memory(&elf, bytes, size_bytes, &err), "%s: %s", what, err.text);
	sink_init_memory(&sink);
	list(&elf, &sink);
	sink_char(&sink, '\0');
	cr_expect_str_eq(sink.buffer, expected, "%s:\n%s", what, sink.buffer);
	sink_deinit(&sink);
	elf_close(&elf);
	memory_free(bytes);
}

static const char all[] = "10000-10040 main.main\n10040-10060 main.f[...]\n"
			  "10060-10070 runtime.goexit\n";

static const uint32_t magics[] = { 0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1 };

static struct table table_of(unsigned variant)
{
	return (struct table){
		.magic = magics[variant % 4],
		.is_32_bit = variant & 4,
		.is_big_endian = variant & 8,
	};
}

Test(go_names, all_forms_classes_and_byte_orders)
{
	for (unsigned variant = 0; variant < 16; variant++) {
		struct table table = table_of(variant);
		struct elf_writer_section section = {
			.name = ".gopclntab",
			.type = SHT_PROGBITS,
			.flags = SHF_ALLOC,
			.address = TABLE,
		};
		struct elf_writer writer;
		char what[32];

		snprintf(what, sizeof(what), "variant %u", variant);
		make(&table, TEXT);
		section.bytes = table.bytes.at;
		section.size_bytes = table.bytes.count;
		writer = program(&table, &section, 1);
		expect_names(&writer, NULL, all, what);
		section.name = ".data.rel.ro.gopclntab";
		expect_names(&writer, NULL, all, what);
		/* In other sections, the table is found only if the program is a Go program. */
		section.name = ".rodata";
		expect_names(&writer, &table, "none", what);
		section.name = ".note.go.buildid";
		expect_names(&writer, &table, all, what);
		vec_free(&table.bytes);
	}
	assert_no_leaks();
}

/*
 * If the loader fills in the address that starts count from, the file has it in a relocation, or
 * not at all.
 */
Test(go_names, text_start_of_programs_that_lie_anywhere)
{
	for (unsigned variant = 2; variant < 16; variant += 4) {
		struct table table = table_of(variant);
		struct table relocations = table_of(variant);
		unsigned pointer = pointer_bytes(&table);
		struct elf_writer_section more[2] = {
			{ .name = ".gopclntab",
			  .type = SHT_PROGBITS,
			  .flags = SHF_ALLOC,
			  .address = TABLE },
			{ .name = ".rela.dyn", .type = SHT_RELA, .flags = SHF_ALLOC },
		};
		struct elf_writer writer;

		make(&table, 0);
		for (unsigned i = 0; i < 2; i++) {
			put(&relocations, i ? TABLE + 8 + 2 * pointer : TABLE, pointer);
			put(&relocations, 8, pointer);
			put(&relocations, i ? TEXT : 0x666, pointer);
		}
		more[0].bytes = table.bytes.at;
		more[0].size_bytes = table.bytes.count;
		more[1].bytes = relocations.bytes.at;
		more[1].size_bytes = relocations.bytes.count;
		writer = program(&table, more, 2);
		expect_names(&writer, NULL, all, "relocated");
		writer.more_count = 1;
		expect_names(&writer, NULL, "none", "unknown");
		vec_free(&table.bytes);
		vec_free(&relocations.bytes);
	}
	assert_no_leaks();
}

static bool lies_in(const struct symbol *symbol, const struct elf_file *elf)
{
	return symbol->start < symbol->end && symbol->name.length > 0 && symbol->start >= TEXT &&
	       elf->segments.count > 0 && symbol->start < TEXT + elf->segments.at[0].file_bytes;
}

/* Bytes changed at random, and the table truncated anywhere: nothing outside is read. */
Test(go_names, damage)
{
	struct random random = { 7 };

	for (unsigned round = 0; round < 500; round++) {
		struct table table = table_of(round);
		struct elf_writer_section section = {
			.name = ".gopclntab",
			.type = SHT_PROGBITS,
			.flags = SHF_ALLOC,
			.address = TABLE,
		};
		struct elf_writer writer;
		struct symbol_table symbols;
		struct elf_file elf;
		struct error err;
		size_t size_bytes;
		unsigned char *bytes;

		make(&table, TEXT);
		for (unsigned i = random_below(&random, 4); i > 0; i--)
			table.bytes.at[random_below(&random, (uint32_t)table.bytes.count)] =
				(unsigned char)random_below(&random, 256);
		section.bytes = table.bytes.at;
		section.size_bytes = random_below(&random, (uint32_t)table.bytes.count + 1);
		writer = program(&table, &section, 1);
		bytes = elf_writer_write(&writer, &size_bytes);
		cr_assert(elf_open_memory(&elf, bytes, size_bytes, &err));
		symbol_table_init(&symbols);
		go_names_add(&elf, &symbols);
		for (size_t i = 0; i < symbols.symbols.count; i++)
			cr_expect(lies_in(&symbols.symbols.at[i], &elf), "round %u", round);
		symbol_table_deinit(&symbols);
		elf_close(&elf);
		memory_free(bytes);
		vec_free(&table.bytes);
	}
	assert_no_leaks();
}
