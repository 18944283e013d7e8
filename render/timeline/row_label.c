/* SPDX-License-Identifier: MIT */
#include "render/timeline/row_label.h"

#include "render/escape.h"

uint32_t row_label_make(struct text name, uint32_t width_max, struct sink *label)
{
	uint32_t width = 0;

	label->used = 0;
	escape_terminal(label, escape_first_characters(name, width_max));
	for (size_t i = 0; i < label->used; i++)
		width += (label->buffer[i] & 0xc0) != 0x80;
	return width;
}
