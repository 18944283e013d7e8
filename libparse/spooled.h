/* SPDX-License-Identifier: MIT */
/*
 * Stacks that are known only after the whole input has been read: the stacks of an SVG or of a
 * function_graph trace. The stacks are tree rows in preorder. kiln writes these rows to a temporary
 * file, which replaces the input. The temporary file is then read like any other text.
 *
 *     depth 1   app         frame 0   self 0       one line for each row with a weight:
 *     depth 2     main      frame 1   self 2           self, sum of self before, frames
 *     depth 3       parse   frame 2   self 7           2 0 0,1
 *                                                      7 2 0,1,2
 *
 * In comparisons, self and sum of the before side follow those of the after side. If the total
 * number of samples is known, the sums show how to divide the samples among the rows.
 */
#ifndef LIBPARSE_SPOOLED_H
#define LIBPARSE_SPOOLED_H

#include "libparse/formats.h"

/*
 * Maximum number of frames of a stack that is assembled from rows. A line with such a stack still
 * fits into LIMIT_TEXT_RECORD_BYTES.
 */
#define LIMIT_SPOOLED_DEPTH (1u << 20)

/* The same numbers as in the profile that kiln embeds in its SVGs. */
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

/* In comparisons, the weights of both sides. In other captures, `after` is the only weight. */
struct spooled_weight {
	uint64_t after, before;
};

struct spooled_row {
	uint32_t depth; /* from 1 */
	uint32_t frame;
	struct spooled_weight self;
};

/* The sums of a frame's function, as listed in an SVG. */
struct spooled_function {
	struct spooled_weight self, total;
};

/* The sums of all frames with the same name. */
struct spooled_name {
	str_id name;
	struct spooled_weight total;
};

struct spooled {
	struct strings strings;
	VEC(struct spooled_function)
	functions; /* functions, indexed by frame; empty if no stacks are missing */
	VEC(struct spooled_name) names;
	VEC(struct spooled_frame) frames;
	bool has_two_sides; /* must be set before the first row */
	enum weight_unit unit;
	str_id event;
	struct spooled_weight samples; /* samples of all rows; 0 if unknown */

	/* State while rows are written. */
	struct spooled_weight sum; /* sum of the weights of all rows */
	VEC(uint32_t) path;        /* the frames of the last row, root first */
	struct sink lines;         /* lines that are not in the temporary file yet */
	struct input spool;
	struct temporary_space *space;
	uint64_t limit_bytes; /* maximum size of the temporary file */
	bool has_failed;      /* the temporary file cannot be written; err has the reason */
	struct error err;
};

/* input: the input that the stacks will replace. */
void spooled_init(struct spooled *stacks, const struct input *input);
void spooled_deinit(struct spooled *stacks);

/*
 * Returns the number of the frame with this name. The kind of a new frame is SPOOLED_KIND_COUNT,
 * which means unknown. The number of a frame is the id of its string, so every string that is
 * interned in stacks->strings becomes a frame.
 */
uint32_t spooled_intern_frame(struct spooled *stacks, struct text name);

/*
 * Appends a row. Returns false if the row is deeper than LIMIT_SPOOLED_DEPTH, or has no parent. If
 * the row cannot be written, a later spooled_replace fails.
 */
bool spooled_push(struct spooled *stacks, const struct spooled_row *row) WARN_UNUSED;

/* Replaces the input with the temporary file that has the rows. */
bool spooled_replace(struct spooled *stacks, struct capture *capture,
		     struct error *err) WARN_UNUSED;

/* Members of a struct input_format. capture->reader must begin with the struct spooled. */
bool spooled_read_samples(const struct capture *capture, struct slice slice,
			  const struct event_sink *sink, struct error *err) WARN_UNUSED;
event_frame_reader spooled_read_frame;
void spooled_read_functions(const struct capture *capture, event_function_callback *callback,
			    void *context);

#endif
