/* SPDX-License-Identifier: MIT */
/*
 * What colour a frame's box has. kiln's own palette tells by hue what kind of code it is and by
 * shade which function:
 *
 *     user  orange   kernel  blue   jit  green   inlined  teal   process  grey   unknown  pale grey
 *
 * Where stacks are of time off the processor, they tell by hue what threads did in them:
 *
 *     waits  blue   wakes others  teal   runs  warm   several of these  sand
 *     [blocked]  blue   [preempted]  amber   [run queue]  violet
 *
 * The others are those of flamegraph.pl and inferno. Those named after a language choose a hue by what
 * the name of a function, and the annotation behind it, tell of its kind.
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

/* What kiln's own palette tells by hue. */
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

/* What users call them; NULL at the end. */
extern const char *const palette_names[PALETTE_COUNT + 1];

/*
 * Colours that functions were given once and are to keep: what flamegraph.pl calls palette.map.
 *
 *     main->rgb(243,179,42)        a line for each name, sorted by name
 *     operator->->rgb(213,39,9)    the last arrow counts
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

/* Adds what a file says. False with the first line that says nothing; what is before it was added. */
bool palette_map_read(struct palette_map *map, struct text file, struct error *err) WARN_UNUSED;

/* Writes all that is known, sorted by name. */
void palette_map_write(const struct palette_map *map, struct sink *sink);

/* Sets the colour of a name. */
void palette_map_set(struct palette_map *map, struct text name, struct colour colour);

/* The colour of a name; false: it has none. */
bool palette_map_find(struct palette_map *map, struct text name, struct colour *ret);

/* How the boxes of a picture get their colours. */
struct colouring {
	int palette; /* enum palette */
	enum colour_source source;
	bool is_inferno;         /* where its rules are other than flamegraph.pl's */
	struct palette_map *map; /* names that have a colour already; NULL: none */
};

/* A frame's colour. */
struct colour palette_colour(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame);

/* The same of a box that is drawn: a map that is kept learns the colour. */
struct colour palette_assign(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame);

/* The hue of a frame in kiln's own palette, and one of its shades. */
enum palette_hue palette_hue(const struct profile *profile, const struct frame *frame);
struct colour palette_hue_colour(enum palette_hue hue);

/* What stands behind a name to tell its kind, _[k] and its like, is not shown. */
struct text palette_bare_name(struct text name);

#endif
