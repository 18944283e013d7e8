/* SPDX-License-Identifier: MIT */
/*
 * Writes a comparison in each format except SVG (render/svg/diff_svg.h). The sink keeps write
 * errors.
 */
#ifndef RENDER_DIFF_DIFF_OUTPUT_H
#define RENDER_DIFF_DIFF_OUTPUT_H

#include "base/sink.h"
#include "diff/diff.h"

/* Writes a table for a terminal. If limit is 0, it is DIFF_TABLE_ROWS. */
void diff_table_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/*
 * Writes a table for a code review, with only the changes that are significant or, without grades,
 * large. If limit is 0, it is DIFF_TABLE_ROWS.
 */
void diff_markdown_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/* Writes JSON. If limit is 0, all functions are written. */
void diff_json_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/*
 * Writes folded stacks with two columns, like difffolded.pl: all stacks with self weight on either
 * side. Weights of the BEFORE side are scaled and truncated to whole numbers.
 */
void diff_folded_write(const struct diff *diff, struct sink *sink);

#endif
