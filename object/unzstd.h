/* SPDX-License-Identifier: MIT */
/* What zstd compressed, of files that name code. */
#ifndef OBJECT_UNZSTD_H
#define OBJECT_UNZSTD_H

#include "object/decompress.h"

/* As decompress (object/decompress.h) does; of several frames all. */
bool unzstd_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret,
		   size_t *size_ret, struct error *err) WARN_UNUSED;

#endif
