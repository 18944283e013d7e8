/* SPDX-License-Identifier: MIT */
#include "render/colour.h"

#include <math.h>

/* Relative luminance as WCAG 2 defines it, without its linear part near black. */
static double luminance(struct colour colour)
{
	return 0.2126 * pow(colour.red / 255.0, 2.2) + 0.7152 * pow(colour.green / 255.0, 2.2) +
	       0.0722 * pow(colour.blue / 255.0, 2.2);
}

bool colour_wants_light_text(struct colour colour)
{
	/* (1 + .05) / (L + .05) against (L + .05) / .05 */
	double shade = luminance(colour) + 0.05;

	return shade * shade < 1.05 * 0.05;
}

/* POSIX drand48: X is seeded with (s << 16) + 0x330e, and the value is the next X over 2^48. */
double colour_value_of_name(struct text name)
{
	const uint64_t modulus = (uint64_t)1 << 48;
	uint32_t sum = 0;
	uint64_t x;

	for (uint32_t i = 0; i < name.length; i++)
		sum += (unsigned char)name.at[i];
	x = ((uint64_t)sum << 16) + 0x330e;
	x = (0x5deece66dull * x + 0xb) % modulus;
	return (double)x / (double)modulus;
}

/* Each component is base + range * value. */
struct ramp {
	uint8_t red, red_range, green, green_range, blue, blue_range;
};

static struct colour on_ramp(struct ramp ramp, double value)
{
	return (struct colour){
		.red = (uint8_t)(ramp.red + ramp.red_range * value),
		.green = (uint8_t)(ramp.green + ramp.green_range * value),
		.blue = (uint8_t)(ramp.blue + ramp.blue_range * value),
	};
}

static const struct ramp kind_ramps[] = {
	[FRAME_GROUP] = { 206, 12, 210, 12, 218, 12 },
	[FRAME_USER] = { 248, 7, 150, 70, 92, 34 },
	[FRAME_KERNEL] = { 132, 40, 178, 30, 226, 22 },
	[FRAME_JIT] = { 142, 40, 200, 26, 118, 36 },
	[FRAME_INLINED] = { 120, 40, 202, 24, 190, 26 },
	[FRAME_MARK] = { 222, 8, 222, 8, 222, 8 },
};

static const struct ramp unnamed_ramp = { 226, 10, 222, 10, 214, 10 };

static struct colour kiln(const struct profile *profile, const struct frame *frame, double value)
{
	/* A few shades, so that they can be told apart and their rules be shared. */
	double shade = (double)(int)(value * COLOUR_SHADES) / (COLOUR_SHADES - 1);

	(void)profile;
	return on_ramp(frame->is_named ? kind_ramps[frame->kind] : unnamed_ramp, shade);
}

/* The ramps below are those of flamegraph.pl. */
#define PLAIN_PALETTE(name, ...)                                                            \
	static struct colour name(const struct profile *profile, const struct frame *frame, \
				  double value)                                             \
	{                                                                                   \
		(void)profile;                                                              \
		(void)frame;                                                                \
		return on_ramp((struct ramp){ __VA_ARGS__ }, value);                        \
	}

PLAIN_PALETTE(hot, 205, 50, 0, 230, 0, 55)
PLAIN_PALETTE(mem, 0, 0, 190, 50, 0, 210)
PLAIN_PALETTE(io, 80, 60, 80, 60, 190, 55)
PLAIN_PALETTE(red, 200, 55, 50, 80, 50, 80)
PLAIN_PALETTE(green, 50, 60, 200, 55, 50, 60)
PLAIN_PALETTE(blue, 80, 60, 80, 60, 205, 50)
PLAIN_PALETTE(yellow, 175, 55, 175, 55, 50, 20)
PLAIN_PALETTE(purple, 190, 65, 80, 60, 190, 65)
PLAIN_PALETTE(aqua, 50, 60, 165, 55, 165, 55)
PLAIN_PALETTE(orange, 190, 65, 90, 65, 0, 0)

static bool contains(struct text name, const char *part)
{
	return memmem(name.at, name.length, part, strlen(part)) != NULL;
}

static struct colour java(const struct profile *profile, const struct frame *frame, double value)
{
	struct text name = strings_get(profile->strings, frame->name);

	if (frame->kind == FRAME_INLINED)
		return aqua(profile, frame, value);
	if (frame->kind == FRAME_JIT)
		return green(profile, frame, value);
	if (frame->kind == FRAME_KERNEL)
		return orange(profile, frame, value);
	return contains(name, "::") ? yellow(profile, frame, value) : red(profile, frame, value);
}

static struct colour js(const struct profile *profile, const struct frame *frame, double value)
{
	struct text name = strings_get(profile->strings, frame->name);

	if (frame->kind == FRAME_JIT)
		return contains(name, "/") ? green(profile, frame, value)
					   : aqua(profile, frame, value);
	if (frame->kind == FRAME_KERNEL)
		return orange(profile, frame, value);
	if (contains(name, "::"))
		return yellow(profile, frame, value);
	return contains(name, ":") ? aqua(profile, frame, value) : red(profile, frame, value);
}

const char *const palette_names[] = {
	[PALETTE_KILN] = "kiln", [PALETTE_HOT] = "hot",       [PALETTE_MEM] = "mem",
	[PALETTE_IO] = "io",     [PALETTE_RED] = "red",       [PALETTE_GREEN] = "green",
	[PALETTE_BLUE] = "blue", [PALETTE_YELLOW] = "yellow", [PALETTE_PURPLE] = "purple",
	[PALETTE_AQUA] = "aqua", [PALETTE_ORANGE] = "orange", [PALETTE_JAVA] = "java",
	[PALETTE_JS] = "js",     [PALETTE_COUNT] = NULL,
};

typedef struct colour palette_function(const struct profile *profile, const struct frame *frame,
				       double value);

static palette_function *const palettes[] = {
	[PALETTE_KILN] = kiln, [PALETTE_HOT] = hot,       [PALETTE_MEM] = mem,
	[PALETTE_IO] = io,     [PALETTE_RED] = red,       [PALETTE_GREEN] = green,
	[PALETTE_BLUE] = blue, [PALETTE_YELLOW] = yellow, [PALETTE_PURPLE] = purple,
	[PALETTE_AQUA] = aqua, [PALETTE_ORANGE] = orange, [PALETTE_JAVA] = java,
	[PALETTE_JS] = js,
};

struct colour palette_colour(enum palette palette, const struct profile *profile,
			     const struct frame *frame)
{
	struct text name = strings_get(profile->strings, frame->name);

	return palettes[palette](profile, frame, colour_value_of_name(name));
}
