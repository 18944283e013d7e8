/* SPDX-License-Identifier: MIT */
/* The words and numbers that tables, markdown, SVGs and messages of a comparison share. */
#ifndef RENDER_DIFF_DIFF_TEXT_H
#define RENDER_DIFF_DIFF_TEXT_H

#include "base/sink.h"
#include "diff/diff_cost.h"
#include "diff/diff_verdict.h"
#include "render/short_name.h"

/* The number of rows of tables without a limit. */
#define DIFF_TABLE_ROWS 20

/* Writes names escaped for an output. */
typedef void diff_text_name(struct sink *sink, struct text name);

/* Right-aligns text in width columns. Wider text has one blank before it. */
void diff_text_right(struct sink *sink, struct text text, size_t width);

/* Shortens the names of all functions. The caller must call short_names_deinit. */
void diff_text_names_init(struct short_names *names, const struct diff *diff);

/* "12,345 samples, 12.3 s" */
void diff_text_side(const struct diff *diff, enum diff_side side, struct sink *sink);

/* "normalised by total: each side is 100%; changes at 99% confidence" */
void diff_text_terms(const struct diff *diff, struct sink *sink);

/* "noise estimated from time bins" */
void diff_text_noise(const struct diff *diff, struct sink *sink);

/*
 * Writes which stacks SVGs among the inputs lack, and how the comparison handles this. Writes
 * nothing if no input is such an SVG.
 */
void diff_text_missing(const struct diff *diff, const char *separator, struct sink *sink);

/* "[+9.82, +16.40]" */
void diff_text_interval(const struct diff_interval *interval, int digits, struct sink *sink);

/* "+12.3%", "new", "gone" */
void diff_text_percent(const struct diff *diff, const struct diff_measure *measure,
		       struct sink *sink);

/*
 * "30.00%": the weight as a share of the AFTER side's total. Weights of the BEFORE side are scaled
 * first.
 */
void diff_text_share(const struct diff *diff, const struct diff_measure *measure,
		     enum diff_side side, unsigned width, struct sink *sink);

/* "more", "unchanged within ±0.5", "uncertain, needs 9 runs" */
void diff_text_verdict(const struct diff *diff, const struct diff_function *function,
		       struct sink *sink);

/* Whether costs were requested, with --ops or --normalise time, and are known. */
bool diff_text_has_costs(const struct diff *diff);

/* Writes what costs measure, such as "CPU time per operation" or "cycles per wall second". */
void diff_text_cost_subject(const struct diff *diff, struct sink *sink);

/* "1.23 ms"; "0.983" for CPU time per wall second, which has no unit. */
void diff_text_cost(const struct diff *diff, double value, struct sink *sink);

/* "+17.1%", "new", "gone" */
void diff_text_cost_percent(const struct diff_cost *cost, struct sink *sink);

/* "per operation", "per wall second"; "" for runs. */
const char *diff_text_work(const struct diff *diff);

/* "operation", "wall second", "run": the unit of work in JSON. */
const char *diff_text_work_key(const struct diff *diff);

#endif
