/* SPDX-License-Identifier: MIT */
/*
 * Writes tar archives, compressed according to the suffix of their name. The archives contain no
 * times or owners. With the same libraries, the same files in the same order therefore result in
 * the same bytes.
 */
#ifndef COMPRESS_PACK_H
#define COMPRESS_PACK_H

#include "base/input.h"
#include "base/sink.h"

struct pack;

/*
 * Begins an archive that is written to sink. sink must outlive the archive. The codec follows from
 * the suffix of the name: .tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.bz2 or .tbz2. Any other name, or
 * NULL, means zstd. Returns NULL with err on failure.
 */
struct pack *pack_create(const char *name, struct sink *sink, struct error *err) WARN_UNUSED;

/* Adds a file: bytes from memory, or a range of an input. */
bool pack_bytes(struct pack *pack, const char *name, const void *bytes, size_t size_bytes,
		struct error *err) WARN_UNUSED;
bool pack_input(struct pack *pack, const char *name, const struct input *input, uint64_t begin,
		uint64_t size_bytes, struct error *err) WARN_UNUSED;

/* Completes the archive. Destroys pack, even on failure. */
bool pack_finish(struct pack *pack, struct error *err) WARN_UNUSED;
void pack_destroy(struct pack *pack);

#endif
