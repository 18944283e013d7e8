/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_frames.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/svg/name_attributes.h"
#include "render/number.h"
#include "render/short_label.h"
#include "render/svg/svg_header.h"
#include "render/svg/svg_lanes.h"

/* Users cannot point at a rectangle narrower than a pixel, so it does not get a tooltip. */
#define POINTABLE_WIDTH SVG_TENTHS

/* Shorter labels are omitted. */
#define LABEL_CHARACTERS 3

/*
 * If the file has a viewer and kiln's own layout, at most this many frames without a label have a
 * tooltip in the file: the widest ones. The viewer shows tooltips for all frames. Without a limit,
 * an SVG of 100,000 frames is 1.8 times as large, and takes browsers 1.4 times as long to open.
 */
#define UNLABELLED_TOOLTIPS_MAX 25000u
/*
 * In tenths of a pixel. UNLABELLED_TOOLTIPS_MAX applies only to frames narrower than this. A row of
 * the graph has few wider frames, which all have tooltips.
 */
#define TOOLTIP_WIDTHS 400

struct frame_writer {
	/* In tenths of a pixel. Narrower frames without a label have no tooltip. */
	uint32_t pointable_width;
	const struct svg_frames *frames;
	const struct svg_options *options;
	const struct svg_theme *theme;
	struct sink *sink;
	struct sink *scratch; /* for text before it is escaped */
};

static void write_tenths(struct sink *sink, uint32_t tenths)
{
	sink_u64(sink, tenths / SVG_TENTHS);
	if (tenths % SVG_TENTHS) {
		sink_char(sink, '.');
		sink_char(sink, (char)('0' + tenths % SVG_TENTHS));
	}
}

static uint32_t top_of(const struct frame_writer *writer, uint32_t depth)
{
	uint32_t rows = writer->options->is_inverted
				? depth
				: writer->frames->layout->depth_count - 1 - depth;

	return writer->frames->top + rows * writer->theme->row_height;
}

/* Returns the name for look-ups, including its annotation, which shown_name() drops. */
static struct text raw_name(const struct frame_writer *writer, const struct layout_rect *rect)
{
	return profile_frame_name(writer->frames->profile,
				  writer->frames->profile->stacks.at[rect->row].frame);
}

static struct text shown_name(const struct frame_writer *writer, const struct layout_rect *rect)
{
	return rect->row ? palette_bare_name(raw_name(writer, rect)) : text_of("all");
}

static void write_weight(const struct frame_writer *writer, uint64_t value)
{
	writer->scratch->used = 0;
	svg_weights_write(writer->frames->weights, value, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

static void write_override_tooltip(const struct frame_writer *writer,
				   const struct layout_rect *rect)
{
	const struct svg_overrides *rows = writer->options->overrides;

	writer->scratch->used = 0;
	rows->write_words(rows->context, rect->row, writer->scratch);
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

static void write_path(const struct frame_writer *writer, const char *before, str_id path)
{
	sink_puts(writer->sink, before);
	writer->scratch->used = 0;
	if (writer->options->shows_host)
		sink_text(writer->scratch, strings_get(writer->frames->profile->strings, path));
	else
		escape_home_path(writer->scratch,
				 strings_get(writer->frames->profile->strings, path));
	escape_xml(writer->sink, sink_memory(writer->scratch));
}

/* Writes kiln's own lines of the tooltip. */
static void write_details(const struct frame_writer *writer, uint32_t row)
{
	const struct svg_weights *weights = writer->frames->weights;
	const struct profile *profile = weights->profile;
	const struct frame *frame =
		row ? &profile->frames.at[profile->stacks.at[row].frame.i] : NULL;
	uint64_t self = svg_weights_self(weights, row);
	struct sink *sink = writer->sink;

	if (self && self != svg_weights_total(weights, row)) {
		sink_puts(sink, "\nself ");
		write_weight(writer, self);
		sink_puts(sink, ", ");
		number_percent(sink, self, weights->total);
	}
	if (profile->lanes.count && row) {
		sink_char(sink, '\n');
		svg_lanes_write_times(profile, row, sink);
	}
	if (frame && frame->is_named && frame->module.i)
		write_path(writer, "\nin ", modules_get(profile->modules, frame->module)->path);
	if (frame && frame->source.i)
		write_path(writer, "\nat ", frame->source);
}

/* The first line has flamegraph.pl's format, which other tools parse. */
static void write_tooltip(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct svg_weights *weights = writer->frames->weights;
	uint64_t total = svg_weights_total(weights, rect->row);
	struct sink *sink = writer->sink;

	escape_xml(sink, shown_name(writer, rect));
	if (writer->options->overrides && writer->options->overrides->write_words) {
		write_override_tooltip(writer, rect);
		return;
	}
	sink_puts(sink, " (");
	write_weight(writer, total);
	sink_puts(sink, ", ");
	if (!rect->row)
		sink_puts(sink, "100%");
	else if (writer->theme->is_classic)
		sink_printf(sink, "%.2f%%", svg_weights_classic_percent(weights, total));
	else
		number_percent(sink, total, weights->total);
	sink_char(sink, ')');
	if (!writer->theme->is_classic)
		write_details(writer, rect->row);
}

static const struct name_attributes_row *attributes_of(const struct frame_writer *writer,
						       const struct layout_rect *rect)
{
	if (!writer->options->attributes || !rect->row)
		return NULL;
	return name_attributes_find(writer->options->attributes, raw_name(writer, rect));
}

static void write_attribute(const struct frame_writer *writer, const char *name, struct text value)
{
	sink_printf(writer->sink, " %s=\"", name);
	escape_xml(writer->sink, value);
	sink_char(writer->sink, '"');
}

/* Opens the frame's group or link, and writes its tooltip. */
static void begin_group(const struct frame_writer *writer, const struct layout_rect *rect,
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
		write_tooltip(writer, rect);
	sink_puts(sink, "</title>");
}

/*
 * Returns the width exactly as flamegraph.pl computes it, because the width determines where labels
 * are truncated.
 */
static double classic_width(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct svg_weights *weights = writer->frames->weights;
	const struct profile *profile = writer->frames->profile;
	double scale = writer->frames->width / (double)weights->total;
	uint64_t begin = profile->begins.count ? profile->begins.at[rect->row] : 0;
	double left = writer->theme->margin + (double)begin * scale;

	return writer->theme->margin +
	       (double)(begin + svg_weights_total(weights, rect->row)) * scale - left;
}

/* Returns the number of characters that fit into the rectangle. */
static size_t label_capacity(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct svg_theme *theme = writer->theme;
	double glyph = theme->font_size * theme->glyph_width;
	double room = rect->width / (double)SVG_TENTHS - 2.0 * theme->padding;

	if (theme->is_classic)
		return (size_t)(classic_width(writer, rect) / glyph);
	/* Add a tiny amount, because a whole number may have been rounded down. */
	return room > 0 ? (size_t)(room / glyph + 1e-9) : 0;
}

static bool is_group(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct profile *profile = writer->frames->profile;

	return rect->row &&
	       profile->frames.at[profile->stacks.at[rect->row].frame.i].kind == FRAME_GROUP;
}

/* As in flamegraph.pl, the end is cut off. */
static void write_classic_label(const struct frame_writer *writer, struct text name, size_t fit)
{
	struct text cut = escape_first_characters(name, fit);

	if (cut.length == name.length) {
		escape_xml(writer->sink, name);
		return;
	}
	escape_xml(writer->sink, escape_first_characters(name, fit - 2));
	sink_puts(writer->sink, "..");
}

static void write_label(const struct frame_writer *writer, const struct layout_rect *rect,
			struct colour colour, uint32_t y)
{
	const struct svg_theme *theme = writer->theme;
	struct text name = shown_name(writer, rect);
	size_t fit = label_capacity(writer, rect);

	if (fit < LABEL_CHARACTERS)
		return;
	sink_puts(writer->sink, "<text x=\"");
	write_tenths(writer->sink, rect->x + (theme->margin + theme->padding) * SVG_TENTHS);
	sink_printf(writer->sink, "\" y=\"%.1f\"%s>", y + svg_theme_baseline(theme),
		    colour_wants_light_text(colour) ? " fill=\"#fff\"" : "");
	if (theme->is_classic) {
		write_classic_label(writer, name, fit);
	} else {
		writer->scratch->used = 0;
		/* Threads have names such as kworker/0:1, which are not paths. */
		if (is_group(writer, rect))
			short_label_cut(name, fit, writer->scratch);
		else
			short_label_write(name, fit, writer->scratch);
		escape_xml(writer->sink, sink_memory(writer->scratch));
	}
	sink_puts(writer->sink, "</text>");
}

struct colour svg_frames_root_colour(const struct profile *profile,
				     const struct svg_options *options)
{
	struct frame frame = { .kind = FRAME_USER };

	if (!options->theme.is_classic)
		return (struct colour){ 200, 203, 209 };
	return options->overrides ? options->overrides->colour(options->overrides->context, 0)
				  : palette_assign(&options->colouring, profile, &frame);
}

static struct colour frame_colour(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct profile *profile = writer->frames->profile;
	const struct svg_overrides *rows = writer->options->overrides;

	if (rect->row == 0)
		return svg_frames_root_colour(profile, writer->options);
	if (rows)
		return rows->colour(rows->context, rect->row);
	return palette_assign(&writer->options->colouring, profile,
			      &profile->frames.at[profile->stacks.at[rect->row].frame.i]);
}

/* Returns the pattern that fills a hatched rectangle, instead of its own or its group's colour. */
static const char *hatching_of(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const struct svg_overrides *rows = writer->options->overrides;

	return rect->row && rows && rows->hatching ? rows->hatching(rows->context, rect->row)
						   : NULL;
}

static void write_rect(const struct frame_writer *writer, const struct layout_rect *rect)
{
	struct sink *sink = writer->sink;

	sink_puts(sink, "<rect x=\"");
	write_tenths(sink, rect->x + writer->theme->margin * SVG_TENTHS);
	sink_puts(sink, "\" y=\"");
	sink_u64(sink, top_of(writer, rect->depth));
	sink_puts(sink, "\" width=\"");
	write_tenths(sink, rect->width);
	sink_printf(sink, "\" height=\"%u\"", writer->theme->row_height - 1);
}

static void write_frame(const struct frame_writer *writer, const struct layout_rect *rect,
			const struct name_attributes_row *attributes)
{
	bool is_link = attributes && attributes->at[NAME_ATTRIBUTE_HREF].length;
	struct colour colour = frame_colour(writer, rect);
	const char *hatching = hatching_of(writer, rect);
	struct sink *sink = writer->sink;

	begin_group(writer, rect, attributes);
	write_rect(writer, rect);
	if (hatching)
		sink_printf(sink, " fill=\"url(#%s)\"/>", hatching);
	else
		sink_printf(sink, " fill=\"#%06x\"/>", colour_rgb(colour));
	write_label(writer, rect, colour, top_of(writer, rect->depth));
	sink_puts(sink, is_link ? "</a>\n" : "</g>\n");
}

/* A rectangle without a label. The colour is written once for all rectangles that share it. */
struct unlabelled {
	uint32_t colour; /* 0xrrggbb */
	uint32_t rect;
};

typedef VEC(struct unlabelled) unlabelled_list;

static int compare_unlabelled(const void *a, const void *b)
{
	const struct unlabelled *left = a;
	const struct unlabelled *right = b;

	if (left->colour != right->colour)
		return left->colour < right->colour ? -1 : 1;
	return (left->rect > right->rect) - (left->rect < right->rect);
}

static void write_outline(const struct frame_writer *writer, const struct layout_rect *rect)
{
	struct sink *sink = writer->sink;

	sink_char(sink, 'M');
	write_tenths(sink, rect->x + writer->theme->margin * SVG_TENTHS);
	sink_char(sink, ' ');
	sink_u64(sink, top_of(writer, rect->depth));
	sink_char(sink, 'h');
	write_tenths(sink, rect->width);
	sink_printf(sink, "v%uh-", writer->theme->row_height - 1);
	write_tenths(sink, rect->width);
	sink_char(sink, 'z');
}

static void write_unlabelled_rect(const struct frame_writer *writer, const struct layout_rect *rect)
{
	const char *hatching = hatching_of(writer, rect);

	begin_group(writer, rect, NULL);
	write_rect(writer, rect);
	if (hatching)
		sink_printf(writer->sink, " fill=\"url(#%s)\"", hatching);
	sink_puts(writer->sink, "/></g>\n");
}

/*
 * Returns where the text about the folded levels begins: at the left end of the widest gap between
 * their frames.
 */
static uint32_t widest_gap(const struct svg_frames *frames)
{
	const struct svg_layout *layout = frames->layout;
	uint32_t end = 0;
	uint32_t found = 0;
	uint32_t widest = 0;

	for (size_t i = 0; i <= layout->rects.count; i++) {
		bool is_end = i == layout->rects.count;
		const struct layout_rect *rect = is_end ? NULL : &layout->rects.at[i];
		uint32_t begin = is_end ? frames->width * SVG_TENTHS : rect->x;

		if (!is_end && rect->depth + 1 != layout->depth_count)
			continue;
		if (begin > end && begin - end > widest) {
			widest = begin - end;
			found = end;
		}
		if (!is_end)
			end = rect->x + rect->width;
	}
	return found;
}

/*
 * Writes the highest level as marks of at least a pixel, and a text about the levels folded into
 * it.
 */
static void write_fold(const struct frame_writer *writer)
{
	const struct svg_layout *layout = writer->frames->layout;
	const struct svg_fold *fold = &layout->fold;
	const struct svg_theme *theme = writer->theme;
	uint32_t depth = layout->depth_count - 1;
	struct sink *sink = writer->sink;

	if (!fold->level_count)
		return;
	sink_puts(sink, "<path class=\"folded\" fill=\"#6e7781\" d=\"");
	for (size_t i = 0; i < layout->rects.count; i++) {
		struct layout_rect mark = layout->rects.at[i];

		if (mark.depth != depth)
			continue;
		mark.width = mark.width < SVG_TENTHS ? SVG_TENTHS : mark.width;
		write_outline(writer, &mark);
	}
	sink_puts(sink, "\"/>\n<text class=\"folded\" x=\"");
	write_tenths(sink,
		     widest_gap(writer->frames) + (theme->margin + theme->padding) * SVG_TENTHS);
	sink_printf(sink, "\" y=\"%.1f\">+%" PRIu32 " levels, ",
		    top_of(writer, depth) + svg_theme_baseline(theme), fold->level_count);
	number_percent(sink, fold->weight, writer->frames->weights->total);
	sink_puts(sink, "</text>\n");
}

static bool is_folded(const struct svg_layout *layout, const struct layout_rect *rect)
{
	return layout->fold.level_count && rect->depth + 1 == layout->depth_count;
}

/*
 * The text before and after the rectangles of one colour, and the function that writes each
 * rectangle.
 */
struct group_form {
	const char *before, *behind;
	void (*write)(const struct frame_writer *writer, const struct layout_rect *rect);
};

static void write_unlabelled(const struct frame_writer *writer, unlabelled_list *list,
			     const struct group_form *form)
{
	const struct unlabelled *rows = list->at;

	if (!list->count)
		return;
	qsort(list->at, list->count, sizeof(*rows), compare_unlabelled);
	for (size_t i = 0; i < list->count; i++) {
		if (i && rows[i].colour != rows[i - 1].colour)
			sink_puts(writer->sink, form->behind);
		if (!i || rows[i].colour != rows[i - 1].colour)
			sink_printf(writer->sink, form->before, rows[i].colour);
		form->write(writer, &writer->frames->layout->rects.at[rows[i].rect]);
	}
	sink_puts(writer->sink, form->behind);
	vec_free(list);
}

static bool has_label(const struct frame_writer *writer, const struct layout_rect *rect)
{
	return label_capacity(writer, rect) >= LABEL_CHARACTERS;
}

/* Whether the rectangle gets neither a label nor its own group for attributes. */
static bool is_unlabelled(const struct frame_writer *writer, const struct layout_rect *rect)
{
	return !has_label(writer, rect) &&
	       !(attributes_of(writer, rect) && rect->width >= POINTABLE_WIDTH);
}

/*
 * The minimum width of frames that get a tooltip without a label: at least a pixel, and more if
 * UNLABELLED_TOOLTIPS_MAX requires it.
 */
static uint32_t pointable_width(const struct frame_writer *writer)
{
	const struct svg_layout *layout = writer->frames->layout;
	const struct svg_options *options = writer->options;
	uint32_t counts[TOOLTIP_WIDTHS] = { 0 };
	uint32_t width = TOOLTIP_WIDTHS;
	size_t count = 0;

	if (svg_is_static(options) || options->theme.is_classic)
		return POINTABLE_WIDTH;
	for (size_t i = 0; i < layout->rects.count; i++) {
		const struct layout_rect *rect = &layout->rects.at[i];

		if (rect->width < TOOLTIP_WIDTHS && !is_folded(layout, rect) &&
		    is_unlabelled(writer, rect))
			counts[rect->width]++;
	}
	while (width > POINTABLE_WIDTH && count + counts[width - 1] <= UNLABELLED_TOOLTIPS_MAX)
		count += counts[--width];
	return width;
}

void svg_frames_write(const struct svg_frames *frames, struct sink *sink)
{
	static const struct group_form rect_form = { "<g fill=\"#%06x\">\n", "</g>\n",
						     write_unlabelled_rect };
	static const struct group_form path_form = { "<path fill=\"#%06x\" d=\"", "\"/>\n",
						     write_outline };
	const struct svg_layout *layout = frames->layout;
	struct sink scratch;
	struct frame_writer writer = {
		.frames = frames,
		.options = frames->options,
		.theme = &frames->options->theme,
		.sink = sink,
		.scratch = &scratch,
	};
	unlabelled_list rects = { 0 };
	unlabelled_list paths = { 0 };

	sink_init_memory(&scratch);
	writer.pointable_width = pointable_width(&writer);
	for (uint32_t i = 0; i < layout->rects.count; i++) {
		const struct layout_rect *rect = &layout->rects.at[i];

		if (is_folded(layout, rect))
			continue;
		/* Readers of flamegraph.pl's SVGs expect each frame in its own group. */
		if (writer.theme->is_classic || !is_unlabelled(&writer, rect))
			write_frame(&writer, rect, attributes_of(&writer, rect));
		else if (rect->width)
			vec_push(rect->width >= writer.pointable_width ? &rects : &paths,
				 (struct unlabelled){ colour_rgb(frame_colour(&writer, rect)), i });
	}
	write_unlabelled(&writer, &rects, &rect_form);
	write_unlabelled(&writer, &paths, &path_form);
	write_fold(&writer);
	sink_deinit(&scratch);
}
