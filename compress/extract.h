/* SPDX-License-Identifier: MIT */
/*
 * Reading compressed files and archives. Each file inside is shown to a visitor by name and first bytes; what the
 * visitor wants is appended to a temporary file. Nothing is extracted to a name, and no other program is run.
 *
 *     x.zst       ─ one codec ──────────────▶ one file without a name
 *     x.tar       ─────────── one archive ──▶ files and links
 *     x.tar.gz    ─ one codec, one archive ─▶ files and links
 *
 * Nothing is unwrapped further than that. Besides compress/pack.c only this module knows libarchive.
 */
#ifndef COMPRESS_EXTRACT_H
#define COMPRESS_EXTRACT_H

#include "base/error.h"
#include "base/input.h"
#include "compress/codec.h"

/* How much of a file shows whether it is compressed or an archive: the header of a tar. */
#define EXTRACT_HEAD_BYTES 512

/* The name of the codec or "tar"; NULL: the file is neither compressed nor an archive. */
const char *extract_format(struct span head);

/* Arguments live as long as the call. */
struct extract_visitor {
	void *context;
	/* A file: sets *ret to the temporary file it is appended to, or to NULL to skip it. name is as it is in
	 * the archive (at NULL: there is no archive), head its first EXTRACT_HEAD_BYTES. */
	bool (*on_file)(void *context, struct text name, struct span head, struct input **ret,
			struct error *err);
	/* A link; a hard one names its target from the archive's root. NULL: links are skipped. */
	void (*on_link)(void *context, struct text name, struct text target, bool is_hard);
};

struct extracted {
	const char *format; /* as extract_format */
	bool is_archive;
	bool is_partial; /* the file is truncated or corrupt: what could be read was */
	struct error damage;
};

/*
 * Shows everything in the input to the visitor. A truncated or corrupt file is an error only when nothing can be
 * read. False too when the visitor fails, or the output is a decompression bomb.
 */
bool extract(const struct input *input, const struct extract_visitor *visitor,
	     struct extracted *ret, struct error *err) WARN_UNUSED;

#endif
