/* SPDX-License-Identifier: MIT */
/*
 * Chooses the colour of a frame. In kiln's own palette, the hue shows the kind of code, and the
 * shade depends on the function:
 *
 *     user  orange   kernel  blue   jit  green   inlined  teal   process  grey   unknown  pale grey
 *
 * In off-CPU profiles the hue shows what threads did in the frame:
 *
 *     blocked  blue   wakes others  teal   on-CPU  warm   several of these  sand
 *     [blocked]  blue   [preempted]  amber   [run queue]  violet
 *
 * The other palettes are those of flamegraph.pl and inferno. Palettes named after a language choose
 * the hue by the function name and its annotation.
 */
#ifndef RENDER_SVG_PALETTE_H
#define RENDER_SVG_PALETTE_H

#include "profile/profile.h"
#include "base/sink.h"
#include "render/svg/colour.h"

#define PALETTE_SHADES 8

enum palette {
	PALETTE_KILN,
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_PYTHON,
	PALETTE_RUST,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_AQUA,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_ORANGE,
	PALETTE_COUNT,
};

/* The hues of kiln's own palette. */
enum palette_hue {
	HUE_GROUP,
	HUE_USER,
	HUE_INLINED,
	HUE_JIT,
	HUE_KERNEL,
	HUE_UNNAMED,
	HUE_RUNS_KERNEL,
	HUE_WAITS,
	HUE_WAITS_KERNEL,
	HUE_WAKES,
	HUE_SEVERAL,
	HUE_BLOCKED,
	HUE_PREEMPTED,
	HUE_RUN_QUEUE,
	HUE_MARK,
	HUE_COUNT,
};

/* The names for --colors, ended by NULL. */
extern const char *const palette_names[PALETTE_COUNT + 1];

/*
 * Fixed colours for function names: flamegraph.pl's palette.map.
 *
 *     main->rgb(243,179,42)        one line per name, sorted by name
 *     operator->->rgb(213,39,9)    the last arrow separates
 */
struct palette_map_row {
	struct colour colour;
	bool is_set;
};

struct palette_map {
	struct strings names;
	VEC(struct palette_map_row) rows; /* by str_id */
};

void palette_map_init(struct palette_map *map);
void palette_map_deinit(struct palette_map *map);

/*
 * Adds the contents of a file. Fails at the first malformed line; the lines before it have been
 * added.
 */
bool palette_map_read(struct palette_map *map, struct text file, struct error *err) WARN_UNUSED;

/* Writes all entries, sorted by name. */
void palette_map_write(const struct palette_map *map, struct sink *sink);

/* Sets the colour of a name. */
void palette_map_set(struct palette_map *map, struct text name, struct colour colour);

/* Finds the colour of a name. Returns false if the name has no colour. */
bool palette_map_find(struct palette_map *map, struct text name, struct colour *ret);

/* The rules for the colours of frames. */
struct colouring {
	int palette; /* enum palette */
	enum colour_source source;
	bool is_inferno;         /* use inferno's rules where they differ from flamegraph.pl's */
	struct palette_map *map; /* fixed colours; NULL if none */
};

/* The colour of a frame. */
struct colour palette_colour(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame);

/* Like palette_colour, but also records the colour in the palette map, if there is one. */
struct colour palette_assign(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame);

/* The palest colour of a hue. */
struct colour palette_hue_palest(enum palette_hue hue);

/*
 * palette_hue returns the hue of a frame in kiln's own palette; palette_hue_colour returns the
 * middle shade of a hue.
 */
enum palette_hue palette_hue(const struct profile *profile, const struct frame *frame);
struct colour palette_hue_colour(enum palette_hue hue);

/* The name without the annotation for the frame's kind, such as _[k]. */
struct text palette_bare_name(struct text name);

#endif
