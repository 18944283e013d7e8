/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/image_maker.h"

#include <string.h>

/* 16 is enough for any value in a section. */
#define ALIGNMENT 16

/* The image is always ELF64, because debug information contains its own address size. */
struct image_layout {
	Elf64_Ehdr file;
	VEC(Elf64_Shdr)
	sections; /* the null section, then the maker's sections, then the section names */
	uint64_t size_bytes;
};

void image_maker_deinit(struct image_maker *maker)
{
	vec_free(&maker->sections);
}

void image_buffer_deinit(struct image_buffer *buffer)
{
	memory_free(buffer->bytes);
	*buffer = (struct image_buffer){ .bytes = NULL };
}

/* The number of sections that are already in the buffer. */
static size_t kept_count(const struct image_maker *maker)
{
	return maker->buffer && maker->buffer->has_first;
}

void image_maker_add(struct image_maker *maker, const char *name, struct span content)
{
	vec_push(&maker->sections, (struct image_section){
					   .name = name,
					   .content = content,
					   .codec = CODEC_NONE,
					   .size_bytes = span_left(&content),
				   });
}

static uint64_t place(struct image_layout *layout, uint64_t size_bytes)
{
	uint64_t offset = (layout->size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	layout->size_bytes = offset + size_bytes;
	return offset;
}

static void lay_out(struct image_layout *layout, const struct image_maker *maker)
{
	size_t count = maker->sections.count + 2;
	size_t name_bytes = 1;

	*layout = (struct image_layout){ .size_bytes = sizeof(Elf64_Ehdr) };
	vec_push(&layout->sections, (Elf64_Shdr){ .sh_type = SHT_NULL });
	for (size_t i = 0; i < maker->sections.count; i++) {
		const struct image_section *section = &maker->sections.at[i];

		vec_push(&layout->sections, (Elf64_Shdr){
						    .sh_name = (Elf64_Word)name_bytes,
						    .sh_type = SHT_PROGBITS,
						    .sh_offset = place(layout, section->size_bytes),
						    .sh_size = section->size_bytes,
						    .sh_addralign = 1,
					    });
		name_bytes += strlen(section->name) + 1;
	}
	vec_push(&layout->sections, (Elf64_Shdr){
					    .sh_type = SHT_STRTAB,
					    .sh_offset = place(layout, name_bytes),
					    .sh_size = name_bytes,
					    .sh_addralign = 1,
				    });
	layout->file = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, maker->byte_order,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = maker->machine,
		.e_version = EV_CURRENT,
		.e_shoff = place(layout, count * sizeof(Elf64_Shdr)),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)count,
		.e_shstrndx = (Elf64_Half)(count - 1),
	};
}

static bool write_headers(const struct image_layout *layout, unsigned char *bytes)
{
	unsigned char order = layout->file.e_ident[EI_DATA];
	Elf_Data file = {
		.d_buf = (void *)&layout->file,
		.d_type = ELF_T_EHDR,
		.d_version = EV_CURRENT,
		.d_size = sizeof(layout->file),
	};
	Elf_Data sections = {
		.d_buf = layout->sections.at,
		.d_type = ELF_T_SHDR,
		.d_version = EV_CURRENT,
		.d_size = layout->sections.count * sizeof(*layout->sections.at),
	};
	Elf_Data to_file = file;
	Elf_Data to_sections = sections;

	to_file.d_buf = bytes;
	to_sections.d_buf = bytes + layout->file.e_shoff;
	return elf64_xlatetof(&to_file, &file, order) &&
	       elf64_xlatetof(&to_sections, &sections, order);
}

/* Clears the padding between sections. */
static void clear_between(const struct image_layout *layout, unsigned char *bytes)
{
	size_t end = 0;

	for (size_t i = 1; i + 1 < layout->sections.count; i++) {
		const Elf64_Shdr *header = &layout->sections.at[i];

		memset(bytes + end, 0, (size_t)header->sh_offset - end);
		end = (size_t)(header->sh_offset + header->sh_size);
	}
	memset(bytes + end, 0, (size_t)layout->size_bytes - end);
}

static bool fill(const struct image_maker *maker, const struct image_layout *layout,
		 unsigned char *bytes, struct error *err)
{
	unsigned char *names = bytes + layout->sections.at[layout->sections.count - 1].sh_offset;

	clear_between(layout, bytes);
	for (size_t i = 0; i < maker->sections.count; i++) {
		const struct image_section *section = &maker->sections.at[i];
		const Elf64_Shdr *header = &layout->sections.at[i + 1];

		if (i >= kept_count(maker) &&
		    !codec_decompress_exact(section->codec, section->content,
					    bytes + header->sh_offset, section->size_bytes))
			return error_set(err, ERROR_CORRUPT, "%s: cannot be decompressed",
					 section->name);
		memcpy(names + header->sh_name, section->name, strlen(section->name));
	}
	return true;
}

uint64_t image_maker_copied_bytes(const struct image_maker *maker)
{
	uint64_t size_bytes = 0;

	for (size_t i = kept_count(maker); i < maker->sections.count; i++)
		size_bytes += maker->sections.at[i].size_bytes;
	return size_bytes;
}

/*
 * Makes space in the buffer for an image. The space for the other sections at least doubles, so
 * that the first section is rarely copied again.
 */
static unsigned char *enlarge(struct image_buffer *buffer, size_t size_bytes, size_t first_bytes)
{
	size_t grown =
		buffer->capacity_bytes > first_bytes ? 2 * buffer->capacity_bytes - first_bytes : 0;

	if (size_bytes <= buffer->capacity_bytes)
		return buffer->bytes;
	image_buffer_deinit(buffer);
	buffer->capacity_bytes = grown > size_bytes ? grown : size_bytes;
	buffer->bytes = memory_alloc_large(buffer->capacity_bytes);
	return buffer->bytes;
}

bool image_maker_finish(struct image_maker *maker, struct debug_image *image, struct error *err)
{
	struct image_buffer *buffer = maker->buffer;
	struct image_layout layout;
	unsigned char *bytes;
	bool good;

	image->elf = NULL;
	lay_out(&layout, maker);
	/*
	 * Sizes come from section headers. Each size is below a limit, but their sum can exceed it.
	 */
	if (layout.size_bytes > SIZE_MAX / 2)
		memory_exhausted(SIZE_MAX);
	if (buffer)
		bytes = enlarge(buffer, (size_t)layout.size_bytes,
				maker->sections.at[0].size_bytes);
	else
		bytes = image->bytes = memory_alloc_large((size_t)layout.size_bytes);
	good = fill(maker, &layout, bytes, err);
	if (buffer)
		buffer->has_first = good;
	if (good && write_headers(&layout, bytes))
		image->elf = elf_memory((char *)bytes, layout.size_bytes);
	if (good && !image->elf)
		error_set(err, ERROR_CORRUPT, "%s", elf_errmsg(-1));
	vec_free(&layout.sections);
	image_maker_deinit(maker);
	return image->elf;
}

#endif
