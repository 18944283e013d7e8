/* SPDX-License-Identifier: MIT */
/*
 * The main of a fuzz target that is built without libFuzzer: runs the target once over each file
 * named, so that every compiler and sanitizer sees the seeds and all inputs that once failed.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* All of file, in memory of exactly its size so that a read beyond the end is seen. */
static uint8_t *read_all(FILE *file, size_t *size_ret)
{
	uint8_t *bytes = NULL;
	size_t size = 0;
	char block[65536];
	size_t got;

	while ((got = fread(block, 1, sizeof(block), file)) > 0) {
		bytes = memory_realloc(bytes, size + got, 1);
		memcpy(bytes + size, block, got);
		size += got;
	}
	*size_ret = size;
	return bytes ? bytes : memory_alloc(1, 1);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		if (!file) {
			perror(argv[i]);
			return 1;
		}
		size_t size;
		uint8_t *bytes = read_all(file, &size);
		fclose(file);
		LLVMFuzzerTestOneInput(bytes, size);
		memory_free(bytes);
	}
	return 0;
}
