/* SPDX-License-Identifier: MIT */
/*
 * Inputs inside something else: compressed as a whole, or one file of an archive. What is in them
 * goes to an unnamed temporary file, which takes the place of the input, so that every reader sees
 * a plain one.
 *
 *     perf.data.zst       ─ one compression ─────────────▶ spool: the capture
 *     perf.tar            ─────────────── one archive ───▶ spool: the one capture in it, and for
 *                                                          one that is a folder, each of its files
 *     bundle.tar.gz       ─ one compression, one archive ▶ the same; what can name frames is kept too
 */
#ifndef LIBPARSE_UNWRAP_H
#define LIBPARSE_UNWRAP_H

#include "compress/contents.h"
#include "libparse/folder.h"

/*
 * Puts what is inside in the place of the input, which keeps its name and time. What was cut or
 * damaged is unwrapped as far as it goes, as *ret says. Files that may belong to the capture, if that
 * is a folder, are added to folder, and all others that can name frames to contents, which is finished
 * whatever comes of it. False, with the input as it was, when there is nothing to be had.
 */
bool unwrap(struct input *input, struct folder *folder, struct contents *contents,
	    struct extracted *ret, struct error *err) WARN_UNUSED;

#endif
