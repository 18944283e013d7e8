/* SPDX-License-Identifier: MIT */
#include "object/elf_decompressed.h"

#include "base/strings.h"
#include "compress/codec.h"

struct decompressed_section {
	uint32_t section;
	unsigned char *bytes;
	size_t size_bytes;
};

struct elf_decompressed {
	VEC(struct decompressed_section) rows;
};

struct elf_decompressed *elf_decompressed_create(void)
{
	return memory_zalloc(1, sizeof(struct elf_decompressed));
}

void elf_decompressed_destroy(struct elf_decompressed *decompressed)
{
	if (!decompressed)
		return;
	for (size_t i = 0; i < decompressed->rows.count; i++)
		memory_free(decompressed->rows.at[i].bytes);
	vec_free(&decompressed->rows);
	memory_free(decompressed);
}

bool elf_name_at(struct text names, uint64_t offset, struct text *ret)
{
	size_t left = offset < names.length ? names.length - offset : 0;
	const char *begin = names.at + offset;
	const char *nul;

	if (left == 0)
		return false;
	nul = memchr(begin, '\0', left < LIMIT_SYMBOL_BYTES ? left : LIMIT_SYMBOL_BYTES);
	if (!nul && left < LIMIT_SYMBOL_BYTES)
		return false;
	*ret = (struct text){ begin, nul ? (uint32_t)(nul - begin) : LIMIT_SYMBOL_BYTES };
	return true;
}

/* Reads an Elf32_Chdr or Elf64_Chdr. */
static bool read_header(const struct elf_file *elf, struct span *bytes, enum codec *codec,
			uint64_t *size_bytes)
{
	uint64_t word; /* ch_addralign */
	uint32_t type, size, align;

	if (!span_u32(bytes, &type))
		return false;
	if (elf->is_64_bit) {
		if (!span_skip(bytes, sizeof(uint32_t)) || !span_u64(bytes, size_bytes) ||
		    !span_u64(bytes, &word))
			return false;
	} else {
		if (!span_u32(bytes, &size) || !span_u32(bytes, &align))
			return false;
		*size_bytes = size;
	}
	*codec = codec_of_section(type);
	return true;
}

/* The header of .zdebug sections, from before SHF_COMPRESSED: "ZLIB" and the size, big-endian. */
static bool read_old_header(const struct elf_section *section, struct span *bytes,
			    uint64_t *size_bytes)
{
	static const char mark[] = "ZLIB";
	struct span rest = *bytes;
	const unsigned char *at = rest.at;

	if (!text_has_prefix(section->name, ".zdebug") ||
	    !span_skip(&rest, sizeof(mark) - 1 + sizeof(*size_bytes)) ||
	    memcmp(at, mark, sizeof(mark) - 1) != 0)
		return false;
	*size_bytes = 0;
	for (size_t i = 0; i < sizeof(*size_bytes); i++)
		*size_bytes = *size_bytes << 8 | at[sizeof(mark) - 1 + i];
	*bytes = rest;
	return true;
}

static const struct decompressed_section *find(const struct elf_decompressed *decompressed,
					       uint32_t section)
{
	for (size_t i = 0; i < decompressed->rows.count; i++)
		if (decompressed->rows.at[i].section == section)
			return &decompressed->rows.at[i];
	return NULL;
}

static bool decompress_section(const struct elf_section *section, enum codec codec,
			       struct span compressed, uint64_t wanted_bytes, size_t cap_bytes,
			       struct decompressed_section *ret, struct error *err)
{
	if (wanted_bytes > cap_bytes)
		return error_set(err, ERROR_LIMIT,
				 "%.*s: decompresses to %llu bytes, more than the limit of %zu",
				 (int)section->name.length, section->name.at,
				 (unsigned long long)wanted_bytes, cap_bytes);
	*ret = (struct decompressed_section){ .section = section->index };
	if (!codec_decompress(codec, compressed, (size_t)wanted_bytes, &ret->bytes,
			      &ret->size_bytes, err))
		return error_prefix(err, "%.*s", (int)section->name.length, section->name.at);
	if (ret->size_bytes == wanted_bytes)
		return true;
	memory_free(ret->bytes);
	return error_set(err, ERROR_CORRUPT, "%.*s: is shorter than its header states",
			 (int)section->name.length, section->name.at);
}

bool elf_section_decompress(const struct elf_file *elf, const struct elf_section *section,
			    size_t cap_bytes, struct span *ret, struct error *err)
{
	struct span bytes = elf_section_bytes(elf, section);
	const struct decompressed_section *known = find(elf->decompressed_sections, section->index);
	enum codec codec = CODEC_ZLIB;
	struct decompressed_section made;
	uint64_t wanted_bytes;

	if (!known) {
		if (section->is_compressed) {
			if (!read_header(elf, &bytes, &codec, &wanted_bytes))
				return error_set(err, ERROR_CORRUPT, "%.*s: truncated",
						 (int)section->name.length, section->name.at);
		} else if (!read_old_header(section, &bytes, &wanted_bytes)) {
			*ret = bytes;
			return true;
		}
		if (!decompress_section(section, codec, bytes, wanted_bytes, cap_bytes, &made, err))
			return false;
		vec_push(&elf->decompressed_sections->rows, made);
		known = &elf->decompressed_sections->rows
				 .at[elf->decompressed_sections->rows.count - 1];
	}
	*ret = span_of(known->bytes ? known->bytes : (const unsigned char *)"", known->size_bytes,
		       0, elf->is_swapped);
	return true;
}
