/* SPDX-License-Identifier: MIT */
#include "tests/support/memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(int is_done, const char *what)
{
	if (is_done)
		return;
	perror(what);
	abort();
}

void memory_file_open(struct memory_file *file, const void *bytes, size_t size_bytes)
{
	file->is_named = access("/proc/self/fd", X_OK) != 0;
	if (file->is_named) {
		snprintf(file->path, sizeof(file->path), "/tmp/kiln-test-XXXXXX");
		file->fd = mkstemp(file->path);
	} else {
		file->fd = memfd_create("kiln-test", MFD_CLOEXEC);
		snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
	}
	require(file->fd >= 0, "a file for a test");
	memory_file_replace(file, bytes, size_bytes);
}

void memory_file_close(struct memory_file *file)
{
	close(file->fd);
	if (file->is_named)
		unlink(file->path);
	file->fd = -1;
}

void memory_file_replace(struct memory_file *file, const void *bytes, size_t size_bytes)
{
	memory_file_truncate(file, 0);
	require(pwrite(file->fd, bytes, size_bytes, 0) == (ssize_t)size_bytes, "pwrite");
}

const char *memory_file_reuse(const void *bytes, size_t size_bytes)
{
	static struct memory_file file = { .fd = -1 };

	if (file.fd < 0)
		memory_file_open(&file, bytes, size_bytes);
	else
		memory_file_replace(&file, bytes, size_bytes);
	return file.path;
}

void memory_file_truncate(struct memory_file *file, size_t size_bytes)
{
	require(ftruncate(file->fd, (off_t)size_bytes) == 0, "ftruncate");
}
