/* SPDX-License-Identifier: MIT */
/* Decompression of what is kept compressed inside ELF files. The only user of liblzma. */
#ifndef OBJECT_XZ_H
#define OBJECT_XZ_H

#include "base/error.h"
#include "base/span.h"

/*
 * Unpacks an .xz stream of at most cap_bytes into memory the caller frees with memory_free. False
 * when it is damaged or larger, or when kiln was built without liblzma.
 */
bool xz_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret, size_t *size_ret,
	       struct error *err) WARN_UNUSED;

#endif
