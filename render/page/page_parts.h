/* SPDX-License-Identifier: MIT */
/*
 * The two parts of a page's data that are computed: rows with cells, and verdicts of a comparison.
 *
 *     profile ─▶ page_tree ──────────▶ rows, cells ──┐
 *     diff ────▶ page_tree                           ├─▶ page_columns.h ─▶ page_data.c
 *       └──────▶ page_change ────────▶ verdicts ─────┘
 */
#ifndef RENDER_PAGE_PAGE_PARTS_H
#define RENDER_PAGE_PAGE_PARTS_H

#include "diff/diff.h"
#include "render/page/page_columns.h"

/*
 * The rows and cells that a page embeds: those of a profile, or of both sides of a comparison. To
 * keep a page small, the lightest rows are left out; a row below their parent represents them:
 *
 *     main 90               main 90
 *      parse 80              [left out ...] 7
 *       trim 3       ─▶      parse 80
 *      read 7                 [left out ...] 3
 */
struct page_row {
	uint32_t parent, depth;
	uint32_t frame;            /* profile->frames.count: the row represents omitted rows */
	uint64_t self[DIFF_SIDES]; /* of a single profile: [DIFF_AFTER] */
	uint64_t total[DIFF_SIDES];
};

/* Self weights by row and time bin of a side. */
struct page_cells {
	struct stack_bin *at; /* by row, then by time */
	size_t count;
	uint64_t first_ns, bin_ns; /* bin_ns 0: the side has no times */
	uint32_t bin_count;
};

struct page_left_out {
	uint64_t rows; /* the number of rows */
	uint64_t weight[DIFF_SIDES];
	uint64_t self_max; /* largest total among these rows, at the scale of the AFTER side */
};

struct page_tree {
	const struct profile *profile;
	const struct diff *diff; /* NULL if there is a single profile */
	struct page_row *rows;
	size_t count;
	struct page_cells cells[DIFF_SIDES];
	struct page_left_out left_out;
	bool has_cpus; /* cells of a single profile are split by CPU */
};

void page_tree_init(struct page_tree *tree, const struct profile *profile);

/* The tree has cells only if each side has one run, with bins of equal width. */
void page_tree_init_diff(struct page_tree *tree, const struct diff *diff);
void page_tree_deinit(struct page_tree *tree);

/* Leaves out rows until about row_count remain. */
void page_tree_prune(struct page_tree *tree, size_t row_count);

/*
 * The verdicts of a comparison for each normalisation and confidence that the page offers, as
 * kiln diff finds them with these options:
 *
 *     variants      total 0.9   total 0.95   ...   time 0.9   time 0.95   ...
 *     columns       count rows  count rows         count rows ...
 */
struct page_variant {
	enum diff_normalisation by;
	double confidence, scale; /* scale: the factor for weights of the BEFORE side */
	bool has_shares;
	size_t count; /* functions and groups */
	struct sink headline, terms;
};

/* An impossible normalisation, and the reason. */
struct page_impossible {
	enum diff_normalisation by;
	char *reason;
};

struct page_change {
	const struct diff *diff;
	VEC(struct page_variant) variants;
	VEC(struct page_impossible) impossible;
	size_t first; /* the variant that was requested */
};

/*
 * Compares again with each normalisation and confidence, and at the end once more with the
 * requested ones. Writes the columns "change....".
 */
void page_change_init(struct page_change *change, struct diff *diff, struct page_columns *columns);
void page_change_deinit(struct page_change *change);

/* "comparison" in JSON. */
void page_change_json(const struct page_change *change, struct json *json);

#endif
