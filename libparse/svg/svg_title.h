/* SPDX-License-Identifier: MIT */
/*
 * What a box of a flame graph says of itself when one points at it.
 *
 *     parse_array (28,028 samples, 2.22%)             flamegraph.pl, inferno and kiln
 *     parse_array (28,028 samples, 2.22%; +1.05%)     of two profiles: by how much it grew
 *     parse_array (28.03 ms, 2.22%)                   kiln: of time
 */
#ifndef LIBPARSE_SVG_SVG_TITLE_H
#define LIBPARSE_SVG_SVG_TITLE_H

#include "base/strings.h"

struct svg_title {
	struct text name;
	struct text unit; /* behind the count; empty: there is none */
	uint64_t count;   /* in thousandths of the unit */
	int64_t delta;    /* in hundredths of a percent */
	bool has_count, has_delta;
};

/* Reads the first line of a title. What has no count is a name as a whole. */
struct svg_title svg_title_parse(struct text title);

/* A duration as kiln writes it, in nanoseconds; false: the unit is not of time. */
bool svg_title_duration(const struct svg_title *title, uint64_t *ret);

#endif
