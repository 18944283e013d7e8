/* SPDX-License-Identifier: MIT */
/*
 * Describes off-CPU intervals that are incomplete or uncertain:
 *
 *     98 of 412 off-CPU intervals (24%) are incomplete: 37 without a switch-out ...
 *
 * A warning states the most frequent reason; kiln info lists all reasons.
 */
#ifndef RENDER_TEXT_PAIRING_CAVEATS_H
#define RENDER_TEXT_PAIRING_CAVEATS_H

#include "base/sink.h"
#include "offcpu/pairing.h"
#include "render/json.h"

/*
 * These functions return the number of intervals that are incomplete for any reason, and the number
 * of all intervals.
 */
uint64_t pairing_caveats_count(const struct pairing_counts *counts);
uint64_t pairing_caveats_all(const struct pairing_counts *counts);

/*
 * Writes the line above, without newline. For spans, writes all reasons, because kiln info does not
 * show them.
 */
void pairing_caveats_write(const struct pairing_counts *counts, bool are_spans, struct sink *sink);

/* Writes the section of kiln info: a line for the paired intervals and one for each reason. */
void pairing_caveats_list(const struct pairing_counts *counts, struct sink *sink);
void pairing_caveats_json(const struct pairing_counts *counts, struct json *json);

#endif
