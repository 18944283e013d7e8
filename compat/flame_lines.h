/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks made into the boxes that flamegraph.pl draws of them, for the drop-ins of that name.
 * It sorts whole lines and merges each with the one before, so there are places where that is not the
 * tree that build_profile makes:
 *
 *     a;foo 10             sorted as bytes "foo 10", "foo2;x 10", "foo;y 10": the two foo are two
 *     a;foo2;x 10          boxes, because another came between
 *     a;foo;y 10
 *
 * Of two counts a line's last is what it weighs, and their difference is that of the frame it ends in, if
 * the line is the one that opens it.
 */
#ifndef COMPAT_FLAME_LINES_H
#define COMPAT_FLAME_LINES_H

#include "base/input.h"
#include "profile/profile.h"
#include "profile/selection/selection.h"

struct flame_lines_options {
	bool is_reversed;    /* each stack, before lines are sorted */
	bool keeps_order;    /* of lines: time */
	bool is_last_first;  /* with keeps_order: the last line is leftmost */
	bool marks_wakers;   /* frames behind the first ";--;" get _[w] */
	bool skips_comments; /* blank lines, and those that begin with "# " */
	/* Lines and stacks are trimmed, and a stack that is empty is none; empty frames at its end stay; counts are
	 * whole numbers, cut; and bases are as below. */
	bool is_inferno;
	/* Stacks without any of these frames are left out, and so is what is below the first of them. With
	 * is_inferno it is the innermost that counts, the first and the last frame are none, and all of that is so
	 * only where lines are sorted, and not reversed. */
	const name_patterns *bases; /* NULL or empty: all are taken as they are */
};

struct flame_lines {
	struct profile profile; /* of UNIT_SAMPLES, or UNIT_MILLIONTHS */
	uint64_t ignored_count; /* lines that no stack could be made of */
	uint64_t cut_count;     /* counts that lost decimals */
};

/* Reads the inputs, one after the other as if they were one. */
bool flame_lines_read(struct flame_lines *lines, const char *const *paths, size_t path_count,
		      const struct flame_lines_options *options, struct error *err) WARN_UNUSED;

/* The same of an input that is open. */
bool flame_lines_read_input(struct flame_lines *lines, const struct input *input,
			    const struct flame_lines_options *options,
			    struct error *err) WARN_UNUSED;

void flame_lines_deinit(struct flame_lines *lines);

#endif
