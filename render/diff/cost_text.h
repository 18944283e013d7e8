/* SPDX-License-Identifier: MIT */
/*
 * What functions cost for each unit of work, in outputs: always in JSON, and in tables where it was asked for
 * with --ops or --normalise=time.
 */
#ifndef RENDER_DIFF_COST_TEXT_H
#define RENDER_DIFF_COST_TEXT_H

#include "diff/diff_cost.h"
#include "render/json.h"

/* Whether somebody asked for costs, and they are known. */
bool diff_cost_is_asked(const struct diff *diff);

/* "CPU time per operation", "cycles per wall second": what costs are of. */
void diff_cost_write_what(const struct diff *diff, struct sink *sink);

/* The same of all weights: "CPU time", "cycles". */
void diff_cost_write_subject(const struct diff *diff, struct sink *sink);

/* "1.23 ms"; CPU time in a wall second, which has no unit: "0.983"; "12.5" of anything else. */
void diff_cost_write_value(const struct diff *diff, double value, struct sink *sink);

/* "+17.1%", "new", "gone" */
void diff_cost_write_percent(const struct diff_cost *cost, struct sink *sink);

/* "per operation", "per wall second"; "" for runs as they are. */
const char *diff_cost_work(const struct diff *diff);

/* "operation", "wall second", "run": for programs. */
const char *diff_cost_work_key(const struct diff *diff);

/* "cost" of a measure, where costs are known. */
void diff_cost_json(const struct diff *diff, const struct diff_measure *measure,
		    const struct diff_estimate *estimate, struct json *json);

#endif
