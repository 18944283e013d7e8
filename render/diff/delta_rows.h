/* SPDX-License-Identifier: MIT */
/*
 * Colours frames of folded stacks with two counts, as flamegraph.pl and inferno do: by the change
 * of self weight, on a scale that ends at the largest change.
 *
 *     less    blue ... pale     none    white     more    pale ... red
 *
 * In contrast, kiln diff tests changes for significance.
 */
#ifndef RENDER_DIFF_DELTA_ROWS_H
#define RENDER_DIFF_DELTA_ROWS_H

#include "render/svg/embed.h"
#include "render/svg/svg_frames.h"

enum delta_scale {
	DELTA_SCALE_KILN, /* as flamegraph.pl, but unchanged frames are grey */
	DELTA_SCALE_PERL,
	DELTA_SCALE_INFERNO,
	DELTA_SCALE_WIDTH, /* inferno --colordiffusion: by the width of a frame */
};

struct delta_rows {
	const struct profile *profile;
	const struct svg_weights *weights; /* of the profile */
	const struct colouring *colouring;
	const struct delta *deltas; /* by row; unknown ones have the palette's colour */
	uint64_t largest;
	enum delta_scale scale;
	bool is_negated; /* red means less */
	/* Set by delta_rows_init. */
	uint64_t *self[2], *total[2];
	uint16_t *colours, *confidence;
	struct embed_sides sides;
	struct sink words;
	struct svg_overrides rows; /* for svg_options */
};

/* The caller must first set the fields above. */
void delta_rows_init(struct delta_rows *rows);
void delta_rows_deinit(struct delta_rows *rows);

#endif
