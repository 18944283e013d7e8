/* SPDX-License-Identifier: MIT */
/* What zlib and gzip compressed. */
#ifndef COMPRESS_SECTION_INFLATE_H
#define COMPRESS_SECTION_INFLATE_H

#include "compress/decompress.h"

/* As decompress (compress/decompress.h) does; of gzip all members. */
bool inflate_unpack(struct span packed, bool is_gzip, size_t cap_bytes, unsigned char **memory_ret,
		    size_t *size_ret, struct error *err) WARN_UNUSED;

#endif
