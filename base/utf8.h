/* SPDX-License-Identifier: MIT */
/*
 * UTF-8, as defined by the Unicode Standard, table 3-7.
 *
 *     U+20AC  ◀─▶  e2 82 ac        e2 82 | 41: an incomplete character, then "A"
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/sink.h"

#define UTF8_REPLACEMENT 0xfffdu /* the character that replaces invalid bytes */

/*
 * The length of the first character, from 1 to 4. 0 if it is invalid: truncated, overlong, a
 * surrogate, or beyond U+10FFFF. The text must not be empty.
 */
size_t utf8_length(struct text text);

/* Writes a character. Surrogates and values beyond U+10FFFF become UTF8_REPLACEMENT. */
void utf8_write(struct sink *sink, uint32_t character);

/*
 * Writes text with UTF8_REPLACEMENT for each incomplete character, and for each byte that cannot
 * begin one.
 */
void utf8_write_repaired(struct sink *sink, struct text text);

#endif
