/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "compress/section_packing.h"

#include <elf.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* Younger than some copies of elf.h. */
#define COMPRESSED_ZSTD 2

enum section_packing section_packing_of(uint32_t compression_type)
{
	switch (compression_type) {
	case ELFCOMPRESS_ZLIB:
		return SECTION_ZLIB;
	case COMPRESSED_ZSTD:
		return SECTION_ZSTD;
	default:
		return SECTION_PACKING_UNKNOWN;
	}
}

/* Reading debug information that is compressed is mostly this, and libdeflate takes a third of the
 * time zlib does. */
#ifdef HAVE_LIBDEFLATE
static bool unpack_zlib(struct span packed, unsigned char *to, size_t size_bytes)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	bool good = decompressor &&
		    libdeflate_zlib_decompress(decompressor, packed.at, span_left(&packed), to,
					       size_bytes, NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(decompressor);
	return good;
}
#else
static bool unpack_zlib(struct span packed, unsigned char *to, size_t size_bytes)
{
	uLongf unpacked = (uLongf)size_bytes;

	return uncompress(to, &unpacked, packed.at, (uLong)span_left(&packed)) == Z_OK &&
	       unpacked == size_bytes;
}
#endif

static bool unpack_zstd(struct span packed, unsigned char *to, size_t size_bytes)
{
#ifdef HAVE_ZSTD
	return ZSTD_decompress(to, size_bytes, packed.at, span_left(&packed)) == size_bytes;
#else
	(void)packed;
	(void)to;
	(void)size_bytes;
	return false;
#endif
}

bool section_unpack(enum section_packing packing, struct span packed, unsigned char *to,
		    size_t size_bytes)
{
	switch (packing) {
	case SECTION_PLAIN:
		if (span_left(&packed) != size_bytes)
			return false;
		if (size_bytes)
			memcpy(to, packed.at, size_bytes);
		return true;
	case SECTION_ZLIB:
		return unpack_zlib(packed, to, size_bytes);
	case SECTION_ZSTD:
		return unpack_zstd(packed, to, size_bytes);
	case SECTION_PACKING_UNKNOWN:
		break;
	}
	return false;
}

#endif
