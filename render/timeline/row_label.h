/* SPDX-License-Identifier: MIT */
/*
 * The name to the left of a row, in the text form of a heat map or timeline:
 *
 *     worker-3 21328  ·▒▒····    │ the name is escaped, and truncated
 */
#ifndef RENDER_TIMELINE_ROW_LABEL_H
#define RENDER_TIMELINE_ROW_LABEL_H

#include "base/sink.h"
#include "base/strings.h"

#define ROW_LABEL_WIDTH 24u

/*
 * Replaces label with a name, truncated to width_max characters. Returns its width in characters.
 */
uint32_t row_label_make(struct text name, uint32_t width_max, struct sink *label);

#endif
