/* SPDX-License-Identifier: MIT */
#include "render/svg/palette.h"

/*
 * Each colour component is base + range * number, truncated. A name has three numbers to choose
 * from.
 */
struct ramp {
	uint8_t red, red_range, green, green_range, blue, blue_range;
	uint8_t red_by, green_by, blue_by; /* index of the number */
};

static uint8_t component(uint8_t base, uint8_t range, double value)
{
	return (uint8_t)(base + (int)(range * value));
}

static struct colour on_ramp(struct ramp ramp, struct colour_values values)
{
	return (struct colour){
		.red = component(ramp.red, ramp.red_range, values.at[ramp.red_by]),
		.green = component(ramp.green, ramp.green_range, values.at[ramp.green_by]),
		.blue = component(ramp.blue, ramp.blue_range, values.at[ramp.blue_by]),
	};
}

static const struct ramp hue_ramps[] = {
	[HUE_GROUP] = { .red = 187, 12, 191, 12, 199, 12 },
	[HUE_USER] = { .red = 248, 7, 150, 41, 92, 34 },
	[HUE_INLINED] = { .red = 110, 40, 192, 24, 180, 26 },
	[HUE_JIT] = { .red = 134, 40, 192, 24, 110, 36 },
	[HUE_KERNEL] = { .red = 131, 40, 177, 30, 225, 22 },
	[HUE_UNNAMED] = { .red = 197, 10, 193, 10, 185, 10 },
	/* Blocked code is blue, so running kernel code cannot have its usual blue. */
	[HUE_RUNS_KERNEL] = { .red = 240, 8, 171, 24, 71, 30 },
	[HUE_WAITS] = { .red = 151, 40, 179, 24, 211, 20 },
	[HUE_WAITS_KERNEL] = { .red = 116, 34, 156, 30, 212, 22 },
	[HUE_WAKES] = { .red = 118, 40, 192, 22, 182, 24 },
	[HUE_SEVERAL] = { .red = 200, 12, 190, 12, 176, 12 },
	[HUE_BLOCKED] = { .red = 122, 8, 160, 8, 214, 8 },
	[HUE_PREEMPTED] = { .red = 214, 8, 160, 8, 40, 8 },
	[HUE_RUN_QUEUE] = { .red = 196, 8, 150, 8, 214, 8 },
	[HUE_MARK] = { .red = 195, 8, 195, 8, 195, 8 },
};

static enum palette_hue hue_of_kind(enum frame_kind kind)
{
	static const enum palette_hue hues[] = {
		[FRAME_GROUP] = HUE_GROUP,         [FRAME_USER] = HUE_USER,
		[FRAME_KERNEL] = HUE_KERNEL,       [FRAME_JIT] = HUE_JIT,
		[FRAME_INLINED] = HUE_INLINED,     [FRAME_MARK] = HUE_MARK,
		[FRAME_BLOCKED] = HUE_BLOCKED,     [FRAME_PREEMPTED] = HUE_PREEMPTED,
		[FRAME_RUN_QUEUE] = HUE_RUN_QUEUE,
	};

	return hues[kind];
}

static enum palette_hue hue_of_activity(const struct frame *frame)
{
	bool is_kernel = frame->kind == FRAME_KERNEL;

	if (frame->kind == FRAME_GROUP || frame->kind >= FRAME_MARK)
		return hue_of_kind(frame->kind);
	switch (frame->activity) {
	case FRAME_WAITS:
		return is_kernel ? HUE_WAITS_KERNEL : HUE_WAITS;
	case FRAME_WAKES:
		return HUE_WAKES;
	case FRAME_SEVERAL:
		return HUE_SEVERAL;
	case FRAME_RUNS:
		break;
	}
	return is_kernel ? HUE_RUNS_KERNEL : hue_of_kind(frame->kind);
}

enum palette_hue palette_hue(const struct profile *profile, const struct frame *frame)
{
	if (profile->shows_waits)
		return hue_of_activity(frame);
	return frame->is_named ? hue_of_kind(frame->kind) : HUE_UNNAMED;
}

struct colour palette_hue_palest(enum palette_hue hue)
{
	return on_ramp(hue_ramps[hue], (struct colour_values){ .at = { 1, 1, 1 } });
}

struct colour palette_hue_colour(enum palette_hue hue)
{
	return on_ramp(hue_ramps[hue], (struct colour_values){ .at = { 0.5, 0.5, 0.5 } });
}

/* The palettes of flamegraph.pl with one hue. The palettes that depend on the name are below. */
static const struct ramp ramps[PALETTE_COUNT] = {
	[PALETTE_HOT] = { 205, 50, 0, 230, 0, 55, .red_by = 2, .green_by = 0, .blue_by = 1 },
	[PALETTE_MEM] = { 0, 0, 190, 50, 0, 210, .green_by = 1 },
	[PALETTE_IO] = { 80, 60, 80, 60, 190, 55, .blue_by = 1 },
	[PALETTE_RED] = { .red = 200, 55, 50, 80, 50, 80 },
	[PALETTE_GREEN] = { .red = 50, 60, 200, 55, 50, 60 },
	[PALETTE_BLUE] = { .red = 80, 60, 80, 60, 205, 50 },
	[PALETTE_AQUA] = { .red = 50, 60, 165, 55, 165, 55 },
	[PALETTE_YELLOW] = { .red = 175, 55, 175, 55, 50, 20 },
	[PALETTE_PURPLE] = { .red = 190, 65, 80, 60, 190, 65 },
	[PALETTE_ORANGE] = { .red = 190, 65, 90, 65, 0, 0 },
};

const char *const palette_names[] = {
	[PALETTE_KILN] = "kiln",     [PALETTE_HOT] = "hot",       [PALETTE_MEM] = "mem",
	[PALETTE_IO] = "io",         [PALETTE_WAKEUP] = "wakeup", [PALETTE_CHAIN] = "chain",
	[PALETTE_JAVA] = "java",     [PALETTE_JS] = "js",         [PALETTE_PERL] = "perl",
	[PALETTE_PYTHON] = "python", [PALETTE_RUST] = "rust",     [PALETTE_RED] = "red",
	[PALETTE_GREEN] = "green",   [PALETTE_BLUE] = "blue",     [PALETTE_AQUA] = "aqua",
	[PALETTE_YELLOW] = "yellow", [PALETTE_PURPLE] = "purple", [PALETTE_ORANGE] = "orange",
	[PALETTE_COUNT] = NULL,
};

/* ---- Palettes that choose a hue by function name ---- */

static bool contains(struct text name, const char *part)
{
	return memmem(name.at, name.length, part, strlen(part)) != NULL;
}

static bool has_any_prefix(struct text name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (text_has_prefix(name, *prefixes))
			return true;
	return false;
}

/* Returns the name without the L that the JVM writes before class names. */
static struct text without_l(struct text name)
{
	return name.length > 1 && name.at[0] == 'L' ? text_from(name, 1) : name;
}

static enum palette java(struct text name, enum frame_kind kind, bool is_inferno)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/", "org/",
						"com/",  "io/",    "sun/", NULL };

	if (kind == FRAME_JIT)
		return PALETTE_GREEN;
	if (kind == FRAME_INLINED)
		return PALETTE_AQUA;
	if (is_inferno && kind == FRAME_KERNEL)
		return PALETTE_ORANGE;
	if (is_inferno) {
		struct text bare = without_l(name);

		if (contains(name, "::") || text_has_prefix(name, "-[") ||
		    text_has_prefix(name, "+["))
			return PALETTE_YELLOW;
		return contains(bare, "/") || (contains(bare, ".") && bare.at[0] != '[') ||
				       (bare.length && bare.at[0] >= 'A' && bare.at[0] <= 'Z')
			       ? PALETTE_GREEN
			       : PALETTE_RED;
	}
	if (has_any_prefix(name, packages) || has_any_prefix(without_l(name), packages) ||
	    contains(name, ":::"))
		return PALETTE_GREEN;
	if (contains(name, "::"))
		return PALETTE_YELLOW;
	return kind == FRAME_KERNEL ? PALETTE_ORANGE : PALETTE_RED;
}

/* Whether the name contains a path with ".js". */
static bool is_script(struct text name)
{
	const char *slash = memchr(name.at, '/', name.length);

	return slash && contains(text_from(name, (uint32_t)(slash - name.at)), ".js");
}

static enum palette js(struct text name, enum frame_kind kind, bool is_inferno)
{
	bool is_kernel = kind == FRAME_KERNEL || contains(name, "_[k]");

	if (kind == FRAME_JIT)
		return contains(name, "/") ? PALETTE_GREEN : PALETTE_AQUA;
	if (is_inferno && text_is(name, " "))
		return PALETTE_GREEN;
	if (is_inferno && is_kernel)
		return PALETTE_ORANGE;
	if (contains(name, "::"))
		return PALETTE_YELLOW;
	if (is_inferno && contains(name, "node_modules/"))
		return PALETTE_PURPLE;
	if (is_inferno ? contains(name, ".js") : is_script(name))
		return PALETTE_GREEN;
	if (contains(name, ":"))
		return PALETTE_AQUA;
	if (text_is(name, " "))
		return PALETTE_GREEN;
	return is_kernel ? PALETTE_ORANGE : PALETTE_RED;
}

static enum palette perl(struct text name, enum frame_kind kind, bool is_inferno)
{
	if (is_inferno && kind == FRAME_KERNEL)
		return PALETTE_ORANGE;
	if (contains(name, "::"))
		return PALETTE_YELLOW;
	if (contains(name, "Perl") || contains(name, ".pl"))
		return PALETTE_GREEN;
	return kind == FRAME_KERNEL ? PALETTE_ORANGE : PALETTE_RED;
}

/* "python", "Python3.11", "python3" */
static bool is_interpreter(struct text part)
{
	if (!text_has_prefix(part, "python") && !text_has_prefix(part, "Python"))
		return false;
	for (uint32_t i = 6; i < part.length; i++)
		if (part.at[i] != '.' && (part.at[i] < '0' || part.at[i] > '9'))
			return false;
	return true;
}

static enum palette python(struct text name)
{
	static const char *const own[] = { "<built-in", "<method", "<frozen", NULL };
	bool is_own = has_any_prefix(name, own);

	while (name.length) {
		const char *slash = memchr(name.at, '/', name.length);
		uint32_t length = slash ? (uint32_t)(slash - name.at) : name.length;
		struct text part = { name.at, length };

		if (text_is(part, "site-packages"))
			return PALETTE_AQUA;
		is_own |= is_interpreter(part);
		name = text_from(name, slash ? length + 1 : length);
	}
	return is_own ? PALETTE_YELLOW : PALETTE_RED;
}

static enum palette rust(struct text name)
{
	static const char *const library[] = { "core::", "std::",    "alloc::", "<core::",
					       "<std::", "<alloc::", NULL };
	const char *tick = memchr(name.at, '`', name.length);

	if (tick)
		name = text_from(name, (uint32_t)(tick + 1 - name.at));
	if (has_any_prefix(name, library) && !contains(name, "GenFuture"))
		return PALETTE_ORANGE;
	return contains(name, "::") ? PALETTE_AQUA : PALETTE_YELLOW;
}

static enum palette hue_of(const struct colouring *colouring, struct text name,
			   enum frame_kind kind)
{
	switch ((enum palette)colouring->palette) {
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return contains(name, "_[w]") ? PALETTE_AQUA : PALETTE_BLUE;
	case PALETTE_JAVA:
		return java(name, kind, colouring->is_inferno);
	case PALETTE_JS:
		return js(name, kind, colouring->is_inferno);
	case PALETTE_PERL:
		return perl(name, kind, colouring->is_inferno);
	case PALETTE_PYTHON:
		return python(name);
	case PALETTE_RUST:
		return rust(name);
	default:
		return (enum palette)colouring->palette;
	}
}

/* Whether the name is one of flamegraph.pl's separators between two joined stacks. */
static bool is_separator(struct text name, struct colour *ret)
{
	if (!text_is(name, "-") && !text_is(name, "--"))
		return false;
	*ret = name.length == 1 ? (struct colour){ 200, 200, 200 }
				: (struct colour){ 160, 160, 160 };
	return true;
}

struct colour palette_colour(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame)
{
	struct text name = strings_get(profile->strings, frame->name);
	struct colour_values values;
	struct colour colour;

	if (is_separator(name, &colour) ||
	    (colouring->map && palette_map_find(colouring->map, name, &colour)))
		return colour;
	values = colour_values_of(colouring->source, name);
	if (colouring->palette != PALETTE_KILN)
		return on_ramp(ramps[hue_of(colouring, name, frame->kind)], values);
	/* Use only a few shades, so that functions differ visibly, and rectangles can share a
	 * fill. */
	values.at[0] = (double)(int)(values.at[0] * PALETTE_SHADES) / (PALETTE_SHADES - 1);
	return on_ramp(hue_ramps[palette_hue(profile, frame)], values);
}

struct colour palette_assign(const struct colouring *colouring, const struct profile *profile,
			     const struct frame *frame)
{
	struct text name = strings_get(profile->strings, frame->name);
	struct colour colour = palette_colour(colouring, profile, frame);
	struct colour separator;

	if (colouring->map && !is_separator(name, &separator))
		palette_map_set(colouring->map, name, colour);
	return colour;
}

struct text palette_bare_name(struct text name)
{
	uint32_t length = name.length;

	if (length >= 4 && name.at[length - 1] == ']' && name.at[length - 4] == '_' &&
	    name.at[length - 3] == '[' && memchr("kwij", name.at[length - 2], 4))
		name.length -= 4;
	return name;
}

/* ---- Palette maps ---- */

void palette_map_init(struct palette_map *map)
{
	*map = (struct palette_map){ 0 };
	strings_init(&map->names);
}

void palette_map_deinit(struct palette_map *map)
{
	strings_deinit(&map->names);
	vec_free(&map->rows);
}

static struct palette_map_row *row_of(struct palette_map *map, struct text name)
{
	str_id id = strings_intern(&map->names, name.at, name.length);

	while (map->rows.count < map->names.rows.count)
		vec_push(&map->rows, (struct palette_map_row){ .is_set = false });
	return &map->rows.at[id.i];
}

void palette_map_set(struct palette_map *map, struct text name, struct colour colour)
{
	*row_of(map, name) = (struct palette_map_row){ colour, true };
}

bool palette_map_find(struct palette_map *map, struct text name, struct colour *ret)
{
	const struct palette_map_row *row = row_of(map, name);

	*ret = row->colour;
	return row->is_set;
}

static bool take_line(struct palette_map *map, struct text line)
{
	struct text name = line;
	struct text value;
	struct colour colour;

	if (line.length && line.at[line.length - 1] == '\r')
		name.length = --line.length;
	if (!line.length)
		return true;
	do {
		const char *end = name.length ? memrchr(name.at, '-', name.length) : NULL;

		if (!end)
			return false;
		name.length = (uint32_t)(end - name.at);
	} while (name.length + 1 >= line.length || name.at[name.length + 1] != '>');
	value = (struct text){ name.at + name.length + 2, line.length - name.length - 2 };
	if (!colour_parse(value, &colour))
		return false;
	palette_map_set(map, name, colour);
	return true;
}

bool palette_map_read(struct palette_map *map, struct text file, struct error *err)
{
	const char *at = file.at;
	const char *end = file.at + file.length;

	for (uint64_t number = 1; at < end; number++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		if (!take_line(map, (struct text){ at, (uint32_t)(stop - at) }))
			return error_set(err, ERROR_FORMAT,
					 "line %llu does not have the form "
					 "name->rgb(red,green,blue)",
					 (unsigned long long)number);
		at = stop + (stop < end);
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return text_compare(**(const struct text *const *)a, **(const struct text *const *)b);
}

void palette_map_write(const struct palette_map *map, struct sink *sink)
{
	VEC(const struct text *) order = { 0 };

	for (size_t i = 0; i < map->rows.count; i++)
		if (map->rows.at[i].is_set)
			vec_push(&order, &map->names.rows.at[i]);
	if (order.count)
		qsort(order.at, order.count, sizeof(*order.at), compare_names);
	for (size_t i = 0; i < order.count; i++) {
		struct colour colour = map->rows.at[order.at[i] - map->names.rows.at].colour;

		sink_text(sink, *order.at[i]);
		sink_printf(sink, "->rgb(%u,%u,%u)\n", colour.red, colour.green, colour.blue);
	}
	vec_free(&order);
}
