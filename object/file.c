/* SPDX-License-Identifier: MIT */
#include "object/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

#define OPEN_FLAGS     (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
#define READ_BYTES_MIN ((size_t)64 << 10)
#define COPY_BYTES     ((size_t)1 << 24)

/* Passes a descriptor on when it is that of a regular file. */
static int keep_regular(int fd, struct error *err)
{
	struct stat status;

	if (fd < 0) {
		error_set_errno(err, "cannot open");
		return -1;
	}
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	error_set(err, ERROR_FORMAT, "is not a regular file");
	close(fd);
	return -1;
}

int file_open(const char *path, struct error *err)
{
	struct stat status;

	/* Opening some devices does something: a tape rewinds, a watchdog begins to count. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		error_set(err, ERROR_FORMAT, "is not a regular file");
		return -1;
	}
	return keep_regular(open(path, OPEN_FLAGS), err);
}

/* For kernels before 5.6: the folder may only be left on paper, not by where the path leads. */
static int open_checked(const char *root, const char *path, struct error *err)
{
	char *joined = memory_alloc(strlen(root) + strlen(path) + 2, 1);
	char *real_root = realpath(root, NULL);
	char *real_path;
	size_t length;
	int fd = -1;

	memcpy(joined, root, strlen(root));
	joined[strlen(root)] = '/';
	memcpy(joined + strlen(root) + 1, path, strlen(path) + 1);
	real_path = realpath(joined, NULL);
	length = real_root ? strlen(real_root) : 0;
	errno = ENOENT;
	if (real_root && real_path && strncmp(real_root, real_path, length) == 0 &&
	    (real_path[length] == '/' || length == 1))
		fd = open(real_path, OPEN_FLAGS | O_NOFOLLOW);
	fd = keep_regular(fd, err);
	memory_free(joined);
	memory_free(real_root);
	memory_free(real_path);
	return fd;
}

/* False where the kernel cannot do it. */
static bool open_in_root(const char *root, const char *path, int *fd_ret, struct error *err)
{
	struct open_how how = { .flags = OPEN_FLAGS, .resolve = RESOLVE_IN_ROOT };
	int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	long fd;
	int saved;

	*fd_ret = -1;
	if (folder < 0) {
		error_set_errno(err, "cannot open the folder %s", root);
		return true;
	}
	fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
	saved = errno;
	close(folder);
	if (fd < 0 && (saved == ENOSYS || saved == EPERM))
		return false;
	errno = saved;
	*fd_ret = keep_regular((int)fd, err);
	return true;
}

int file_open_beneath(const char *root, const char *path, struct error *err)
{
	int fd;

	return open_in_root(root, path, &fd, err) ? fd : open_checked(root, path, err);
}

int file_open_in_process(uint32_t pid, const char *path, struct error *err)
{
	char root[32];
	int fd;

	/* On paper that link leads to "/": only the kernel can follow it. */
	snprintf(root, sizeof(root), "/proc/%u/root", (unsigned)pid);
	if (open_in_root(root, path, &fd, err))
		return fd;
	error_set(err, ERROR_UNSUPPORTED, "cannot be opened before Linux 5.6");
	return -1;
}

static bool copy_stretch(int from, int to, uint64_t begin, uint64_t size_bytes)
{
	off_t at = (off_t)begin;

	while (size_bytes) {
		size_t wanted = size_bytes < COPY_BYTES ? (size_t)size_bytes : COPY_BYTES;
		ssize_t done = sendfile(to, from, &at, wanted);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		size_bytes -= (uint64_t)done;
	}
	return lseek(to, 0, SEEK_SET) == 0;
}

int file_open_stretch(int fd, uint64_t begin, uint64_t size_bytes, struct error *err)
{
	int copy = memfd_create("kiln", MFD_CLOEXEC);

	if (copy >= 0 && copy_stretch(fd, copy, begin, size_bytes))
		return copy;
	error_set_errno(err, "cannot copy");
	if (copy >= 0)
		close(copy);
	return -1;
}

bool file_read(int fd, uint64_t limit_bytes, struct file_bytes *ret, struct error *err)
{
	struct file_bytes bytes = { .size_bytes = 0 };
	struct stat status;
	size_t capacity = READ_BYTES_MIN;

	/* What the file says of its size is a first guess: it is 0 in /proc. */
	if (fstat(fd, &status) == 0 && status.st_size > 0 && (uint64_t)status.st_size < limit_bytes)
		capacity = (size_t)status.st_size + 2; /* for the NUL, and to see the end */
	bytes.at = memory_alloc(capacity, 1);
	for (;;) {
		ssize_t got;

		if (bytes.size_bytes + 1 >= capacity) {
			capacity *= 2;
			bytes.at = memory_realloc(bytes.at, capacity, 1);
		}
		got = read(fd, bytes.at + bytes.size_bytes, capacity - bytes.size_bytes - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			if (got == 0)
				break;
			file_bytes_deinit(&bytes);
			return error_set_errno(err, "cannot read");
		}
		bytes.size_bytes += (size_t)got;
		if (bytes.size_bytes > limit_bytes) {
			file_bytes_deinit(&bytes);
			return error_set(err, ERROR_LIMIT, "is larger than %llu bytes",
					 (unsigned long long)limit_bytes);
		}
	}
	bytes.at[bytes.size_bytes] = '\0';
	*ret = bytes;
	return true;
}

void file_bytes_deinit(struct file_bytes *bytes)
{
	memory_free(bytes->at);
	*bytes = (struct file_bytes){ .at = NULL };
}
