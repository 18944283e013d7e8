/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_legend.h"

#include <inttypes.h>

#include "render/escape.h"
#include "render/svg/svg_frames.h"

/* Pixels. */
#define SWATCH 14
#define GAP    6

#define BIT(hue) ((uint32_t)1 << (hue))

/* A hue shares its entry with the hue for the same activity in the kernel. */
struct legend_entry {
	enum palette_hue hue, of_kernel;
	const char *text, *both; /* the label for one of the hues, and the label for both */
};

static const struct legend_entry entries[] = {
	{ HUE_USER, HUE_USER, "user code", NULL },
	{ HUE_INLINED, HUE_INLINED, "inlined", NULL },
	{ HUE_JIT, HUE_JIT, "JIT", NULL },
	{ HUE_KERNEL, HUE_KERNEL, "kernel", NULL },
	{ HUE_UNNAMED, HUE_UNNAMED, "unknown", NULL },
};

static const struct legend_entry waiting_entries[] = {
	{ HUE_USER, HUE_RUNS_KERNEL, "running", "running: user code, kernel" },
	{ HUE_INLINED, HUE_INLINED, "running, inlined", NULL },
	{ HUE_JIT, HUE_JIT, "running, JIT", NULL },
	{ HUE_WAITS, HUE_WAITS_KERNEL, "waiting", "blocked: user code, kernel" },
	{ HUE_WAKES, HUE_WAKES, "waking others", NULL },
	{ HUE_SEVERAL, HUE_SEVERAL, "several of these", NULL },
	{ HUE_PREEMPTED, HUE_PREEMPTED, "preempted", NULL },
	{ HUE_RUN_QUEUE, HUE_RUN_QUEUE, "run queue", NULL },
};

struct svg_legend svg_legend_open(uint32_t x, uint32_t y, struct sink *sink)
{
	sink_puts(sink, "<g id=\"legend\">");
	return (struct svg_legend){ .sink = sink, .x = x, .y = y };
}

void svg_legend_swatch(struct svg_legend *legend, const char *fill)
{
	sink_printf(legend->sink,
		    "<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%d\" height=\"12\" "
		    "fill=\"%s\"/>",
		    legend->x, legend->y - 10, SWATCH - 1, fill);
	legend->x += SWATCH;
}

/* Estimated, because the font is unknown. */
static uint32_t width_of(const char *text)
{
	uint32_t tenths = 0;

	for (; *text; text++)
		tenths += strchr(" ,.:ijlrt", *text) ? 42 : strchr("mw", *text) ? 110 : 76;
	return tenths / 10;
}

void svg_legend_text(struct svg_legend *legend, const char *text, const char *more)
{
	sink_printf(legend->sink, "<text class=\"facts\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
		    legend->x + GAP, legend->y);
	escape_xml(legend->sink, text_of(text));
	if (more) {
		sink_puts(legend->sink, "<tspan class=\"more\">");
		escape_xml(legend->sink, text_of(more));
		sink_puts(legend->sink, "</tspan>");
	}
	sink_puts(legend->sink, "</text>");
	legend->x += 4 * GAP + width_of(text) + (more ? width_of(more) : 0);
}

void svg_legend_close(struct svg_legend *legend)
{
	sink_puts(legend->sink, "</g>\n");
}

uint32_t svg_legend_hues(const struct profile *profile, const struct svg_layout *layout,
			 const struct svg_options *options)
{
	static const uint32_t silent = BIT(HUE_GROUP) | BIT(HUE_MARK) | BIT(HUE_BLOCKED);
	uint32_t hues = 0;

	if (options->colouring.palette != PALETTE_KILN || options->colouring.map ||
	    options->theme.is_classic || options->overrides)
		return 0;
	for (size_t i = 0; i < layout->rects.count; i++) {
		const struct layout_rect *rect = &layout->rects.at[i];
		frame_id frame = profile->stacks.at[rect->row].frame;

		/* Narrower rectangles have no visible colour. */
		if (rect->row && rect->width >= SVG_TENTHS)
			hues |= BIT(palette_hue(profile, &profile->frames.at[frame.i]));
	}
	hues &= ~silent;
	return hues & (hues - 1) ? hues : 0;
}

static void write_swatch(struct svg_legend *legend, enum palette_hue hue)
{
	char fill[8];

	snprintf(fill, sizeof(fill), "#%06x", colour_rgb(palette_hue_colour(hue)));
	svg_legend_swatch(legend, fill);
}

void svg_legend_write(uint32_t hues, bool shows_waits, uint32_t x, uint32_t y, struct sink *sink)
{
	const struct legend_entry *rows = shows_waits ? waiting_entries : entries;
	size_t count = shows_waits ? ARRAY_SIZE(waiting_entries) : ARRAY_SIZE(entries);
	struct svg_legend legend = svg_legend_open(x, y, sink);

	for (size_t i = 0; i < count; i++) {
		uint32_t here = hues & (BIT(rows[i].hue) | BIT(rows[i].of_kernel));

		if (here & BIT(rows[i].hue))
			write_swatch(&legend, rows[i].hue);
		if (here & ~BIT(rows[i].hue))
			write_swatch(&legend, rows[i].of_kernel);
		if (here)
			svg_legend_text(&legend, here & (here - 1) ? rows[i].both : rows[i].text,
					NULL);
	}
	svg_legend_close(&legend);
}
