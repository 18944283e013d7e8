/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_boxes.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/svg/name_attributes.h"
#include "render/number.h"
#include "render/text/private_path.h"
#include "render/svg/svg_header.h"

/* Boxes narrower than this, a pixel, cannot be pointed at. */
#define BARE_WIDTH SVG_TENTHS

/* A label shorter than this says nothing. */
#define LABEL_CHARACTERS 3

struct writer {
	const struct svg_boxes *boxes;
	const struct svg_options *options;
	const struct svg_look *look;
	struct sink *sink;
	struct sink *scratch; /* for what is put together before it is escaped */
};

static void write_tenths(struct sink *sink, uint32_t tenths)
{
	sink_u64(sink, tenths / SVG_TENTHS);
	if (tenths % SVG_TENTHS) {
		sink_char(sink, '.');
		sink_char(sink, (char)('0' + tenths % SVG_TENTHS));
	}
}

static uint32_t top_of(const struct writer *writer, uint32_t depth)
{
	uint32_t rows = writer->options->is_inverted
				? depth
				: writer->boxes->layout->depth_count - 1 - depth;

	return writer->boxes->top + rows * writer->look->row_height;
}

/* As it is looked up, and of which what tells its kind is not shown. */
static struct text raw_name(const struct writer *writer, const struct box *box)
{
	return profile_frame_name(writer->boxes->profile,
				  writer->boxes->profile->stacks.at[box->row].frame);
}

static struct text box_name(const struct writer *writer, const struct box *box)
{
	return box->row ? palette_bare_name(raw_name(writer, box)) : text_of("all");
}

static void write_weight(const struct writer *writer, uint64_t value)
{
	writer->scratch->used = 0;
	svg_header_weight(writer->boxes->profile, value, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

static void write_own_words(const struct writer *writer, const struct box *box)
{
	const struct svg_rows *rows = writer->options->rows;

	writer->scratch->used = 0;
	rows->write_words(rows->context, box->row, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

static void write_path(const struct writer *writer, const char *before, str_id path)
{
	sink_puts(writer->sink, before);
	writer->scratch->used = 0;
	if (writer->options->is_host_told)
		sink_text(writer->scratch, strings_get(writer->boxes->profile->strings, path));
	else
		private_path_write(writer->scratch,
				   strings_get(writer->boxes->profile->strings, path));
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

double svg_boxes_classic_percent(const struct profile *profile, uint64_t value)
{
	double factor = profile->factor == 0 ? 1 : profile->factor;

	return 100 * (double)svg_header_shown(profile, value) /
	       ((double)profile->stacks.at[0].total * factor);
}

/* What kiln says beside the first line. */
static void write_more(const struct writer *writer, const struct stack *stack,
		       const struct frame *frame)
{
	const struct profile *profile = writer->boxes->profile;
	struct sink *sink = writer->sink;

	if (stack->self && stack->self != stack->total) {
		sink_puts(sink, "\nself ");
		write_weight(writer, stack->self);
		sink_puts(sink, ", ");
		number_percent(sink, stack->self, profile->stacks.at[0].total);
	}
	if (frame && frame->is_named && frame->module.i)
		write_path(writer, "\nin ", modules_get(profile->modules, frame->module)->path);
	if (frame && frame->source.i)
		write_path(writer, "\nat ", frame->source);
}

/* The first line is as flamegraph.pl has it, which other tools read. */
static void write_words(const struct writer *writer, const struct box *box)
{
	const struct profile *profile = writer->boxes->profile;
	const struct stack *stack = &profile->stacks.at[box->row];
	struct sink *sink = writer->sink;

	escape_xml(sink, box_name(writer, box));
	if (writer->options->rows && writer->options->rows->write_words) {
		write_own_words(writer, box);
		return;
	}
	sink_puts(sink, " (");
	write_weight(writer, stack->total);
	sink_puts(sink, ", ");
	if (!box->row)
		sink_puts(sink, "100%");
	else if (writer->look->is_classic)
		sink_printf(sink, "%.2f%%", svg_boxes_classic_percent(profile, stack->total));
	else
		number_percent(sink, stack->total, profile->stacks.at[0].total);
	sink_char(sink, ')');
	if (!writer->look->is_classic)
		write_more(writer, stack, box->row ? &profile->frames.at[stack->frame.i] : NULL);
}

static const struct name_attributes_row *attributes_of(const struct writer *writer,
						       const struct box *box)
{
	if (!writer->options->attributes || !box->row)
		return NULL;
	return name_attributes_find(writer->options->attributes, raw_name(writer, box));
}

static void write_attribute(const struct writer *writer, const char *name, struct text value)
{
	sink_printf(writer->sink, " %s=\"", name);
	escape_xml(writer->sink, value);
	sink_char(writer->sink, '"');
}

/* The group, or the link, that a box is; and what it says. */
static void open_group(const struct writer *writer, const struct box *box,
		       const struct name_attributes_row *row)
{
	struct sink *sink = writer->sink;
	struct text title = { "", 0 };

	if (row && row->at[NAME_ATTRIBUTE_HREF].length) {
		struct text target = row->at[NAME_ATTRIBUTE_TARGET];

		sink_puts(sink, "<a");
		write_attribute(writer, "href", row->at[NAME_ATTRIBUTE_HREF]);
		write_attribute(writer, "target", target.length ? target : text_of("_top"));
	} else {
		sink_puts(sink, "<g");
	}
	if (row && row->at[NAME_ATTRIBUTE_ID].length)
		write_attribute(writer, "id", row->at[NAME_ATTRIBUTE_ID]);
	if (row && row->at[NAME_ATTRIBUTE_CLASS].length)
		write_attribute(writer, "class", row->at[NAME_ATTRIBUTE_CLASS]);
	sink_puts(sink, "><title>");
	if (row)
		title = row->at[NAME_ATTRIBUTE_TITLE];
	if (title.length)
		escape_xml(sink, title);
	else
		write_words(writer, box);
	sink_puts(sink, "</title>");
}

/* The width of a box as flamegraph.pl computes it, to the last bit: labels are cut by it. */
static double classic_width(const struct writer *writer, const struct box *box)
{
	const struct profile *profile = writer->boxes->profile;
	const struct stack *stacks = profile->stacks.at;
	double scale = writer->boxes->width / (double)stacks[0].total;
	uint64_t begin = profile->begins.count ? profile->begins.at[box->row] : 0;
	double left = writer->look->margin + (double)begin * scale;

	return writer->look->margin + (double)(begin + stacks[box->row].total) * scale - left;
}

/* As many characters as the width of a box has room for. */
static size_t room_of(const struct writer *writer, const struct box *box)
{
	const struct svg_look *look = writer->look;
	double glyph = look->font_size * look->glyph_width;
	double room = box->width / (double)SVG_TENTHS - 2.0 * look->padding;

	if (look->is_classic)
		return (size_t)(classic_width(writer, box) / glyph);
	/* What is a whole number but for the last bit is one. */
	return room > 0 ? (size_t)(room / glyph + 1e-9) : 0;
}

static void write_label(const struct writer *writer, const struct box *box, struct colour colour,
			uint32_t y)
{
	const struct svg_look *look = writer->look;
	struct text name = box_name(writer, box);
	size_t fit = room_of(writer, box);
	struct text cut = escape_first_characters(name, fit);

	if (fit < LABEL_CHARACTERS)
		return;
	sink_puts(writer->sink, "<text x=\"");
	write_tenths(writer->sink, box->x + (look->margin + look->padding) * SVG_TENTHS);
	sink_printf(writer->sink, "\" y=\"%.1f\"%s>", y + svg_look_baseline(look),
		    colour_wants_light_text(colour) ? " fill=\"#fff\"" : "");
	if (cut.length < name.length) {
		escape_xml(writer->sink,
			   escape_first_characters(name, fit - (look->is_classic ? 2 : 1)));
		sink_puts(writer->sink, look->is_classic ? ".." : "…");
	} else {
		escape_xml(writer->sink, name);
	}
	sink_puts(writer->sink, "</text>");
}

struct colour svg_boxes_root_colour(const struct profile *profile,
				    const struct svg_options *options)
{
	struct frame frame = { .kind = FRAME_USER };

	if (!options->look.is_classic)
		return (struct colour){ 224, 226, 230 };
	return options->rows ? options->rows->colour(options->rows->context, 0)
			     : palette_learn(&options->colouring, profile, &frame);
}

static struct colour box_colour(const struct writer *writer, const struct box *box)
{
	const struct profile *profile = writer->boxes->profile;
	const struct svg_rows *rows = writer->options->rows;

	if (box->row == 0)
		return svg_boxes_root_colour(profile, writer->options);
	if (rows)
		return rows->colour(rows->context, box->row);
	return palette_learn(&writer->options->colouring, profile,
			     &profile->frames.at[profile->stacks.at[box->row].frame.i]);
}

/* Where a box is hatched, that is what fills it, and not its colour or that of its group. */
static const char *hatching_of(const struct writer *writer, const struct box *box)
{
	const struct svg_rows *rows = writer->options->rows;

	return box->row && rows && rows->hatching ? rows->hatching(rows->context, box->row) : NULL;
}

static void write_rect(const struct writer *writer, const struct box *box)
{
	struct sink *sink = writer->sink;

	sink_puts(sink, "<rect x=\"");
	write_tenths(sink, box->x + writer->look->margin * SVG_TENTHS);
	sink_puts(sink, "\" y=\"");
	sink_u64(sink, top_of(writer, box->depth));
	sink_puts(sink, "\" width=\"");
	write_tenths(sink, box->width);
	sink_printf(sink, "\" height=\"%u\"", writer->look->row_height - 1);
}

static void write_box(const struct writer *writer, const struct box *box,
		      const struct name_attributes_row *attributes)
{
	bool is_link = attributes && attributes->at[NAME_ATTRIBUTE_HREF].length;
	struct colour colour = box_colour(writer, box);
	const char *hatching = hatching_of(writer, box);
	struct sink *sink = writer->sink;

	open_group(writer, box, attributes);
	write_rect(writer, box);
	if (hatching)
		sink_printf(sink, " fill=\"url(#%s)\"/>", hatching);
	else
		sink_printf(sink, " fill=\"#%06x\"/>", colour_rgb(colour));
	write_label(writer, box, colour, top_of(writer, box->depth));
	sink_puts(sink, is_link ? "</a>\n" : "</g>\n");
}

/* A box whose colour is said once for all that have it: there are many without a label. */
struct plain {
	uint32_t colour; /* 0xrrggbb */
	uint32_t box;
};

typedef VEC(struct plain) plain_list;

static int compare_plain(const void *a, const void *b)
{
	const struct plain *left = a;
	const struct plain *right = b;

	if (left->colour != right->colour)
		return left->colour < right->colour ? -1 : 1;
	return (left->box > right->box) - (left->box < right->box);
}

static void write_outline(const struct writer *writer, const struct box *box)
{
	struct sink *sink = writer->sink;

	sink_char(sink, 'M');
	write_tenths(sink, box->x + writer->look->margin * SVG_TENTHS);
	sink_char(sink, ' ');
	sink_u64(sink, top_of(writer, box->depth));
	sink_char(sink, 'h');
	write_tenths(sink, box->width);
	sink_printf(sink, "v%uh-", writer->look->row_height - 1);
	write_tenths(sink, box->width);
	sink_char(sink, 'z');
}

static void write_narrow(const struct writer *writer, const struct box *box)
{
	const char *hatching = hatching_of(writer, box);

	open_group(writer, box, NULL);
	write_rect(writer, box);
	if (hatching)
		sink_printf(writer->sink, " fill=\"url(#%s)\"", hatching);
	sink_puts(writer->sink, "/></g>\n");
}

/* What is before the first box of a colour, what is behind the last, and each. */
struct plain_form {
	const char *before, *behind;
	void (*write)(const struct writer *writer, const struct box *box);
};

static void write_plain(const struct writer *writer, plain_list *list,
			const struct plain_form *form)
{
	const struct plain *rows = list->at;

	if (!list->count)
		return;
	qsort(list->at, list->count, sizeof(*rows), compare_plain);
	for (size_t i = 0; i < list->count; i++) {
		if (i && rows[i].colour != rows[i - 1].colour)
			sink_puts(writer->sink, form->behind);
		if (!i || rows[i].colour != rows[i - 1].colour)
			sink_printf(writer->sink, form->before, rows[i].colour);
		form->write(writer, &writer->boxes->layout->boxes.at[rows[i].box]);
	}
	sink_puts(writer->sink, form->behind);
	vec_free(list);
}

void svg_boxes_write(const struct svg_boxes *boxes, struct sink *sink)
{
	static const struct plain_form narrow_form = { "<g fill=\"#%06x\">\n", "</g>\n",
						       write_narrow };
	static const struct plain_form bare_form = { "<path fill=\"#%06x\" d=\"", "\"/>\n",
						     write_outline };
	const struct layout *layout = boxes->layout;
	struct sink scratch;
	struct writer writer = {
		.boxes = boxes,
		.options = boxes->options,
		.look = &boxes->options->look,
		.sink = sink,
		.scratch = &scratch,
	};
	plain_list narrow = { 0 };
	plain_list bare = { 0 };

	sink_init_memory(&scratch);
	for (uint32_t i = 0; i < layout->boxes.count; i++) {
		const struct box *box = &layout->boxes.at[i];
		const struct name_attributes_row *attributes = attributes_of(&writer, box);

		/* Who reads flamegraph.pl's pictures finds every box in a group of its own. */
		if (writer.look->is_classic || room_of(&writer, box) >= LABEL_CHARACTERS ||
		    (attributes && box->width >= BARE_WIDTH))
			write_box(&writer, box, attributes);
		else if (box->width)
			vec_push(box->width >= BARE_WIDTH ? &narrow : &bare,
				 (struct plain){ colour_rgb(box_colour(&writer, box)), i });
	}
	write_plain(&writer, &narrow, &narrow_form);
	write_plain(&writer, &bare, &bare_form);
	sink_deinit(&scratch);
}
