/* SPDX-License-Identifier: MIT */
#include "tests/support/cfi_writer.h"

#define RELATIVE_S32 0x1b /* pc-relative, signed, 4 bytes */

void cfi_writer_init(struct cfi_writer *writer, enum cfi_kind kind, uint8_t word_bytes,
		     bool is_big_endian, uint64_t address)
{
	*writer = (struct cfi_writer){
		.kind = kind,
		.word_bytes = word_bytes,
		.is_big_endian = is_big_endian,
		.address = address,
	};
}

void cfi_writer_deinit(struct cfi_writer *writer)
{
	vec_free(&writer->bytes);
}

static void put_at(struct cfi_writer *writer, size_t offset, uint64_t value, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++) {
		size_t shift = writer->is_big_endian ? size_bytes - 1 - i : i;

		writer->bytes.at[offset + i] = (unsigned char)(value >> (8 * shift));
	}
}

static void put(struct cfi_writer *writer, uint64_t value, size_t size_bytes)
{
	size_t offset = writer->bytes.count;

	for (size_t i = 0; i < size_bytes; i++)
		vec_push(&writer->bytes, 0);
	put_at(writer, offset, value, size_bytes);
}

static void put_bytes(struct cfi_writer *writer, const void *bytes, size_t size_bytes)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size_bytes; i++)
		vec_push(&writer->bytes, at[i]);
}

static size_t begin(struct cfi_writer *writer)
{
	size_t offset = writer->bytes.count;

	put(writer, 0, 4);
	return offset;
}

static void end(struct cfi_writer *writer, size_t offset)
{
	while (writer->bytes.count % 4)
		put(writer, 0, 1);
	put_at(writer, offset, writer->bytes.count - offset - 4, 4);
}

/* Puts the data that belongs to each letter. */
static void put_augmentation(struct cfi_writer *writer, const char *letters)
{
	size_t length_at = writer->bytes.count;

	if (*letters != 'z')
		return;
	put(writer, 0, 1);
	for (const char *letter = letters + 1; *letter; letter++) {
		if (*letter == 'R')
			put(writer, RELATIVE_S32, 1);
		if (*letter == 'L')
			put(writer, 0, 1);
		if (*letter == 'P') {
			put(writer, RELATIVE_S32, 1);
			put(writer, 0x1234, 4);
		}
	}
	put_at(writer, length_at, writer->bytes.count - length_at - 1, 1);
}

size_t cfi_writer_common(struct cfi_writer *writer, const struct writer_common *common)
{
	size_t offset = begin(writer);
	uint8_t version = common->version ? common->version : 1;

	writer->letters = common->letters;
	put(writer, writer->kind == CFI_EH_FRAME ? 0 : UINT32_MAX, 4);
	put(writer, version, 1);
	put_bytes(writer, common->letters, strlen(common->letters) + 1);
	if (version == 4) {
		put(writer, writer->word_bytes, 1);
		put(writer, 0, 1);
	}
	put(writer, common->code_alignment, 1);
	put(writer, (uint8_t)common->data_alignment & 0x7f, 1);
	put(writer, common->return_column, 1);
	put_augmentation(writer, common->letters);
	put_bytes(writer, common->program, common->program_bytes);
	end(writer, offset);
	return offset;
}

size_t cfi_writer_function(struct cfi_writer *writer, size_t common, uint64_t function_begin,
			   uint64_t size_bytes, const uint8_t *program, size_t program_bytes)
{
	bool is_relative = strchr(writer->letters, 'R') != NULL;
	size_t offset = begin(writer);

	put(writer, writer->kind == CFI_EH_FRAME ? writer->bytes.count - common : common, 4);
	if (is_relative) {
		put(writer, function_begin - (writer->address + writer->bytes.count), 4);
		put(writer, size_bytes, 4);
	} else {
		put(writer, function_begin, writer->word_bytes);
		put(writer, size_bytes, writer->word_bytes);
	}
	if (*writer->letters == 'z')
		put(writer, 0, 1);
	put_bytes(writer, program, program_bytes);
	end(writer, offset);
	return offset;
}

void cfi_writer_table(struct cfi_writer *table, const struct cfi_index_entry *rows, uint32_t count,
		      uint64_t section_address)
{
	put(table, 1, 1);
	put(table, RELATIVE_S32, 1);
	put(table, 0x03, 1); /* the count: unsigned, 4 bytes */
	put(table, 0x3b, 1); /* rows: relative to the table, signed, 4 bytes */
	put(table, section_address - (table->address + 4), 4);
	put(table, count, 4);
	for (uint32_t i = 0; i < count; i++) {
		put(table, rows[i].begin - table->address, 4);
		put(table, section_address + rows[i].offset - table->address, 4);
	}
}

struct span cfi_writer_span(const struct cfi_writer *writer)
{
	bool is_big_endian_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return span_of(writer->bytes.at, writer->bytes.count, writer->address,
		       writer->is_big_endian != is_big_endian_machine);
}
