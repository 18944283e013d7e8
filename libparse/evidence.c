/* SPDX-License-Identifier: MIT */
#include "libparse/evidence.h"

#include <stdarg.h>
#include <stdio.h>

struct evidence evidence_of(enum confidence confidence, const char *format, ...)
{
	struct evidence result = { .confidence = confidence };
	va_list args;

	va_start(args, format);
	vsnprintf(result.reason, sizeof(result.reason), format, args);
	va_end(args);
	return result;
}

struct evidence evidence_at(enum confidence confidence, struct span head, const char *line,
			    const char *what)
{
	size_t number = 1;

	for (const char *at = (const char *)head.begin; at < line; at++)
		number += *at == '\n';
	return evidence_of(confidence, "line %zu is %s", number, what);
}
