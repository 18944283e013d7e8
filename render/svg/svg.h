/* SPDX-License-Identifier: MIT */
/*
 * A flame graph as one SVG file that needs nothing else: a complete picture where scripts are
 * blocked, and in a browser one that can be zoomed, searched and walked with the keyboard.
 *
 *     +------------------------------------------------+
 *     | title                         [search] [reset] |   header: svg_header.c, svg_classic.c
 *     | what was measured, how much of it, how long    |
 *     |                 +------+                       |
 *     |   +----+ +------+ read |   +-----+             |   boxes: layout.c, svg_boxes.c
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
#include "render/svg/svg_look.h"

/* What is embedded unless the user says otherwise. */
#define EMBED_LIMIT_BYTES (1 << 20)

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
	struct svg_look look;
	struct colouring colouring;
	/* "yellow", "blue", "green", "grey" or a colour; NULL: white, or black in the dark. */
	const char *background;
	const char *search_colour, *ink_colour, *stroke_colour; /* NULL: the viewer's own */
	bool is_inverted;                                       /* the root is at the top */
	bool is_chart;                                          /* boxes are in the order of time */
	int form;                                               /* enum svg_form */
	uint64_t embed_limit_bytes;  /* of the profile in the file, for the viewer; 0: none */
	bool is_embedded_plain;      /* rather than packed */
	bool is_still;               /* nothing is embedded, and there is no viewer */
	bool is_metadata_stripped;   /* nothing is said of how the picture was made */
	bool is_host_told;           /* where it was captured, and paths in people's home folders */
	const struct svg_rows *rows; /* NULL: a picture of one profile */
	const struct name_attributes *attributes; /* NULL: none */
	const char *command; /* how the picture was made, for its metadata; NULL: not said */
};

void svg_options_init(struct svg_options *options);

/* What of the options cannot be: colours that are none, notes that no comment can hold. */
bool svg_options_check(const struct svg_options *options, struct error *err) WARN_UNUSED;

/* Writes the picture. Failures latch in the sink. */
void svg_write(const struct profile *profile, const struct svg_options *options, struct sink *sink);

#endif
