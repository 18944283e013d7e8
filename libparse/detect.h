/* SPDX-License-Identifier: MIT */
/*
 * Which format an input is of, by its first bytes. Every format's probe says what speaks for it; the most confident one
 * wins. Of several that are equally confident it is the one that is so after the fewest lines: of captures that
 * were run together the first one is read.
 *
 *     certain  >  what is known and not read (libparse/foreign.h)  >  likely  >  the same of texts  >  perhaps
 *                 by its magic bytes                                         by its first lines
 */
#ifndef LIBPARSE_DETECT_H
#define LIBPARSE_DETECT_H

#include "libparse/formats.h"

/* NULL: none is confident, or two are. The error says what the input is instead, where that is known. */
const struct input_format *detect(struct span head, struct evidence *ret, struct error *err);

#endif
