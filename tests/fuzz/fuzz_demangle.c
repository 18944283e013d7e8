/* SPDX-License-Identifier: MIT */
/*
 * Names out of symbol tables: any input is one, shown in every way. What holds: what is shown fits, and
 * the time it takes is bounded, however large a thing a name stands for.
 */
#include <stdint.h>

#include "base/strings.h"
#include "symbolise/demangle/display_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct symbolise_options ways[] = {
		{ .demangle = true, .fold_suffixes = true },
		{ .demangle = true },
		{ .demangle = true, .perf_names = true },
	};
	uint32_t length = size < LIMIT_SYMBOL_BYTES ? (uint32_t)size : LIMIT_SYMBOL_BYTES;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		char buffer[DISPLAY_NAME_BYTES];
		struct text name = { (const char *)bytes, length };

		if (display_name(name, false, &ways[i], buffer).length > sizeof(buffer))
			__builtin_trap();
	}
	return 0;
}
