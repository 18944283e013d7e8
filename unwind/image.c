/* SPDX-License-Identifier: MIT */
#include "unwind/image.h"

#include <elf.h>

/* Maximum size of a section of call frame information. Chromium's section takes 30 MB. */
#define LIMIT_CFI_SECTION_BYTES ((uint64_t)256 << 20)

/* The contents of .eh_frame_hdr; empty if this section is missing. */
static struct span search_table(const struct elf_file *file)
{
	const struct elf_section *section = elf_find_section(file, ".eh_frame_hdr");
	struct span bytes = span_of("", 0, 0, file->is_swapped);

	if (!section)
		return bytes;
	bytes = elf_section_bytes(file, section);
	return span_of(bytes.at, span_left(&bytes), section->address, file->is_swapped);
}

/* A decompressed copy of a section's contents, or NULL if it is empty. */
static unsigned char *copy_section(const struct elf_file *file, const struct elf_section *section,
				   size_t *size_ret)
{
	struct error ignored;
	struct span bytes;

	if (section->size_bytes > LIMIT_CFI_SECTION_BYTES)
		return NULL;
	if (!section->is_compressed) {
		*size_ret = (size_t)section->size_bytes;
		return elf_section_copy(file, section);
	}
	if (!elf_section_decompress(file, section, LIMIT_CFI_SECTION_BYTES, &bytes, &ignored) ||
	    !span_left(&bytes))
		return NULL;
	*size_ret = span_left(&bytes);
	return memcpy(memory_alloc(*size_ret, 1), bytes.at, *size_ret);
}

static void add_section(struct image *image, const struct elf_file *file, const char *name,
			enum cfi_kind kind)
{
	const struct elf_section *section = elf_find_section(file, name);
	uint8_t word_bytes = file->is_64_bit ? 8 : 4;
	unsigned char *bytes;
	struct span content;
	size_t size_bytes;
	struct cfi *cfi;

	bytes = section ? copy_section(file, section, &size_bytes) : NULL;
	if (!bytes)
		return;
	image->bytes[image->cfi_count] = bytes;
	cfi = &image->cfi[image->cfi_count++];
	content = span_of(bytes, size_bytes, section->address, file->is_swapped);
	if (kind == CFI_EH_FRAME)
		cfi_init_with_table(cfi, content, search_table(file), word_bytes);
	else
		cfi_init(cfi, content, kind, word_bytes);
}

static void find_stubs(struct image *image, const struct elf_file *file)
{
	static const char *const names[IMAGE_STUBS_MAX] = { ".plt", ".plt.sec", ".plt.got",
							    ".iplt" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct elf_section *section = elf_find_section(file, names[i]);
		struct image_stubs *stubs = &image->stubs[image->stub_count];

		if (!section ||
		    __builtin_add_overflow(section->address, section->size_bytes, &stubs->end))
			continue;
		stubs->start = section->address;
		stubs->is_lazy = i == 0;
		image->stub_count++;
	}
}

bool image_is_in_stub(const struct image *image, uint64_t address)
{
	/* On x86, the first 16 bytes of .plt are not a stub. The jump of a stub has 6 bytes. */
	enum {
		STUB_BYTES = 16,
		JUMP_BYTES = 6
	};

	for (unsigned i = 0; i < image->stub_count; i++) {
		const struct image_stubs *stubs = &image->stubs[i];

		if (address < stubs->start || address >= stubs->end)
			continue;
		address -= stubs->start;
		return !stubs->is_lazy ||
		       (address >= STUB_BYTES && address % STUB_BYTES <= JUMP_BYTES);
	}
	return false;
}

void image_init(struct image *image, const struct elf_file *file, const struct elf_file *debug_file)
{
	*image = (struct image){ .elf_machine = file->machine };
	for (size_t i = 0; i < file->segments.count; i++) {
		const struct elf_segment *segment = &file->segments.at[i];

		if (segment->is_executable && segment->file_bytes)
			vec_push(&image->segments, (struct image_segment){
							   .file_offset = segment->file_offset,
							   .file_bytes = segment->file_bytes,
							   .address = segment->address,
						   });
	}
	if (file->machine == EM_X86_64 || file->machine == EM_386)
		find_stubs(image, file);
	add_section(image, file, ".eh_frame", CFI_EH_FRAME);
	add_section(image, file, ".debug_frame", CFI_DEBUG_FRAME);
	if (debug_file && debug_file != file && debug_file->machine == file->machine &&
	    debug_file->is_64_bit == file->is_64_bit)
		add_section(image, debug_file, ".debug_frame", CFI_DEBUG_FRAME);
}

void image_deinit(struct image *image)
{
	for (unsigned i = 0; i < image->cfi_count; i++) {
		cfi_deinit(&image->cfi[i]);
		memory_free(image->bytes[i]);
	}
	vec_free(&image->segments);
}

bool image_address(const struct image *image, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < image->segments.count; i++) {
		const struct image_segment *segment = &image->segments.at[i];

		if (offset >= segment->file_offset &&
		    offset - segment->file_offset < segment->file_bytes) {
			*ret = offset - segment->file_offset + segment->address;
			return true;
		}
	}
	return false;
}
