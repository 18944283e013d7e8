/* SPDX-License-Identifier: MIT */
/*
 * Writing archives: a tar, compressed as its name says. Without times and owners, so that the same files in the
 * same order always make the same bytes.
 */
#ifndef COMPRESS_PACK_H
#define COMPRESS_PACK_H

#include "base/input.h"
#include "base/sink.h"

struct pack;

/*
 * Begins an archive into sink, which must outlive it. The codec follows from the suffix of name: .tar, .tar.gz, .tgz,
 * .tar.xz, .txz, .tar.bz2 or .tbz2; any other name, and NULL, means zstd. NULL: see err.
 */
struct pack *pack_create(const char *name, struct sink *sink, struct error *err) WARN_UNUSED;

/* Adds a file: bytes from memory, or a range of an input. */
bool pack_bytes(struct pack *pack, const char *name, const void *bytes, size_t size_bytes,
		struct error *err) WARN_UNUSED;
bool pack_input(struct pack *pack, const char *name, const struct input *input, uint64_t begin,
		uint64_t size_bytes, struct error *err) WARN_UNUSED;

/* Ends the archive and destroys pack, whether it succeeds or not. */
bool pack_finish(struct pack *pack, struct error *err) WARN_UNUSED;
void pack_destroy(struct pack *pack);

#endif
