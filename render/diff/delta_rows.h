/* SPDX-License-Identifier: MIT */
/*
 * The boxes of a picture of two counts, as flamegraph.pl and inferno colour them: by the difference of
 * the function itself, on a scale that the largest of all differences ends.
 *
 *     less    blue ... pale     none    white     more    pale ... red
 *
 * kiln diff says more: it knows what is significant, and what is inside.
 */
#ifndef RENDER_DIFF_DELTA_ROWS_H
#define RENDER_DIFF_DELTA_ROWS_H

#include "render/svg/embed.h"
#include "render/svg/svg_frames.h"

enum delta_scale {
	DELTA_SCALE_KILN, /* as flamegraph.pl, but what did not change is not as white as the page */
	DELTA_SCALE_PERL,
	DELTA_SCALE_INFERNO,
	DELTA_SCALE_WIDTH, /* of inferno --colordiffusion: by how wide a box is */
};

struct delta_rows {
	const struct profile *profile;
	const struct colouring *colouring;
	const struct delta *deltas; /* by row; what is not known has the palette's colour */
	uint64_t largest;
	enum delta_scale scale;
	bool is_negated; /* less is red */
	/* After delta_rows_init. */
	uint64_t *self[2], *total[2];
	uint16_t *colours, *confidence;
	struct embed_sides sides;
	struct sink words;
	struct svg_overrides rows; /* for svg_options */
};

/* The fields before the others are set. */
void delta_rows_init(struct delta_rows *rows);
void delta_rows_deinit(struct delta_rows *rows);

#endif
