/* SPDX-License-Identifier: MIT */
/*
 * Characters as bytes: UTF-8 as the Unicode Standard has it, table 3-7.
 *
 *     U+20AC  ◀─▶  e2 82 ac        e2 82 | 41: the first two are the beginning of one, and no character
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/sink.h"

#define UTF8_REPLACEMENT 0xfffdu /* of what is no character */

/*
 * The length of the character at the beginning of text, which is not empty: 1 to 4, or 0 when
 * the bytes there are none (cut, overlong, a surrogate, beyond U+10FFFF).
 */
size_t utf8_length(struct text text);

/* Writes a character; halves of a pair and what is beyond U+10FFFF become UTF8_REPLACEMENT. */
void utf8_write(struct sink *sink, uint32_t character);

/* Writes text in which UTF8_REPLACEMENT stands for each beginning of a character that does not go on, and for each
 * byte that begins none. */
void utf8_write_repaired(struct sink *sink, struct text text);

#endif
