/* SPDX-License-Identifier: MIT */
/*
 * The header of a jitdump, which identifies the file and its process:
 *
 *     "JiTD" as a number | version | header bytes | machine | 0 | pid | time | flags
 */
#ifndef OBJECT_JITDUMP_HEAD_H
#define OBJECT_JITDUMP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

#define JITDUMP_MAGIC      0x4a695444u
#define JITDUMP_HEAD_BYTES 40u

/* The byte order of a jitdump. Returns false if the file is not a jitdump. */
static inline bool jitdump_head_order(const void *bytes, size_t size_bytes, bool *is_swapped_ret)
{
	uint32_t magic = size_bytes < JITDUMP_HEAD_BYTES ? 0 : span_load_u32(bytes, false);

	*is_swapped_ret = magic != JITDUMP_MAGIC;
	return magic == JITDUMP_MAGIC || magic == __builtin_bswap32(JITDUMP_MAGIC);
}

/*
 * The PID of the process that wrote the jitdump, in its own PID namespace. Returns false if the
 * file is not a jitdump.
 */
static inline bool jitdump_head_read(const void *bytes, size_t size_bytes, uint32_t *pid_ret)
{
	enum {
		PID_OFFSET = 20
	};
	bool is_swapped;

	if (!jitdump_head_order(bytes, size_bytes, &is_swapped))
		return false;
	*pid_ret = span_load_u32((const char *)bytes + PID_OFFSET, is_swapped);
	return true;
}

#endif
