/* SPDX-License-Identifier: MIT */
/* Reads the symbol tables of an ELF file. */
#include <elf.h>

#include "object/elf.h"

#include "object/elf_decompressed.h"

static bool section_bytes(const struct elf_file *elf, uint32_t index, uint32_t type,
			  struct span *ret)
{
	const struct elf_section *section;
	struct error ignored;

	if (index == 0 || index >= elf->sections.count)
		return false;
	section = &elf->sections.at[index];
	return section->type == type &&
	       elf_section_decompress(elf, section, LIMIT_DEBUGDATA_BYTES, ret, &ignored) &&
	       span_left(ret) > 0;
}

/* Section numbers from SHN_LORESERVE on are in a separate table. */
static struct span find_section_indexes(const struct elf_file *elf, uint32_t symbols)
{
	struct span bytes;

	for (uint32_t i = 1; i < elf->sections.count; i++)
		if (elf->sections.at[i].type == SHT_SYMTAB_SHNDX &&
		    elf->sections.at[i].link == symbols &&
		    section_bytes(elf, i, SHT_SYMTAB_SHNDX, &bytes))
			return bytes;
	return span_of("", 0, 0, elf->is_swapped);
}

static size_t row_bytes(const struct elf_file *elf)
{
	return elf->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static bool open_table(const struct elf_file *elf, uint32_t index, uint32_t type,
		       struct elf_symbols *ret)
{
	struct span rows, names;
	size_t count;

	if (!section_bytes(elf, index, type, &rows) ||
	    !section_bytes(elf, elf->sections.at[index].link, SHT_STRTAB, &names))
		return false;
	count = span_left(&rows) / row_bytes(elf);
	*ret = (struct elf_symbols){
		.elf = elf,
		.rows = rows,
		.section_indexes = find_section_indexes(elf, index),
		.names = { (const char *)names.at, span_left(&names) < UINT32_MAX
							   ? (uint32_t)span_left(&names)
							   : UINT32_MAX },
		.count = count < LIMIT_SYMBOLS ? (uint32_t)count : LIMIT_SYMBOLS,
	};
	return true;
}

bool elf_symbols_open(const struct elf_file *elf, enum elf_symbol_table which,
		      struct elf_symbols *ret)
{
	uint32_t type = which == ELF_SYMBOLS_STATIC ? SHT_SYMTAB : SHT_DYNSYM;

	for (uint32_t i = 1; i < elf->sections.count; i++)
		if (elf->sections.at[i].type == type)
			return open_table(elf, i, type, ret);
	return false;
}

static enum elf_symbol_kind kind_of(unsigned char type)
{
	switch (type) {
	case STT_NOTYPE:
		return ELF_SYMBOL_NOTYPE;
	case STT_OBJECT:
		return ELF_SYMBOL_OBJECT;
	case STT_FUNC:
		return ELF_SYMBOL_FUNCTION;
	case STT_GNU_IFUNC:
		return ELF_SYMBOL_IFUNC;
	default:
		return ELF_SYMBOL_OTHER;
	}
}

static enum elf_binding binding_of(unsigned char binding)
{
	switch (binding) {
	case STB_LOCAL:
		return ELF_BINDING_LOCAL;
	case STB_WEAK:
		return ELF_BINDING_WEAK;
	default: /* includes STB_GNU_UNIQUE */
		return ELF_BINDING_GLOBAL;
	}
}

/* Converts a row to the host's byte order and to 64 bits. The row must be complete. */
static Elf64_Sym load_row(const unsigned char *row, bool is_64_bit, bool is_swapped)
{
	if (is_64_bit)
		return (Elf64_Sym){
			.st_name = span_load_u32(row + offsetof(Elf64_Sym, st_name), is_swapped),
			.st_info = row[offsetof(Elf64_Sym, st_info)],
			.st_other = row[offsetof(Elf64_Sym, st_other)],
			.st_shndx = span_load_u16(row + offsetof(Elf64_Sym, st_shndx), is_swapped),
			.st_value = span_load_u64(row + offsetof(Elf64_Sym, st_value), is_swapped),
			.st_size = span_load_u64(row + offsetof(Elf64_Sym, st_size), is_swapped),
		};
	return (Elf64_Sym){
		.st_name = span_load_u32(row + offsetof(Elf32_Sym, st_name), is_swapped),
		.st_info = row[offsetof(Elf32_Sym, st_info)],
		.st_other = row[offsetof(Elf32_Sym, st_other)],
		.st_shndx = span_load_u16(row + offsetof(Elf32_Sym, st_shndx), is_swapped),
		.st_value = span_load_u32(row + offsetof(Elf32_Sym, st_value), is_swapped),
		.st_size = span_load_u32(row + offsetof(Elf32_Sym, st_size), is_swapped),
	};
}

static uint32_t section_of(const struct elf_symbols *symbols, uint32_t index, uint16_t section)
{
	struct span indexes = symbols->section_indexes;
	uint32_t wide = 0;

	if (section != SHN_XINDEX)
		return section < SHN_LORESERVE ? section : 0;
	if (!span_skip(&indexes, (uint64_t)index * sizeof(wide)) || !span_u32(&indexes, &wide))
		return 0;
	return wide;
}

bool elf_symbols_get(const struct elf_symbols *symbols, uint32_t index, struct elf_symbol *ret)
{
	const struct elf_file *elf = symbols->elf;
	unsigned char visibility;
	Elf64_Sym row;
	uint32_t section;

	if (index >= symbols->count)
		return false;
	row = load_row(symbols->rows.at + index * row_bytes(elf), elf->is_64_bit, elf->is_swapped);
	section = section_of(symbols, index, row.st_shndx);
	visibility = ELF64_ST_VISIBILITY(row.st_other);
	*ret = (struct elf_symbol){
		.value = row.st_value,
		.size_bytes = row.st_size,
		.kind = kind_of(ELF64_ST_TYPE(row.st_info)),
		.binding = binding_of(ELF64_ST_BIND(row.st_info)),
		.is_hidden = visibility == STV_HIDDEN || visibility == STV_INTERNAL,
		.section = section < elf->sections.count ? section : 0,
	};
	return elf_name_at(symbols->names, row.st_name, &ret->name);
}
