/* SPDX-License-Identifier: MIT */
#include "tests/support/dwarf_writer.h"

#include <elf.h>
#include <string.h>

#include "tests/support/elf_writer.h"

enum abbreviation {
	ABBREVIATION_UNIT = 1,
	ABBREVIATION_ABSTRACT,
	ABBREVIATION_ABSTRACT_LINKED,
	ABBREVIATION_NAMESPACE,
	ABBREVIATION_FUNCTION,
	ABBREVIATION_INLINED,
	ABBREVIATION_BLOCK,
	ABBREVIATION_VARIABLE,
};

/* Code, tag, whether it has children, then pairs of attribute and form up to two zeros: DW_TAG_* and
 * DW_AT_* and DW_FORM_* of the DWARF 4 standard. */
static const unsigned char abbreviations[] = {
	ABBREVIATION_UNIT,
	0x11,
	1,
	0x13,
	0x0b,
	0x11,
	0x01,
	0x12,
	0x07,
	0,
	0,
	ABBREVIATION_ABSTRACT,
	0x2e,
	0,
	0x03,
	0x08,
	0x20,
	0x0b,
	0,
	0,
	ABBREVIATION_ABSTRACT_LINKED,
	0x2e,
	0,
	0x03,
	0x08,
	0x6e,
	0x08,
	0,
	0,
	ABBREVIATION_NAMESPACE,
	0x39,
	1,
	0x03,
	0x08,
	0,
	0,
	ABBREVIATION_FUNCTION,
	0x2e,
	1,
	0x03,
	0x08,
	0x11,
	0x01,
	0x12,
	0x07,
	0,
	0,
	ABBREVIATION_INLINED,
	0x1d,
	1,
	0x31,
	0x13,
	0x11,
	0x01,
	0x12,
	0x07,
	0x59,
	0x0b,
	0,
	0,
	ABBREVIATION_BLOCK,
	0x0b,
	1,
	0,
	0,
	ABBREVIATION_VARIABLE,
	0x34,
	0,
	0x03,
	0x0e,
	0,
	0,
	0,
};

static void put(struct dwarf_writer *writer, const void *bytes, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++)
		vec_push(&writer->info, ((const unsigned char *)bytes)[i]);
}

static void put_number(struct dwarf_writer *writer, uint64_t value, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++)
		vec_push(&writer->info, (unsigned char)(value >> 8 * i));
}

static void put_text(struct dwarf_writer *writer, const char *text)
{
	put(writer, text, strlen(text) + 1);
}

static void put_range(struct dwarf_writer *writer, uint64_t low, uint64_t high)
{
	if (writer->is_module)
		vec_push(&writer->relocations, (struct dwarf_writer_relocation){
						       .offset = writer->info.count,
						       .addend = (int64_t)low,
						       .type = writer->address_type,
						       .symbol = 1,
					       });
	put_number(writer, writer->is_module ? 0 : low, 8);
	put_number(writer, high - low, 8);
}

static void begin_unit(struct dwarf_writer *writer, uint64_t low, uint8_t offset_bytes)
{
	writer->unit_first = writer->info.count;
	writer->offset_bytes = offset_bytes;
	/* A length of all ones means that offsets have 64 bits, and that the length follows. */
	if (offset_bytes == 8)
		put_number(writer, UINT32_MAX, 4);
	put_number(writer, 0, offset_bytes); /* the length, which is filled in later */
	put_number(writer, 4, 2);
	put_number(writer, 0, offset_bytes);
	put_number(writer, 8, 1);
	put_number(writer, ABBREVIATION_UNIT, 1);
	put_number(writer, 4 /* C++ */, 1);
	put_range(writer, low, low + 0x8000);
}

static void end_unit(struct dwarf_writer *writer)
{
	size_t at = writer->unit_first + (writer->offset_bytes == 8 ? 4 : 0);
	uint64_t length;

	dwarf_writer_end(writer);
	length = writer->info.count - at - writer->offset_bytes;
	for (size_t i = 0; i < writer->offset_bytes; i++)
		writer->info.at[at + i] = (unsigned char)(length >> 8 * i);
}

void dwarf_writer_init(struct dwarf_writer *writer)
{
	*writer = (struct dwarf_writer){ 0 };
	begin_unit(writer, 0x1000, 4);
}

void dwarf_writer_init_module(struct dwarf_writer *writer, uint16_t machine, uint32_t address_type)
{
	*writer = (struct dwarf_writer){
		.is_module = true,
		.machine = machine,
		.address_type = address_type,
	};
	begin_unit(writer, 0, 4);
}

void dwarf_writer_begin_wide_unit(struct dwarf_writer *writer)
{
	end_unit(writer);
	begin_unit(writer, 0x9000, 8);
}

void dwarf_writer_variable(struct dwarf_writer *writer)
{
	put_number(writer, ABBREVIATION_VARIABLE, 1);
	put_number(writer, 0, writer->offset_bytes);
}

uint32_t dwarf_writer_abstract(struct dwarf_writer *writer, const char *name, const char *linked)
{
	uint32_t offset = (uint32_t)writer->info.count;

	put_number(writer, linked ? ABBREVIATION_ABSTRACT_LINKED : ABBREVIATION_ABSTRACT, 1);
	put_text(writer, name);
	if (linked)
		put_text(writer, linked);
	else
		put_number(writer, 1, 1);
	return offset;
}

void dwarf_writer_namespace(struct dwarf_writer *writer, const char *name)
{
	put_number(writer, ABBREVIATION_NAMESPACE, 1);
	put_text(writer, name);
}

void dwarf_writer_function(struct dwarf_writer *writer, const char *name, uint64_t low,
			   uint64_t high)
{
	put_number(writer, ABBREVIATION_FUNCTION, 1);
	put_text(writer, name);
	put_range(writer, low, high);
}

void dwarf_writer_inlined(struct dwarf_writer *writer, uint32_t origin, uint64_t low, uint64_t high,
			  uint8_t line)
{
	put_number(writer, ABBREVIATION_INLINED, 1);
	put_number(writer, origin, 4);
	put_range(writer, low, high);
	put_number(writer, line, 1);
}

void dwarf_writer_block(struct dwarf_writer *writer)
{
	put_number(writer, ABBREVIATION_BLOCK, 1);
}

void dwarf_writer_end(struct dwarf_writer *writer)
{
	put_number(writer, 0, 1);
}

/* The relocations, Elf64_Rela; the caller frees them. */
static void put_relocations(const struct dwarf_writer *writer, struct dwarf_writer *table)
{
	*table = (struct dwarf_writer){ 0 };
	for (size_t i = 0; i < writer->relocations.count; i++) {
		const struct dwarf_writer_relocation *row = &writer->relocations.at[i];

		put_number(table, row->offset, 8);
		put_number(table, row->type, 4);
		put_number(table, row->symbol, 4);
		put_number(table, (uint64_t)row->addend, 8);
	}
}

unsigned char *dwarf_writer_finish(struct dwarf_writer *writer, size_t *size_ret)
{
	static const struct elf_writer_symbol code = { .name = "",
						       .type = STT_SECTION,
						       .section = ELF_WRITER_TEXT };
	struct elf_writer_section sections[3];
	struct dwarf_writer table;
	struct elf_writer elf = {
		.text_address = writer->is_module ? 0 : 0x1000,
		.text_offset = 0x1000,
		.text_bytes = 0x100,
		.build_id = writer->build_id,
		.build_id_bytes = writer->build_id ? 20 : 0,
		.symbols = writer->is_module ? &code : writer->symbols,
		.symbol_count = writer->is_module ? 1 : writer->symbol_count,
		.more = sections,
		.more_count = writer->is_module ? 3 : 2,
		.type = writer->is_module ? ET_REL : 0,
		.machine = writer->machine,
		.has_no_segments = writer->is_module,
		.relocated_section = writer->is_module ? ELF_WRITER_MORE : 0,
	};
	unsigned char *file;

	end_unit(writer);
	put_relocations(writer, &table);
	sections[0] = (struct elf_writer_section){
		.name = ".debug_info",
		.type = SHT_PROGBITS,
		.bytes = writer->info.at,
		.size_bytes = writer->info.count,
	};
	sections[1] = (struct elf_writer_section){
		.name = ".debug_abbrev",
		.type = SHT_PROGBITS,
		.bytes = abbreviations,
		.size_bytes = sizeof(abbreviations),
	};
	sections[2] = (struct elf_writer_section){
		.name = ".rela.debug_info",
		.type = SHT_RELA,
		.entry_bytes = 24,
		.bytes = table.info.at,
		.size_bytes = table.info.count,
	};
	file = elf_writer_write(&elf, size_ret);
	vec_free(&table.info);
	vec_free(&writer->info);
	vec_free(&writer->relocations);
	return file;
}
