/* SPDX-License-Identifier: MIT */
/*
 * A flame graph as one SVG file that needs nothing else: a complete picture where scripts are
 * blocked, and in a browser one that can be zoomed, searched and walked with the keyboard.
 *
 *     +------------------------------------------------+
 *     | title                         [search] [reset] |   header: svg_header.c, svg_classic.c
 *     | what was measured, how much of it, how long    |
 *     |                 +------+                       |
 *     |   +----+ +------+ read |   +-----+             |   boxes: layout.c, svg_frames.c
 *     | +-+----+-+-------------+---+-----+-----------+ |
 *     | | all                                        | |
 *     | details of the box under the pointer           |   viewer: assets/
 *     +------------------------------------------------+
 */
#ifndef RENDER_SVG_SVG_H
#define RENDER_SVG_SVG_H

#include "base/sink.h"
#include "profile/profile.h"
#include "render/svg/palette.h"

/*
 * The measures of a picture: what is how large, and whether it is laid out as kiln does it or, for
 * those who exchange the one for the other, as flamegraph.pl.
 *
 *     kiln                                   flamegraph.pl
 *     | Title           [Reset] [Search] |   | [Reset]      Title      [Search] |
 *     | facts                            |   |             subtitle             |
 *     | boxes                            |   | boxes                            |
 *     | details                 matched  |   | details                 matched  |
 */
/* Pixels, where nothing else is said. */
struct svg_theme {
	const char *font_type; /* of labels; NULL: one whose glyphs are all as wide */
	double font_size;
	double glyph_width;  /* on average, in font sizes */
	uint32_t row_height; /* of a box and what is between it and the next, a pixel */
	uint32_t margin;     /* on both sides of the boxes */
	uint32_t padding;    /* in a box before its label */
	bool is_classic;     /* laid out as flamegraph.pl does it */
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

/* From the upper edge of a box to the line its label stands on. */
static inline double svg_theme_baseline(const struct svg_theme *theme)
{
	return (theme->row_height - 1) / 2.0 + (theme->is_classic ? 3 : theme->font_size / 3);
}

/* What is below the boxes. */
static inline uint32_t svg_theme_footer(const struct svg_theme *theme)
{
	return theme->is_classic ? (uint32_t)(theme->font_size * 2) + 10 : 44;
}

/* What is embedded unless the user says otherwise. */
#define EMBED_LIMIT_BYTES (1 << 20)

/* Pixels, where the width of the window is not known. */
#define SVG_FLUID_WIDTH 1200

/* As a file of its own, or as a page around it. */
enum svg_form {
	SVG_FORM_FILE,
	SVG_FORM_PAGE,
	SVG_FORM_COUNT,
};

/* "svg" and "html"; NULL at the end. */
extern const char *const svg_form_names[SVG_FORM_COUNT + 1];

struct svg_options {
	const char *title;     /* NULL: "Flame Graph", or what fits the direction */
	const char *subtitle;  /* NULL: none */
	const char *notes;     /* for who reads the file; NULL: none */
	const char *name_type; /* said before names in the line of details; NULL: nothing */
	uint64_t width; /* of the picture, in pixels; 0: the window's, 1200 where it is not known */
	double minimum_width;    /* of a box that is drawn, in pixels */
	bool is_minimum_percent; /* rather of the whole width */
	struct svg_theme theme;
	struct colouring colouring;
	/* "yellow", "blue", "green", "grey" or a colour; NULL: white, or black in the dark. */
	const char *background;
	const char *search_colour, *ink_colour, *stroke_colour; /* NULL: the viewer's own */
	bool is_inverted;                                       /* the root is at the top */
	bool is_chart;                                          /* boxes are in the order of time */
	int form;                                               /* enum svg_form */
	uint64_t embed_limit_bytes;    /* of the profile in the file, for the viewer; 0: none */
	bool is_embedded_uncompressed; /* rather than packed */
	bool is_static;                /* nothing is embedded, and there is no viewer */
	bool is_metadata_stripped;     /* nothing is said of how the picture was made */
	bool shows_host; /* where it was captured, and paths in people's home folders */
	const struct svg_overrides *overrides;    /* NULL: a picture of one profile */
	const struct name_attributes *attributes; /* NULL: none */
	const char *command; /* how the picture was made, for its metadata; NULL: not said */
};

void svg_options_init(struct svg_options *options);

/* What of the options cannot be: colours that are none, notes that no comment can hold. */
bool svg_options_check(const struct svg_options *options, struct error *err) WARN_UNUSED;

/* Writes the flame graph. The sink keeps the first write error. */
void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink);

/* Writes an SVG that only shows an error message, as flamegraph.pl does for empty input. */
void svg_write_error(const struct svg_options *options, const char *text, struct sink *sink);

#endif
