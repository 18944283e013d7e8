/* SPDX-License-Identifier: MIT */
#include "cli/duration.h"

#include <stdlib.h>

#include "base/scan.h"

bool duration_parse(const char *option, const char *text, uint64_t *ret_ns, struct error *err)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e3 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end = NULL;
	double number;

	*ret_ns = 0;
	if (!text)
		return true;
	number = is_digit(*text) ? strtod(text, &end) : -1;
	for (size_t i = 0; number >= 0 && number < 1e9 && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		*ret_ns = (uint64_t)(number * units[i].ns + 0.5);
		return true;
	}
	return error_set(err, ERROR_USAGE, "--%s requires a time such as 10us, 1.5ms or 2s",
			 option);
}
