/* SPDX-License-Identifier: MIT */
#include "base/temporary_space.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/memory.h"

/*
 * The number of bytes written between two checks of the free space, because a system call for each
 * write would be slow.
 */
#define STEP_BYTES ((uint64_t)8 << 20)

const char *temporary_space_directory(void)
{
	const char *chosen = getenv("TMPDIR");

	return chosen && *chosen ? chosen : "/tmp";
}

int temporary_space_create_file(void)
{
	const char *directory = temporary_space_directory();
	char path[512];
	int fd;

	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Some file systems do not support O_TMPFILE (overlay before 5.17, NFS). */
	snprintf(path, sizeof(path), "%s/kiln-XXXXXX", directory);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0) {
		unlink(path);
		return fd;
	}
	/*
	 * A minimal root file system has no /tmp. Without /tmp, memory must do; small inputs fit
	 * into memory.
	 */
	return directory != getenv("TMPDIR") && errno == ENOENT ? memfd_create("kiln", MFD_CLOEXEC)
								: -1;
}

/* Free space in bytes. UINT64_MAX if unknown. */
static uint64_t free_bytes_of(int fd)
{
	struct statfs status;

	if (fstatfs(fd, &status) != 0)
		return UINT64_MAX;
	if (status.f_blocks)
		return (uint64_t)status.f_bavail * (uint64_t)status.f_frsize;
	/*
	 * On tmpfs, a file without blocks is from memfd_create(), so the machine's memory limits
	 * its size.
	 */
	return status.f_type == TMPFS_MAGIC ? memory_default_limit() : UINT64_MAX;
}

static bool check_free(uint64_t used_bytes, int fd, struct error *err)
{
	return used_bytes <= free_bytes_of(fd) ||
	       error_set(err, ERROR_RESOURCE,
			 "requires more than half of the free space in %s for temporary files; "
			 "set TMPDIR to a different directory, or allow more with --spool-limit",
			 temporary_space_directory());
}

static bool check(const struct temporary_space *space, int fd, uint64_t used_bytes,
		  struct error *err)
{
	uint64_t limit_bytes = space->limit_bytes ? space->limit_bytes : LIMIT_SPOOL_BYTES;

	if (used_bytes > limit_bytes)
		return error_set(err, ERROR_RESOURCE,
				 "requires more than the limit of %" PRIu64 " byte%s in temporary "
				 "files; allow more with --spool-limit",
				 limit_bytes, limit_bytes == 1 ? "" : "s");
	return space->limit_bytes || space->used_bytes / STEP_BYTES == used_bytes / STEP_BYTES ||
	       check_free(used_bytes, fd, err);
}

bool temporary_space_add(struct temporary_space *space, int fd, uint64_t size_bytes,
			 struct error *err)
{
	bool good = check(space, fd, space->used_bytes + size_bytes, err);

	space->used_bytes += size_bytes;
	return good;
}

bool temporary_space_write(struct temporary_space *space, int fd, const void *bytes,
			   size_t size_bytes, struct error *err)
{
	const char *at = bytes;

	if (!check(space, fd, space->used_bytes + size_bytes, err))
		return false;
	space->used_bytes += size_bytes;
	while (size_bytes) {
		ssize_t done = write(fd, at, size_bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set_errno(err, "cannot write to a temporary file in %s",
					       temporary_space_directory());
		at += done;
		size_bytes -= (size_t)done;
	}
	return true;
}
