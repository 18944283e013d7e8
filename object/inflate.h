/* SPDX-License-Identifier: MIT */
/* What zlib and gzip compressed. */
#ifndef OBJECT_INFLATE_H
#define OBJECT_INFLATE_H

#include "object/decompress.h"

/* As decompress (object/decompress.h) does; of gzip all members. */
bool inflate_unpack(struct span packed, bool is_gzip, size_t cap_bytes, unsigned char **memory_ret,
		    size_t *size_ret, struct error *err) WARN_UNUSED;

#endif
