/* SPDX-License-Identifier: MIT */
/*
 * Stacks that can be told only when all of an input was read, of a picture or of functions that call
 * each other: rows in preorder, each with the frame it is of and what it weighs itself.
 *
 *     depth 1   app       frame 0      self 0        spool, a line a row that weighs something:
 *     depth 2     main    frame 1      self 2            after samples before samples frames
 *     depth 3       parse frame 2      self 7            2 2 0 0 0,1
 *                                                        7 7 0 0 0,1,2
 *
 * The spool takes the place of the input, so that from there on they are read like other texts.
 */
#ifndef LIBPARSE_SVG_SPOOLED_H
#define LIBPARSE_SVG_SPOOLED_H

#include "libparse/formats.h"

/* As kiln's own pictures number them in what is embedded. */
enum spooled_kind {
	SPOOLED_GROUP,
	SPOOLED_USER,
	SPOOLED_KERNEL,
	SPOOLED_JIT,
	SPOOLED_INLINED,
	SPOOLED_MARK,
	SPOOLED_KIND_COUNT,
};

struct spooled_frame {
	str_id name, module;
	enum spooled_kind kind;
};

/* Of pictures of two profiles after is the second; of others it is the only one. */
struct spooled_weight {
	uint64_t after, before;
};

struct spooled_row {
	uint32_t depth; /* from 1 on */
	uint32_t frame;
	struct spooled_weight self;
};

/* What a function comes to in all: of a frame, or of all frames of a name. */
struct spooled_function {
	struct spooled_weight self, total;
};

struct spooled_name {
	str_id name;
	struct spooled_weight total;
};

struct spooled {
	struct strings strings;
	VEC(struct spooled_function) functions; /* by frame; empty: the rows are all there is */
	VEC(struct spooled_name) names;
	VEC(struct spooled_frame) frames;
	VEC(struct spooled_row) rows;
	bool has_two_sides;
	enum weight_unit unit;
	str_id event;
	struct spooled_weight samples; /* of all rows; 0: the picture does not say */
};

void spooled_init(struct spooled *stacks);
void spooled_deinit(struct spooled *stacks);

/* The number of a frame of this name, its kind SPOOLED_KIND_COUNT, not known, when new. Frames are numbered
 * as strings are, so while this is called names are interned by nothing else. */
uint32_t spooled_intern_frame(struct spooled *stacks, struct text name);

/* Appends a row; false: it stands deeper than LIMIT_SPOOLED_DEPTH, or on a row that is not there. */
bool spooled_push(struct spooled *stacks, const struct spooled_row *row) WARN_UNUSED;

/* Writes the rows to a spool, which takes the place of the input; they are dropped then. */
bool spooled_replace(struct spooled *stacks, struct capture *capture,
		     struct error *err) WARN_UNUSED;

/* Of a capture whose input is such a spool, and whose reader begins with its struct spooled. */
bool spooled_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err) WARN_UNUSED;
event_frame_reader spooled_read_frame;
void spooled_read_functions(const struct capture *capture, event_function_callback *take,
			    void *context);

#endif
