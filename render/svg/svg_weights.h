/* SPDX-License-Identifier: MIT */
/*
 * Defines how an SVG shows the weights of a profile:
 *
 *     a weight of 1234567 ns                         "1.235 ms"
 *     with count_name "µs" and factor 0.001          "1,235 µs"
 *     with total, if it is more than the root's      the width of the SVG; the root gets the difference
 *                                                    as self weight
 */
#ifndef RENDER_SVG_SVG_WEIGHTS_H
#define RENDER_SVG_SVG_WEIGHTS_H

#include "profile/profile.h"
#include "render/svg/svg.h"

struct svg_weights {
	const struct profile *profile;
	enum weight_unit unit;
	struct text name; /* the unit of events; empty: the event's name */
	double factor;    /* factor for displayed numbers; 0 means 1 */
	uint64_t total, root_self;
	bool is_total_ignored; /* the options' total is less than the root's */
};

/* Texts are borrowed from the profile and the options. */
void svg_weights_init(struct svg_weights *weights, const struct profile *profile,
		      const struct svg_options *options);

/* Returns the weights of a profile without any of these options. */
struct svg_weights svg_weights_of(const struct profile *profile);

static inline uint64_t svg_weights_self(const struct svg_weights *weights, uint32_t row)
{
	return row ? weights->profile->stacks.at[row].self : weights->root_self;
}

static inline uint64_t svg_weights_total(const struct svg_weights *weights, uint32_t row)
{
	return row ? weights->profile->stacks.at[row].total : weights->total;
}

/* Writes a weight with its unit: "12.3 s", "1,234 page-faults", "1 sample"; not escaped. */
void svg_weights_write(const struct svg_weights *weights, uint64_t value, struct sink *sink);

/* The unit that svg_weights_write appends, in the plural. */
struct text svg_weights_unit(const struct svg_weights *weights);

/* The percentage that flamegraph.pl prints: computed from the rounded number that is shown. */
double svg_weights_classic_percent(const struct svg_weights *weights, uint64_t value);

#endif
