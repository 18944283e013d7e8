/* SPDX-License-Identifier: MIT */
#include "unwind/cfi.h"

#include <criterion/criterion.h>

#include "base/leb128.h"
#include "base/sink.h"
#include "tests/support/cfi_writer.h"
#include "tests/support/leaks.h"

#define SECTION 0x5000
#define TABLE   0x4000

static const uint8_t common_program[] = { 0x0c, 7, 8, 0x90, 1 }; /* CFA = r7 + 8; r16 at CFA - 8 */
static const uint8_t nop_program[] = { 0 };

static const struct writer_common plain = {
	.letters = "zR",
	.code_alignment = 1,
	.data_alignment = -8,
	.return_column = 16,
	.program = common_program,
	.program_bytes = sizeof(common_program),
};

/* Compares the function at an address, as text: "1000-1020 signal", or "-" for none. */
static void expect_at(const struct cfi *cfi, uint64_t address, const char *expected,
		      const char *what)
{
	struct cfi_fde function;
	char found[64] = "-";
	size_t row;

	if (cfi_find(cfi, address, &row) && cfi_read(cfi, row, &function) &&
	    address >= function.begin && address < function.end)
		snprintf(found, sizeof(found), "%llx-%llx%s", (unsigned long long)function.begin,
			 (unsigned long long)function.end, function.cie.is_signal ? " signal" : "");
	cr_expect_str_eq(found, expected, "%s, at %llx: %s, not %s", what,
			 (unsigned long long)address, found, expected);
}

struct form {
	const char *what;
	enum cfi_kind kind;
	uint8_t word_bytes, version;
	const char *letters;
	bool is_signal;
};

static const struct form forms[] = {
	{ "as gcc writes it", CFI_EH_FRAME, 8, 1, "zR", false },
	{ "with a personality and data for exceptions", CFI_EH_FRAME, 8, 1, "zPLR", false },
	{ "a signal frame", CFI_EH_FRAME, 8, 1, "zRS", true },
	{ "of 32 bits", CFI_EH_FRAME, 4, 1, "zR", false },
	{ "with absolute addresses", CFI_EH_FRAME, 8, 1, "", false },
	{ "of aarch64, signed by the other key", CFI_EH_FRAME, 8, 1, "zRB", false },
	{ "of aarch64, with memory tags", CFI_EH_FRAME, 8, 3, "zRG", false },
	{ ".debug_frame, DWARF 2", CFI_DEBUG_FRAME, 8, 1, "", false },
	{ ".debug_frame, DWARF 3", CFI_DEBUG_FRAME, 4, 3, "", false },
	{ ".debug_frame, DWARF 4", CFI_DEBUG_FRAME, 8, 4, "", false },
};

Test(cfi, finds_functions)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(forms); i++) {
		const struct form *form = &forms[i / 2];
		struct writer_common common = plain;
		struct cfi_writer writer;
		struct cfi cfi;
		size_t offset;

		common.letters = form->letters;
		common.version = form->version;
		cfi_writer_init(&writer, form->kind, form->word_bytes, i % 2, SECTION);
		offset = cfi_writer_common(&writer, &common);
		/* The functions are not in the order of their addresses. */
		cfi_writer_function(&writer, offset, 0x3000, 0x10, nop_program, 1);
		cfi_writer_function(&writer, offset, 0x1000, 0x20, nop_program, 1);
		cfi_writer_function(&writer, offset, 0x1020, 0x08, nop_program, 1);
		cfi_init(&cfi, cfi_writer_span(&writer), form->kind, form->word_bytes);
		expect_at(&cfi, 0xfff, "-", form->what);
		expect_at(&cfi, 0x1000, form->is_signal ? "1000-1020 signal" : "1000-1020",
			  form->what);
		expect_at(&cfi, 0x101f, form->is_signal ? "1000-1020 signal" : "1000-1020",
			  form->what);
		expect_at(&cfi, 0x1020, form->is_signal ? "1020-1028 signal" : "1020-1028",
			  form->what);
		expect_at(&cfi, 0x1028, "-", form->what);
		expect_at(&cfi, 0x300f, form->is_signal ? "3000-3010 signal" : "3000-3010",
			  form->what);
		expect_at(&cfi, UINT64_MAX, "-", form->what);
		cfi_deinit(&cfi);
		cfi_writer_deinit(&writer);
	}
	assert_no_leaks();
}

/* Wherever the section is truncated or changed, no bytes outside it are read. */
Test(cfi, survives_damage)
{
	struct cfi_writer writer;
	size_t common;
	struct cfi cfi;

	cfi_writer_init(&writer, CFI_EH_FRAME, 8, false, SECTION);
	common = cfi_writer_common(&writer, &plain);
	cfi_writer_function(&writer, common, 0x1000, 0x20, nop_program, 1);
	cfi_writer_function(&writer, common, 0x2000, 0x20, nop_program, 1);
	for (size_t cut = 0; cut < writer.bytes.count; cut++) {
		struct span span = cfi_writer_span(&writer);

		span.end = span.begin + cut;
		cfi_init(&cfi, span, CFI_EH_FRAME, 8);
		cr_expect_leq(cfi.index.count, 1);
		expect_at(&cfi, 0x2000, "-", "cut");
		cfi_deinit(&cfi);
	}
	for (size_t i = 0; i < writer.bytes.count; i++) {
		unsigned char byte = writer.bytes.at[i];
		struct cfi_fde function;
		size_t row;

		writer.bytes.at[i] ^= 0xff;
		cfi_init(&cfi, cfi_writer_span(&writer), CFI_EH_FRAME, 8);
		if (cfi_find(&cfi, 0x1000, &row))
			(void)cfi_read(&cfi, row, &function);
		cfi_deinit(&cfi);
		writer.bytes.at[i] = byte;
	}
	cfi_writer_deinit(&writer);
	assert_no_leaks();
}

/* A linker that joins files keeps the end mark of each file. */
Test(cfi, goes_on_behind_an_end_mark)
{
	struct cfi_writer writer;
	struct cfi cfi;
	size_t common;

	cfi_writer_init(&writer, CFI_EH_FRAME, 8, false, SECTION);
	common = cfi_writer_common(&writer, &plain);
	cfi_writer_function(&writer, common, 0x1000, 0x20, nop_program, 1);
	for (size_t i = 0; i < 4; i++)
		vec_push(&writer.bytes, 0);
	cfi_writer_function(&writer, common, 0x2000, 0x20, nop_program, 1);
	cfi_init(&cfi, cfi_writer_span(&writer), CFI_EH_FRAME, 8);
	expect_at(&cfi, 0x2010, "2000-2020", "behind the mark");
	cfi_deinit(&cfi);
	cfi_writer_deinit(&writer);
	assert_no_leaks();
}

static void put(struct sink *sink, uint64_t value, unsigned size_bytes)
{
	for (unsigned i = 0; i < size_bytes; i++)
		sink_char(sink, (char)(value >> 8 * i));
}

/* A little-endian section with a CIE and an FDE of 0x1000 to 0x1020, whose addresses have this form. */
static void write_form(struct sink *sink, uint8_t encoding, const unsigned char *addresses,
		       size_t size_bytes)
{
	put(sink, 18, 4);
	put(sink, 0, 4);
	put(sink, 1, 1);
	sink_bytes(sink, "zR", 3);
	put(sink, 0x107801, 3); /* alignments 1 and -8, return column 16 */
	put(sink, 1, 1);
	put(sink, encoding, 1);
	sink_bytes(sink, common_program, sizeof(common_program));
	put(sink, 6 + size_bytes, 4);
	put(sink, sink->used, 4);
	sink_bytes(sink, addresses, size_bytes);
	put(sink, 0, 2);
}

/* All forms of addresses; compilers use few of them. */
Test(cfi, reads_all_forms_of_addresses)
{
	static const struct {
		uint8_t encoding, size_bytes;
		unsigned char addresses[16];
		const char *expected;
	} rows[] = {
		{ 0x00, 16, { 0, 0x10, [8] = 0x20 }, "1000-1020" },
		{ 0x01, 3, { 0x80, 0x20, 0x20 }, "1000-1020" },
		{ 0x02, 4, { 0, 0x10, 0x20 }, "1000-1020" },
		{ 0x03, 8, { 0, 0x10, [4] = 0x20 }, "1000-1020" },
		{ 0x04, 16, { 0, 0x10, [8] = 0x20 }, "1000-1020" },
		{ 0x09, 3, { 0x80, 0x20, 0x20 }, "1000-1020" },
		{ 0x0a, 4, { 0, 0x10, 0x20 }, "1000-1020" },
		{ 0x0b, 8, { 0, 0x10, [4] = 0x20 }, "1000-1020" },
		{ 0x0c, 16, { 0, 0x10, [8] = 0x20 }, "1000-1020" },
		/* No form; relative to the data section; the size is missing. */
		{ 0x05, 16, { 0, 0x10, [8] = 0x20 }, "-" },
		{ 0x33, 8, { 0, 0x10, [4] = 0x20 }, "-" },
		{ 0x02, 1, { 0 }, "-" },
		{ 0x03, 3, { 0 }, "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;
		struct cfi cfi;
		char what[16];

		snprintf(what, sizeof(what), "0x%02x", rows[i].encoding);
		sink_init_memory(&sink);
		write_form(&sink, rows[i].encoding, rows[i].addresses, rows[i].size_bytes);
		cfi_init(&cfi, span_of(sink.buffer, sink.used, SECTION, HOST_IS_BIG_ENDIAN),
			 CFI_EH_FRAME, 8);
		expect_at(&cfi, 0x1010, rows[i].expected, what);
		cfi_deinit(&cfi);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

/* Lengths of 64 bits, as DWARF 3 allows; in .debug_frame, references have 64 bits then. */
Test(cfi, reads_long_lengths)
{
	static const enum cfi_kind kinds[] = { CFI_EH_FRAME, CFI_DEBUG_FRAME };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		bool is_debug = kinds[i] == CFI_DEBUG_FRAME;
		unsigned id_bytes = is_debug ? 8 : 4;
		struct sink sink;
		struct cfi cfi;

		sink_init_memory(&sink);
		put(&sink, UINT32_MAX, 4);
		put(&sink, id_bytes + 5 + sizeof(common_program), 8);
		put(&sink, is_debug ? UINT64_MAX : 0, id_bytes);
		put(&sink, 1, 2); /* version 1, no augmentation */
		put(&sink, 0x107801, 3);
		sink_bytes(&sink, common_program, sizeof(common_program));
		put(&sink, UINT32_MAX, 4);
		put(&sink, id_bytes + 17, 8);
		put(&sink, is_debug ? 0 : sink.used, id_bytes);
		put(&sink, 0x1000, 8);
		put(&sink, 0x20, 8);
		put(&sink, 0, 1);
		cfi_init(&cfi, span_of(sink.buffer, sink.used, SECTION, HOST_IS_BIG_ENDIAN),
			 kinds[i], 8);
		expect_at(&cfi, 0x1010, "1000-1020", is_debug ? "debug" : "eh");
		cfi_deinit(&cfi);
		sink_deinit(&sink);
	}
	assert_no_leaks();
}

struct table_case {
	const char *what;
	struct cfi_index_entry rows[4];
	uint32_t count;
	uint8_t damage_at, damage;
	bool is_taken;
};

/*
 * Rows refer to entries by number: 1 and 2 are the functions at 0x1000 and 0x2000, and 3 is the
 * end. The begin 0xfff is wrong on purpose: it shows that the table was used.
 */
static const struct table_case table_cases[] = {
	{ "whole", { { 0xfff, 1 }, { 0x2000, 2 } }, 2, 0, 1, true },
	{ "of another version", { { 0xfff, 1 }, { 0x2000, 2 } }, 2, 0, 2, false },
	{ "of other rows", { { 0xfff, 1 }, { 0x2000, 2 } }, 2, 3, 0x1b, false },
	{ "cut", { { 0xfff, 1 }, { 0x2000, 2 } }, 2, 8, 3, false },
	{ "with a function left out", { { 0xfff, 1 } }, 1, 0, 1, false },
	{ "with one too many", { { 0xfff, 1 }, { 0x1500, 1 }, { 0x2000, 2 } }, 3, 0, 1, false },
	{ "with one function twice", { { 0xfff, 1 }, { 0x1500, 1 } }, 2, 0, 1, false },
	{ "not sorted", { { 0x2000, 2 }, { 0xfff, 1 } }, 2, 0, 1, false },
	{ "with two that begin alike", { { 0xfff, 1 }, { 0xfff, 2 } }, 2, 0, 1, false },
	{ "that leaves the section", { { 0xfff, 1 }, { 0x2000, 3 } }, 2, 0, 1, false },
};

Test(cfi, takes_a_table_that_is_whole)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(table_cases); i++) {
		const struct table_case *one = &table_cases[i / 2];
		struct cfi_writer writer, table;
		struct cfi_index_entry rows[4];
		size_t offsets[4];
		struct cfi cfi;

		cfi_writer_init(&writer, CFI_EH_FRAME, 8, i % 2, SECTION);
		offsets[0] = cfi_writer_common(&writer, &plain);
		offsets[1] = cfi_writer_function(&writer, 0, 0x1000, 0x20, nop_program, 1);
		offsets[2] = cfi_writer_function(&writer, 0, 0x2000, 0x20, nop_program, 1);
		offsets[3] = writer.bytes.count;
		for (uint32_t k = 0; k < one->count; k++)
			rows[k] = (struct cfi_index_entry){ one->rows[k].begin,
							    offsets[one->rows[k].offset] };
		cfi_writer_init(&table, CFI_EH_FRAME, 8, i % 2, TABLE);
		cfi_writer_table(&table, rows, one->count, SECTION);
		table.bytes.at[one->damage_at] = one->damage;
		cfi_init_with_table(&cfi, cfi_writer_span(&writer), cfi_writer_span(&table), 8);
		cr_assert_eq(cfi.index.count, 2, "%s", one->what);
		cr_expect_eq(cfi.index.at[0].begin, one->is_taken ? 0xfff : 0x1000, "%s",
			     one->what);
		expect_at(&cfi, 0x1010, "1000-1020", one->what);
		expect_at(&cfi, 0x2010, "2000-2020", one->what);
		cfi_deinit(&cfi);
		cfi_writer_deinit(&table);
		cfi_writer_deinit(&writer);
	}
	assert_no_leaks();
}

struct number_row {
	uint8_t bytes[12];
	size_t length;
	bool is_signed, is_good;
	uint64_t expected;
};

static const struct number_row numbers[] = {
	{ { 0x02 }, 1, false, true, 2 },
	{ { 0x80, 0x01 }, 2, false, true, 128 },
	{ { 0x7f }, 1, true, true, UINT64_MAX },
	{ { 0x80, 0x7f }, 2, true, true, (uint64_t)-128 },
	{ { 0x3f }, 1, true, true, 63 },
	{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 },
	  10,
	  false,
	  true,
	  UINT64_MAX },
	{ { 0x80, 0x80 }, 2, false, false, 0 },
	{ { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 },
	  11,
	  false,
	  false,
	  0 },
	{ { 0 }, 0, false, false, 0 },
};

Test(cfi, reads_numbers_of_any_length)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const struct number_row *row = &numbers[i];
		struct span span = span_of(row->bytes, row->length, 0, false);
		uint64_t value = 0;
		bool is_good = leb128_read(&span, row->is_signed, &value);

		cr_expect_eq(is_good, row->is_good, "row %zu", i);
		cr_expect_eq(value, row->expected, "row %zu: %llx", i, (unsigned long long)value);
		cr_expect_eq(span.at - span.begin, is_good ? (ptrdiff_t)row->length : 0);
	}
}
