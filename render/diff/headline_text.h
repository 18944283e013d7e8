/* SPDX-License-Identifier: MIT */
/*
 * Writes the headline of a comparison as a sentence, which is the same in all outputs:
 *
 *     CPU time +17.1% [+12.0, +22.4] in captures of equal length; 2 functions explain 94% of it:
 *     lookup +13.1% of the BEFORE total [+12.0, +14.2], hash +2.9% [+2.1, +3.8]; 18 others only
 *     shifted in share
 */
#ifndef RENDER_DIFF_HEADLINE_TEXT_H
#define RENDER_DIFF_HEADLINE_TEXT_H

#include "render/diff/diff_text.h"
#include "render/json.h"

/* Without a newline. */
void headline_text_write(const struct diff *diff, diff_text_name *write_name, struct sink *sink);

/* "headline" in JSON: its text and its parts. */
void headline_text_json(const struct diff *diff, struct json *json);

#endif
