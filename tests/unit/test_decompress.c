/* SPDX-License-Identifier: MIT */
#include "compress/codec.h"

#include <criterion/criterion.h>
#include <elf.h>

#include "base/memory.h"
#include "symbolise/elf/elf_names.h"
#include "tests/support/elf_writer.h"
#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/packer.h"
#include "tests/support/random.h"

#define CAP_BYTES ((size_t)1 << 20)

/* The compressions that this build supports. */
static const enum codec packings[] = {
	CODEC_NONE, /* so that any build has a row */
#ifdef HAVE_LZMA
	CODEC_XZ,
#endif
#ifdef HAVE_ZLIB
	CODEC_GZIP, CODEC_ZLIB,
#endif
#ifdef HAVE_ZSTD
	CODEC_ZSTD,
#endif
};

static bool decompress_bytes(enum codec packing, const unsigned char *packed, size_t size_bytes,
			     size_t cap_bytes, unsigned char **ret, size_t *size_ret,
			     struct error *err)
{
	return codec_decompress(packing, span_of(packed, size_bytes, 0, false), cap_bytes, ret,
				size_ret, err);
}

Test(decompress, marks)
{
	static const struct {
		const char *head;
		size_t size_bytes;
		enum codec packing;
	} rows[] = {
		{ "\xfd"
		  "7zXZ\0",
		  6, CODEC_XZ },
		{ "\xfd"
		  "7zXZ\0",
		  5, CODEC_NONE },
		{ "\x1f\x8b\x08", 3, CODEC_GZIP },
		{ "\x28\xb5\x2f\xfd", 4, CODEC_ZSTD },
		{ "\177ELF\2\1", 6, CODEC_NONE },
		{ "", 0, CODEC_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(codec_of_object(span_of(rows[i].head, rows[i].size_bytes, 0, false)),
			     rows[i].packing, "%zu", i);
}

Test(decompress, what_was_packed_comes_out)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 300000, CAP_BYTES };
	struct random random = { 5 };

	for (size_t p = 1; p < ARRAY_SIZE(packings); p++)
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			unsigned char *bytes = memory_alloc(sizes[i] + 1, 1);
			unsigned char *unpacked, *packed;
			size_t packed_bytes, size_bytes;
			struct error err;

			for (size_t k = 0; k < sizes[i]; k++)
				bytes[k] = (unsigned char)random_below(&random, 7);
			packed = pack(packings[p], bytes, sizes[i], &packed_bytes);
			cr_assert(decompress_bytes(packings[p], packed, packed_bytes, CAP_BYTES,
						   &unpacked, &size_bytes, &err),
				  "%d, %zu: %s", packings[p], sizes[i], err.text);
			cr_assert_eq(size_bytes, sizes[i]);
			cr_expect(sizes[i] == 0 || memcmp(unpacked, bytes, sizes[i]) == 0);
			memory_free(unpacked);
			memory_free(packed);
			memory_free(bytes);
		}
	assert_no_leaks();
}

/* gzip members and zstd frames may follow each other; the other formats end with their stream. */
Test(decompress, several_in_a_row)
{
	static const char first[] = "the first text, ", second[] = "and the second";

	for (size_t p = 1; p < ARRAY_SIZE(packings); p++) {
		bool continues = packings[p] == CODEC_GZIP || packings[p] == CODEC_ZSTD;
		size_t first_bytes, second_bytes, size_bytes;
		unsigned char *a = pack(packings[p], first, strlen(first), &first_bytes);
		unsigned char *b = pack(packings[p], second, strlen(second), &second_bytes);
		unsigned char *both = memory_alloc(first_bytes + second_bytes, 1);
		unsigned char *unpacked;
		struct error err;

		memcpy(both, a, first_bytes);
		memcpy(both + first_bytes, b, second_bytes);
		cr_assert(decompress_bytes(packings[p], both, first_bytes + second_bytes, CAP_BYTES,
					   &unpacked, &size_bytes, &err),
			  "%d: %s", packings[p], err.text);
		cr_expect_eq(size_bytes, strlen(first) + (continues ? strlen(second) : 0), "%d",
			     packings[p]);
		cr_expect(memcmp(unpacked, "the first text, and the second", size_bytes) == 0, "%d",
			  packings[p]);
		memory_free(unpacked);
		/* The second one is truncated. */
		if (continues) {
			cr_expect_not(decompress_bytes(packings[p], both,
						       first_bytes + second_bytes - 1, CAP_BYTES,
						       &unpacked, &size_bytes, &err));
			cr_expect_eq(err.code, ERROR_CORRUPT, "%d", packings[p]);
		}
		memory_free(both);
		memory_free(a);
		memory_free(b);
	}
	assert_no_leaks();
}

Test(decompress, more_than_is_allowed)
{
	for (size_t p = 1; p < ARRAY_SIZE(packings); p++) {
		unsigned char *zeros = memory_zalloc(CAP_BYTES + 1, 1);
		unsigned char *unpacked;
		size_t packed_bytes, size_bytes;
		unsigned char *packed = pack(packings[p], zeros, CAP_BYTES + 1, &packed_bytes);
		struct error err;

		cr_expect_not(decompress_bytes(packings[p], packed, packed_bytes, CAP_BYTES,
					       &unpacked, &size_bytes, &err));
		cr_expect_eq(err.code, ERROR_LIMIT, "%d", packings[p]);
		memory_free(packed);
		memory_free(zeros);
	}
	assert_no_leaks();
}

Test(decompress, cut)
{
	static const char text[] = "some text, some text, and some more of the same text";

	for (size_t p = 1; p < ARRAY_SIZE(packings); p++) {
		size_t packed_bytes, size_bytes;
		unsigned char *packed = pack(packings[p], text, sizeof(text), &packed_bytes);
		unsigned char *unpacked;
		struct error err;

		for (size_t i = 0; i < packed_bytes; i++) {
			cr_expect_not(decompress_bytes(packings[p], packed, i, CAP_BYTES, &unpacked,
						       &size_bytes, &err),
				      "%d, %zu", packings[p], i);
			cr_expect_eq(err.code, ERROR_CORRUPT, "%d, cut at %zu", packings[p], i);
		}
		memory_free(packed);
	}
	assert_no_leaks();
}

/* Into a buffer of the size that is known: the packed bytes must fill it. */
Test(decompress, exactly)
{
	static const char text[] = "some text, some text, and some more of the same text";
	unsigned char bytes[sizeof(text) + 1];

	for (size_t p = 1; p < ARRAY_SIZE(packings); p++) {
		size_t packed_bytes;
		unsigned char *packed = pack(packings[p], text, sizeof(text), &packed_bytes);
		struct span span = span_of(packed, packed_bytes, 0, false);

		cr_expect(codec_decompress_exact(packings[p], span, bytes, sizeof(text)), "%d",
			  packings[p]);
		cr_expect_str_eq((char *)bytes, text);
		cr_expect_not(codec_decompress_exact(packings[p], span, bytes, sizeof(text) + 1));
		cr_expect_not(codec_decompress_exact(packings[p], span, bytes, sizeof(text) - 1));
		span.end--;
		cr_expect_not(codec_decompress_exact(packings[p], span, bytes, sizeof(text)));
		memory_free(packed);
	}
	cr_expect(codec_decompress_exact(CODEC_NONE, span_of(text, 5, 0, false), bytes, 5));
	cr_expect_not(codec_decompress_exact(CODEC_NONE, span_of(text, 5, 0, false), bytes, 6));
	assert_no_leaks();
}

#ifdef HAVE_LZMA
/* An xz file of 72 bytes that asks for a dictionary of 1 GiB. */
Test(decompress, dictionary_of_a_gibibyte)
{
	static const unsigned char packed[] = {
		0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36,
		0x02, 0x00, 0x21, 0x01, 0x24, 0x00, 0x00, 0x00, 0x5e, 0x1f, 0xc7, 0xf9,
		0xe0, 0x00, 0x11, 0x00, 0x0d, 0x5d, 0x00, 0x34, 0x19, 0x49, 0xdb, 0x85,
		0x5c, 0x67, 0x72, 0x2b, 0x15, 0x7d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x3b, 0x7c, 0x8a, 0xdf, 0x00, 0x01, 0x25, 0x12, 0x84, 0x14, 0xcc, 0x3b,
		0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
	};
	unsigned char *unpacked;
	size_t size_bytes;
	struct error err;

	cr_expect_not(decompress_bytes(CODEC_XZ, packed, sizeof(packed), CAP_BYTES, &unpacked,
				       &size_bytes, &err));
	cr_expect(strstr(err.text, "dictionary is too large"), "%s", err.text);
	assert_no_leaks();
}
#endif

static const struct elf_writer_symbol symbols[] = {
	{ "main", 0x401010, 0x20, STT_FUNC, STB_GLOBAL, 0, ELF_WRITER_TEXT },
};

static struct elf_writer writer_of_main(void)
{
	return (struct elf_writer){
		.text_address = 0x401000,
		.text_offset = 0x600,
		.text_bytes = 0x200,
		.symbols = symbols,
		.symbol_count = ARRAY_SIZE(symbols),
	};
}

/* The value of main; 0: not found. */
static uint64_t find_main(const struct elf_file *elf)
{
	uint64_t value = 0;

	return elf_names_find(elf, text_of("main"), &value) ? value : 0;
}

/* ext4.ko.xz and its like. */
Test(decompress, whole_files)
{
	for (size_t p = 1; p < ARRAY_SIZE(packings); p++) {
		struct elf_writer writer = writer_of_main();
		size_t size, packed_bytes;
		unsigned char *bytes = elf_writer_write(&writer, &size);
		unsigned char *packed = pack(packings[p], bytes, size, &packed_bytes);
		struct memory_file file;
		struct elf_file elf;
		struct error err;
		bool has_mark = packings[p] != CODEC_ZLIB;

		memory_file_open(&file, packed, packed_bytes);
		cr_assert_eq(elf_open(&elf, file.path, &err), has_mark, "%d: %s", packings[p],
			     err.text);
		if (has_mark) {
			cr_expect_eq(find_main(&elf), 0x401010, "%d", packings[p]);
			elf_close(&elf);
		}
		memory_file_close(&file);
		memory_file_open(&file, packed, packed_bytes - 1);
		cr_expect_not(elf_open(&elf, file.path, &err), "%d", packings[p]);
		memory_file_close(&file);
		memory_free(packed);
		memory_free(bytes);
	}
	assert_no_leaks();
}

/* The symbol sections are compressed afterwards; everything else stays at its place. */
enum change {
	CHANGE_NONE,
	CHANGE_SIZE_UP,
	CHANGE_SIZE_DOWN,
	CHANGE_HUGE,
	CHANGE_TYPE,
	CHANGE_CUT
};

Test(decompress, compressed_symbol_tables)
{
	static const struct {
		const char *what;
		enum change change;
		bool is_found;
	} rows[] = {
		{ "as it was", CHANGE_NONE, true },
		{ "longer than it says", CHANGE_SIZE_DOWN, false },
		{ "shorter than it says", CHANGE_SIZE_UP, false },
		{ "of a size beyond all bounds", CHANGE_HUGE, false },
		{ "of an unknown compression", CHANGE_TYPE, false },
		{ "cut", CHANGE_CUT, false },
	};

	for (size_t p = 1; p < ARRAY_SIZE(packings); p++)
		for (int variant = 0; variant < 4; variant++)
			for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
				struct elf_writer writer = writer_of_main();
				struct elf_writer_packing packing = {
					.packing = packings[p],
					.size_change = rows[i].change == CHANGE_SIZE_UP     ? 8
						       : rows[i].change == CHANGE_SIZE_DOWN ? -8
						       : rows[i].change == CHANGE_HUGE
							       ? (int64_t)1 << 31
							       : 0,
					.type_change = rows[i].change == CHANGE_TYPE ? 77 : 0,
					.cut_bytes = rows[i].change == CHANGE_CUT ? 3 : 0,
				};
				struct elf_file elf;
				struct error err;
				size_t size;
				unsigned char *bytes;

				if (packings[p] != CODEC_ZLIB && packings[p] != CODEC_ZSTD)
					continue;
				writer.is_32_bit = variant & 1;
				writer.is_big_endian = variant & 2;
				writer.symbol_packing = &packing;
				bytes = elf_writer_write(&writer, &size);
				cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
				cr_expect_eq(find_main(&elf), rows[i].is_found ? 0x401010 : 0,
					     "%s, %d, variant %d", rows[i].what, packings[p],
					     variant);
				elf_close(&elf);
				memory_free(bytes);
			}
	assert_no_leaks();
}

#ifdef HAVE_ZLIB
Test(decompress, old_compressed_sections)
{
	static const char text[] = "what was in the section before";
	static const struct {
		const char *what, *name, *mark;
		size_t cap_bytes;
		int expected; /* 0: refused, 1: decompressed, 2: unchanged */
	} rows[] = {
		{ "as it was", ".zdebug_info", "ZLIB", 1000, 1 },
		{ "more than is allowed", ".zdebug_info", "ZLIB", 10, 0 },
		{ "of another name", ".debug_info", "ZLIB", 1000, 2 },
		{ "without the mark", ".zdebug_info", "ZLIX", 1000, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned char content[200] = { 0 };
		struct elf_writer_section section = { .name = rows[i].name,
						      .type = SHT_PROGBITS,
						      .bytes = content };
		struct elf_writer writer = { .more = &section, .more_count = 1 };
		size_t packed_bytes, size;
		unsigned char *packed = pack(CODEC_ZLIB, text, sizeof(text), &packed_bytes);
		unsigned char *bytes;
		struct elf_file elf;
		struct error err;
		struct span got;
		bool good;

		memcpy(content, rows[i].mark, 4);
		content[11] = sizeof(text);
		cr_assert_leq(packed_bytes + 12, sizeof(content));
		memcpy(content + 12, packed, packed_bytes);
		section.size_bytes = packed_bytes + 12;
		bytes = elf_writer_write(&writer, &size);
		cr_assert(elf_open_memory(&elf, bytes, size, &err), "%s", err.text);
		good = elf_section_decompress(&elf, elf_find_section(&elf, rows[i].name),
					      rows[i].cap_bytes, &got, &err);
		cr_expect_eq(good, rows[i].expected > 0, "%s", rows[i].what);
		if (rows[i].expected == 1)
			cr_expect(span_left(&got) == sizeof(text) &&
					  memcmp(got.at, text, sizeof(text)) == 0,
				  "%s", rows[i].what);
		if (rows[i].expected == 2)
			cr_expect_eq(span_left(&got), section.size_bytes, "%s", rows[i].what);
		elf_close(&elf);
		memory_free(bytes);
		memory_free(packed);
	}
	assert_no_leaks();
}
#endif
