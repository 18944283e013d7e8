/* SPDX-License-Identifier: MIT */
/*
 * What is inside compressed files and archives. Each file in there is shown to a taker by its name
 * and its first bytes; what the taker wants is appended to a temporary file of its choice. Nothing is
 * ever unpacked to a name, and no other program is run.
 *
 *     x.zst       ─ one compression ──────────────▶ one file without a name
 *     x.tar       ───────────────── one archive ──▶ files and links
 *     x.tar.gz    ─ one compression, one archive ─▶ files and links
 *
 * Nothing is unwrapped further than that. Beside archive/pack this is all that knows libarchive.
 */
#ifndef COMPRESS_EXTRACT_H
#define COMPRESS_EXTRACT_H

#include "compress/wrapping.h"
#include "base/error.h"
#include "base/input.h"

/* Who is shown what comes out. What is passed to it lives as long as the call. */
struct extract_taker {
	void *context;
	/* A file: sets *ret to the temporary file it is to be appended to, or NULL to pass it over. name is
	 * as it is in the archive (at NULL: there is no archive), head its first WRAPPING_HEAD_BYTES. */
	bool (*file)(void *context, struct text name, struct span head, struct input **ret,
		     struct error *err);
	/* A link, of the archive's; a hard one names its target from the archive's root. NULL: unwanted. */
	void (*link)(void *context, struct text name, struct text target, bool is_hard);
};

/* How far it came. */
struct extracted {
	enum wrapping wrapping;
	bool is_archive;
	bool is_partial; /* cut or damaged: unpacked as far as it goes */
	struct error damage;
};

/*
 * Shows all that is in the input to taker. What is cut or damaged is not an error as long as anything
 * comes out. False when nothing does, or more than is believable, or the taker says so.
 */
bool extract(const struct input *input, const struct extract_taker *taker, struct extracted *ret,
	     struct error *err) WARN_UNUSED;

#endif
