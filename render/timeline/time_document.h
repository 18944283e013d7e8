/* SPDX-License-Identifier: MIT */
/*
 * The common parts of heat map and timeline SVGs, around their plots: the header of all SVGs, with
 * a line of facts in place of the hottest functions, and their own script.
 *
 *     struct time_document document;
 *     time_document_init(&document, &options);
 *     document.header.total_height = svg_header_height(&document.header) + ...;
 */
#ifndef RENDER_TIMELINE_TIME_DOCUMENT_H
#define RENDER_TIMELINE_TIME_DOCUMENT_H

#include "render/svg/svg_frames.h"
#include "render/svg/svg_header.h"

/* All pointers are borrowed. */
struct time_document_options {
	const struct profile *profile;
	enum weight_unit unit;
	uint64_t weight; /* weight of everything drawn, of which caveats state shares */
	uint32_t width;
	const char *title, *facts, *command;
	bool is_metadata_stripped;
};

/* A document must not be copied, because its members point to each other. */
struct time_document {
	struct svg_weights weights;
	struct svg_line line;
	struct svg_overrides overrides;
	struct svg_options options;
	struct svg_header header; /* the caller sets total_height */
};

void time_document_init(struct time_document *document,
			const struct time_document_options *options);

/* Writes a script element. */
void time_document_write_script(struct text script, struct sink *sink);

#endif
