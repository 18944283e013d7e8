/* SPDX-License-Identifier: MIT */
/* Binary captures of trace-cmd, from the file to the output of commands. */
#include <stdint.h>

#include "libparse/tracedat/tracedat.h"
#include "tests/support/memory_file.h"
#include "tests/support/session_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct session_options options = { .format = &trace_dat_format };
	struct session session;

	if (!session_checks_open(&session, memory_file_reuse(bytes, size), &options))
		return 0;
	session_checks_build(&session);
	session_close(&session);
	return 0;
}
