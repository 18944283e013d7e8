/* SPDX-License-Identifier: MIT */
/* base64 (RFC 4648), which represents any bytes as text. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/sink.h"

/* Appends the bytes as base64, with padding, on a single line. */
void base64_write(struct sink *sink, struct text bytes);

/*
 * Decodes the text and appends the bytes. Blanks and newlines are ignored. Returns false if the
 * text is not base64.
 */
bool base64_read(struct sink *sink, struct text text) WARN_UNUSED;

#endif
