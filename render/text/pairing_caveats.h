/* SPDX-License-Identifier: MIT */
/*
 * What of pairing is left out or not sure, in words:
 *
 *     98 of 412 off-CPU intervals (24%) are incomplete: 37 have no switch-out: ...
 *
 * One line names the reason with the most; kiln info has them all.
 */
#ifndef RENDER_TEXT_PAIRING_CAVEATS_H
#define RENDER_TEXT_PAIRING_CAVEATS_H

#include "base/sink.h"
#include "offcpu/pairing.h"
#include "render/json.h"

/* How many intervals are incomplete, for whatever reason, and of how many. */
uint64_t pairing_caveats_count(const struct pairing_counts *counts);
uint64_t pairing_caveats_all(const struct pairing_counts *counts);

/* The line above without its line end. Of spans, which kiln info does not know, with all reasons. */
void pairing_caveats_write(const struct pairing_counts *counts, bool are_spans, struct sink *sink);

/* A line for each reason, and one of what was paired: the section of kiln info. */
void pairing_caveats_list(const struct pairing_counts *counts, struct sink *sink);
void pairing_caveats_json(const struct pairing_counts *counts, struct json *json);

#endif
