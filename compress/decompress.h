/* SPDX-License-Identifier: MIT */
/*
 * Decompression of files, and of what is kept compressed inside of them, from memory to memory. What
 * comes out is never more than the caller allows, and memory for it is taken as it comes.
 *
 *     xz       fd 37 7a 58 5a 00    .gnu_debugdata, ext4.ko.xz     compress/xz.c       liblzma
 *     gzip     1f 8b                ext4.ko.gz                     compress/section_inflate.c  zlib
 *     zlib     told by the section  SHF_COMPRESSED, .zdebug        compress/section_inflate.c  zlib
 *     zstd     28 b5 2f fd          ext4.ko.zst, SHF_COMPRESSED    compress/unzstd.c   libzstd
 */
#ifndef COMPRESS_DECOMPRESS_H
#define COMPRESS_DECOMPRESS_H

#include "base/error.h"
#include "base/span.h"

enum packing {
	PACKING_NONE,
	PACKING_XZ,
	PACKING_GZIP,
	PACKING_ZLIB,
	PACKING_ZSTD,
};

/* Bytes enough to tell it. */
#define PACKING_HEAD_BYTES 6

/* How a file that begins so is compressed; never PACKING_ZLIB, which has no mark. */
enum packing packing_of(const void *head, size_t size_bytes);

/*
 * Unpacks all of packed, at most cap_bytes, into memory the caller frees with memory_free. False when it
 * is damaged or larger, or when kiln was built without the library.
 */
bool decompress(enum packing packing, struct span packed, size_t cap_bytes,
		unsigned char **memory_ret, size_t *size_ret, struct error *err) WARN_UNUSED;

/* For those who unpack: output that grows as it fills. */
struct decompress_output {
	unsigned char *memory;
	size_t used_bytes, size_bytes, cap_bytes;
};

/* Makes room behind what is used; false when cap_bytes are in use. */
bool decompress_output_grow(struct decompress_output *output);

#endif
