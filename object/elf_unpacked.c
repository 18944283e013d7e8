/* SPDX-License-Identifier: MIT */
#include "object/elf_unpacked.h"

#include "base/limits.h"
#include "compress/codec.h"

struct unpacked_section {
	uint32_t section;
	unsigned char *bytes;
	size_t size_bytes;
};

struct elf_unpacked {
	VEC(struct unpacked_section) rows;
};

struct elf_unpacked *elf_unpacked_create(void)
{
	return memory_zalloc(1, sizeof(struct elf_unpacked));
}

void elf_unpacked_destroy(struct elf_unpacked *unpacked)
{
	if (!unpacked)
		return;
	for (size_t i = 0; i < unpacked->rows.count; i++)
		memory_free(unpacked->rows.at[i].bytes);
	vec_free(&unpacked->rows);
	memory_free(unpacked);
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

/* Reads the header of Elf32_Chdr or Elf64_Chdr off the front of bytes. */
static bool read_header(const struct elf_file *elf, struct span *bytes, enum codec *codec,
			uint64_t *size_bytes)
{
	uint64_t word; /* how the content is aligned */
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

/* What GNU tools wrote before SHF_COMPRESSED: "ZLIB" and the size, its highest byte first. */
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

static const struct unpacked_section *find(const struct elf_unpacked *unpacked, uint32_t section)
{
	for (size_t i = 0; i < unpacked->rows.count; i++)
		if (unpacked->rows.at[i].section == section)
			return &unpacked->rows.at[i];
	return NULL;
}

static bool unpack_section(const struct elf_section *section, enum codec codec, struct span packed,
			   uint64_t wanted_bytes, size_t cap_bytes, struct unpacked_section *ret,
			   struct error *err)
{
	if (wanted_bytes > cap_bytes)
		return error_set(err, ERROR_LIMIT, "%.*s: %llu bytes, unpacked",
				 (int)section->name.length, section->name.at,
				 (unsigned long long)wanted_bytes);
	*ret = (struct unpacked_section){ .section = section->index };
	if (!codec_decompress(codec, packed, (size_t)wanted_bytes, &ret->bytes, &ret->size_bytes,
			      err))
		return error_prefix(err, "%.*s", (int)section->name.length, section->name.at);
	if (ret->size_bytes == wanted_bytes)
		return true;
	memory_free(ret->bytes);
	return error_set(err, ERROR_CORRUPT, "%.*s: shorter than it says",
			 (int)section->name.length, section->name.at);
}

bool elf_section_unpack(const struct elf_file *elf, const struct elf_section *section,
			size_t cap_bytes, struct span *ret, struct error *err)
{
	struct span bytes = elf_section_bytes(elf, section);
	const struct unpacked_section *known = find(elf->unpacked, section->index);
	enum codec codec = CODEC_ZLIB;
	struct unpacked_section made;
	uint64_t wanted_bytes;

	if (!known) {
		if (section->is_packed) {
			if (!read_header(elf, &bytes, &codec, &wanted_bytes))
				return error_set(err, ERROR_CORRUPT, "%.*s: is cut",
						 (int)section->name.length, section->name.at);
		} else if (!read_old_header(section, &bytes, &wanted_bytes)) {
			*ret = bytes;
			return true;
		}
		if (!unpack_section(section, codec, bytes, wanted_bytes, cap_bytes, &made, err))
			return false;
		vec_push(&elf->unpacked->rows, made);
		known = &elf->unpacked->rows.at[elf->unpacked->rows.count - 1];
	}
	*ret = span_of(known->bytes ? known->bytes : (const unsigned char *)"", known->size_bytes,
		       0, elf->is_swapped);
	return true;
}
