/* SPDX-License-Identifier: MIT */
/*
 * Packing of bytes by raw DEFLATE (RFC 1951), the form browsers unpack by themselves, and base64
 * (RFC 4648), the form in which any document can hold them.
 */
#ifndef COMPRESS_DEFLATE_H
#define COMPRESS_DEFLATE_H

#include "base/sink.h"

/* Appends the packed form of bytes; false when this build has no zlib. The same bytes pack alike. */
bool deflate_write(struct sink *sink, struct text bytes) WARN_UNUSED;

/* Appends the bytes as base64, with its padding and in one line. */
void base64_write(struct sink *sink, struct text bytes);

#endif
