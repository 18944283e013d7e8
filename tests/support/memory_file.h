/* SPDX-License-Identifier: MIT */
/*
 * Bytes in memory that can be opened by a path, for code under test that opens files. The path
 * leads to an unnamed file of this process, and is valid until memory_file_close.
 */
#ifndef TESTS_SUPPORT_MEMORY_FILE_H
#define TESTS_SUPPORT_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct memory_file {
	int fd;
	bool is_named; /* where there is no /proc */
	char path[64];
};

/* Aborts the test on failure. */
void memory_file_open(struct memory_file *file, const void *bytes, size_t size_bytes);
void memory_file_close(struct memory_file *file);

/* Replaces the bytes of the file, which is cheaper than opening a new one. */
void memory_file_replace(struct memory_file *file, const void *bytes, size_t size_bytes);

/* The path of a file with these bytes. Each call replaces the bytes of the previous one, so that
 * thousands of inputs per second need only one file. */
const char *memory_file_reuse(const void *bytes, size_t size_bytes);

/* Truncates the file. */
void memory_file_truncate(struct memory_file *file, size_t size_bytes);

#endif
