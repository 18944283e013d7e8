/* SPDX-License-Identifier: MIT */
#include "object/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/memory.h"

#define OPEN_FLAGS     (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
#define READ_BYTES_MIN ((size_t)64 << 10)
#define COPY_BYTES     ((size_t)1 << 24)
/* The maximum number of symbolic links to follow, as in the kernel. */
#define LINKS_MAX 40

/* Returns the descriptor if the descriptor refers to a regular file. */
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

	/* Opening a device may have side effects: a tape rewinds, a watchdog starts. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		error_set(err, ERROR_FORMAT, "is not a regular file");
		return -1;
	}
	return keep_regular(open(path, OPEN_FLAGS), err);
}

/* Magic numbers that are not in linux/magic.h. */
#define CONFIGFS_MAGIC 0x62656570
#define FUSECTL_MAGIC  0x65735543
#define MQUEUE_MAGIC   0x19800202

/* Whether a file is a pseudo-file, whose contents the kernel generates. */
static bool is_made_up(int fd)
{
	static const uint32_t magics[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC,        TRACEFS_MAGIC,        DEBUGFS_MAGIC,
		BPF_FS_MAGIC,     CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,  DEVPTS_SUPER_MAGIC,
		SECURITYFS_MAGIC, SELINUX_MAGIC,      SMACK_MAGIC,          EFIVARFS_MAGIC,
		PSTOREFS_MAGIC,   BINFMTFS_MAGIC,     RDTGROUP_SUPER_MAGIC, NSFS_MAGIC,
		CONFIGFS_MAGIC,   FUSECTL_MAGIC,      MQUEUE_MAGIC,
	};
	struct statfs system;

	if (fstatfs(fd, &system) != 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if ((uint32_t)system.f_type == magics[i])
			return true;
	return false;
}

/* Whether fd, which may have been opened with O_PATH, is a regular file that is not a pseudo-file. */
static bool check_stored(int fd, struct error *err)
{
	struct stat status = { .st_mode = 0 };

	if (is_made_up(fd))
		return error_set(err, ERROR_FORMAT,
				 "is on a kernel pseudo-filesystem such as /proc; kiln does not "
				 "read files there");
	if (fstat(fd, &status) == 0 && S_ISLNK(status.st_mode))
		return error_set(err, ERROR_LINK,
				 "is a symbolic link, which kiln does not follow at the end of a "
				 "recorded path");
	return S_ISREG(status.st_mode) || error_set(err, ERROR_FORMAT, "is not a regular file");
}

/*
 * Checks and closes a descriptor from open() with O_PATH. This flag finds the file without opening
 * it.
 */
static bool check_found(int fd, struct error *err)
{
	bool good;

	if (fd < 0)
		return error_set_errno(err, "cannot open");
	good = check_stored(fd, err);
	close(fd);
	return good;
}

/* Whether the path leads through a link that the kernel makes up, such as /proc/self/fd/3. */
static bool has_magic_link(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	/* Linux before 5.6 lacks openat2(). All such links are in /proc. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return strncmp(path, "/proc/", 6) == 0;
	return fd < 0 && errno == ELOOP;
}

static int open_here(const char *path, enum file_last_link last, struct error *err)
{
	int flags = last == FILE_LAST_LINK_REFUSED ? O_NOFOLLOW : 0;
	int fd;

	if (!check_found(open(path, O_PATH | O_CLOEXEC | flags), err))
		return -1;
	if (has_magic_link(path)) {
		error_set(err, ERROR_FORMAT, "leads through a link in /proc, and is not read");
		return -1;
	}
	fd = open(path, OPEN_FLAGS | flags);
	if (fd < 0)
		error_set_errno(err, "cannot open");
	/* Check again, because the file may have been replaced in the meantime. */
	if (fd < 0 || check_stored(fd, err))
		return fd;
	close(fd);
	return -1;
}

int file_open_captured(const char *path, struct error *err)
{
	return open_here(path, FILE_LAST_LINK_FOLLOWED, err);
}

/* A path below a directory: the resolved part, and the rest. */
struct path_walk {
	int root;
	char done[PATH_MAX]; /* resolved: without links or ".." */
	size_t length;
	char left[PATH_MAX];
	unsigned link_count;
	enum file_last_link last;
};

static void drop_component(struct path_walk *walk)
{
	while (walk->length && walk->done[walk->length - 1] != '/')
		walk->length--;
	if (walk->length)
		walk->length--;
	walk->done[walk->length] = '\0';
}

static bool add_component(struct path_walk *walk, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && *name == '.'))
		return true;
	if (length == 2 && name[0] == '.' && name[1] == '.') {
		drop_component(walk);
		return true;
	}
	if (walk->length + length + 2 > sizeof(walk->done)) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (walk->length)
		walk->done[walk->length++] = '/';
	memcpy(walk->done + walk->length, name, length);
	walk->length += length;
	walk->done[walk->length] = '\0';
	return true;
}

/* If the component just resolved is a link, puts its target in front of the rest. */
static bool follow_link(struct path_walk *walk, const char *rest)
{
	bool is_kept = walk->last == FILE_LAST_LINK_REFUSED && !*rest;
	char path[sizeof(walk->left)];
	ssize_t length = is_kept ? -1 : readlinkat(walk->root, walk->done, path, sizeof(path));
	size_t rest_length = strlen(rest);

	if (is_kept)
		errno = EINVAL;
	if (length < 0) {
		memmove(walk->left, rest, rest_length + 1);
		return errno == EINVAL;
	}
	errno = ELOOP;
	if (walk->link_count++ == LINKS_MAX)
		return false;
	errno = ENAMETOOLONG;
	if ((size_t)length + rest_length + 1 > sizeof(path))
		return false;
	memcpy(path + length, rest, rest_length + 1);
	memcpy(walk->left, path, (size_t)length + rest_length + 1);
	drop_component(walk);
	if (*walk->left == '/')
		walk->length = 0;
	walk->done[walk->length] = '\0';
	return true;
}

static bool take_step(struct path_walk *walk)
{
	const char *begin = walk->left + strspn(walk->left, "/");
	size_t length = strcspn(begin, "/");
	size_t length_before = walk->length;

	if (!add_component(walk, begin, length))
		return false;
	if (walk->length > length_before)
		return follow_link(walk, begin + length);
	memmove(walk->left, begin + length, strlen(begin + length) + 1);
	return true;
}

/* Opens the file that the walk has resolved. */
static int open_resolved(const struct path_walk *walk, struct error *err)
{
	if (!check_found(openat(walk->root, walk->done, O_PATH | O_NOFOLLOW | O_CLOEXEC), err))
		return -1;
	return keep_regular(openat(walk->root, walk->done, OPEN_FLAGS | O_NOFOLLOW), err);
}

static int open_by_steps(int root, const char *path, enum file_last_link last, struct error *err)
{
	struct path_walk walk = { .root = root, .last = last };
	bool good = strlen(path) < sizeof(walk.left);

	if (good)
		memcpy(walk.left, path, strlen(path) + 1);
	else
		errno = ENAMETOOLONG;
	while (good && *walk.left)
		good = take_step(&walk);
	if (good)
		return open_resolved(&walk, err);
	error_set_errno(err, "cannot open");
	return -1;
}

/* Returns false if the kernel lacks openat2(). */
static bool open_in_directory(int directory, const char *path, enum file_last_link last,
			      int *fd_ret, struct error *err)
{
	uint64_t flags = last == FILE_LAST_LINK_REFUSED ? O_NOFOLLOW : 0;
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_IN_ROOT };
	int fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return false;
	how.flags = OPEN_FLAGS | flags;
	if (check_found(fd, err))
		*fd_ret = keep_regular(
			(int)syscall(SYS_openat2, directory, path, &how, sizeof(how)), err);
	return true;
}

int file_open_below(int root, const char *path, enum file_last_link last, struct error *err)
{
	int fd = -1;

	return open_in_directory(root, path, last, &fd, err) ? fd
							     : open_by_steps(root, path, last, err);
}

static int open_root(const char *root, struct error *err)
{
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		error_set_errno(err, "cannot open the directory %s", root);
	return directory;
}

static int open_below(const char *root, const char *path, enum file_last_link last,
		      struct error *err)
{
	int directory = open_root(root, err);
	int fd = directory >= 0 ? file_open_below(directory, path, last, err) : -1;

	if (directory >= 0)
		close(directory);
	return fd;
}

int file_open_by_steps(const char *root, const char *path, enum file_last_link last,
		       struct error *err)
{
	int directory = open_root(root, err);
	int fd = directory >= 0 ? open_by_steps(directory, path, last, err) : -1;

	if (directory >= 0)
		close(directory);
	return fd;
}

int file_open_beneath(const char *root, const char *path, struct error *err)
{
	return open_below(root, path, FILE_LAST_LINK_FOLLOWED, err);
}

int file_open_recorded(const char *root, const char *path, struct error *err)
{
	return root ? open_below(root, path, FILE_LAST_LINK_REFUSED, err)
		    : open_here(path, FILE_LAST_LINK_REFUSED, err);
}

/* Reads size_bytes, or fewer if the file ends earlier. Returns -1 on failure. */
static ssize_t read_whole(int fd, char *buffer, size_t size_bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < size_bytes) {
		ssize_t got = pread(fd, buffer + done, size_bytes - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static bool has_same_bytes(int fd, int other_fd, char *buffer, char *other_buffer)
{
	uint64_t offset = 0;
	ssize_t got, other_got;

	do {
		got = read_whole(fd, buffer, READ_BYTES_MIN, offset);
		other_got = read_whole(other_fd, other_buffer, READ_BYTES_MIN, offset);
		if (got < 0 || got != other_got || memcmp(buffer, other_buffer, (size_t)got) != 0)
			return false;
		offset += (uint64_t)got;
	} while (got == (ssize_t)READ_BYTES_MIN);
	return true;
}

bool file_is_equal(int fd, int other_fd)
{
	struct stat status, other_status;
	char *buffer;
	bool is_equal;

	if (fstat(fd, &status) != 0 || fstat(other_fd, &other_status) != 0 ||
	    status.st_size != other_status.st_size)
		return false;
	buffer = memory_alloc(READ_BYTES_MIN, 2);
	is_equal = has_same_bytes(fd, other_fd, buffer, buffer + READ_BYTES_MIN);
	memory_free(buffer);
	return is_equal;
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

int file_copy_range(int fd, uint64_t begin, uint64_t size_bytes, struct error *err)
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

	/* st_size is only a hint. In /proc, st_size is 0. */
	if (fstat(fd, &status) == 0 && status.st_size > 0 && (uint64_t)status.st_size < limit_bytes)
		capacity = (size_t)status.st_size +
			   2; /* two more bytes: for the NUL, and to detect the end */
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
			return error_set(err, ERROR_LIMIT, "is larger than the limit of %llu bytes",
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
