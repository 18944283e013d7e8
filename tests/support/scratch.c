/* SPDX-License-Identifier: MIT */
#include "tests/support/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void require(bool is_done, const char *what)
{
	if (is_done)
		return;
	perror(what);
	abort();
}

void scratch_open(struct scratch *scratch)
{
	const char *directory = getenv("TMPDIR");

	snprintf(scratch->path, sizeof(scratch->path), "%s/kiln-test-XXXXXX",
		 directory && *directory ? directory : "/tmp");
	require(mkdtemp(scratch->path) != NULL, scratch->path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

void scratch_close(struct scratch *scratch)
{
	require(nftw(scratch->path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, scratch->path);
}

const char *scratch_path(const struct scratch *scratch, const char *name)
{
	static char buffer[4096];

	snprintf(buffer, sizeof(buffer), "%s/%s", scratch->path, name);
	return buffer;
}

static void make_directories(const struct scratch *scratch, const char *name)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		char directory[4096];

		snprintf(directory, sizeof(directory), "%s/%.*s", scratch->path,
			 (int)(slash - name), name);
		mkdir(directory, 0755);
	}
}

void scratch_write(const struct scratch *scratch, const char *name, const void *bytes,
		   size_t size_bytes)
{
	FILE *file;

	make_directories(scratch, name);
	file = fopen(scratch_path(scratch, name), "wb");
	require(file != NULL, name);
	require(fwrite(bytes, 1, size_bytes, file) == size_bytes, name);
	require(fclose(file) == 0, name);
}

void scratch_link(const struct scratch *scratch, const char *name, const char *target)
{
	make_directories(scratch, name);
	require(symlink(target, scratch_path(scratch, name)) == 0, name);
}

void scratch_pipe(const struct scratch *scratch, const char *name)
{
	make_directories(scratch, name);
	require(mkfifo(scratch_path(scratch, name), 0600) == 0, name);
}
