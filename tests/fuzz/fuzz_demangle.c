/* SPDX-License-Identifier: MIT */
/*
 * Names in symbol tables: any input is a name, which is shown in every way. For any name: what is
 * shown fits into the buffer, and the time is bounded, however much the name expands to.
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
