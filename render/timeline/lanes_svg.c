/* SPDX-License-Identifier: MIT */
/*
 * Writes lanes as a self-contained SVG:
 *
 *     +------------------------------------------------------------+
 *     | title                           --time 9298,9299           |   render/svg/svg_header.c
 *     | facts                                                      |
 *     | Running   ## parse 1.2 s   ## read 34 ms                   |   write_legend
 *     | Blocked   ## disk 2.1 s    ## futex lock 1.1 s             |
 *     | details of the interval under the pointer           on CPU |   lanes.js
 *     | worker 412   ######..####.........##########        1.1 s  |   a path for each kind
 *     | worker 413   ..######..##########...........        0.9 s  |
 *     |              9298      9300      9302  s                   |
 *     +------------------------------------------------------------+
 *
 * A long interval is a stroke along the lane, in tenths of a pixel. In a column of short intervals,
 * each kind has its share of the height of the lane, with running at the bottom and blocked at the
 * top.
 */
#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/svg/embedded_file.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"
#include "render/svg/svg_style.h"
#include "render/timeline/lanes_colour.h"
#include "render/timeline/lanes_output.h"
#include "render/timeline/marks_svg.h"
#include "render/timeline/time_axis.h"
#include "render/timeline/time_document.h"

EMBEDDED_FILE(assets_lanes_js, "lanes.js");
EMBEDDED_FILE(assets_lanes_css, "lanes.css");

/* Pixels. */
#define MARGIN          LANES_MARGIN
#define LABEL_GLYPH     6.6
#define LEGEND_ROW      20u
#define LEGEND_GROUP    120u /* width of the names of groups */
#define LEGEND_DOWN     34u  /* between legend and lanes, for the line of details */
#define DETAILS_UP      9u   /* from the lanes to the baseline of that line */
#define WINDOW_RIGHT    100u /* the Reset button */
#define WINDOW_Y        30u
#define LEGEND_NAME_MAX 48u /* characters */
#define SWATCH          12u
#define LANE_HEIGHT     18u
#define LANE_HEIGHT_MAX 30u
#define LANES_HEIGHT    220u /* few lanes are made taller to fill this, up to LANE_HEIGHT_MAX */
#define LANE_GAP        3u   /* between two lanes */
#define AXIS_HEIGHT     44u

struct lanes_drawing {
	const struct lanes_view *view;
	const struct lanes *lanes;
	struct sink *sink;
	uint32_t left, top, plot_width;
	uint32_t pitch, height; /* of a lane, with and without the gap */
	uint32_t legend_rows;
};

static uint32_t bottom(const struct lanes_drawing *drawing)
{
	return drawing->top + drawing->pitch * (uint32_t)drawing->lanes->lanes.count;
}

static uint32_t lane_top(const struct lanes_drawing *drawing, size_t lane)
{
	return drawing->pitch * (uint32_t)lane;
}

/* Returns the distance from the left edge of the plot, in tenths of a pixel. */
static uint64_t tenths_of(const struct lanes_drawing *drawing, uint64_t time_ns)
{
	const struct lanes *lanes = drawing->lanes;
	uint64_t whole_ns = saturate_multiply(lanes->column_ns, lanes->options.column_max);

	return ratio_of(time_ns - lanes->first_ns, drawing->plot_width * SVG_TENTHS, whole_ns)
		.quotient;
}

/* ---- Long intervals ---- */

static void write_spans(const struct lanes_drawing *drawing, uint32_t kind)
{
	const struct lanes *lanes = drawing->lanes;
	struct sink *sink = drawing->sink;

	for (size_t i = 0; i < lanes->lanes.count; i++) {
		const struct lane *lane = &lanes->lanes.at[i];
		uint32_t y = lane_top(drawing, i) * 2 + drawing->height;
		uint64_t last = 0;
		bool has_begun = false;

		for (size_t k = 0; k < lane->spans.count; k++) {
			const struct lane_span *span = &lane->spans.at[k];
			uint64_t to_ns = span->to_ns;
			uint64_t from, to;

			if (span->kind != kind)
				continue;
			while (k + 1 < lane->spans.count && lane->spans.at[k + 1].kind == kind &&
			       lane->spans.at[k + 1].from_ns == to_ns)
				to_ns = lane->spans.at[++k].to_ns;
			from = tenths_of(drawing, span->from_ns);
			to = tenths_of(drawing, to_ns);
			if (to == from)
				to++;
			if (has_begun)
				sink_printf(sink, "m%" PRId64 " 0h%" PRIu64, (int64_t)(from - last),
					    to - from);
			else
				sink_printf(sink,
					    "M%" PRIu64 " %g"
					    "h%" PRIu64,
					    from, y / 2.0, to - from);
			has_begun = true;
			last = to;
		}
	}
}

/* ---- Short intervals ---- */

/* The heights of the kinds of one column, from the bottom of the lane. */
struct column {
	const struct lane_cell *cells;
	size_t count;
	uint64_t whole_ns; /* the time that the full height of the lane represents */
};

/*
 * Returns the part of a column that no long interval covers. *span: the first long interval that
 * can reach into the column.
 */
static uint64_t uncovered_ns(const struct lanes *lanes, const struct lane *lane, uint32_t column,
			     size_t *span)
{
	uint64_t begin_ns = lanes->first_ns + column * lanes->column_ns;
	uint64_t end_ns = saturate_add(begin_ns, lanes->column_ns);
	uint64_t covered_ns = 0;

	while (*span < lane->spans.count && lane->spans.at[*span].to_ns <= begin_ns)
		(*span)++;
	for (size_t i = *span; i < lane->spans.count && lane->spans.at[i].from_ns < end_ns &&
			       covered_ns < lanes->column_ns;
	     i++) {
		const struct lane_span *row = &lane->spans.at[i];

		if (row->to_ns <= begin_ns)
			continue;
		covered_ns += (row->to_ns < end_ns ? row->to_ns : end_ns) -
			      (row->from_ns > begin_ns ? row->from_ns : begin_ns);
	}
	return covered_ns < lanes->column_ns ? lanes->column_ns - covered_ns : 1;
}

/*
 * Returns the largest sum in a column of a lane. In a lane of several threads, the sum can exceed
 * the column's duration.
 */
static uint64_t largest_column_ns(const struct lanes *lanes, const struct lane *lane)
{
	uint64_t largest_ns = lanes->column_ns;
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < lane->cells.count; i++) {
		bool is_new = !i || lane->cells.at[i].column != lane->cells.at[i - 1].column;

		sum_ns = saturate_add(is_new ? 0 : sum_ns, lane->cells.at[i].total_ns);
		if (sum_ns > largest_ns)
			largest_ns = sum_ns;
	}
	return largest_ns;
}

/* Returns the height up to and including a kind. Active kinds are always visible. */
static uint32_t height_to(const struct lanes_drawing *drawing, const struct column *column,
			  uint32_t kind)
{
	uint64_t sum_ns = 0;
	uint32_t height;
	uint32_t active_count = 0;

	for (size_t i = 0; i < column->count && column->cells[i].kind <= kind; i++) {
		sum_ns = saturate_add(sum_ns, column->cells[i].total_ns);
		active_count +=
			lane_kind_is_active(&drawing->lanes->kinds.at[column->cells[i].kind]);
	}
	height = sum_ns >= column->whole_ns
			 ? drawing->height
			 : (uint32_t)(ratio_of(sum_ns, drawing->height * 2, column->whole_ns)
					      .quotient +
				      1) /
				   2;
	if (active_count > drawing->height)
		active_count = drawing->height;
	return height < active_count ? active_count : height;
}

/* A step line along the tops of one kind. */
struct outline {
	struct sink *sink;
	uint32_t base; /* y of the bottom of the lane */
	uint32_t column, width, height;
	bool is_open;
};

static void flush_step(struct outline *outline)
{
	if (outline->width)
		sink_printf(outline->sink, "h%" PRIu32, outline->width);
	outline->width = 0;
}

static void close_outline(struct outline *outline)
{
	if (!outline->is_open)
		return;
	flush_step(outline);
	sink_printf(outline->sink, "V%" PRIu32 "z", outline->base);
	outline->is_open = false;
}

static void add_step(struct outline *outline, uint32_t column, uint32_t height)
{
	if (!height || (outline->is_open && outline->column != column))
		close_outline(outline);
	if (!height)
		return;
	if (!outline->is_open) {
		sink_printf(outline->sink, "M%" PRIu32 " %" PRIu32 "v-%" PRIu32, column,
			    outline->base, height);
		outline->is_open = true;
	} else if (height != outline->height) {
		flush_step(outline);
		sink_printf(outline->sink, "v%" PRId32, (int32_t)outline->height - (int32_t)height);
	}
	outline->height = height;
	outline->column = column + 1;
	outline->width++;
}

static bool has_kind(const struct column *column, uint32_t kind)
{
	for (size_t i = 0; i < column->count; i++)
		if (column->cells[i].kind == kind)
			return true;
	return false;
}

/* Writes the areas of a kind in one lane. Kinds below it are drawn over them. */
static void write_lane_cells(const struct lanes_drawing *drawing, size_t index, uint32_t kind)
{
	const struct lanes *lanes = drawing->lanes;
	const struct lane *lane = &lanes->lanes.at[index];
	struct outline outline = {
		.sink = drawing->sink,
		.base = lane_top(drawing, index) + drawing->height,
	};
	uint64_t shared_ns = lane->other_count ? largest_column_ns(lanes, lane) : 0;
	size_t span = 0;

	for (size_t i = 0; i < lane->cells.count;) {
		struct column column = { .cells = &lane->cells.at[i] };
		uint32_t number = lane->cells.at[i].column;

		while (i < lane->cells.count && lane->cells.at[i].column == number) {
			column.count++;
			i++;
		}
		column.whole_ns = shared_ns ? shared_ns : uncovered_ns(lanes, lane, number, &span);
		if (has_kind(&column, kind))
			add_step(&outline, number, height_to(drawing, &column, kind));
	}
	close_outline(&outline);
}

/* ---- The plot ---- */

static void write_backs(const struct lanes_drawing *drawing)
{
	struct sink *sink = drawing->sink;

	sink_printf(sink, "<path class=\"back\" fill=\"#f9fafb\" d=\"");
	for (size_t i = 0; i < drawing->lanes->lanes.count; i++)
		sink_printf(sink, "M0 %" PRIu32 "h%" PRIu32 "v%" PRIu32 "h-%" PRIu32 "z",
			    lane_top(drawing, i), drawing->plot_width, drawing->height,
			    drawing->plot_width);
	sink_puts(sink, "\"/>\n");
}

/* Writes a path with the shapes of a kind. Writes nothing if there are none. */
static void write_path(const struct lanes_drawing *drawing, uint32_t kind, const char *paint,
		       struct text shapes)
{
	if (!shapes.length)
		return;
	sink_printf(drawing->sink, "<path class=\"k%" PRIu32 "\" %s=\"%s\" d=\"", kind, paint,
		    lanes_colour(drawing->lanes, kind).light);
	sink_text(drawing->sink, shapes);
	sink_puts(drawing->sink, "\"/>\n");
}

/* Draws marks over all lanes: a line for each time, and a band for each range. */
static void write_marks(const struct lanes_drawing *drawing)
{
	const struct lanes *lanes = drawing->lanes;
	const struct placed_marks *placed = drawing->view->marks;
	double height = bottom(drawing) - drawing->top;
	struct marks_svg marks = { .right = drawing->plot_width, .bottom = height };
	struct sink path;

	if (!placed)
		return;
	sink_init_memory(&path);
	marks_svg_open(&marks, drawing->sink);
	for (size_t i = 0; i < placed->rows.count; i++) {
		const struct placed_mark *mark = &placed->rows.at[i];
		uint64_t from_ns =
			mark->first_ns < lanes->first_ns ? lanes->first_ns : mark->first_ns;
		uint64_t to_ns = mark->last_ns < lanes->last_ns ? mark->last_ns : lanes->last_ns;
		double x, width;

		if (from_ns > to_ns)
			continue;
		x = (double)tenths_of(drawing, from_ns) / SVG_TENTHS;
		width = (double)tenths_of(drawing, to_ns) / SVG_TENTHS - x;
		path.used = 0;
		if (width > 0)
			sink_printf(&path, "M%.6g 0h%.6gv%gh%.6gz", x, width, height, -width);
		else
			sink_printf(&path, "M%.6g 0v%g", x, height);
		marks_svg_write(&marks, mark, sink_memory(&path), x + 3, 11);
	}
	marks_svg_close(&marks);
	sink_deinit(&path);
}

static void write_plot(struct lanes_drawing *drawing)
{
	const struct lanes *lanes = drawing->lanes;
	struct sink *sink = drawing->sink;
	struct sink shapes;

	sink_init_memory(&shapes);
	sink_printf(sink,
		    "<g id=\"plot\" data-grid=\"%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
		    "\" transform=\"translate(%" PRIu32 " %" PRIu32 ")\">\n",
		    drawing->plot_width, lanes->options.column_max, drawing->pitch, drawing->height,
		    drawing->left, drawing->top);
	write_backs(drawing);
	sink_printf(sink, "<g id=\"cells\" transform=\"scale(%g 1)\">\n",
		    (double)drawing->plot_width / lanes->options.column_max);
	for (uint32_t kind = (uint32_t)lanes->kinds.count; kind-- > 0;) {
		shapes.used = 0;
		drawing->sink = &shapes;
		for (size_t i = 0; i < lanes->lanes.count; i++)
			write_lane_cells(drawing, i, kind);
		drawing->sink = sink;
		write_path(drawing, kind, "fill", sink_memory(&shapes));
	}
	sink_printf(sink,
		    "</g>\n<g id=\"spans\" fill=\"none\" stroke-width=\"%" PRIu32
		    "\" transform=\"scale(.1 1)\">\n",
		    drawing->height);
	for (uint32_t kind = (uint32_t)lanes->kinds.count; kind-- > 0;) {
		shapes.used = 0;
		drawing->sink = &shapes;
		write_spans(drawing, kind);
		drawing->sink = sink;
		write_path(drawing, kind, "stroke", sink_memory(&shapes));
	}
	sink_puts(sink, "</g>\n");
	write_marks(drawing);
	sink_puts(sink, "</g>\n");
	sink_deinit(&shapes);
}

/* ---- Labels ---- */

static void write_text_at(const struct lanes_drawing *drawing, double x, double y,
			  const char *attributes, struct text text)
{
	sink_printf(drawing->sink, "<text x=\"%g\" y=\"%g\"%s>", x, y, attributes);
	escape_xml(drawing->sink, text);
	sink_puts(drawing->sink, "</text>\n");
}

/* Writes the name of each lane. A long name is truncated, with the full name as its tooltip. */
static void write_names(const struct lanes_drawing *drawing)
{
	const struct lanes *lanes = drawing->lanes;
	size_t fit = (size_t)((drawing->left - MARGIN - 8) / LABEL_GLYPH);
	struct sink name;

	sink_init_memory(&name);
	for (uint32_t i = 0; i < lanes->lanes.count; i++) {
		double y = drawing->top + lane_top(drawing, i) + drawing->height / 2.0 + 4;
		struct text shown;

		name.used = 0;
		lanes_name(lanes, i, &name);
		shown = escape_first_characters(sink_memory(&name), fit);
		sink_printf(drawing->sink,
			    "<text class=\"row\" x=\"%" PRIu32 "\" y=\"%g\" text-anchor=\"end\">",
			    drawing->left - 8, y);
		if (shown.length < name.used) {
			sink_puts(drawing->sink, "<title>");
			escape_xml(drawing->sink, sink_memory(&name));
			sink_puts(drawing->sink, "</title>");
		}
		escape_xml(drawing->sink, shown);
		sink_puts(drawing->sink, shown.length < name.used ? "…</text>\n" : "</text>\n");
		if (!lanes_have_sums(lanes))
			continue;
		name.used = 0;
		number_duration(&name, lanes_running_ns(lanes, &lanes->lanes.at[i]));
		write_text_at(drawing, drawing->view->width - MARGIN, y,
			      " class=\"sum\" text-anchor=\"end\"", sink_memory(&name));
	}
	if (lanes_have_sums(lanes))
		write_text_at(drawing, drawing->view->width - MARGIN, drawing->top - DETAILS_UP,
			      " class=\"sum\" text-anchor=\"end\"", text_of("on CPU"));
	sink_deinit(&name);
}

static void write_axes(const struct lanes_drawing *drawing)
{
	const struct lanes *lanes = drawing->lanes;
	uint32_t y = bottom(drawing);
	struct sink label;

	sink_puts(drawing->sink, "<g class=\"axis\" fill=\"#59636e\">\n");
	time_axis_write(&(struct time_axis){ .first_ns = lanes->first_ns,
					     .duration_ns = lanes->last_ns - lanes->first_ns,
					     .unit_ns = 1,
					     .unit_width = (double)drawing->plot_width /
							   ((double)lanes->column_ns *
							    lanes->options.column_max),
					     .left = drawing->left,
					     .y = y,
					     .grid_top = drawing->top },
			drawing->sink);
	write_names(drawing);
	sink_init_memory(&label);
	sink_puts(&label, "seconds on the capture's clock");
	write_text_at(drawing, drawing->left, y + 36, "", sink_memory(&label));
	sink_deinit(&label);
	sink_puts(drawing->sink, "</g>\n");
}

/* ---- The legend ---- */

/* The position of the next entry of the legend. */
struct legend_place {
	uint32_t x, row;
	const char *group;
};

/*
 * Moves `place` to the entry of a kind, which has this width. Returns whether a new group begins
 * there.
 */
static bool place_entry(const struct lanes_drawing *drawing, enum schedule_state state,
			uint32_t width, struct legend_place *place)
{
	const char *group = lanes_group_name(state);
	bool is_new = !place->group || strcmp(group, place->group) != 0;

	if (is_new || place->x + width > drawing->view->width - MARGIN) {
		place->row += place->group != NULL;
		place->x = MARGIN + LEGEND_GROUP;
	}
	place->group = group;
	return is_new;
}

static void write_entry(const struct lanes_drawing *drawing, uint32_t kind,
			const struct legend_place *place, bool is_first, struct text label)
{
	uint32_t y = drawing->top - LEGEND_DOWN - LEGEND_ROW * (drawing->legend_rows - place->row);

	if (is_first)
		write_text_at(drawing, MARGIN, y + 10.5, " class=\"group\"", text_of(place->group));
	sink_printf(drawing->sink,
		    "<rect class=\"k%" PRIu32 "\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" width=\"%u\" height=\"%u\" fill=\"%s\"/>",
		    kind, place->x, y, SWATCH, SWATCH, lanes_colour(drawing->lanes, kind).light);
	write_text_at(drawing, place->x + SWATCH + 5, y + 10.5, "", label);
}

/* Writes the legend, or only counts its rows. */
static uint32_t write_legend(const struct lanes_drawing *drawing, bool is_dry)
{
	const struct lanes *lanes = drawing->lanes;
	struct legend_place place = { .group = NULL };
	struct sink label;

	sink_init_memory(&label);
	for (uint32_t kind = 0; kind < lanes->kinds.count; kind++) {
		const struct lane_kind *row = &lanes->kinds.at[kind];
		uint32_t width;
		bool is_first;

		if (!row->count)
			continue;
		label.used = 0;
		lanes_kind_short_name(lanes, kind, &label);
		label.used = escape_first_characters(sink_memory(&label), LEGEND_NAME_MAX).length;
		if (lanes_have_sums(lanes)) {
			sink_puts(&label, "  ");
			number_duration(&label, row->total_ns);
		}
		width = (uint32_t)((double)label.used * LABEL_GLYPH) + SWATCH + 18;
		is_first = place_entry(drawing, row->state, width, &place);
		if (!is_dry)
			write_entry(drawing, kind, &place, is_first, sink_memory(&label));
		place.x += width;
	}
	sink_deinit(&label);
	return place.row + 1;
}

/* ---- The document ---- */

static void write_style(const struct lanes_drawing *drawing)
{
	const struct lanes *lanes = drawing->lanes;
	struct sink *sink = drawing->sink;

	sink_puts(sink, "<style>\n");
	sink_text(sink, assets_viewer_css());
	sink_text(sink, (struct text){ assets_lanes_css_begin,
				       (uint32_t)(assets_lanes_css_end - assets_lanes_css_begin) });
	sink_puts(sink, "@media (prefers-color-scheme:dark){");
	for (uint32_t kind = 0; kind < lanes->kinds.count; kind++)
		sink_printf(sink, ".k%" PRIu32 "{--c:%s}", kind, lanes_colour(lanes, kind).dark);
	sink_puts(sink, "#cells path,.legend rect{fill:var(--c)}#spans path{stroke:var(--c)}}\n"
			"</style>\n");
}

/* Writes the lines of text that the script fills, above the lanes, where they stay in sight. */
static void write_live_lines(const struct lanes_drawing *drawing)
{
	sink_printf(
		drawing->sink,
		"<text id=\"details\" x=\"%u\" y=\"%" PRIu32 "\" aria-live=\"polite\"> </text>\n"
		"<text id=\"window\" x=\"%" PRIu32 "\" y=\"%u\" text-anchor=\"end\"> </text>\n",
		MARGIN, drawing->top - DETAILS_UP, drawing->view->width - WINDOW_RIGHT, WINDOW_Y);
}

static void measure(struct lanes_drawing *drawing)
{
	uint32_t count = (uint32_t)drawing->lanes->lanes.count;
	uint32_t pitch = LANES_HEIGHT / (count ? count : 1);

	drawing->left = MARGIN + LANES_WIDTH_OF_NAMES;
	drawing->plot_width = lanes_plot_width(drawing->view->width);
	drawing->pitch = pitch < LANE_HEIGHT       ? LANE_HEIGHT
			 : pitch > LANE_HEIGHT_MAX ? LANE_HEIGHT_MAX
						   : pitch;
	drawing->height = drawing->pitch - LANE_GAP;
	drawing->legend_rows = write_legend(drawing, true);
}

static void write_document(struct lanes_drawing *drawing, const struct svg_header *header)
{
	svg_header_open(header, drawing->sink);
	write_style(drawing);
	svg_header_write(header, drawing->sink);
	svg_header_write_lines(header, drawing->sink);
	sink_puts(drawing->sink, "<g class=\"legend\">\n");
	(void)write_legend(drawing, false);
	sink_puts(drawing->sink, "</g>\n");
	write_plot(drawing);
	write_axes(drawing);
	write_live_lines(drawing);
	lanes_write_data(drawing->lanes, drawing->sink);
	time_document_write_script(
		(struct text){ assets_lanes_js_begin,
			       (uint32_t)(assets_lanes_js_end - assets_lanes_js_begin) },
		drawing->sink);
	sink_puts(drawing->sink, "</svg>\n");
}

void lanes_write_svg(const struct lanes_view *view, struct sink *sink)
{
	struct lanes_drawing drawing = { .view = view, .lanes = view->lanes, .sink = sink };
	struct time_document document;
	struct sink facts;

	sink_init_memory(&facts);
	lanes_facts(view, &facts);
	sink_char(&facts, '\0');
	time_document_init(&document, &(struct time_document_options){
					      .profile = view->profile,
					      .unit = view->profile->unit,
					      .weight = view->profile->sample_count,
					      .width = view->width,
					      .title = view->title ? view->title : "Timeline",
					      .facts = sink_memory(&facts).at,
					      .command = view->command,
					      .is_metadata_stripped = view->is_metadata_stripped,
				      });
	measure(&drawing);
	drawing.top = svg_header_height(&document.header) + drawing.legend_rows * LEGEND_ROW +
		      LEGEND_DOWN;
	document.header.total_height = bottom(&drawing) + AXIS_HEIGHT;
	write_document(&drawing, &document.header);
	sink_deinit(&facts);
}
