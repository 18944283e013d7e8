/* SPDX-License-Identifier: MIT */
/*
 * What changed, for programs:
 *
 *     {"headline": {"text", "story", "per", "total": {...}, "per_wall_second": {...}, "explained",
 *                   "functions", "shifted", "parts": [{"name", "points", "interval"}, ...]},
 *      "before": {"total": N, ...}, "after": {...}, "noise", "confidence", "unchanged_within",
 *      "total": {"verdict", "percent", "p_value", "interval", "spread_assumed"},
 *      "shift_percent": of unchanged code, where something shifted, else null,
 *      "functions": [{"name", "self_before", "self_after", "total_before", "total_after",
 *                     "change", "p_value", "significant", "verdict", "verdict_of",
 *                     "self": {"verdict", "points", "percent", "p_value",
 *                              "interval": {"points": [LOW, HIGH], "percent": [LOW, HIGH]},
 *                              "needed", "cost": {"before", "after", "points", "percent", "interval"},
 *                              "runs": {"before": [...], "after": [...]}},
 *                     "total": {...}}, ...]}
 *
 * Weights are the captures' own. change is that of the total, in percent points of after, before
 * being normalised; p_value is the smaller of self's and total's, corrected for their number.
 */
#ifndef RENDER_DIFF_DIFF_JSON_H
#define RENDER_DIFF_DIFF_JSON_H

#include "base/sink.h"
#include "diff/diff.h"

/* Most important first; limit 0: all. */
void diff_json_write(const struct diff *diff, uint64_t limit, struct sink *sink);

#endif
