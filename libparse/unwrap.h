/* SPDX-License-Identifier: MIT */
/*
 * Compressed inputs and archives. unwrap decompresses such an input into an unnamed temporary file.
 * The temporary file replaces the input, so readers see a plain file.
 *
 *     perf.data.zst   one compression                ▶ the capture
 *     perf.tar        one archive                    ▶ the one capture in it; all files, if it is a directory
 *     bundle.tar.gz   one compression, one archive   ▶ the same, and files for symbolisation
 */
#ifndef LIBPARSE_UNWRAP_H
#define LIBPARSE_UNWRAP_H

#include "compress/contents.h"
#include "compress/extract.h"
#include "libparse/directory.h"

/*
 * Replaces the input with its content, but keeps its name and time. Truncated or corrupt content is
 * used as far as possible; see *ret. If the capture is a directory, its record files are added to
 * `directory`. Files for symbolisation are added to `contents`. contents_finish is called even
 * after a failure. If nothing can be read, returns false and leaves the input unchanged.
 */
bool unwrap(struct input *input, struct directory *directory, struct contents *contents,
	    struct extracted *ret, struct error *err) WARN_UNUSED;

#endif
