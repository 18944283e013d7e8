/* SPDX-License-Identifier: MIT */
/*
 * Inputs inside something else: compressed as a whole, or one file of an archive. What is in them
 * goes to an unnamed temporary file, which takes the place of the input, so that every reader sees
 * a plain one. Told by content, never by name:
 *
 *     perf.data.zst       ─ one compression ─────────────▶ spool: the capture
 *     perf.tar            ─────────────── one archive ───▶ spool: the one capture in it
 *     bundle.tar.gz       ─ one compression, one archive ▶ spool: the one capture in it, and for
 *                                                          one that is a folder, each of its files
 *
 * Nothing is unwrapped further than that. No other program is ever run for it. This is the only
 * file that knows libarchive.
 */
#ifndef LIBPARSE_UNWRAP_H
#define LIBPARSE_UNWRAP_H

#include "base/error.h"
#include "base/input.h"
#include "base/span.h"
#include "libparse/folder.h"
#include "libparse/wrapping.h"

/* Bytes of an input's beginning that tell whether it is wrapped. */
#define UNWRAP_HEAD_BYTES WRAPPING_HEAD_BYTES

/* What an input beginning like this is wrapped in, as users call it; NULL: it is not. */
static inline const char *unwrap_probe(struct span head)
{
	return wrapping_name(wrapping_find(head));
}

/*
 * Puts what is inside in the place of the input, which keeps its name and time. What was cut or
 * damaged is unwrapped as far as it goes: then *is_partial is set and damage says why. Files that
 * may belong to the capture, if that is a folder, are added to folder. False, with the input as it
 * was, when there is nothing to be had.
 */
bool unwrap(struct input *input, struct folder *folder, bool *is_partial, struct error *damage,
	    struct error *err) WARN_UNUSED;

#endif
