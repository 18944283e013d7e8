/* SPDX-License-Identifier: MIT */
/* The outputs of a comparison. The sink keeps write errors. SVGs are in render/svg/diff_svg.h. */
#ifndef RENDER_DIFF_DIFF_OUTPUT_H
#define RENDER_DIFF_DIFF_OUTPUT_H

#include "base/sink.h"
#include "diff/diff.h"

/* A table for a terminal. limit 0: DIFF_TABLE_ROWS. */
void diff_table_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/*
 * A table for a code review, only of changes that are significant or, without grades, large. limit
 * 0: DIFF_TABLE_ROWS.
 */
void diff_markdown_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/* limit 0: all functions. */
void diff_json_write(const struct diff *diff, uint64_t limit, struct sink *sink);

/*
 * Folded stacks with two columns, as difffolded.pl writes them: all stacks with self weight on
 * either side. Weights of the BEFORE side are scaled and truncated to whole numbers.
 */
void diff_folded_write(const struct diff *diff, struct sink *sink);

#endif
