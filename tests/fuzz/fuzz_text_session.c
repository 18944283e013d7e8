/* SPDX-License-Identifier: MIT */
/*
 * Texts and SVGs from their bytes to what the commands print, as fuzz_session reads perf.data.
 */
#include <stdint.h>

#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct view view = { .grouping = GROUPING_BY_COMM };
	struct session_options options = { .view = &view };
	struct session session;

	if (session_checks_is_perf(bytes, size) ||
	    !session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return 0;
	session_checks_build(&session);
	session_close(&session);
	return 0;
}
