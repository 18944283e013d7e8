/* SPDX-License-Identifier: MIT */
/*
 * Opening files whose paths came out of a capture or another file. Such a path may lead to a
 * pipe nobody writes to, to a device, or out of the folder it is meant to be looked up in; only
 * regular files are opened, and never waited for.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include "base/error.h"

struct file_bytes {
	char *at; /* a NUL behind them */
	size_t size_bytes;
};

/* A descriptor of the regular file at path, or -1 with the error (which does not name it). */
int file_open(const char *path, struct error *err) WARN_UNUSED;

/*
 * The same for a path inside the folder root: "..", absolute paths and symbolic links in it are
 * followed as if root were "/".
 */
int file_open_beneath(const char *root, const char *path, struct error *err) WARN_UNUSED;

/* What file_open_beneath does where the kernel cannot, before Linux 5.6: folder by folder, each link by
 * what it says. */
int file_open_by_steps(const char *root, const char *path, struct error *err) WARN_UNUSED;

/* The same for a path as a running process sees it, in a container or not. */
int file_open_in_process(uint32_t pid, const char *path, struct error *err) WARN_UNUSED;

/* Whether two files have the same bytes; false too when one cannot be read. */
bool file_is_equal(int fd, int other_fd);

/* A copy of a stretch of a file, which nothing else shares, or -1 with the error. */
int file_open_stretch(int fd, uint64_t begin, uint64_t size_bytes, struct error *err) WARN_UNUSED;

/* All bytes of fd, refused beyond limit_bytes; freed by file_bytes_deinit. Works for /proc. */
bool file_read(int fd, uint64_t limit_bytes, struct file_bytes *ret, struct error *err) WARN_UNUSED;
void file_bytes_deinit(struct file_bytes *bytes);

#endif
