/* SPDX-License-Identifier: MIT */
/*
 * What is in a gzip file, to its last byte even when the file is cut: a capture that was copied half
 * is mostly there. Several members, one behind the other, are one stream; what follows the last and
 * is no member is passed over, as gzip(1) does.
 *
 * Source: RFC 1952. This is the only file that knows zlib.
 */
#ifndef COMPRESS_GUNZIP_H
#define COMPRESS_GUNZIP_H

#include "base/error.h"
#include "base/input.h"

struct gunzip;

/* Reads the input, which must outlive it, from its beginning. */
struct gunzip *gunzip_create(const struct input *input);
void gunzip_destroy(struct gunzip *gunzip);

/*
 * The next bytes that come out, *got of them; 0 at the end. False when nothing more can come, with
 * ERROR_DAMAGED when that is the fault of what is read; the *got bytes stand even so.
 */
bool gunzip_read(struct gunzip *gunzip, void *buffer, size_t size_bytes, size_t *got,
		 struct error *err) WARN_UNUSED;

/* How much of the input has been taken. */
uint64_t gunzip_taken_bytes(const struct gunzip *gunzip);

#endif
