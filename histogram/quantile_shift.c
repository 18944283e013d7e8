/* SPDX-License-Identifier: MIT */
#include "histogram/quantile_shift.h"

#include <math.h>

/* The change from one value to another. Both may be 0 or infinite. */
static double change_of(double from, double to, double unknown)
{
	if (isinf(from) || isnan(from) || from < 0 || to < 0)
		return from < 0 || to < 0 ? unknown : -1;
	if (isinf(to))
		return INFINITY;
	if (from == 0)
		return to == 0 ? 0 : INFINITY;
	return to / from - 1;
}

struct quantile_shift quantile_shift_of(const struct histogram *before,
					const struct histogram *after, double share,
					double confidence)
{
	double of_each = sqrt(confidence);
	struct quantile_shift shift = {
		.before = histogram_quantile(before, share),
		.after = histogram_quantile(after, share),
	};
	struct quantile from = histogram_interval(before, share, of_each);
	struct quantile to = histogram_interval(after, share, of_each);

	/* No value is below 0. */
	from.low = fmax(from.low, 0);
	to.low = fmax(to.low, 0);
	shift.change = change_of(shift.before.value, shift.after.value, NAN);
	shift.low = change_of(from.high, to.low, -1);
	shift.high = change_of(from.low, to.high, INFINITY);
	return shift;
}
