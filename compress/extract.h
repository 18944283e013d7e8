/* SPDX-License-Identifier: MIT */
/*
 * Reads compressed files and archives. A visitor gets the name and the first bytes of each file,
 * and chooses which files to keep. The contents of these files are appended to temporary files. No
 * named file is created, and no other program is run.
 *
 *     x.zst       ─ one codec ──────────────▶ one file without a name
 *     x.tar       ─────────── one archive ──▶ files and links
 *     x.tar.gz    ─ one codec, one archive ─▶ files and links
 *
 * The files inside are not unwrapped further. Only this module and compress/pack.c use libarchive.
 */
#ifndef COMPRESS_EXTRACT_H
#define COMPRESS_EXTRACT_H

#include "base/error.h"
#include "base/input.h"
#include "compress/codec.h"

/*
 * The number of bytes that show whether a file is compressed or an archive: the size of a tar
 * header.
 */
#define EXTRACT_HEAD_BYTES 512

/* The name of the codec, or "tar". NULL if the file is neither compressed nor an archive. */
const char *extract_format(struct span head);

/* Arguments are valid only during the call. */
struct extract_visitor {
	void *context;
	/*
	 * Called for a file. Sets *ret to the temporary file to which the contents are appended. To
	 * skip the file, sets *ret to NULL. name: as in the archive; .at is NULL if there is no
	 * archive. head: the file's first EXTRACT_HEAD_BYTES.
	 */
	bool (*on_file)(void *context, struct text name, struct span head, struct input **ret,
			struct error *err);
	/*
	 * Called for a link. The target of a hard link is relative to the archive's root. NULL:
	 * links are skipped.
	 */
	void (*on_link)(void *context, struct text name, struct text target, bool is_hard);
};

struct extracted {
	const char *format; /* see extract_format */
	bool is_archive;
	bool is_partial; /* the file is truncated or corrupt, and was read as far as possible */
	struct error damage;
};

/*
 * Passes everything in the input to the visitor. A truncated or corrupt file is an error only if
 * nothing can be read. Also fails if the visitor fails, or if the input is a decompression bomb.
 */
bool extract(const struct input *input, const struct extract_visitor *visitor,
	     struct extracted *ret, struct error *err) WARN_UNUSED;

#endif
