/* SPDX-License-Identifier: MIT */
/* What zstd compressed, of files that name code. */
#ifndef COMPRESS_UNZSTD_H
#define COMPRESS_UNZSTD_H

#include "compress/decompress.h"

/* As decompress (compress/decompress.h) does; of several frames all. */
bool unzstd_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret,
		   size_t *size_ret, struct error *err) WARN_UNUSED;

#endif
