/* SPDX-License-Identifier: MIT */
/*
 * What is recovered of a picture, whoever drew it: rows in preorder, each with the frame it is of and
 * what it weighs itself.
 *
 *     depth 1   app       frame 0      self 0        spool, a line a row that weighs something:
 *     depth 2     main    frame 1      self 2            after samples before samples frames
 *     depth 3       parse frame 2      self 7            2 2 0 0 0,1
 *                                                        7 7 0 0 0,1,2
 *
 * The spool takes the place of the input, so that pictures are read like other texts.
 */
#ifndef LIBPARSE_SVG_STACKS_H
#define LIBPARSE_SVG_STACKS_H

#include "base/input.h"
#include "libparse/event.h"

/* As kiln's own pictures number them in what is embedded. */
enum svg_kind {
	SVG_GROUP,
	SVG_USER,
	SVG_KERNEL,
	SVG_JIT,
	SVG_INLINED,
	SVG_MARK,
	SVG_KIND_COUNT,
};

struct svg_frame {
	str_id name, module;
	enum svg_kind kind;
};

/* Of pictures of two profiles after is the second; of others it is the only one. */
struct svg_weight {
	uint64_t after, before;
};

struct svg_row {
	uint32_t depth; /* from 1 on */
	uint32_t frame;
	struct svg_weight self;
};

struct svg_stacks {
	struct strings strings;
	VEC(struct svg_frame) frames;
	VEC(struct svg_row) rows;
	bool has_two_sides;
	enum weight_unit unit;
	str_id event;
	struct svg_weight samples; /* of all rows; 0: the picture does not say */
};

void svg_stacks_init(struct svg_stacks *stacks);
void svg_stacks_deinit(struct svg_stacks *stacks);

/* Appends a row; false: it stands deeper than LIMIT_SVG_DEPTH, or on a row that is not there. */
bool svg_stacks_push(struct svg_stacks *stacks, const struct svg_row *row) WARN_UNUSED;

/* Writes the rows to a spool, which may become limit_bytes long; they are dropped then. */
bool svg_stacks_spool(struct svg_stacks *stacks, struct input *spool, uint64_t limit_bytes,
		      struct error *err) WARN_UNUSED;

#endif
