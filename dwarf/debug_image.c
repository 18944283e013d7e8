/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/debug_image.h"

#include <dwarf.h>
#include <gelf.h>

#include "base/strings.h"
#include "dwarf/image_maker.h"
#include "dwarf/reading_budget.h"
#include "dwarf/relocation.h"

/*
 * Maximum decompressed size of a section of debug information. The largest section in Chromium is 1
 * GB.
 */
#define LIMIT_DEBUG_SECTION_BYTES ((uint64_t)2 << 30)

/*
 * Maximum number of decompressed bytes for each byte of the file. Compression rarely shrinks debug
 * information to an eighth of its size.
 */
#define LIMIT_DEBUG_EXPANSION 64u

/* Removes .dwo, the suffix of section names in files of split units. */
static struct text without_suffix(struct text name)
{
	static const char suffix[] = ".dwo";

	if (text_has_suffix(name, suffix))
		name.length -= (uint32_t)strlen(suffix);
	return name;
}

static bool is_needed(struct text name, bool has_lines)
{
	static const char *const always[] = {
		".debug_info",     ".debug_abbrev",  ".debug_str",         ".debug_ranges",
		".debug_rnglists", ".debug_addr",    ".debug_str_offsets", ".debug_types",
		".debug_cu_index", ".debug_aranges",
	};
	static const char *const of_lines[] = { ".debug_line", ".debug_line_str" };

	name = without_suffix(name);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		if (text_is(name, always[i]))
			return true;
	for (size_t i = 0; has_lines && i < ARRAY_SIZE(of_lines); i++)
		if (text_is(name, of_lines[i]))
			return true;
	return false;
}

/*
 * The size in the section header needs no check. This process has a memory limit, and ends if it
 * exceeds the limit.
 */
static bool add_compressed(Elf *elf, Elf_Scn *from, const char *name, struct image_maker *maker,
			   struct error *err)
{
	Elf_Data *data = elf_rawdata(from, NULL);
	GElf_Chdr header;
	size_t header_bytes;

	if (!data || !gelf_getchdr(from, &header) || header.ch_size > LIMIT_DEBUG_SECTION_BYTES)
		return error_set(err, ERROR_LIMIT, "%s: cannot be decompressed", name);
	header_bytes = gelf_getclass(elf) == ELFCLASS32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
	if (data->d_size < header_bytes)
		return error_set(err, ERROR_CORRUPT, "%s: truncated", name);
	vec_push(&maker->sections,
		 (struct image_section){
			 .name = name,
			 .content = span_of((const unsigned char *)data->d_buf + header_bytes,
					    data->d_size - header_bytes, 0, false),
			 .codec = codec_of_section(header.ch_type),
			 .size_bytes = (size_t)header.ch_size,
		 });
	return true;
}

static bool add_section(Elf *elf, Elf_Scn *from, const char *name, struct image_maker *maker,
			struct error *err)
{
	GElf_Shdr header;
	Elf_Data *data;

	if (gelf_getshdr(from, &header) && header.sh_flags & SHF_COMPRESSED)
		return add_compressed(elf, from, name, maker, err);
	data = elf_rawdata(from, NULL);
	if (data && data->d_buf)
		image_maker_add(maker, name, span_of(data->d_buf, data->d_size, 0, false));
	else
		image_maker_add(maker, name, span_of("", 0, 0, false));
	return true;
}

/* The name of a section; NULL if the section is empty. */
static const char *name_of(Elf *elf, Elf_Scn *section, size_t names, GElf_Shdr *header)
{
	if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
		return NULL;
	return elf_strptr(elf, names, header->sh_name);
}

/* Whether any debug section has SHF_COMPRESSED. */
static bool is_compressed(Elf *elf, size_t names)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name = name_of(elf, section, names, &header);

		if (name && header.sh_flags & SHF_COMPRESSED &&
		    text_has_prefix(text_of(name), ".debug_"))
			return true;
	}
	return false;
}

static bool list_sections(Elf *elf, size_t names, bool has_lines, struct image_maker *maker,
			  struct error *err)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr file_header;

	if (!gelf_getehdr(elf, &file_header))
		return error_set(err, ERROR_CORRUPT, "%s", elf_errmsg(-1));
	maker->byte_order = file_header.e_ident[EI_DATA];
	maker->machine = file_header.e_machine;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name = name_of(elf, section, names, &header);

		if (name && is_needed(text_of(name), has_lines) &&
		    !add_section(elf, section, name, maker, err))
			return false;
	}
	return true;
}

/* Several section headers can refer to the same compressed bytes. */
static bool check_size(Elf *file, const struct image_maker *maker, struct error *err)
{
	uint64_t size_bytes = 0;
	size_t file_bytes = 0;

	(void)elf_rawfile(file, &file_bytes);
	for (size_t i = 0; i < maker->sections.count; i++)
		size_bytes += maker->sections.at[i].size_bytes;
	if (size_bytes / LIMIT_DEBUG_EXPANSION <= file_bytes)
		return true;
	return error_set(
		err, ERROR_LIMIT,
		"its debug information expands to more than the limit of %u times the file's size",
		LIMIT_DEBUG_EXPANSION);
}

static bool open_file(struct debug_image *image, Elf *file, bool has_lines, struct error *err)
{
	struct image_maker maker = { .sections = { .at = NULL } };
	bool needs_relocation;
	size_t names;

	*image = (struct debug_image){ .file = file, .elf = file };
	if (!file || elf_getshdrstrndx(file, &names) != 0) {
		error_set(err, ERROR_CORRUPT, "%s", elf_errmsg(-1));
		debug_image_close(image);
		return false;
	}
	needs_relocation = relocation_is_needed(file);
	if (!needs_relocation && !is_compressed(file, names))
		return true;
	if (list_sections(file, names, has_lines, &maker, err) && check_size(file, &maker, err) &&
	    image_maker_finish(&maker, image, err) &&
	    (!needs_relocation || relocation_apply(image, err)))
		return true;
	image_maker_deinit(&maker);
	debug_image_close(image);
	return false;
}

bool debug_image_open(struct debug_image *image, int fd, bool has_lines, struct error *err)
{
	elf_version(EV_CURRENT);
	return open_file(image, elf_begin(fd, ELF_C_READ_MMAP, NULL), has_lines, err);
}

bool debug_image_open_memory(struct debug_image *image, struct span bytes, bool has_lines,
			     struct error *err)
{
	union {
		const void *constant;
		char *changeable;
	} start = { .constant = bytes.at };

	elf_version(EV_CURRENT);
	/* libelf writes to this memory only in elf_update(). */
	return open_file(image, elf_memory(start.changeable, span_left(&bytes)), has_lines, err);
}

Elf_Scn *debug_image_find_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *here = name_of(elf, section, names, &header);

		if (here && strcmp(here, name) == 0)
			return section;
	}
	return NULL;
}

bool debug_image_has_section(Elf *elf, const char *name)
{
	return debug_image_find_section(elf, name) != NULL;
}

/* The total size of the sections with debug information. Sections may overlap, but they are not
 * larger than the file. */
static uint64_t debug_bytes(Elf *elf)
{
	Elf_Scn *section = NULL;
	uint64_t size_bytes = 0;
	size_t file_bytes = 0;
	size_t names;

	while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = name_of(elf, section, names, &header);
		Elf_Data *data;

		if (!name || header.sh_type == SHT_NOBITS ||
		    (strncmp(name, ".debug_", 7) != 0 && strncmp(name, ".zdebug_", 8) != 0))
			continue;
		data = elf_rawdata(section, NULL);
		size_bytes += data && data->d_buf ? data->d_size : 0;
	}
	(void)elf_rawfile(elf, &file_bytes);
	return size_bytes < file_bytes ? size_bytes : file_bytes;
}

uint64_t debug_image_steps(const struct debug_image *image)
{
	uint64_t unpacked = debug_bytes(image->elf) * LIMIT_DWARF_STEPS_PER_BYTE;
	uint64_t packed = image->file ? debug_bytes(image->file) * LIMIT_DWARF_STEPS_PER_PACKED_BYTE
				      : UINT64_MAX;

	return unpacked < packed ? unpacked : packed;
}

/* The section for a name such as .debug_info, .zdebug_info or .debug_info.dwo. */
static enum debug_section section_of(struct text name)
{
	static const char *const names[DEBUG_SECTION_COUNT] = {
		[DEBUG_ABBREV] = "debug_abbrev",   [DEBUG_ADDR] = "debug_addr",
		[DEBUG_ARANGES] = "debug_aranges", [DEBUG_CU_INDEX] = "debug_cu_index",
		[DEBUG_INFO] = "debug_info",       [DEBUG_LINE] = "debug_line",
		[DEBUG_RANGES] = "debug_ranges",   [DEBUG_RNGLISTS] = "debug_rnglists",
		[DEBUG_STR] = "debug_str",         [DEBUG_STR_OFFSETS] = "debug_str_offsets",
	};
	enum debug_section section = 0;
	uint32_t prefix = text_has_prefix(name, ".z") ? 2 : 1;

	if (!text_has_prefix(name, ".") || name.length < prefix)
		return DEBUG_SECTION_COUNT;
	name = without_suffix((struct text){ name.at + prefix, name.length - prefix });
	while (section < DEBUG_SECTION_COUNT && !text_is(name, names[section]))
		section++;
	return section;
}

/* Whether a section of split debug information begins with a type unit of DWARF 5. */
static bool is_of_types(struct span section)
{
	uint64_t long_bytes;
	uint32_t size_bytes;
	uint16_t version;
	uint8_t type;

	return span_u32(&section, &size_bytes) &&
	       (size_bytes != UINT32_MAX || span_u64(&section, &long_bytes)) &&
	       span_u16(&section, &version) && version >= 5 && span_u8(&section, &type) &&
	       type == DW_UT_split_type;
}

void debug_image_find_sections(struct debug_image *image)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr file_header;
	size_t names;
	bool swapped;

	for (size_t i = 0; i < DEBUG_SECTION_COUNT; i++)
		image->sections[i] = image->split_sections[i] = span_of("", 0, 0, false);
	if (!gelf_getehdr(image->elf, &file_header) || elf_getshdrstrndx(image->elf, &names) != 0)
		return;
	swapped = (file_header.e_ident[EI_DATA] == ELFDATA2MSB) != HOST_IS_BIG_ENDIAN;
	while ((section = elf_nextscn(image->elf, section)) != NULL) {
		GElf_Shdr header;
		const char *name = name_of(image->elf, section, names, &header);
		enum debug_section which = name ? section_of(text_of(name)) : DEBUG_SECTION_COUNT;
		struct span *found;
		Elf_Data *data;

		if (which == DEBUG_SECTION_COUNT)
			continue;
		found = text_has_suffix(text_of(name), ".dwo") ? &image->split_sections[which]
							       : &image->sections[which];
		data = elf_rawdata(section, NULL);
		/* GCC writes each type unit to a section of its own, before the one of the functions. */
		if ((!span_left(found) || (which == DEBUG_INFO && is_of_types(*found))) && data &&
		    data->d_buf)
			*found = span_of(data->d_buf, data->d_size, 0, swapped);
	}
}

void debug_image_close(struct debug_image *image)
{
	if (image->elf != image->file)
		elf_end(image->elf);
	elf_end(image->file);
	memory_free(image->bytes);
	*image = (struct debug_image){ .file = NULL };
}

#endif
