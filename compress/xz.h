/* SPDX-License-Identifier: MIT */
/* What xz compressed. The only user of liblzma. */
#ifndef COMPRESS_XZ_H
#define COMPRESS_XZ_H

#include "compress/decompress.h"

/* As decompress (compress/decompress.h) does; one stream. */
bool xz_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret, size_t *size_ret,
	       struct error *err) WARN_UNUSED;

#endif
