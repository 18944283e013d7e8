/* SPDX-License-Identifier: MIT */
/* The way back from compress/deflate.h: base64 (RFC 4648) to bytes, and raw DEFLATE (RFC 1951) unpacked. */
#ifndef COMPRESS_INFLATE_H
#define COMPRESS_INFLATE_H

#include "base/sink.h"

/* Appends the bytes that base64 stands for; blanks and line ends in it are passed over. False: it is
 * none. */
bool base64_read(struct sink *sink, struct text text) WARN_UNUSED;

/* Appends what is unpacked, limit_bytes at most. False, with what came out before: the bytes are damaged,
 * or there is more, or this build has no zlib. */
bool inflate_read(struct sink *sink, struct text bytes, size_t limit_bytes) WARN_UNUSED;

#endif
