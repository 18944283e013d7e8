/* SPDX-License-Identifier: MIT */
#include "object/elf.h"

#include <criterion/criterion.h>
#include <elf.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbolise/elf/elf_names.h"
#include "symbolise/inlines.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

/* These stand for the four letters of an owner in a list of words. */
#define OWNER_GNU 0xfffffff1
#define OWNER_GNX 0xfffffff2

static const uint8_t build_id[20] = { 0xab, 0xcd, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static const struct elf_writer_symbol symbols[] = {
	{ "main", 0x401010, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "local", 0x401030, 0x10, STT_FUNC, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "chosen_at_start", 0x401040, 0x10, STT_GNU_IFUNC, STB_WEAK, 0, ELF_WRITER_TEXT },
	{ "label", 0x401060, 0, STT_NOTYPE, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ ".Llocal", 0x401070, 0, STT_NOTYPE, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "$x", 0x401072, 0, STT_NOTYPE, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "$d.7", 0x401074, 0, STT_NOTYPE, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "$dollar", 0x401080, 0, STT_NOTYPE, STB_LOCAL, 0, ELF_WRITER_TEXT },
	{ "object", 0x401090, 8, STT_OBJECT, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "undefined", 0, 0, STT_FUNC, STB_GLOBAL, 0, SHN_UNDEF },
	{ "absolute", 0x401094, 0, STT_NOTYPE, STB_GLOBAL, 0, SHN_ABS },
	{ "section out of bounds", 0x4010a0, 8, STT_FUNC, STB_GLOBAL, 0, 99 },
	{ "", 0x4010b0, 8, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
	{ "data_label", 0x501010, 0, STT_NOTYPE, STB_GLOBAL, 0, ELF_WRITER_DATA },
	{ "last", 0x4011f0, 0, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

static const struct elf_writer_symbol dynamic_symbols[] = {
	{ "exported", 0x401100, 0x10, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

static const struct elf_writer writer = {
	.text_address = 0x401000,
	.text_offset = 0x600,
	.text_bytes = 0x200,
	.build_id = build_id,
	.build_id_bytes = sizeof(build_id),
	.symbols = symbols,
	.symbol_count = ARRAY_SIZE(symbols),
	.dynamic_symbols = dynamic_symbols,
	.dynamic_symbol_count = ARRAY_SIZE(dynamic_symbols),
	.comment = "GCC: (test) 1.2.3",
};

static void describe(const struct symbol_table *table, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < table->ranges.count && length < size; i++) {
		const struct symbol_range *range = &table->ranges.at[i];
		struct text name = table->symbols.at[range->symbol].name;

		length += (size_t)snprintf(
			buffer + length, size - length, "%.*s %llx-%llx\n", (int)name.length,
			name.at, (unsigned long long)range->start, (unsigned long long)range->end);
	}
}

static const char ours[] = "main 401010-401030\n"
			   "local 401030-401040\n"
			   "chosen_at_start 401040-401050\n"
			   "label 401060-401080\n"
			   "$dollar 401080-401100\n"
			   "exported 401100-401110\n"
			   "last 4011f0-401200\n"; /* no further than its section */

/*
 * The symbols by perf's rules: these include data, and labels in sections of certain names. A
 * symbol does not end with its section.
 */
static const char perfs[] = "main 401010-401030\n"
			    "local 401030-401040\n"
			    "chosen_at_start 401040-401050\n"
			    "label 401060-401080\n"
			    "$dollar 401080-401090\n"
			    "object 401090-401098\n"
			    "exported 401100-401110\n"
			    "last 4011f0-501010\n"
			    "data_label 501010-503000\n";

/* Data as well as code. */
static const char with_data[] = "main 401010-401030\n"
				"local 401030-401040\n"
				"chosen_at_start 401040-401050\n"
				"label 401060-401080\n"
				"$dollar 401080-401090\n"
				"object 401090-401098\n"
				"exported 401100-401110\n"
				"last 4011f0-401200\n";

static const struct {
	enum symbol_rules rules;
	const char *expected;
} all_rules[] = {
	{ SYMBOL_RULES_NEAREST, ours },
	{ SYMBOL_RULES_PERF, perfs },
	{ SYMBOL_RULES_DATA, with_data },
};

Test(elf, all_classes_and_byte_orders)
{
	for (int i = 0; i < 4; i++) {
		struct elf_writer variant = writer;
		struct elf_file elf;
		struct error err;
		size_t size;
		unsigned char *bytes;
		char hex[BUILD_ID_TEXT_BYTES], text[2048];
		uint64_t address = 0;

		variant.is_32_bit = i & 1;
		variant.is_big_endian = i & 2;
		variant.machine = i & 2 ? EM_PPC64 : EM_X86_64;
		bytes = elf_writer_write(&variant, &size);
		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%d: %s", i, err.text);
		cr_expect_eq(elf.type, ET_DYN, "%d", i);
		cr_expect_eq(elf.machine, variant.machine, "%d", i);
		cr_expect_eq(elf.is_64_bit, !variant.is_32_bit, "%d", i);
		cr_expect_str_eq(build_id_hex(&elf.build_id, hex),
				 "abcd030405060708090a0b0c0d0e0f0000000000", "%d", i);
		cr_expect_eq(elf.segments.count, 1, "%d", i);
		cr_expect_eq(elf.sections.count, 10, "%d", i);
		cr_expect(elf_find_section(&elf, ".text")->is_executable, "%d", i);
		cr_expect_null(elf_find_section(&elf, ".absent"), "%d", i);
		cr_expect(elf_has_code(&elf), "%d", i);
		cr_expect(elf_names_find(&elf, text_of("main"), &address), "%d", i);
		cr_expect_eq(address, 0x401010, "%d", i);
		cr_expect_not(elf_names_find(&elf, text_of("undefined"), &address), "%d", i);
		for (size_t k = 0; k < ARRAY_SIZE(all_rules); k++) {
			struct elf_pair pair = { .runtime = &elf, .symbols = &elf };
			struct symbol_table table;

			symbol_table_init(&table);
			elf_names_build(&pair, all_rules[k].rules, &table);
			describe(&table, text, sizeof(text));
			cr_expect_str_eq(text, all_rules[k].expected, "%d, rules %zu:\n%s", i, k,
					 text);
			symbol_table_deinit(&table);
		}
		elf_close(&elf);
		memory_free(bytes);
	}
	assert_no_leaks();
}

Test(elf, content_of_sections)
{
	struct elf_file elf;
	struct error err;
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);
	struct span content;

	cr_assert(elf_open_memory(&elf, bytes, size, &err));
	content = elf_section_bytes(&elf, elf_find_section(&elf, ".comment"));
	cr_expect_eq(span_left(&content), sizeof("GCC: (test) 1.2.3"));
	cr_expect_str_eq((const char *)content.at, "GCC: (test) 1.2.3");
	content = elf_section_bytes(&elf, elf_find_section(&elf, ".data")); /* SHT_NOBITS */
	cr_expect_eq(span_left(&content), 0);
	elf.sections.at[ELF_WRITER_TEXT].size_bytes = size;
	content = elf_section_bytes(&elf, &elf.sections.at[ELF_WRITER_TEXT]);
	cr_expect_eq(span_left(&content), 0);
	elf_close(&elf);
	memory_free(bytes);
	assert_no_leaks();
}

Test(elf, offsets_and_addresses)
{
	static const struct {
		uint64_t offset, address;
		bool is_code;
	} rows[] = {
		{ 0x600, 0x401000, true },
		{ 0x7ff, 0x4011ff, true },
		/* Whole pages are mapped, so neighbouring bytes of the file are mapped, too. */
		{ 0x5ff, 0x400fff, true },
		{ 0x800, 0x401200, true },
		{ 0xfff, 0x4019ff, true },
		{ 0x1000, 0, false },
		{ UINT64_MAX, 0, false },
	};

	for (int has_no_segments = 0; has_no_segments < 2; has_no_segments++) {
		struct elf_writer variant = writer;
		struct elf_file elf;
		struct error err;
		size_t size;
		unsigned char *bytes;

		variant.has_no_segments = has_no_segments;
		bytes = elf_writer_write(&variant, &size);
		cr_assert(elf_open_memory(&elf, bytes, size, &err));
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			bool is_exact = rows[i].offset >= 0x600 && rows[i].offset < 0x800;
			bool is_code = has_no_segments ? is_exact : rows[i].is_code;
			uint64_t address = 0;

			cr_expect_eq(elf_address_of_offset(&elf, rows[i].offset, &address), is_code,
				     "row %zu", i);
			if (is_code)
				cr_expect_eq(address, rows[i].address, "row %zu", i);
		}
		elf_close(&elf);
		memory_free(bytes);
	}
	assert_no_leaks();
}

Test(elf, offsets_of_data)
{
	static const struct {
		uint64_t offset, address; /* 0: in no segment */
	} rows[] = {
		{ 0x5ff, 0 },
		{ 0x600, 0x401000 },
		{ 0x7ff, 0x4011ff },
		/* Memory that follows the file's part of a segment. */
		{ 0x800, 0x401200 },
		{ 0xeff, 0x4018ff },
		{ 0xf00, 0 },
		{ 0x8000, 0x501000 },
		{ 0x80ff, 0x5010ff },
		{ UINT64_MAX, 0 },
	};
	struct elf_file elf;
	struct error err;
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);
	uint64_t address;

	cr_assert(elf_open_memory(&elf, bytes, size, &err));
	elf.segments.at[0].memory_bytes = 0x900;
	vec_push(&elf.segments, (struct elf_segment){ 0x8000, 0x100, 0x501000, 0x100, false });
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		address = 0;
		cr_expect_eq(elf_data_address_of_offset(&elf, rows[i].offset, &address),
			     rows[i].address != 0, "row %zu", i);
		cr_expect_eq(address, rows[i].address, "row %zu", i);
	}
	/* A file's part is preferred to memory that seems to continue another part. */
	elf.segments.at[0].memory_bytes = UINT64_MAX;
	cr_expect(elf_data_address_of_offset(&elf, 0x8000, &address) && address == 0x501000);
	elf_close(&elf);
	memory_free(bytes);
	assert_no_leaks();
}

Test(elf, a_debug_file_has_no_code)
{
	struct elf_writer variant = writer;
	struct elf_file elf;
	struct error err;
	size_t size;
	unsigned char *bytes;
	uint64_t address;

	variant.is_debug_file = true;
	bytes = elf_writer_write(&variant, &size);
	cr_assert(elf_open_memory(&elf, bytes, size, &err));
	cr_expect_not(elf_has_code(&elf));
	cr_expect_not(elf_address_of_offset(&elf, 0x600, &address));
	elf_close(&elf);
	memory_free(bytes);
	assert_no_leaks();
}

static void open_and_walk(const void *bytes, size_t size)
{
	struct elf_file elf;
	struct error err;

	if (!elf_open_memory(&elf, bytes, size, &err))
		return;
	for (int is_perf = 0; is_perf < 2; is_perf++) {
		struct elf_pair pair = { .runtime = &elf, .symbols = &elf };
		struct symbol_table table;

		symbol_table_init(&table);
		elf_names_build(&pair, is_perf ? SYMBOL_RULES_PERF : SYMBOL_RULES_NEAREST, &table);
		symbol_table_deinit(&table);
	}
	elf_close(&elf);
}

/* The file is in memory of exactly its size, so that a sanitizer detects any read beyond it. */
Test(elf, cut_short_anywhere)
{
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);

	for (size_t length = 0; length < size;
	     length += length < 0x200 || length > 0x7f0 ? 1 : 97) {
		unsigned char *cut = memory_alloc(length, 1);

		memcpy(cut, bytes, length);
		open_and_walk(cut, length);
		memory_free(cut);
	}
	memory_free(bytes);
	assert_no_leaks();
}

Test(elf, every_header_byte_damaged)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);

	for (size_t i = 0; i < size; i++) {
		unsigned char saved = bytes[i];

		if (i >= 0x100 && i < 0x800)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			bytes[i] = values[k];
			open_and_walk(bytes, size);
		}
		bytes[i] = saved;
	}
	memory_free(bytes);
	assert_no_leaks();
}

Test(elf, refuses_what_is_none)
{
	static const struct {
		const char *bytes;
		size_t size;
	} rows[] = {
		{ "", 0 },
		{ "\177ELF", 4 },
		{ "#!/bin/sh\n", 10 },
		{ "!<arch>\n", 8 },
		{ "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16 },
		{ "\177ELF\7\7\7\0\0\0\0\0\0\0\0\0", 16 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct elf_file elf;
		struct error err = { .code = ERROR_NONE };

		cr_expect_not(elf_open_memory(&elf, rows[i].bytes, rows[i].size, &err), "row %zu",
			      i);
		cr_expect_neq(err.code, ERROR_NONE, "row %zu", i);
		memory_file_open(&file, rows[i].bytes, rows[i].size);
		cr_expect_not(elf_open(&elf, file.path, &err), "row %zu", i);
		cr_expect_neq(*err.text, '\0', "row %zu", i);
		memory_file_close(&file);
	}
	assert_no_leaks();
}

/* Files with more program headers, and more bytes, than any real one. Most of each is a hole. */
Test(elf, limits)
{
	static const struct {
		uint16_t segment_count;
		const char *error; /* NULL: none */
	} rows[] = {
		{ 4096, NULL },
		{ 4097, "has 4097 program headers, more than the limit of 4096" },
	};
	struct memory_file file;
	struct elf_file elf;
	struct error err;
	size_t size;
	unsigned char *bytes = elf_writer_write(&writer, &size);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t more_bytes = rows[i].segment_count * sizeof(Elf64_Phdr);
		unsigned char *large = memory_zalloc(size + more_bytes, 1);

		memcpy(large, bytes, size);
		for (unsigned k = 0; k < 8; k++)
			large[offsetof(Elf64_Ehdr, e_phoff) + k] =
				(unsigned char)((uint64_t)size >> 8 * k);
		for (unsigned k = 0; k < 2; k++)
			large[offsetof(Elf64_Ehdr, e_phnum) + k] =
				(unsigned char)(rows[i].segment_count >> 8 * k);
		cr_expect_eq(elf_open_memory(&elf, large, size + more_bytes, &err), !rows[i].error);
		if (rows[i].error) {
			cr_expect_eq(err.code, ERROR_LIMIT);
			cr_expect_str_eq(err.text, rows[i].error);
		} else {
			elf_close(&elf);
		}
		memory_free(large);
	}
	memory_file_open(&file, bytes, size);
	cr_assert_eq(ftruncate(file.fd, ((off_t)16 << 30) + 1), 0);
	cr_expect_not(elf_open(&elf, file.path, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect(strstr(err.text, "is too large"), "%s", err.text);
	memory_file_close(&file);
	memory_free(bytes);
	assert_no_leaks();
}

/* Writes the words of a note. The owner is text, so the order of its bytes is fixed. */
static void put_note_words(const uint32_t *words, bool swapped, unsigned char *ret)
{
	for (size_t i = 0; i < 12; i++) {
		uint32_t word = swapped ? __builtin_bswap32(words[i]) : words[i];

		memcpy(ret + 4 * i, &word, 4);
		if (words[i] == OWNER_GNU)
			memcpy(ret + 4 * i, "GNU", 4);
		if (words[i] == OWNER_GNX)
			memcpy(ret + 4 * i, "GNX", 4);
	}
}

Test(elf, build_ids_of_notes)
{
	static const struct {
		const char *what;
		uint32_t words[12];
		size_t size_bytes;
		uint8_t id_bytes; /* 0: none */
	} rows[] = {
		{ "one", { 4, 8, 3, OWNER_GNU, 1, 2 }, 24, 8 },
		{ "behind another", { 4, 4, 1, OWNER_GNU, 9, 4, 8, 3, OWNER_GNU, 1, 2 }, 44, 8 },
		{ "unpadded at the end", { 4, 7, 3, OWNER_GNU, 1, 2 }, 23, 7 },
		{ "of another owner", { 4, 8, 3, OWNER_GNX, 1, 2 }, 24, 0 },
		{ "cut short", { 4, 8, 3, OWNER_GNU, 1, 2 }, 23, 0 },
		{ "longer than captures hold", { 4, 24, 3, OWNER_GNU, 1, 2, 3, 4, 5, 6 }, 40, 20 },
		{ "empty", { 4, 0, 3, OWNER_GNU }, 16, 0 },
		{ "name beyond the end", { 0xffffffff, 8, 3, OWNER_GNU, 1, 2 }, 24, 0 },
		{ "content beyond the end", { 4, 0xffffffff, 3, OWNER_GNU, 1, 2 }, 24, 0 },
		{ "nothing", { 0 }, 0, 0 },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		size_t row = i / 2;
		bool swapped = i % 2;
		struct build_id id = { .size_bytes = 0 };
		unsigned char bytes[48];
		struct span notes = span_of(bytes, rows[row].size_bytes, 0, swapped);

		put_note_words(rows[row].words, swapped, bytes);
		cr_expect_eq(elf_build_id_of_notes(notes, &id), rows[row].id_bytes > 0,
			     "%s, swapped %d", rows[row].what, swapped);
		cr_expect_eq(id.size_bytes, rows[row].id_bytes, "%s, swapped %d", rows[row].what,
			     swapped);
	}
	assert_no_leaks();
}

Test(elf, own_vdso)
{
	struct elf_file elf;
	struct error err;
	struct elf_symbols dynamic;

	if (!elf_open_own_vdso(&elf, &err))
		cr_skip_test("no vdso here: %s", err.text);
	cr_expect(elf_has_code(&elf));
	cr_expect(elf_symbols_open(&elf, ELF_SYMBOLS_DYNAMIC, &dynamic));
	elf_close(&elf);
	assert_no_leaks();
}

/* Overlapping sections could be walked more often than the file has bytes. */
Test(elf, sections_are_no_more_than_the_file)
{
	static const struct elf_section half = { .size_bytes = 50 },
					endless = { .size_bytes = UINT64_MAX };
	uint64_t bytes_left = 100;

	cr_expect_not(elf_section_spend(&endless, &(uint64_t){ 100 }));
	cr_expect(elf_section_spend(&half, &bytes_left));
	cr_expect(elf_section_spend(&half, &bytes_left));
	cr_expect_eq(bytes_left, 0);
	cr_expect_not(elf_section_spend(&half, &bytes_left));
}

/* The bytes that this thread has read so far; 0 if the kernel does not count them. */
static unsigned long count_read_bytes(void)
{
	FILE *file = fopen("/proc/thread-self/io", "re");
	unsigned long count = 0;

	if (file && fscanf(file, "rchar: %lu", &count) != 1)
		count = 0;
	if (file)
		fclose(file);
	return count;
}

#ifdef HAVE_ZLIB
/* Of a compressed file that is not ELF, only the beginning is read. */
Test(elf, of_private_compressed_files)
{
	/* A gzip header, and a stored block of 65535 bytes. */
	static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\0\3\0\xff\xff\0\0root:x:0:0:";
	static char content[1 << 20];
	char path[] = "/tmp/kiln-private-XXXXXX";
	int fd = mkstemp(path);
	unsigned long before, middle, after;
	struct elf_file elf;
	struct error err;

	memcpy(content, head, sizeof(head));
	cr_assert_eq(write(fd, content, sizeof(content)), sizeof(content));
	unlink(path);
	before = count_read_bytes();
	middle = count_read_bytes();
	cr_expect_not(elf_open_fd(&elf, fd, &err));
	cr_expect_str_eq(err.text, "is not an ELF file");
	after = count_read_bytes();
	cr_expect_leq(after - middle, middle - before + sizeof(content) / 2);
	assert_no_leaks();
}
#endif

/* The magic numbers of ELF and of compressed files are shorter. */
#define LEAST_BYTES 16

/* A capture may name any file of the user. Of what is not ELF, only the first bytes are read. */
Test(elf, of_private_files)
{
	static const char *const heads[] = { "root:$6$salt$hash:19000:0:", "!<arch>\nname/",
					     "\177EL" };

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		char content[100000] = "";
		char path[] = "/tmp/kiln-private-XXXXXX";
		int fd = mkstemp(path);
		struct split_offer offer = { .places = { "H", 2 } };
		unsigned long before, middle, after;
		struct elf_file elf;
		struct error err;

		memcpy(content, heads[i], strlen(heads[i]));
		cr_assert_eq(write(fd, content, sizeof(content)), sizeof(content));
		before = count_read_bytes();
		middle = count_read_bytes();
		cr_expect_not(elf_open_fd(&elf, fd, &err));
		cr_expect_str_eq(err.text, "is not an ELF file");
		after = count_read_bytes();
		cr_expect_leq(after - middle, middle - before + LEAST_BYTES, "%s", heads[i]);
		/* As if a worker that was taken over asked for the file. */
		cr_expect_eq(split_files_open(&offer, "H", path), -1);
		unlink(path);
	}
	assert_no_leaks();
}
