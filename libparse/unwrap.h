/* SPDX-License-Identifier: MIT */
/*
 * Compressed inputs and archives. Their content is decompressed into an unnamed temporary file,
 * which replaces the input, so readers see a plain file.
 *
 *     perf.data.zst   one compression                ▶ the capture
 *     perf.tar        one archive                    ▶ the one capture in it; of a directory, all of its files
 *     bundle.tar.gz   one compression, one archive   ▶ the same, and files for symbolisation
 */
#ifndef LIBPARSE_UNWRAP_H
#define LIBPARSE_UNWRAP_H

#include "compress/contents.h"
#include "compress/extract.h"
#include "libparse/folder.h"

/*
 * Replaces the input by its content; name and time stay. Truncated or corrupt content is used as
 * far as it goes, see *ret. Record files of a capture that is a directory are added to folder,
 * files for symbolisation to contents, which is finished in any case. False: nothing can be read,
 * and the input is unchanged.
 */
bool unwrap(struct input *input, struct folder *folder, struct contents *contents,
	    struct extracted *ret, struct error *err) WARN_UNUSED;

#endif
