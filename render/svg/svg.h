/* SPDX-License-Identifier: MIT */
/*
 * Writes a flame graph as one self-contained SVG file. The SVG is static if scripts do not run. In
 * a browser, it can be zoomed, searched and used with the keyboard.
 *
 *     +------------------------------------------------+
 *     | title                         [search] [reset] |   svg_header.c
 *     | event, samples, duration                       |
 *     | ## user  ## kernel                             |   svg_legend.c
 *     |                 +------+                       |
 *     |   +----+ +------+ read |   +-----+             |   svg_layout.c, svg_frames.c
 *     | +-+----+-+-------------+---+-----+-----------+ |
 *     | | all                                        | |
 *     | details of the frame under the pointer         |   viewer/, svg_style.c, embed.c
 *     +------------------------------------------------+
 */
#ifndef RENDER_SVG_SVG_H
#define RENDER_SVG_SVG_H

#include "base/sink.h"
#include "profile/profile.h"
#include "render/svg/palette.h"

/*
 * Sizes and fonts, in kiln's layout or in that of flamegraph.pl:
 *
 *     kiln                                   flamegraph.pl
 *     | Title           [Reset] [Search] |   | [Reset]      Title      [Search] |
 *     | facts                            |   |             subtitle             |
 *     | frames                           |   | frames                           |
 *     | details                 matched  |   | details                 matched  |
 *
 * In pixels unless noted.
 */
struct svg_theme {
	const char *font_type; /* of labels; NULL means a monospaced font */
	double font_size;
	double glyph_width;  /* mean, as a share of the font size */
	uint32_t row_height; /* of a rectangle plus the pixel between two rows */
	uint32_t margin;     /* left and right of the frames */
	uint32_t padding;    /* between the left edge of a rectangle and its label */
	bool is_classic;     /* flamegraph.pl's layout */
};

#define SVG_THEME                   \
	((struct svg_theme){        \
		.font_size = 12,    \
		.glyph_width = 0.6, \
		.row_height = 18,   \
		.margin = 16,       \
		.padding = 4,       \
	})

#define SVG_THEME_CLASSIC                          \
	((struct svg_theme){                       \
		.font_type = "Verdana,sans-serif", \
		.font_size = 12,                   \
		.glyph_width = 0.59,               \
		.row_height = 16,                  \
		.margin = 10,                      \
		.padding = 3,                      \
		.is_classic = true,                \
	})

/* The distance from the upper edge of a rectangle to the baseline of its label. */
static inline double svg_theme_baseline(const struct svg_theme *theme)
{
	return (theme->row_height - 1) / 2.0 + (theme->is_classic ? 3 : theme->font_size / 3);
}

/* The height of the area below the frames. */
static inline uint32_t svg_theme_footer(const struct svg_theme *theme)
{
	return theme->is_classic ? (uint32_t)(theme->font_size * 2) + 10 : 44;
}

/* The default size limit of the embedded profile. */
#define EMBED_LIMIT_BYTES (1 << 20)

/* The width in pixels if the width of the window is unknown. */
#define SVG_FLUID_WIDTH 1200

/* An SVG file, or an HTML page around it. */
enum svg_form {
	SVG_FORM_FILE,
	SVG_FORM_PAGE,
	SVG_FORM_COUNT,
};

/* "svg" and "html"; NULL at the end. */
extern const char *const svg_form_names[SVG_FORM_COUNT + 1];

struct svg_options {
	const char *title;       /* NULL means "Flame Graph", "Icicle Graph" or "Flame Chart" */
	const char *subtitle;    /* NULL if none */
	const char *notes;       /* a comment in the file; NULL if none */
	const char *name_type;   /* prefix of names in the details line; NULL if none */
	uint64_t width;          /* in pixels; 0 means that of the window, or 1200 if unknown */
	double minimum_width;    /* of a frame that is shown, in pixels */
	bool is_minimum_percent; /* minimum_width is a percentage of the total width */
	struct svg_theme theme;
	struct colouring colouring;
	/*
	 * "yellow", "blue", "green", "grey" or a colour; NULL means white, or black in dark mode.
	 */
	const char *background;
	const char *search_colour, *ink_colour, *stroke_colour; /* NULL means the defaults */
	bool is_inverted;                                       /* the root is at the top */
	bool is_chart;                                          /* frames are in time order */
	int form;                                               /* enum svg_form */
	uint64_t embed_limit_bytes; /* of the embedded profile; 0 has the effect of is_static */
	/* to draw, and to compress the profile at the same time; 0 means one per CPU */
	unsigned thread_count;
	bool is_embedded_uncompressed;
	bool is_static;      /* no script and no embedded profile */
	bool is_part;        /* part of an HTML page, which has the header */
	bool is_full_height; /* deep narrow towers are not folded: svg_layout.h */
	double total;  /* the weight that the full width shows; at least the profile's total */
	double factor; /* factor for displayed weights; 0 means 1 */
	const char *count_name;    /* unit of displayed weights; NULL means that of the profile */
	bool is_metadata_stripped; /* omit how the SVG was made */
	bool shows_host;           /* show the host name, and home directories in paths */
	const struct svg_overrides *overrides;    /* NULL if the SVG shows a single profile */
	const struct name_attributes *attributes; /* NULL if none */
	const char *command;                      /* command line for the metadata; NULL if none */
};

void svg_options_init(struct svg_options *options);

/* Whether the SVG has neither a script nor an embedded profile. The script needs the profile. */
static inline bool svg_is_static(const struct svg_options *options)
{
	return options->is_static || !options->embed_limit_bytes;
}

/* Checks that the colours and the background in the options are valid. */
bool svg_options_check(const struct svg_options *options, struct error *err) WARN_UNUSED;

/* Writes the flame graph. The sink keeps the first write error. */
void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink);

/* Writes an SVG that only shows an error message, as flamegraph.pl does for empty input. */
void svg_write_error(const struct svg_options *options, const char *text, struct sink *sink);

#endif
