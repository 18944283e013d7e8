/* SPDX-License-Identifier: MIT */
#include "render/svg/histogram_svg.h"

#include <math.h>

#include "render/escape.h"
#include "render/number.h"
#include "render/text/histogram_text.h"

/* Pixels. */
#define WIDTH        900
#define MARGIN       24
#define TITLE_HEIGHT 44
#define PANEL_HEIGHT 210
#define PANEL_TOP    48 /* part of a panel above its plot: name, percentile labels */
#define PLOT_HEIGHT  120
#define LABEL_DOWN   16
/* Of a name; there is room for so many if they are wide, and for the count. */
#define NAME_CHARACTERS 88

#define LINEAR_TICKS 6
/* The largest number of ticks on a logarithmic axis. */
#define LOG_TICKS_MAX 12

struct panel {
	const struct histogram_set *set;
	const struct histogram_svg_options *options;
	struct sink *sink;
	double y;         /* of the axis */
	double low, high; /* values at the ends of the axis; logarithms, unless it is linear */
	double scale;     /* of heights */
};

/* The place of a value on the axis, before scaling. */
static double place_of(const struct histogram_svg_options *options, double value)
{
	if (options->is_linear)
		return value;
	return value > 0 ? log2(value) : -INFINITY;
}

static double x_of(const struct panel *panel, double value)
{
	double share = (place_of(panel->options, value) - panel->low) / (panel->high - panel->low);

	return MARGIN + fmin(fmax(share, 0), 1) * (WIDTH - 2 * MARGIN);
}

/* Widens the axis to contain all buckets that are not open at both ends. */
static void cover(struct panel *panel, const struct histogram *bins)
{
	for (size_t i = 0; i < bins->buckets.count; i++) {
		const struct histogram_bucket *bin = &bins->buckets.at[i];
		double low = place_of(panel->options, bin->low);
		double high = place_of(panel->options, bin->high);

		/*
		 * An open bucket, or a bucket that begins at 0 on a logarithmic axis, gets a finite
		 * width.
		 */
		if (isinf(low) && !isinf(high))
			low = high - 1;
		if (isinf(high))
			high = low + (panel->options->is_linear ? fabs(low) / 8 + 1 : 1);
		if (isinf(low) || isinf(high))
			continue;
		panel->low = fmin(panel->low, low);
		panel->high = fmax(panel->high, high);
	}
}

static double height_of(const struct panel *panel, const struct histogram *bins, size_t index)
{
	const struct histogram_bucket *bin = &bins->buckets.at[index];
	double share = (double)bin->count / (double)bins->count;
	double width = x_of(panel, bin->high) - x_of(panel, bin->low);

	return panel->options->is_linear && width > 0 ? share / width : share;
}

static double largest_height(const struct panel *panel, const struct histogram *bins)
{
	double largest = 0;

	for (size_t i = 0; i < bins->buckets.count; i++)
		largest = fmax(largest, height_of(panel, bins, i));
	return largest;
}

static void write_bars(const struct panel *panel, const struct histogram *bins,
		       const char *attributes)
{
	struct sink *sink = panel->sink;

	sink_printf(sink, "<g %s>\n", attributes);
	for (size_t i = 0; i < bins->buckets.count; i++) {
		const struct histogram_bucket *bin = &bins->buckets.at[i];
		double x = x_of(panel, bin->low);
		double width = fmax(x_of(panel, bin->high) - x, 1);
		double height = height_of(panel, bins, i) * panel->scale;

		sink_printf(sink,
			    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>", x,
			    panel->y - height, width, height);
		histogram_value(panel->set, bin->low, sink);
		sink_puts(sink, " to ");
		histogram_value(panel->set, bin->high, sink);
		sink_puts(sink, ": ");
		number_grouped(sink, bin->count);
		sink_printf(sink, " (%.2f%%)</title></rect>\n",
			    100 * (double)bin->count / (double)bins->count);
	}
	sink_puts(sink, "</g>\n");
}

static void write_tick(const struct panel *panel, double value)
{
	double x = x_of(panel, value);

	sink_printf(panel->sink,
		    "<path d=\"M%.2f %gv5\" stroke=\"#59636e\"/><text x=\"%.2f\" y=\"%g\" "
		    "text-anchor=\"middle\" fill=\"#59636e\">",
		    x, panel->y, x, panel->y + LABEL_DOWN);
	histogram_value(panel->set, value, panel->sink);
	sink_puts(panel->sink, "</text>\n");
}

static void write_axis(const struct panel *panel)
{
	double decades = (panel->high - panel->low) / log2(10);
	double step = fmax(1, ceil(decades / LOG_TICKS_MAX));

	sink_printf(panel->sink, "<path d=\"M%d %gH%d\" stroke=\"#59636e\"/>\n", MARGIN, panel->y,
		    WIDTH - MARGIN);
	if (panel->options->is_linear) {
		for (int i = 0; i < LINEAR_TICKS; i++)
			write_tick(panel, panel->low + (panel->high - panel->low) * i /
							       (LINEAR_TICKS - 1));
		return;
	}
	/* A narrow axis has ticks at its ends instead of at powers of ten. */
	if (decades < 2) {
		write_tick(panel, exp2(panel->low));
		write_tick(panel, exp2(panel->high));
		return;
	}
	for (double power = ceil(panel->low / log2(10)); power <= panel->high / log2(10);
	     power += step)
		write_tick(panel, pow(10, power));
}

static void write_quantile_line(const struct panel *panel, size_t index, double value,
				const char *colour, bool is_dashed)
{
	sink_printf(panel->sink, "<path d=\"M%.2f %gV%g\" stroke=\"%s\"%s><title>%s ",
		    x_of(panel, value), panel->y, panel->y - PLOT_HEIGHT - 4, colour,
		    is_dashed ? " stroke-dasharray=\"3\"" : "", histogram_quantiles[index].name);
	histogram_value(panel->set, value, panel->sink);
	sink_puts(panel->sink, "</title></path>\n");
}

/* Labels of percentiles are on different lines. A label can be over the line of another percentile. */
static void write_quantile_label(const struct panel *panel, size_t index, double value,
				 const char *colour)
{
	double x = x_of(panel, value);

	sink_printf(panel->sink,
		    "<text x=\"%.2f\" y=\"%g\" text-anchor=\"%s\" fill=\"%s\" "
		    "stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">%s ",
		    x + (x > WIDTH / 2 ? -3 : 3), panel->y - PLOT_HEIGHT + 6 + 13 * (double)index,
		    x > WIDTH / 2 ? "end" : "start", colour, histogram_quantiles[index].name);
	histogram_value(panel->set, value, panel->sink);
	sink_puts(panel->sink, "</text>\n");
}

static void write_quantiles(const struct panel *panel, const struct histogram *histogram,
			    const char *colour, bool has_labels)
{
	double values[HISTOGRAM_QUANTILES];

	for (size_t i = 0; i < HISTOGRAM_QUANTILES; i++) {
		values[i] = histogram_quantile(histogram, histogram_quantiles[i].share).value;
		write_quantile_line(panel, i, values[i], colour, !has_labels);
	}
	for (size_t i = 0; has_labels && i < HISTOGRAM_QUANTILES; i++)
		write_quantile_label(panel, i, values[i], colour);
}

/* Writes the name of a row. A long name is truncated, and its tooltip contains the full name. */
static void write_name(const struct panel *panel, const struct named_histogram *row,
		       const struct histogram *before)
{
	struct text shown = escape_first_characters(row->name, NAME_CHARACTERS);
	bool is_cut = shown.length < row->name.length;

	sink_printf(panel->sink, "<text x=\"%d\" y=\"%g\" font-weight=\"600\">", MARGIN,
		    panel->y - PLOT_HEIGHT - 18);
	if (is_cut) {
		sink_puts(panel->sink, "<title>");
		escape_xml(panel->sink, row->name);
		sink_puts(panel->sink, "</title>");
	}
	escape_xml(panel->sink, row->name.length ? shown : text_of("(all)"));
	sink_puts(panel->sink, is_cut ? "…: " : ": ");
	number_grouped(panel->sink, row->histogram.count);
	if (before) {
		sink_puts(panel->sink, "; before, as an outline: ");
		number_grouped(panel->sink, before->count);
	}
	sink_puts(panel->sink, "</text>\n");
}

static void write_panel(struct panel *panel, const struct named_histogram *row)
{
	const struct histogram_set *other = panel->options->before;
	const struct histogram *before = other ? histogram_set_find(other, row->name) : NULL;
	double largest = histogram_largest(&row->histogram);
	struct histogram bins;
	struct histogram was = { .count = 0 };

	if (before)
		largest = fmax(largest, histogram_largest(before));
	histogram_bins(panel->set, &row->histogram, panel->options->is_linear, largest, &bins);
	if (before)
		histogram_bins(panel->set, before, panel->options->is_linear, largest, &was);
	panel->low = INFINITY;
	panel->high = -INFINITY;
	cover(panel, &bins);
	cover(panel, &was);
	/* A logarithmic axis cannot show values that are not positive. */
	if (panel->low > panel->high)
		panel->low = panel->high = 0;
	if (panel->low == panel->high)
		panel->high = panel->low + 1;
	panel->scale = PLOT_HEIGHT /
		       fmax(largest_height(panel, &bins), before ? largest_height(panel, &was) : 0);
	write_name(panel, row, before);
	write_bars(panel, &bins, "fill=\"#fb7434\" stroke=\"#ffffff\" stroke-width=\"0.5\"");
	if (before) {
		write_bars(panel, &was, "fill=\"none\" stroke=\"#0969da\" stroke-width=\"1.2\"");
		write_quantiles(panel, before, "#0969da", false);
	}
	write_axis(panel);
	write_quantiles(panel, &row->histogram, "#1f2328", true);
	histogram_deinit(&bins);
	histogram_deinit(&was);
}

void histogram_svg_write(const struct histogram_set *set,
			 const struct histogram_svg_options *options, struct sink *sink)
{
	double height = TITLE_HEIGHT + (double)options->row_count * PANEL_HEIGHT;
	struct panel panel = { .set = set, .options = options, .sink = sink };
	struct text title = options->title ? text_of(options->title) : set->what;

	sink_printf(
		sink,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%g\" "
		"viewBox=\"0 0 %d %g\" font-family=\"system-ui, sans-serif\" font-size=\"11.5\" "
		"fill=\"#1f2328\">\n<title>",
		WIDTH, height, WIDTH, height);
	escape_xml(sink, title);
	sink_printf(sink,
		    "</title>\n<rect width=\"%d\" height=\"%g\" fill=\"#ffffff\"/>\n"
		    "<text x=\"%d\" y=\"30\" font-size=\"20\" font-weight=\"600\">",
		    WIDTH, height, MARGIN);
	escape_xml(sink, title);
	sink_puts(sink, "</text>\n");
	for (size_t i = 0; i < options->row_count; i++) {
		panel.y = TITLE_HEIGHT + (double)i * PANEL_HEIGHT + PANEL_TOP + PLOT_HEIGHT;
		write_panel(&panel, &set->rows.at[i]);
	}
	sink_puts(sink, "</svg>\n");
}
