/* SPDX-License-Identifier: MIT */
/*
 * Writes a tree of calls. A frame without a connector is the only callee (or caller) of the frame
 * above it. Light frames are omitted; their sum is one row:
 *
 *     #  total     self  function
 *      100.00%    0.00%  app
 *      100.00%    0.00%  main
 *       60.00%   22.00%  ├ parse
 *       38.00%   38.00%  │ scan
 *       39.69%   39.69%  ├ write
 *        0.31%           └ 3 more
 */
#ifndef RENDER_REPORT_CALL_TREE_TEXT_H
#define RENDER_REPORT_CALL_TREE_TEXT_H

#include "profile/tree/call_tree.h"
#include "render/table/table.h"

struct call_tree_options {
	enum table_format format;
	enum call_tree_kind kind;
	double least_percent; /* of the profile's total; lighter frames are left out */
	uint64_t limit;       /* maximum number of frames; 0 means no limit */
};

void call_tree_write(const struct call_tree *tree, const struct call_tree_options *options,
		     struct sink *sink);

/* Writes each function between its direct callers and its direct callees. */
void call_tree_write_peek(const struct call_tree *callers, const struct call_tree *callees,
			  const struct call_tree_options *options, struct sink *sink);

#endif
