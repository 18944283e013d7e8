/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/memory.h"

/* What base/memory.h asks of the program. In a test, running out of memory is always a fault. */
void memory_exhausted(size_t size_bytes)
{
	fprintf(stderr, "memory exhausted: %zu bytes asked for\n", size_bytes);
	abort();
}
