/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/memory.h"

/* Required by base/memory.h. In a test, running out of memory is always an error. */
void memory_exhausted(size_t size_bytes)
{
	fprintf(stderr, "memory exhausted: %zu bytes asked for\n", size_bytes);
	abort();
}
