/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/debug_image.h"

#include <gelf.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/limits.h"
#include "base/strings.h"
#include "dwarf/image_maker.h"

/* Younger than some copies of elf.h. */
#define COMPRESSED_ZSTD 2

/* Those of split units have a further suffix. */
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
		".debug_info",        ".debug_abbrev",   ".debug_str",
		".debug_ranges",      ".debug_rnglists", ".debug_addr",
		".debug_str_offsets", ".debug_types",    ".debug_cu_index",
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

static bool unpack_zlib(const void *from, size_t size_bytes, struct image_section *section)
{
	uLongf unpacked = (uLongf)section->size_bytes;

	return uncompress(section->bytes, &unpacked, from, (uLong)size_bytes) == Z_OK &&
	       unpacked == section->size_bytes;
}

static bool unpack_zstd(const void *from, size_t size_bytes, struct image_section *section)
{
#ifdef HAVE_ZSTD
	return ZSTD_decompress(section->bytes, section->size_bytes, from, size_bytes) ==
	       section->size_bytes;
#else
	(void)from;
	(void)size_bytes;
	(void)section;
	return false;
#endif
}

/* The size is what the section claims: this process may not have much memory, and ends when that is
 * not enough. */
static bool unpack(Elf *elf, Elf_Scn *from, struct image_section *section, struct error *err)
{
	Elf_Data *data = elf_rawdata(from, NULL);
	GElf_Chdr header;
	size_t header_bytes;
	const unsigned char *packed;
	bool good;

	if (!data || !gelf_getchdr(from, &header) || header.ch_size > LIMIT_DEBUG_SECTION_BYTES)
		return error_set(err, ERROR_LIMIT, "%s: cannot be unpacked", section->name);
	header_bytes = gelf_getclass(elf) == ELFCLASS32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
	if (data->d_size < header_bytes)
		return error_set(err, ERROR_DAMAGED, "%s: is cut", section->name);
	packed = (const unsigned char *)data->d_buf + header_bytes;
	section->size_bytes = (size_t)header.ch_size;
	section->bytes = memory_alloc(section->size_bytes + 1, 1);
	good = header.ch_type == ELFCOMPRESS_ZLIB
		       ? unpack_zlib(packed, data->d_size - header_bytes, section)
		       : header.ch_type == COMPRESSED_ZSTD &&
				 unpack_zstd(packed, data->d_size - header_bytes, section);
	return good || error_set(err, ERROR_DAMAGED, "%s: cannot be unpacked", section->name);
}

static bool add_section(Elf *elf, Elf_Scn *from, const char *name, struct image_maker *maker,
			struct error *err)
{
	struct image_section section = { .name = name };
	GElf_Shdr header;
	Elf_Data *data;
	bool good = true;

	if (gelf_getshdr(from, &header) && header.sh_flags & SHF_COMPRESSED) {
		good = unpack(elf, from, &section, err);
	} else if ((data = elf_rawdata(from, NULL)) != NULL && data->d_buf) {
		section.bytes = data->d_buf;
		section.size_bytes = data->d_size;
		section.is_borrowed = true;
	}
	vec_push(&maker->sections, section);
	return good;
}

/* The name of a section that has content; NULL: it has none. */
static const char *name_of(Elf *elf, Elf_Scn *section, size_t names, GElf_Shdr *header)
{
	if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
		return NULL;
	return elf_strptr(elf, names, header->sh_name);
}

/* Whether any debug information is compressed in a way that sections say of themselves. */
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
		return error_set(err, ERROR_DAMAGED, "%s", elf_errmsg(-1));
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

/* Goes on with what libelf made of the file. */
static bool open_file(struct debug_image *image, Elf *file, bool has_lines, struct error *err)
{
	struct image_maker maker = { .sections = { .at = NULL } };
	size_t names;

	*image = (struct debug_image){ .file = file, .elf = file };
	if (!file || elf_getshdrstrndx(file, &names) != 0) {
		error_set(err, ERROR_DAMAGED, "%s", elf_errmsg(-1));
		debug_image_close(image);
		return false;
	}
	if (!is_compressed(file, names))
		return true;
	if (list_sections(file, names, has_lines, &maker, err) &&
	    image_maker_finish(&maker, image, err))
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
	/* libelf writes to an image only when asked to update it. */
	return open_file(image, elf_memory(start.changeable, span_left(&bytes)), has_lines, err);
}

bool debug_image_has_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *here = name_of(elf, section, names, &header);

		if (here && strcmp(here, name) == 0)
			return true;
	}
	return false;
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
