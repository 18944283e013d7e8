/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_weights.h"

#include <math.h>

#include "base/arithmetic.h"
#include "render/number.h"

#define MILLION 1000000u

struct svg_weights svg_weights_of(const struct profile *profile)
{
	bool has_stacks = profile->stacks.count;

	return (struct svg_weights){
		.profile = profile,
		.unit = profile->unit,
		.name = strings_get(profile->strings, profile->weight_name),
		.total = has_stacks ? profile->stacks.at[0].total : 0,
		.root_self = has_stacks ? profile->stacks.at[0].self : 0,
	};
}

static void set_total(struct svg_weights *weights, double total)
{
	uint64_t wanted = (uint64_t)(total < 1.8e19 ? total : 1.8e19);

	if (total <= 0 || !weights->profile->stacks.count)
		return;
	weights->is_total_ignored = total < (double)weights->total;
	if (weights->is_total_ignored)
		return;
	weights->root_self = saturate_add(weights->root_self, wanted - weights->total);
	weights->total = wanted;
}

void svg_weights_init(struct svg_weights *weights, const struct profile *profile,
		      const struct svg_options *options)
{
	uint32_t decimals = profile->unit == UNIT_MILLIONTHS ? MILLION : 1;

	*weights = svg_weights_of(profile);
	weights->factor = options->factor;
	if (options->count_name) {
		if (decimals != 1)
			weights->factor = (options->factor == 0 ? 1 : options->factor) / decimals;
		weights->unit = UNIT_EVENTS;
		weights->name = text_of(options->count_name);
	}
	set_total(weights, options->total * decimals);
}

static struct text name_of(const struct svg_weights *weights)
{
	const struct profile *profile = weights->profile;

	return weights->name.length ? weights->name
				    : strings_get(profile->strings, profile->event_name);
}

static struct text unit_name(const struct svg_weights *weights, bool is_one)
{
	switch (weights->unit) {
	case UNIT_NANOSECONDS:
	case UNIT_EVENTS:
		break;
	case UNIT_MILLIONTHS:
		if (is_one && text_is(name_of(weights), "samples"))
			return text_of("sample");
		break;
	case UNIT_BYTES:
		return text_of(is_one ? "byte" : "bytes");
	case UNIT_SAMPLES:
		return text_of(is_one ? "sample" : "samples");
	}
	return name_of(weights);
}

struct text svg_weights_unit(const struct svg_weights *weights)
{
	return unit_name(weights, false);
}

/* The displayed number. */
static uint64_t scaled(const struct svg_weights *weights, uint64_t value)
{
	double shown;

	if (weights->factor == 0)
		return value;
	shown = nearbyint((double)value * weights->factor);
	return shown < 1.8e19 ? (uint64_t)shown : UINT64_MAX;
}

void svg_weights_write(const struct svg_weights *weights, uint64_t value, struct sink *sink)
{
	bool has_decimals = weights->unit == UNIT_MILLIONTHS;

	if (weights->unit == UNIT_NANOSECONDS) {
		number_duration(sink, value);
		return;
	}
	if (has_decimals)
		number_decimal(sink, scaled(weights, value));
	else
		number_grouped(sink, scaled(weights, value));
	sink_char(sink, ' ');
	sink_text(sink, unit_name(weights, value == (has_decimals ? MILLION : 1)));
}

double svg_weights_classic_percent(const struct svg_weights *weights, uint64_t value)
{
	double factor = weights->factor == 0 ? 1 : weights->factor;

	return 100 * (double)scaled(weights, value) / ((double)weights->total * factor);
}
