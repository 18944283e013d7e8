/* SPDX-License-Identifier: MIT */
/*
 * Detects the format of an input from its first bytes. The most confident probe wins. Among equals,
 * the format that needs the fewest lines wins, so the first of several concatenated captures is
 * read.
 *
 *     certain  >  unsupported, by magic bytes  >  likely  >  unsupported, by first lines  >  perhaps
 *                 (libparse/foreign.h)
 */
#ifndef LIBPARSE_DETECT_H
#define LIBPARSE_DETECT_H

#include "libparse/evidence.h"
#include "libparse/formats.h"

/*
 * Returns NULL with err if no format matches, or if two formats match equally well. If the format
 * is known but unsupported, the error contains its name.
 */
const struct input_format *detect(struct span head, struct evidence *ret, struct error *err);

/* Returns the first of these text formats that matches, or NULL. formats may be NULL. */
const struct input_format *detect_first(const struct input_format *const *formats, struct span head,
					struct evidence *ret);

#endif
