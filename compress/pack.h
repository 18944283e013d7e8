/* SPDX-License-Identifier: MIT */
/*
 * Writing an archive: a tar, compressed as its name says. The same files in the same order are the same
 * bytes whoever writes them and when: there are no times and no owners.
 */
#ifndef COMPRESS_PACK_H
#define COMPRESS_PACK_H

#include "base/input.h"
#include "base/sink.h"

struct pack;

/*
 * Begins an archive into sink, which outlives it. name is that of the file, if any: .tar, .tar.gz, .tgz,
 * .tar.xz, .txz, .tar.bz2 and .tbz2 say how it is compressed, all else means zstd. NULL with the error.
 */
struct pack *pack_create(const char *name, struct sink *sink, struct error *err) WARN_UNUSED;

/* Adds a file: bytes from memory, or a stretch of an input. */
bool pack_bytes(struct pack *pack, const char *name, const void *bytes, size_t size_bytes,
		struct error *err) WARN_UNUSED;
bool pack_input(struct pack *pack, const char *name, const struct input *input, uint64_t begin,
		uint64_t size_bytes, struct error *err) WARN_UNUSED;

/* Ends the archive. Destroys pack whatever comes of it. */
bool pack_finish(struct pack *pack, struct error *err) WARN_UNUSED;
void pack_destroy(struct pack *pack);

#endif
