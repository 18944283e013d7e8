/* SPDX-License-Identifier: MIT */
/*
 * What a file is wrapped in, told by its first bytes and never by its name:
 *
 *     1f 8b 08 ...          gzip        fd "7zXZ" 0 ...    xz
 *     28 b5 2f fd ...       zstd        "BZh" digit ...    bzip2
 *     a header of 512 bytes whose sum is right             tar
 */
#ifndef COMPRESS_WRAPPING_H
#define COMPRESS_WRAPPING_H

#include "base/span.h"

/* Bytes of a file's beginning that tell whether it is wrapped. */
#define WRAPPING_HEAD_BYTES 512

enum wrapping {
	WRAPPING_NONE,
	WRAPPING_GZIP,
	WRAPPING_XZ,
	WRAPPING_ZSTD,
	WRAPPING_BZIP2,
	WRAPPING_TAR,
};

enum wrapping wrapping_find(struct span head);

/* As users call it; NULL for WRAPPING_NONE. */
const char *wrapping_name(enum wrapping wrapping);

#endif
