/* SPDX-License-Identifier: MIT */
/*
 * Opens files whose paths come from a capture or another file. Such a path may lead to a pipe, a
 * device, or a place outside the expected directory. Only regular files are opened, without blocking.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include "base/error.h"

struct file_bytes {
	char *at; /* followed by a NUL */
	size_t size_bytes;
};

/*
 * Returns a descriptor of the regular file at path, or -1 with the error. The error does not
 * contain the path.
 */
int file_open(const char *path, struct error *err) WARN_UNUSED;

/*
 * Like file_open, for a path from a capture or a symbol file. Also refuses pseudo-files of the
 * kernel (proc, sysfs, tracefs, ...). Reading trace_pipe, for example, would take events from
 * another reader.
 */
int file_open_captured(const char *path, struct error *err) WARN_UNUSED;

/*
 * Like file_open_captured, for a path below the directory root. Resolves "..", absolute paths and
 * symbolic links as if root were "/".
 */
int file_open_beneath(const char *root, const char *path, struct error *err) WARN_UNUSED;

/*
 * Like file_open_captured, for a path that the kernel recorded. The path is below root or, if root
 * is NULL, on this machine. The kernel resolves all links before it records the path of a mapped
 * file. If the last component is now a link, the link has replaced the file. The error is then
 * ERROR_LINK. Links among the directories are followed. A directory may have become a link since
 * then, as /lib did when distributions merged it into /usr.
 */
int file_open_recorded(const char *root, const char *path, struct error *err) WARN_UNUSED;

enum file_last_link {
	FILE_LAST_LINK_FOLLOWED,
	FILE_LAST_LINK_REFUSED
};

/* Like file_open_beneath or file_open_recorded, below an open directory, which stays open. */
int file_open_below(int root, const char *path, enum file_last_link last,
		    struct error *err) WARN_UNUSED;

/*
 * Like file_open_beneath or file_open_recorded, for systems without openat2() (Linux before 5.6).
 * Resolves the path component by component.
 */
int file_open_by_steps(const char *root, const char *path, enum file_last_link last,
		       struct error *err) WARN_UNUSED;

/* Whether two files have the same contents. Returns false if one of the files cannot be read. */
bool file_is_equal(int fd, int other_fd);

/* A copy of a byte range of a file, or -1 with the error. */
int file_copy_range(int fd, uint64_t begin, uint64_t size_bytes, struct error *err) WARN_UNUSED;

/*
 * Reads all of fd; fails beyond limit_bytes. Free the result with file_bytes_deinit. This function
 * also works in /proc.
 */
bool file_read(int fd, uint64_t limit_bytes, struct file_bytes *ret, struct error *err) WARN_UNUSED;
void file_bytes_deinit(struct file_bytes *bytes);

#endif
