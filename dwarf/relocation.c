/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/relocation.h"

#include <gelf.h>

#include "base/strings.h"
#include "base/vec.h"
#include "dwarf/helper.h"
#include "object/module_layout.h"

/*
 * Maximum number of relocation sections for the debug information of a kernel module. Each of about
 * ten sections has one relocation section.
 */
#define LIMIT_RELOCATION_TABLES 64u

/*
 * The relocation types that compilers use in debug information. Each of these types stores a plain
 * number.
 */
static const struct {
	uint16_t machine;
	uint32_t type;
	size_t size_bytes;
} kinds[] = {
	{ EM_X86_64, R_X86_64_64, 8 },      { EM_X86_64, R_X86_64_32, 4 },
	{ EM_X86_64, R_X86_64_32S, 4 },     { EM_AARCH64, R_AARCH64_ABS64, 8 },
	{ EM_AARCH64, R_AARCH64_ABS32, 4 },
};

/*
 * An address for sections that the kernel drops, or loads apart from the code. No sample
 * has such an address.
 */
#define APART ((uint64_t)1 << 62)

struct relocation {
	Elf *file;
	GElf_Ehdr header;
	VEC(uint64_t) bases; /* address of each section; 0 if the section is not loaded */
	uint64_t bytes_left; /* limit on the total size of tables; initially the file size */
};

/* The name of the debug section to which a relocation section applies, or NULL. */
static const char *target_name(Elf *file, Elf_Scn *section, GElf_Shdr *header_ret)
{
	GElf_Shdr header;
	const char *name;
	Elf_Scn *target;
	size_t names;

	if (!gelf_getshdr(section, header_ret) || header_ret->sh_type != SHT_RELA)
		return NULL;
	target = elf_getscn(file, header_ret->sh_info);
	if (!target || elf_getshdrstrndx(file, &names) != 0 || !gelf_getshdr(target, &header))
		return NULL;
	name = elf_strptr(file, names, header.sh_name);
	return name && text_has_prefix(text_of(name), ".debug_") ? name : NULL;
}

bool relocation_is_needed(Elf *file)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr file_header;
	GElf_Shdr header;

	if (!gelf_getehdr(file, &file_header) || file_header.e_type != ET_REL)
		return false;
	while ((section = elf_nextscn(file, section)) != NULL)
		if (target_name(file, section, &header))
			return true;
	return false;
}

static bool place_sections(struct relocation *relocation, struct error *err)
{
	size_t size_bytes;
	const char *bytes = elf_rawfile(relocation->file, &size_bytes);
	struct elf_file elf;

	if (!bytes)
		return error_set(err, ERROR_CORRUPT, "%s", elf_errmsg(-1));
	if (!elf_open_memory(&elf, bytes, size_bytes, err))
		return false;
	for (size_t i = 0; i < elf.sections.count; i++)
		vec_push(&relocation->bases,
			 elf.sections.at[i].is_loaded ? APART + elf.sections.at[i].file_offset : 0);
	module_layout_place(&elf);
	for (size_t i = 0; i < elf.sections.count; i++)
		if (elf.sections.at[i].is_loaded)
			relocation->bases.at[i] = DWARF_MODULE_START + elf.sections.at[i].address;
	relocation->bytes_left = size_bytes;
	elf_close(&elf);
	return true;
}

/* The size of the relocated field in bytes, or 0 for unsupported types. */
static size_t size_of(const struct relocation *relocation, uint64_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].machine == relocation->header.e_machine && kinds[i].type == type)
			return kinds[i].size_bytes;
	return 0;
}

/* Finds the value of a symbol. Returns false if the file does not define the symbol. */
static bool value_of(const struct relocation *relocation, Elf_Data *symbols, size_t index,
		     uint64_t *ret)
{
	GElf_Sym symbol;

	if (index > INT32_MAX || !gelf_getsym(symbols, (int)index, &symbol))
		return false;
	*ret = symbol.st_value;
	if (symbol.st_shndx == SHN_ABS)
		return true;
	if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= relocation->bases.count)
		return false;
	*ret += relocation->bases.at[symbol.st_shndx];
	return true;
}

static void put(unsigned char *at, uint64_t value, size_t size_bytes, bool is_big_endian)
{
	for (size_t i = 0; i < size_bytes; i++)
		at[is_big_endian ? size_bytes - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

/* Applies a table of relocations to one section of the image. */
static void fill(const struct relocation *relocation, Elf_Data *table, Elf_Data *symbols,
		 unsigned char *bytes, uint64_t size_bytes)
{
	bool is_big_endian = relocation->header.e_ident[EI_DATA] == ELFDATA2MSB;
	GElf_Rela row;

	for (int i = 0; gelf_getrela(table, i, &row); i++) {
		size_t count = size_of(relocation, GELF_R_TYPE(row.r_info));
		uint64_t value;

		if (count && row.r_offset <= size_bytes && count <= size_bytes - row.r_offset &&
		    value_of(relocation, symbols, GELF_R_SYM(row.r_info), &value))
			put(bytes + row.r_offset, value + (uint64_t)row.r_addend, count,
			    is_big_endian);
	}
}

/* Finds the section with this name and applies a table of relocations to it. */
static bool fill_by(struct relocation *relocation, struct debug_image *image, Elf_Scn *section,
		    const GElf_Shdr *header, const char *name, struct error *err)
{
	Elf_Scn *target = debug_image_find_section(image->elf, name);
	Elf_Scn *symbols = elf_getscn(relocation->file, header->sh_link);
	Elf_Data *rows, *symbol_rows;
	GElf_Shdr to;

	/*
	 * Skip sections that are not in the image. If several sections have the same name, only the
	 * first is in the image.
	 */
	if (!target || elf_getscn(relocation->file, header->sh_info) !=
			       debug_image_find_section(relocation->file, name))
		return true;
	if (header->sh_size > relocation->bytes_left)
		return error_set(err, ERROR_CORRUPT,
				 "%s: has more relocations than fit into the file", name);
	relocation->bytes_left -= header->sh_size;
	rows = elf_getdata(section, NULL);
	symbol_rows = symbols ? elf_getdata(symbols, NULL) : NULL;
	if (!rows || !symbol_rows || !gelf_getshdr(target, &to))
		return error_set(err, ERROR_CORRUPT, "%s: corrupt relocations", name);
	fill(relocation, rows, symbol_rows, image->bytes + to.sh_offset, to.sh_size);
	return true;
}

static bool is_known_machine(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].machine == machine)
			return true;
	return false;
}

static bool fill_all(struct relocation *relocation, struct debug_image *image, struct error *err)
{
	Elf_Scn *section = NULL;
	uint32_t count = 0;
	GElf_Shdr header;
	const char *name;

	if (!is_known_machine(relocation->header.e_machine))
		return error_set(
			err, ERROR_UNSUPPORTED,
			"reading debug information of kernel modules is not supported for this "
			"architecture");
	if (!place_sections(relocation, err))
		return false;
	while ((section = elf_nextscn(relocation->file, section)) != NULL) {
		name = target_name(relocation->file, section, &header);
		if (name && ++count > LIMIT_RELOCATION_TABLES)
			return error_set(
				err, ERROR_LIMIT,
				"the debug information has more relocation tables than the limit of %u",
				LIMIT_RELOCATION_TABLES);
		if (name && !fill_by(relocation, image, section, &header, name, err))
			return false;
	}
	return true;
}

bool relocation_apply(struct debug_image *image, struct error *err)
{
	struct relocation relocation = { .file = image->file };
	bool good = gelf_getehdr(image->file, &relocation.header)
			    ? fill_all(&relocation, image, err)
			    : error_set(err, ERROR_CORRUPT, "%s", elf_errmsg(-1));

	vec_free(&relocation.bases);
	return good;
}

#endif
