/* SPDX-License-Identifier: MIT */
#include "render/timeline/marks_svg.h"

#include <math.h>

#include "render/escape.h"
#include "render/number.h"

#define LABEL_CHARACTERS 32u
#define LABEL_GLYPH      6.2
#define LABEL_HEIGHT     13.0

/*
 * A label that does not fit is moved by the first of these numbers of lines with which it fits. If
 * there is none, the label is omitted.
 */
static const int label_lines[] = { 0, 1, -1, 2, -2, 3, -3 };

void marks_svg_open(struct marks_svg *marks, struct sink *sink)
{
	marks->sink = sink;
	sink_puts(sink, "<g class=\"marks\" fill=\"#0969da\" stroke=\"#0969da\" "
			"pointer-events=\"stroke\">\n");
}

void marks_svg_close(struct marks_svg *marks)
{
	sink_puts(marks->sink, "</g>\n");
	vec_free(&marks->labels);
}

static size_t character_count(struct text text)
{
	size_t count = 0;

	for (uint32_t i = 0; i < text.length; i++)
		count += ((unsigned char)text.at[i] & 0xc0) != 0x80;
	return count;
}

static bool is_free(const struct marks_svg *marks, const struct mark_label_box *box)
{
	for (size_t i = 0; i < marks->labels.count; i++) {
		const struct mark_label_box *other = &marks->labels.at[i];

		if (fabs(other->y - box->y) < LABEL_HEIGHT && box->x < other->x + other->width &&
		    other->x < box->x + box->width)
			return false;
	}
	return box->x + box->width <= marks->right && box->y - LABEL_HEIGHT / 2 >= marks->top &&
	       box->y - LABEL_HEIGHT / 2 <= marks->bottom;
}

static void write_label(struct marks_svg *marks, struct text label, double x, double y)
{
	struct text shown = escape_first_characters(label, LABEL_CHARACTERS);
	struct mark_label_box box = { x, y, (double)(character_count(shown) + 2) * LABEL_GLYPH };

	for (size_t i = 0; i < ARRAY_SIZE(label_lines); i++) {
		box.y = y + label_lines[i] * LABEL_HEIGHT;
		if (!is_free(marks, &box))
			continue;
		vec_push(&marks->labels, box);
		sink_printf(marks->sink,
			    "<text x=\"%g\" y=\"%g\" stroke=\"#ffffff\" stroke-width=\"3\" "
			    "paint-order=\"stroke\">",
			    box.x, box.y);
		escape_xml(marks->sink, shown);
		sink_puts(marks->sink, shown.length < label.length ? "…</text>\n" : "</text>\n");
		return;
	}
}

void marks_svg_write(struct marks_svg *marks, const struct placed_mark *mark, struct text path,
		     double x, double y)
{
	bool is_range = mark->last_ns > mark->first_ns;

	if (marks->count++ >= LIMIT_MARKS_DRAWN)
		return;
	sink_printf(marks->sink, "<path%s d=\"",
		    is_range ? " class=\"band\" fill-opacity=\"0.15\"" : " stroke-width=\"2\"");
	sink_text(marks->sink, path);
	sink_puts(marks->sink, "\"><title>");
	number_seconds(marks->sink, mark->first_ns);
	if (is_range) {
		sink_puts(marks->sink, " to ");
		number_seconds(marks->sink, mark->last_ns);
	}
	sink_puts(marks->sink, " s ");
	escape_xml(marks->sink, mark->label);
	sink_puts(marks->sink, "</title></path>\n");
	if (mark->label.length)
		write_label(marks, mark->label, x, y);
}
