/* SPDX-License-Identifier: MIT */
#include "tests/support/elf_writer.h"

#include <elf.h>

#include "base/memory.h"
#include "tests/support/packer.h"

#define SECTION_COUNT    10
#define SYMBOLS          4
#define DATA_ADDRESS_GAP 0x100000u

struct section {
	const char *name;
	uint32_t type;
	uint64_t flags, address, offset, size_bytes;
	uint32_t link, info;
	uint64_t entry_bytes;
};

struct output {
	const struct elf_writer *writer;
	unsigned char *bytes;
	size_t count;
	struct section sections[SECTION_COUNT + ELF_WRITER_MORE_MAX];
};

static void put(struct output *output, uint64_t value, size_t size_bytes)
{
	output->bytes = memory_realloc(output->bytes, output->count + size_bytes, 1);
	for (size_t i = 0; i < size_bytes; i++) {
		size_t shift = output->writer->is_big_endian ? size_bytes - 1 - i : i;

		output->bytes[output->count++] = (unsigned char)(value >> (8 * shift));
	}
}

/* A field that is as wide as an address. */
static void put_word(struct output *output, uint64_t value)
{
	put(output, value, output->writer->is_32_bit ? 4 : 8);
}

static void put_text(struct output *output, const char *text)
{
	for (; *text; text++)
		put(output, (unsigned char)*text, 1);
	put(output, 0, 1);
}

static void pad_to(struct output *output, size_t offset)
{
	while (output->count < offset)
		put(output, 0, 1);
}

static void begin_section(struct output *output, unsigned index, const char *name, uint32_t type)
{
	pad_to(output, (output->count + 7) & ~(size_t)7);
	output->sections[index].name = name;
	output->sections[index].type = type;
	output->sections[index].offset = output->count;
}

static void end_section(struct output *output, unsigned index)
{
	output->sections[index].size_bytes = output->count - output->sections[index].offset;
}

/* Elf32_Chdr or Elf64_Chdr: in both every field but the type is as wide as an address. */
static void put_packed_header(struct output *output, const struct elf_writer_packing *packing,
			      uint64_t size_bytes)
{
	uint32_t type = packing->packing == CODEC_ZSTD ? 2 : 1;

	put(output, type + packing->type_change, 4);
	if (!output->writer->is_32_bit)
		put(output, 0, 4);
	put_word(output, size_bytes + (uint64_t)packing->size_change);
	put_word(output, 1);
}

/* Compresses what was put into a section. */
static void pack_section(struct output *output, unsigned index)
{
	const struct elf_writer_packing *packing = output->writer->symbol_packing;
	struct section *section = &output->sections[index];
	size_t packed_bytes;
	unsigned char *packed;

	if (!packing)
		return;
	packed = pack(packing->packing, output->bytes + section->offset, section->size_bytes,
		      &packed_bytes);
	output->count = section->offset;
	put_packed_header(output, packing, section->size_bytes);
	for (size_t i = 0; i + packing->cut_bytes < packed_bytes; i++)
		put(output, packed[i], 1);
	memory_free(packed);
	section->flags |= SHF_COMPRESSED;
	section->size_bytes = output->count - section->offset;
}

static void put_symbol(struct output *output, uint32_t name, const struct elf_writer_symbol *symbol)
{
	unsigned char info = (unsigned char)(symbol->binding << 4 | symbol->type);

	put(output, name, 4);
	if (output->writer->is_32_bit) {
		put(output, symbol->value, 4);
		put(output, symbol->size_bytes, 4);
		put(output, info, 1);
		put(output, symbol->visibility, 1);
		put(output, symbol->section, 2);
		return;
	}
	put(output, info, 1);
	put(output, symbol->visibility, 1);
	put(output, symbol->section, 2);
	put(output, symbol->value, 8);
	put(output, symbol->size_bytes, 8);
}

static void put_symbols(struct output *output, unsigned index, const char *name, const char *names,
			uint32_t type, const struct elf_writer_symbol *symbols, size_t count)
{
	static const struct elf_writer_symbol null = { .name = "" };
	uint32_t offset = 1;

	if (count == 0)
		return;
	begin_section(output, index, name, type);
	put_symbol(output, 0, &null);
	for (size_t i = 0; i < count; i++) {
		put_symbol(output, offset, &symbols[i]);
		offset += (uint32_t)strlen(symbols[i].name) + 1;
	}
	end_section(output, index);
	if (type == SHT_SYMTAB)
		pack_section(output, index);
	output->sections[index].link = index + 1;
	output->sections[index].info = 1;
	output->sections[index].entry_bytes = output->writer->is_32_bit ? 16 : 24;
	begin_section(output, index + 1, names, SHT_STRTAB);
	put(output, 0, 1);
	for (size_t i = 0; i < count; i++)
		put_text(output, symbols[i].name);
	end_section(output, index + 1);
	if (type == SHT_SYMTAB)
		pack_section(output, index + 1);
}

static void put_note(struct output *output)
{
	const struct elf_writer *writer = output->writer;

	if (!writer->build_id)
		return;
	begin_section(output, 3, ".note.gnu.build-id", SHT_NOTE);
	put(output, 4, 4);
	put(output, writer->build_id_bytes, 4);
	put(output, 3, 4);
	put_text(output, "GNU");
	for (size_t i = 0; i < writer->build_id_bytes; i++)
		put(output, writer->build_id[i], 1);
	end_section(output, 3);
	output->sections[3].flags = SHF_ALLOC;
}

static void put_more(struct output *output)
{
	for (unsigned i = 0; i < output->writer->more_count; i++) {
		const struct elf_writer_section *more = &output->writer->more[i];
		struct section *section = &output->sections[SECTION_COUNT + i];
		const unsigned char *bytes = more->bytes;

		begin_section(output, SECTION_COUNT + i, more->name, more->type);
		for (size_t k = 0; k < more->size_bytes; k++)
			put(output, bytes[k], 1);
		end_section(output, SECTION_COUNT + i);
		section->flags = more->flags;
		section->address = more->address;
		section->entry_bytes = more->entry_bytes;
		if (more->type != SHT_RELA || !output->writer->relocated_section)
			continue;
		section->link = SYMBOLS;
		section->info = output->writer->relocated_section;
	}
}

static void put_header(struct output *output, uint64_t sections_offset)
{
	const struct elf_writer *writer = output->writer;
	unsigned char ident[EI_NIDENT] = {
		0x7f,
		'E',
		'L',
		'F',
		writer->is_32_bit ? ELFCLASS32 : ELFCLASS64,
		writer->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB,
		EV_CURRENT,
	};

	for (size_t i = 0; i < sizeof(ident); i++)
		put(output, ident[i], 1);
	put(output, writer->type ? writer->type : ET_DYN, 2);
	put(output, writer->machine ? writer->machine : EM_X86_64, 2);
	put(output, EV_CURRENT, 4);
	put_word(output, writer->text_address);
	put_word(output, writer->is_32_bit ? 52 : 64);
	put_word(output, sections_offset);
	put(output, 0, 4);
	put(output, writer->is_32_bit ? 52 : 64, 2);
	put(output, writer->is_32_bit ? 32 : 56, 2);
	put(output, writer->has_no_segments ? 0 : 1, 2);
	put(output, writer->is_32_bit ? 40 : 64, 2);
	put(output, SECTION_COUNT + writer->more_count, 2);
	put(output, SECTION_COUNT - 1, 2);
}

static void put_segment(struct output *output)
{
	const struct elf_writer *writer = output->writer;
	uint64_t file_bytes = writer->is_debug_file ? 0 : writer->text_bytes;

	if (writer->has_no_segments)
		return;
	put(output, PT_LOAD, 4);
	if (!writer->is_32_bit)
		put(output, PF_R | PF_X, 4);
	put_word(output, writer->is_debug_file ? 0 : writer->text_offset);
	put_word(output, writer->text_address);
	put_word(output, writer->text_address);
	put_word(output, file_bytes);
	put_word(output, writer->text_bytes);
	if (writer->is_32_bit)
		put(output, PF_R | PF_X, 4);
	put_word(output, 0x1000);
}

static void put_contents(struct output *output)
{
	const struct elf_writer *writer = output->writer;
	struct section *text = &output->sections[ELF_WRITER_TEXT];
	struct section *data = &output->sections[ELF_WRITER_DATA];

	pad_to(output, writer->text_offset);
	*text = (struct section){
		.name = ".text",
		.type = writer->is_debug_file ? SHT_NOBITS : SHT_PROGBITS,
		.flags = SHF_ALLOC | SHF_EXECINSTR,
		.address = writer->text_address,
		.offset = output->count,
		.size_bytes = writer->text_bytes,
	};
	if (!writer->is_debug_file)
		pad_to(output, writer->text_offset + writer->text_bytes);
	*data = (struct section){
		.name = ".data",
		.type = SHT_NOBITS,
		.flags = SHF_ALLOC | SHF_WRITE,
		.address = writer->text_address + DATA_ADDRESS_GAP,
		.offset = output->count,
		.size_bytes = 0x1000,
	};
	put_note(output);
	put_symbols(output, SYMBOLS, ".symtab", ".strtab", SHT_SYMTAB, writer->symbols,
		    writer->symbol_count);
	put_symbols(output, 6, ".dynsym", ".dynstr", SHT_DYNSYM, writer->dynamic_symbols,
		    writer->dynamic_symbol_count);
	if (writer->comment) {
		begin_section(output, 8, ".comment", SHT_PROGBITS);
		put_text(output, writer->comment);
		end_section(output, 8);
	}
	put_more(output);
	begin_section(output, 9, ".shstrtab", SHT_STRTAB);
	put(output, 0, 1);
	for (unsigned i = 1; i < SECTION_COUNT + writer->more_count; i++)
		if (output->sections[i].name)
			put_text(output, output->sections[i].name);
	end_section(output, 9);
}

static void put_section_headers(struct output *output)
{
	uint32_t name = 1;

	for (unsigned i = 0; i < SECTION_COUNT + output->writer->more_count; i++) {
		const struct section *section = &output->sections[i];

		put(output, section->name ? name : 0, 4);
		put(output, section->type, 4);
		put_word(output, section->flags);
		put_word(output, section->address);
		put_word(output, section->offset);
		put_word(output, section->size_bytes);
		put(output, section->link, 4);
		put(output, section->info, 4);
		put_word(output, 1);
		put_word(output, section->entry_bytes);
		if (section->name)
			name += (uint32_t)strlen(section->name) + 1;
	}
}

unsigned char *elf_writer_write(const struct elf_writer *writer, size_t *size_ret)
{
	struct output output = { .writer = writer };
	uint64_t sections_offset = 0;

	/* The first round finds out where the section headers will be. */
	for (int round = 0; round < 2; round++) {
		output.count = 0;
		put_header(&output, sections_offset);
		put_segment(&output);
		put_contents(&output);
		pad_to(&output, (output.count + 7) & ~(size_t)7);
		sections_offset = output.count;
		put_section_headers(&output);
	}
	*size_ret = output.count;
	return output.bytes;
}
