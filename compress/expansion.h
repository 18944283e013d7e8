/* SPDX-License-Identifier: MIT */
/*
 * Decompression bombs: whether more comes out of compressed bytes than any capture has in it. The
 * first bytes are free, for little harm is in them however few they come from:
 *
 *     in    |==|                 128 kB of zstd
 *     out   |== free ==|== at most LIMIT_UNWRAP_RATIO times what was taken in, and one spool ==|
 */
#ifndef COMPRESS_EXPANSION_H
#define COMPRESS_EXPANSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

static inline bool expansion_is_excessive(uint64_t in_bytes, uint64_t out_bytes)
{
	return out_bytes > LIMIT_UNWRAP_FREE_BYTES &&
	       (out_bytes / LIMIT_UNWRAP_RATIO > in_bytes || out_bytes > LIMIT_SPOOL_BYTES);
}

#endif
