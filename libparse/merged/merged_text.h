/* SPDX-License-Identifier: MIT */
/*
 * The texts of a merged profile: one for each group of stacks, one for each frame. Equal groups and
 * frames have equal bytes, so merging compares bytes and never parses them.
 *
 *     group   event NUL unit flags { key NUL value NUL }... NUL comm? comm NUL
 *                                    sorted by key
 *     frame   name NUL module NUL kind build-id
 *
 * unit, flags, comm? and kind are one byte each. A name is empty if the function is unknown.
 */
#ifndef LIBPARSE_MERGED_MERGED_TEXT_H
#define LIBPARSE_MERGED_MERGED_TEXT_H

#include "base/build_id.h"
#include "base/sink.h"
#include "libparse/event.h"

/* Bits of the flags of a group. */
#define MERGED_IS_HISTOGRAM 1u
#define MERGED_IS_TABLE     2u

/*
 * Maximum number of labels of one group. Users set fewer labels. Each reader has an array with
 * space for 32 labels.
 */
#define LIMIT_MERGED_LABELS 32u

/* The kind of a frame, stored as one byte. The values are part of the format. */
enum merged_kind {
	MERGED_CODE, /* user or kernel code, depending on the module */
	MERGED_KERNEL,
	MERGED_JIT,
	MERGED_INLINED,
	MERGED_GROUP,
	MERGED_MARK,
	MERGED_KIND_COUNT,
};

struct merged_group {
	struct text event;
	enum weight_unit unit;
	unsigned flags;
	struct event_label labels[LIMIT_MERGED_LABELS]; /* sorted by key */
	uint32_t label_count;
	struct text comm; /* .at is NULL if unknown */
};

struct merged_frame {
	struct text name, module;
	enum merged_kind kind;
	struct build_id build_id;
};

/* Appends the text. Names must not contain NUL. */
void merged_group_write(const struct merged_group *group, struct sink *sink);
void merged_frame_write(const struct merged_frame *frame, struct sink *sink);

/* Parses a text. Returns false if the text is corrupt. The results point into the text. */
bool merged_group_read(struct text text, struct merged_group *ret);
bool merged_frame_read(struct text text, struct merged_frame *ret);

/* The order of groups and of frames. */
int merged_text_compare(struct text a, struct text b);

/* Sorts labels by key. */
void merged_labels_sort(struct event_label *labels, uint32_t count);

#endif
