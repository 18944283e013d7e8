/* SPDX-License-Identifier: MIT */
/*
 * Writes a heat map as a self-contained SVG:
 *
 *     +----------------------------------------------------+
 *     | title                                              |   render/svg/svg_header.c
 *     | facts                                              |
 *     | ## ## ## ## 0 ... 52 ms                            |   write_legend
 *     | 800 ms |  #   #  :  .                              |
 *     |   0 ms |  .   :  .  .                              |   write_level: a path for each colour
 *     |          9298   9300   9302  s                     |
 *     | details of a bin                 --time 9298,9299  |   heat_map.js
 *     +----------------------------------------------------+
 *
 * A bin is a vertical stroke of its path, in units of bins: "M12.5 3v1" is column 12, row 3.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/svg/embedded_file.h"
#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"
#include "render/svg/svg_style.h"
#include "render/timeline/heat_map_output.h"
#include "render/timeline/heat_map_scale.h"
#include "render/timeline/marks_svg.h"
#include "render/timeline/time_axis.h"
#include "render/timeline/time_document.h"

EMBEDDED_FILE(assets_heat_map_js, "heat_map.js");
EMBEDDED_FILE(assets_heat_map_css, "heat_map.css");

/* Pixels. */
#define WIDTH           1200u
#define MARGIN          16u
#define LABELS_OF_TIMES 60u
#define LABELS_MAX      220u
#define LABEL_GLYPH     7u
#define LEGEND_HEIGHT   30u
#define SWATCH          16u
#define AXIS_HEIGHT     44u
#define FOOTER_HEIGHT   34u
#define PLOT_HEIGHT     500u /* of offsets */
#define ROW_HEIGHT      18u  /* height of a key's row, if there are many keys */
#define ROW_HEIGHT_MAX  36u
#define ROWS_HEIGHT     240u /* few rows are made taller to fill this, up to ROW_HEIGHT_MAX */
#define COLUMN_MAX      44.0
#define OFFSET_TICKS    5u
/*
 * The script gets waits in thousandths of a bin, and weights in ten thousandths of the largest,
 * because nanoseconds would make the SVG too large.
 */
#define BIN_PARTS    1000u
#define WEIGHT_STEPS 10000u

/*
 * From pale to dark, with steadily falling luminance, so that the colours also differ for
 * colour-blind readers and in print.
 */
static const char *const colours[HEAT_MAP_LEVELS] = {
	"#ffe9a8", "#fed976", "#feb954", "#fd9a42", "#fb7434", "#f24d26",
	"#df2a20", "#c41424", "#a00a28", "#7a0426", "#540320", "#300216",
};

struct drawing {
	const struct heat_map_view *view;
	const struct heat_map *map;
	struct heat_map_scale scale;
	struct sink *sink;
	uint32_t left, top; /* of the plot */
	double bin_width, bin_height;
};

static double plot_width(const struct drawing *drawing)
{
	return drawing->bin_width * (double)drawing->map->column_count;
}

static double plot_height(const struct drawing *drawing)
{
	return drawing->bin_height * drawing->map->row_count;
}

static uint32_t bottom(const struct drawing *drawing)
{
	return drawing->top + (uint32_t)plot_height(drawing);
}

/* The width of the labels on the left. */
static uint32_t label_width(const struct heat_map *map)
{
	uint32_t width = LABELS_OF_TIMES;
	struct sink name;

	if (map->by == TIMELINE_BY_NOTHING)
		return width;
	sink_init_memory(&name);
	for (uint32_t i = 0; i < map->row_count; i++) {
		name.used = 0;
		heat_map_row_name(map, i, &name);
		if (name.used * LABEL_GLYPH + MARGIN > width)
			width = (uint32_t)(name.used * LABEL_GLYPH + MARGIN);
		if (width > LABELS_MAX)
			width = LABELS_MAX;
	}
	sink_deinit(&name);
	return width;
}

/* Returns the height of a row, which is its part of the plot, within these limits. */
static double row_height(uint32_t row_count, uint32_t plot_height, uint32_t least, uint32_t most)
{
	uint32_t height = plot_height / row_count;

	if (height < least)
		return least;
	return height > most ? most : height;
}

/* Computes the layout. If the number of bins allows, each bin is a whole number of pixels wide. */
static void measure(struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;
	double width;

	drawing->left = MARGIN + label_width(map);
	width = (double)(WIDTH - MARGIN - drawing->left) / (double)map->column_count;
	if (width > COLUMN_MAX)
		width = COLUMN_MAX;
	drawing->bin_width = width >= 3 ? (double)(uint32_t)width : width;
	drawing->bin_height =
		map->by == TIMELINE_BY_NOTHING
			? row_height(map->row_count, PLOT_HEIGHT, 1, ROW_HEIGHT)
			: row_height(map->row_count, ROWS_HEIGHT, ROW_HEIGHT, ROW_HEIGHT_MAX);
}

/* ---- The plot ---- */

/* Offsets grow upwards; the first key is on top. */
static uint32_t row_from_top(const struct heat_map *map, uint32_t row)
{
	return map->by == TIMELINE_BY_NOTHING ? map->row_count - 1 - row : row;
}

/* Writes vertically adjacent cells as one stroke. Cells are sorted by column, then by row. */
static void write_level(const struct drawing *drawing, uint32_t level)
{
	const struct heat_map *map = drawing->map;
	struct sink *sink = drawing->sink;

	sink_printf(sink, "<path class=\"l%" PRIu32 "\" stroke=\"%s\" d=\"", level,
		    colours[level - 1]);
	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];
		uint32_t length = 1;

		if (heat_map_level(&drawing->scale, cell->weight, HEAT_MAP_LEVELS) != level)
			continue;
		while (i + 1 < map->cells.count && cell[length].column == cell->column &&
		       cell[length].row == cell->row + length &&
		       heat_map_level(&drawing->scale, cell[length].weight, HEAT_MAP_LEVELS) ==
			       level) {
			length++;
			i++;
		}
		sink_printf(sink, "M%" PRIu64 ".5 %" PRIu32 "v%s%" PRIu32, cell->column,
			    row_from_top(map, cell->row) + (map->by == TIMELINE_BY_NOTHING),
			    map->by == TIMELINE_BY_NOTHING ? "-" : "", length);
	}
	sink_puts(sink, "\"/>\n");
}

/* Limits a time to the heat map, and returns its distance from the beginning, in columns. */
static double columns_until(const struct heat_map *map, uint64_t time_ns)
{
	uint64_t begin_ns = map->first_column * map->column_ns;
	double columns =
		time_ns > begin_ns ? (double)(time_ns - begin_ns) / (double)map->column_ns : 0;

	return columns < (double)map->column_count ? columns : (double)map->column_count;
}

static void write_rectangle(double x, double y, double width, double height, struct sink *path)
{
	sink_printf(path, "M%.6g %.6gh%.6gv%.6gh%.6gz", x, y, width, height, -width);
}

/* Writes the shape of a mark over rows of keys: a vertical line or band. */
static void write_upright(const struct drawing *drawing, double from, double to, struct sink *path)
{
	double x = drawing->left + from * drawing->bin_width;

	if (to > from)
		write_rectangle(x, drawing->top, (to - from) * drawing->bin_width,
				plot_height(drawing), path);
	else
		sink_printf(path, "M%.6g %" PRIu32 "v%g", x, drawing->top, plot_height(drawing));
}

/*
 * Writes the shape of a mark over offsets: a stroke across its column, or parts of several columns.
 */
static void write_across(const struct drawing *drawing, double from, double to, struct sink *path)
{
	double height = plot_height(drawing);
	double first = floor(from);
	double x = drawing->left + first * drawing->bin_width;

	if (to <= from) {
		sink_printf(path, "M%.6g %.6gh%g", x, bottom(drawing) - (from - first) * height,
			    drawing->bin_width);
		return;
	}
	while (from < to) {
		double end = first + 1 < to ? first + 1 : to;
		double count = 1;

		/* All whole columns together are one rectangle. */
		if (from <= first && to - first >= 2)
			count = floor(to - first);
		write_rectangle(drawing->left + first * drawing->bin_width,
				count > 1 ? drawing->top : bottom(drawing) - (end - first) * height,
				count * drawing->bin_width,
				count > 1 ? height : (end - from) * height, path);
		from = first = first + count;
	}
}

static void write_marks(const struct drawing *drawing)
{
	const struct placed_marks *placed = drawing->view->marks;
	const struct heat_map *map = drawing->map;
	struct marks_svg marks = {
		.top = drawing->top,
		.right = WIDTH,
		.bottom = bottom(drawing),
	};
	struct sink path;

	if (!placed)
		return;
	sink_init_memory(&path);
	marks_svg_open(&marks, drawing->sink);
	for (size_t i = 0; i < placed->rows.count; i++) {
		const struct placed_mark *mark = &placed->rows.at[i];
		double from = columns_until(map, mark->first_ns);
		double to = columns_until(map, mark->last_ns);
		double x = drawing->left + from * drawing->bin_width;
		double y = drawing->top + 12;

		if (!heat_map_has_mark(map, mark))
			continue;
		path.used = 0;
		if (map->by == TIMELINE_BY_NOTHING) {
			write_across(drawing, from, to, &path);
			x = drawing->left + (floor(from) + 1) * drawing->bin_width;
			y = bottom(drawing) - (from - floor(from)) * plot_height(drawing) + 4;
		} else {
			write_upright(drawing, from, to, &path);
		}
		marks_svg_write(&marks, mark, sink_memory(&path), x + 3, y);
	}
	marks_svg_close(&marks);
	sink_deinit(&path);
}

/* Whether the script needs weights besides the numbers of samples, shares of bins or values. */
static bool has_weights(const struct heat_map *map)
{
	return map->unit != UNIT_SAMPLES && map->unit != UNIT_MILLIONTHS && !map->waits &&
	       !map->full_weight && map->by != TIMELINE_BY_VALUE;
}

/* Weights for the script are rounded to multiples of this. */
static uint64_t weight_step(const struct heat_map *map)
{
	return map->largest / WEIGHT_STEPS + 1;
}

/* Returns what weights that are times are of. */
static const char *name_of_time(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].is_shown && profile->events.at[i].is_off_cpu)
			return "off-CPU time";
	return "CPU time";
}

/* Writes the attributes that describe the weights of bins. */
static void write_weight_attributes(const struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;

	if (!has_weights(map))
		return;
	sink_printf(drawing->sink, " data-step=\"%" PRIu64 "\" data-unit=\"%s\"", weight_step(map),
		    number_shown_unit(map->unit));
	if (map->unit == UNIT_NANOSECONDS)
		sink_printf(drawing->sink, " data-of=\"%s\"", name_of_time(drawing->view->profile));
}

static void write_plot(const struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;
	struct sink *sink = drawing->sink;

	sink_printf(sink,
		    "<g id=\"plot\"><g id=\"map\" fill=\"none\" transform=\"translate(%" PRIu32
		    " %" PRIu32 ") scale(%g %g)\" data-first=\"%" PRIu64 "\" data-column=\"%" PRIu64
		    "\" data-bin=\"%" PRIu64 "\" data-columns=\"%" PRIu64 "\" data-rows=\"%" PRIu32
		    "\" data-interval=\"%" PRIu64 "\" data-grid=\"%" PRIu32 " %" PRIu32
		    " %g %g\" data-waits=\"%s\" data-counted=\"%s\" data-clock=\"%s\"",
		    drawing->left, drawing->top, drawing->bin_width, drawing->bin_height,
		    map->first_column * map->column_ns, map->column_ns, map->bin_ns,
		    map->column_count, map->row_count, map->interval_ns, drawing->left,
		    drawing->top, drawing->bin_width, drawing->bin_height,
		    map->waits ? heat_map_waits_name(map) : "", heat_map_counted(map),
		    map->has_times_of_day          ? "day"
		    : map->by == TIMELINE_BY_VALUE ? "log"
						   : "capture");
	write_weight_attributes(drawing);
	sink_printf(sink,
		    ">\n<rect class=\"back\" width=\"%" PRIu64 "\" height=\"%" PRIu32
		    "\" fill=\"#f6f8fa\"/>\n",
		    map->column_count, map->row_count);
	for (uint32_t level = 1; level <= HEAT_MAP_LEVELS; level++)
		write_level(drawing, level);
	sink_printf(sink,
		    "</g>\n<rect class=\"frame\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#d1d9e0\"/>\n",
		    drawing->left, drawing->top, plot_width(drawing), plot_height(drawing));
	write_marks(drawing);
	sink_puts(drawing->sink, "</g>\n");
}

/* ---- Axes ---- */

static void write_text_at(const struct drawing *drawing, double x, double y, const char *attributes,
			  struct text text)
{
	sink_printf(drawing->sink, "<text x=\"%g\" y=\"%g\"%s>", x, y, attributes);
	escape_xml(drawing->sink, text);
	sink_puts(drawing->sink, "</text>\n");
}

static void write_offsets(const struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;
	struct sink label;

	sink_init_memory(&label);
	for (uint32_t i = 0; i <= OFFSET_TICKS; i++) {
		uint32_t row = map->row_count * i / OFFSET_TICKS;

		/* There can be fewer rows than ticks. */
		if (i && row == map->row_count * (i - 1) / OFFSET_TICKS)
			continue;
		label.used = 0;
		if (row)
			heat_map_duration(row * map->bin_ns, &label);
		else
			sink_puts(&label, "0");
		write_text_at(drawing, drawing->left - 8,
			      bottom(drawing) - row * drawing->bin_height + 4,
			      " text-anchor=\"end\"", sink_memory(&label));
	}
	sink_deinit(&label);
}

/* Writes the row names. A long name is truncated, and its tooltip contains the full name. */
static void write_names(const struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;
	size_t fit = (drawing->left - MARGIN) / LABEL_GLYPH;
	struct sink name;

	sink_init_memory(&name);
	for (uint32_t i = 0; i < map->row_count; i++) {
		struct text shown;

		name.used = 0;
		heat_map_row_name(map, i, &name);
		shown = escape_first_characters(sink_memory(&name), fit);
		sink_printf(drawing->sink,
			    "<text class=\"row\" x=\"%" PRIu32 "\" y=\"%g\" text-anchor=\"end\">",
			    drawing->left - 8, drawing->top + (i + 0.5) * drawing->bin_height + 4);
		if (shown.length < name.used) {
			sink_puts(drawing->sink, "<title>");
			escape_xml(drawing->sink, sink_memory(&name));
			sink_puts(drawing->sink, "</title>");
		}
		escape_xml(drawing->sink, shown);
		sink_puts(drawing->sink, shown.length < name.used ? "…</text>\n" : "</text>\n");
	}
	sink_deinit(&name);
}

static const char *words_of_clock(const struct heat_map *map)
{
	if (map->has_times_of_day)
		return "time of day";
	return map->by == TIMELINE_BY_VALUE ? "seconds" : "seconds on the capture's clock";
}

static void write_times(const struct drawing *drawing)
{
	const struct heat_map *map = drawing->map;
	uint32_t y = bottom(drawing);
	struct sink label;

	time_axis_write(&(struct time_axis){ .is_time_of_day = map->has_times_of_day,
					     .first_ns = map->first_column * map->column_ns,
					     .duration_ns = saturate_multiply(map->column_count,
									      map->column_ns),
					     .unit_ns = map->column_ns,
					     .unit_width = drawing->bin_width,
					     .left = drawing->left,
					     .y = y,
					     .grid_top = y },
			drawing->sink);
	sink_init_memory(&label);
	sink_printf(&label, "%s; %ss from ", words_of_clock(map), heat_map_counted(map));
	heat_map_time(map, map->first_time_ns, &label);
	sink_puts(&label, " to ");
	heat_map_time(map, map->last_time_ns, &label);
	write_text_at(drawing, drawing->left, y + 36, "", sink_memory(&label));
	sink_deinit(&label);
}

static void write_axes(const struct drawing *drawing)
{
	sink_puts(drawing->sink, "<g class=\"axis\" fill=\"#59636e\">\n");
	if (drawing->map->by == TIMELINE_BY_NOTHING)
		write_offsets(drawing);
	else
		write_names(drawing);
	write_times(drawing);
	sink_puts(drawing->sink, "</g>\n");
}

/* ---- Above and below the plot ---- */

static void write_words_of_weight(const struct heat_map *map, const struct profile *profile,
				  struct sink *sink)
{
	if (map->waits)
		sink_printf(sink, " of %s per bin, all threads together", heat_map_waits_name(map));
	else if (map->full_weight)
		sink_puts(sink, " per bin: always busy");
	else if (map->unit != UNIT_NANOSECONDS)
		sink_puts(sink, " per bin");
	else
		sink_printf(sink, " of %s per bin", name_of_time(profile));
}

static void write_legend(const struct drawing *drawing)
{
	const struct profile *profile = drawing->view->profile;
	uint32_t y = drawing->top - LEGEND_HEIGHT;
	struct sink label;

	sink_puts(drawing->sink, "<g class=\"legend\">\n");
	write_text_at(drawing, drawing->left, y + 13, " class=\"facts\"", text_of("0"));
	for (uint32_t i = 0; i < HEAT_MAP_LEVELS; i++)
		sink_printf(drawing->sink,
			    "<rect class=\"l%" PRIu32 "\" x=\"%" PRIu32 "\" y=\"%" PRIu32
			    "\" width=\"%u\" height=\"%u\" fill=\"%s\"/>",
			    i + 1, drawing->left + 14 + i * SWATCH, y, SWATCH, SWATCH, colours[i]);
	sink_init_memory(&label);
	sink_puts(&label, drawing->scale.is_open ? "≥ " : "");
	number_weight(&label, drawing->scale.top, drawing->map->unit);
	write_words_of_weight(drawing->map, profile, &label);
	if (drawing->scale.is_open) {
		sink_puts(&label, ", at most ");
		number_weight(&label, drawing->map->largest, drawing->map->unit);
	}
	write_text_at(drawing, drawing->left + 22 + HEAT_MAP_LEVELS * SWATCH, y + 13,
		      " class=\"facts\"", sink_memory(&label));
	sink_puts(drawing->sink, "</g>\n");
	sink_deinit(&label);
}

/*
 * Returns the value of a bin for the script: the number of its samples, or its waits in thousandths
 * of its duration.
 */
static uint64_t count_of(const struct heat_map *map, const struct heat_map_cell *cell)
{
	struct ratio ratio;

	if (!map->waits)
		return cell->sample_count;
	ratio = ratio_of(cell->weight, BIN_PARTS, map->bin_ns);
	return ratio.quotient;
}

static uint64_t weight_of(const struct heat_map *map, const struct heat_map_cell *cell)
{
	(void)map;
	return cell->weight;
}

/*
 * Writes the value of each bin, for the script, in multiples of step: columns separated by ";", rows
 * by ",". What rounding leaves out of a value is in the next ones, so that sums of many are right.
 */
static void write_values(const struct drawing *drawing, const char *id,
			 uint64_t (*value_of)(const struct heat_map *map,
					      const struct heat_map_cell *cell),
			 uint64_t step)
{
	const struct heat_map *map = drawing->map;
	uint64_t column = 0;
	uint64_t rest = 0;
	uint32_t row = 0;

	sink_printf(drawing->sink, "<metadata id=\"%s\">", id);
	for (size_t i = 0; i < map->cells.count; i++) {
		const struct heat_map_cell *cell = &map->cells.at[i];

		for (; column < cell->column; column++, row = 0)
			sink_char(drawing->sink, ';');
		for (; row < cell->row; row++)
			sink_char(drawing->sink, ',');
		rest = saturate_add(rest, value_of(map, cell));
		sink_u64(drawing->sink, rest / step);
		rest %= step;
	}
	sink_puts(drawing->sink, "</metadata>\n");
}

static void write_style(struct sink *sink)
{
	struct text own = { assets_heat_map_css_begin,
			    (uint32_t)(assets_heat_map_css_end - assets_heat_map_css_begin) };

	sink_puts(sink, "<style>\n");
	sink_text(sink, assets_viewer_css());
	sink_text(sink, own);
	sink_puts(sink, "</style>\n");
}

static void write_footer(const struct drawing *drawing)
{
	uint32_t y = bottom(drawing) + AXIS_HEIGHT + FOOTER_HEIGHT / 2 + 4;

	sink_printf(drawing->sink,
		    "<text id=\"details\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" aria-live=\"polite\"> </text>\n"
		    "<text id=\"window\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		    "\" text-anchor=\"end\"> </text>\n",
		    drawing->left, y, WIDTH - MARGIN, y);
}

static void write_document(struct drawing *drawing, const struct svg_header *header)
{
	svg_header_open(header, drawing->sink);
	write_style(drawing->sink);
	svg_header_write(header, drawing->sink);
	svg_header_write_lines(header, drawing->sink);
	write_legend(drawing);
	write_plot(drawing);
	write_axes(drawing);
	write_footer(drawing);
	write_values(drawing, "counts", count_of, 1);
	if (has_weights(drawing->map))
		write_values(drawing, "weights", weight_of, weight_step(drawing->map));
	time_document_write_script(
		(struct text){ assets_heat_map_js_begin,
			       (uint32_t)(assets_heat_map_js_end - assets_heat_map_js_begin) },
		drawing->sink);
	sink_puts(drawing->sink, "</svg>\n");
}

static const char *title_of(const struct heat_map_view *view)
{
	if (view->title)
		return view->title;
	if (view->map->waits)
		return view->map->waits == HEAT_MAP_OFF_CPU ? "Off-CPU Time" : "Run-Queue Time";
	if (view->map->by == TIMELINE_BY_VALUE)
		return "Values over Time";
	return view->map->full_weight ? "CPU Utilisation" : "Heat Map";
}

void heat_map_write_svg(const struct heat_map_view *view, struct sink *sink)
{
	struct drawing drawing = {
		.view = view,
		.map = view->map,
		.scale = heat_map_scale_of(view->map),
		.sink = sink,
	};
	struct time_document document;
	struct sink facts;

	sink_init_memory(&facts);
	heat_map_facts(view, &facts);
	sink_char(&facts, '\0');
	time_document_init(&document, &(struct time_document_options){
					      .profile = view->profile,
					      .unit = view->map->unit,
					      .weight = view->map->weight,
					      .width = WIDTH,
					      .title = title_of(view),
					      .facts = sink_memory(&facts).at,
					      .command = view->command,
					      .is_metadata_stripped = view->is_metadata_stripped,
				      });
	measure(&drawing);
	drawing.top = svg_header_height(&document.header) + LEGEND_HEIGHT;
	document.header.total_height = bottom(&drawing) + AXIS_HEIGHT + FOOTER_HEIGHT;
	write_document(&drawing, &document.header);
	sink_deinit(&facts);
}
