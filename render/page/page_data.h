/* SPDX-License-Identifier: MIT */
/*
 * Embeds a profile in a page, as columns of numbers with a JSON description:
 *
 *     <script type="application/json" id="facts">         {"version":1, "event":..., "columns":[...]}
 *     <script type="application/octet-stream" id="columns" data-coding="deflate">  base64
 *
 * Each column is a sequence of values of one type. The columns follow each other in one stream of
 * bytes, which is compressed (raw deflate) and written as base64. Facts list them:
 *
 *     {"name":"row.self", "type":"uint", "count":24, "offset":310, "size":31}      size in bytes
 *
 *     type      each value
 *     text      UTF-8, ended by a byte 0
 *     uint      LEB128, to be multiplied by "scale", if the column has one
 *
 * Columns of a profile:
 *
 *     names, modules, sources      texts
 *     frame.name, .module, .kind, .colour, .source
 *                                  by frame: indexes into these, enum frame_kind, 0xrrggbb
 *     function.self, .total        by frame, over the whole profile; recursion counts once
 *     row.up, .frame, .self        by row, in preorder, without the root. up is the number of levels
 *                                  from the previous row to this row's parent: 0 for its child
 *     row.cells                    by row: how many cells its self weight has
 *     cell.bin                     for the first cell of a row, its bin; for the others, the distance
 *                                  from the bin before. Bins are at least twice as wide as requested
 *                                  if a page would have too many cells
 *     cell.weight                  the cells of a row add up to its self weight
 *     cell.cpu                     only if CPUs are known: the CPU plus 1; 0: unknown. Cells are then
 *                                  split by CPU, so a row can have several cells in one bin
 *
 * Facts say what times are of, and, for a single capture, the time from its first to its last event:
 *
 *     "unit":"nanoseconds", "of":"CPU time", "recorded_ns":1250000000
 *
 * Facts also list the row choices that a capture does not support, and the bins in which records
 * were lost:
 *
 *     "groups_missing":{"cpu":"not recorded"}    "losses":[[3,5]]       bins 3 and 4
 *
 * A frame "[left out of this file: too narrow]" stands for rows that are left out to keep the
 * columns below the requested size. This frame is a child of the rows' nearest ancestor that is
 * kept, and has the weight of the rows.
 *
 * A comparison has the union of both sides. The columns above are those of the AFTER side. The
 * BEFORE side has:
 *
 *     row.before, function.self_before, .total_before, row.cells_before, cell.bin_before,
 *     cell.weight_before
 *
 * The following columns contain all variants (page_parts.h), one after the other:
 *
 *     change.frame                 by rank, as in the table of kiln diff, then groups
 *     change.verdicts              enum diff_verdict: verdict + 6 self + 36 total + 216, if it is by self
 *     change.p, .low, .high        texts of numbers: the smaller corrected p value; the interval of
 *                                  the change in points
 *     change.self_least, .total_least
 *                                  standard deviations by which a stack of a changed function must
 *                                  change; 0: the function did not change
 */
#ifndef RENDER_PAGE_PAGE_DATA_H
#define RENDER_PAGE_PAGE_DATA_H

#include "base/sink.h"
#include "profile/grouping.h"
#include "profile/profile.h"
#include "render/svg/palette.h"

/*
 * The initial view of a page, in the syntax of the fragment of its URL. NULL means the default
 * view.
 */
struct page_start {
	const char *view;    /* chart, flame, ... */
	const char *rows;    /* rows of the time strip: tid, cpu, ...; or offset, for a heat map */
	const char *address; /* the whole fragment, which overrides the other members */
};

struct page_data_options {
	const char *title;
	const char *command; /* NULL if not written */
	struct page_start start;
	const struct grouping *grouping; /* levels of group frames at the root of each stack */
	const struct colouring *colouring;
	bool has_cpus; /* the profile has bins of CPUs: view.has_cpu_bins */
	bool has_several_inputs;
	bool shows_homes;           /* write home directories in paths as they are */
	struct diff *diff;          /* the comparison whose union is the profile; NULL if none */
	uint64_t embed_limit_bytes; /* maximum size of the columns; 0 means no limit */
};

/*
 * Writes both elements. A comparison is graded again for each variant, and at the end once more
 * with the requested options.
 */
void page_data_write(const struct profile *profile, const struct page_data_options *options,
		     struct sink *sink);

#endif
