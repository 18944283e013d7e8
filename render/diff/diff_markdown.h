/* SPDX-License-Identifier: MIT */
/*
 * What changed as markdown, for a review: at most 25 lines, and behind a summary that opens what else there is.
 *
 *     **cycles +17.1% [+12.0, +22.4]; 1 function explains 94% of it: `lookup` +13.1 pp [+12.0, +14.2].**
 *
 *     Profile, before and after: `cycles`; normalised by total: each side is 100%
 *
 *     - before: `v1.data`, 10.0 s long: `perf record -g ./app`; 12,345 samples
 *     - after: `v2.data`, 10.0 s long: `perf record -g ./app`; 12,300 samples
 *
 *     | function | change, points | self | total | verdict |
 *     |---|---:|---:|---:|---|
 *     | `lookup` | +13.10 [+9.82, +16.40] | 1.60% → 14.70% (+818.8%) | ... | more (p = 0.00015) |
 *
 *     <details><summary>8 more functions, notes</summary>
 */
#ifndef RENDER_DIFF_DIFF_MARKDOWN_H
#define RENDER_DIFF_DIFF_MARKDOWN_H

#include "base/sink.h"
#include "diff/diff.h"

/* limit 0: DIFF_TABLE_ROWS. Only what changed significantly has a row. */
void diff_markdown_write(const struct diff *diff, uint64_t limit, struct sink *sink);

#endif
