/* SPDX-License-Identifier: MIT */
#include "cli/default_input.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_HERE "perf.data"
/* What a build or another program leaves open behind kiln looks like a slow pipeline: say so. */
#define PATIENCE_MS 3000

static bool is_file_here(void)
{
	return access(FILE_HERE, F_OK) == 0;
}

/* Waits until standard input has something to read, or has ended. */
static void wait_for_input(bool is_quiet)
{
	struct pollfd poll_fd = { .fd = STDIN_FILENO, .events = POLLIN };
	int timeout_ms = !is_quiet && is_file_here() ? PATIENCE_MS : -1;
	int count;

	while ((count = poll(&poll_fd, 1, timeout_ms)) <= 0) {
		if (count < 0 && errno != EINTR)
			return;
		if (count == 0)
			fprintf(stderr,
				"kiln: waiting for standard input; to read %s in this "
				"folder, name it\n",
				FILE_HERE);
		timeout_ms = count == 0 ? -1 : timeout_ms;
	}
}

/* Of a file what is behind the place it is read from; of a pipe what is in it. */
static bool is_empty(const struct stat *status, bool is_quiet)
{
	off_t at;
	int count = 0;

	if (S_ISREG(status->st_mode)) {
		at = lseek(STDIN_FILENO, 0, SEEK_CUR);
		return status->st_size <= (at > 0 ? at : 0);
	}
	wait_for_input(is_quiet);
	return ioctl(STDIN_FILENO, FIONREAD, &count) == 0 && count == 0;
}

static bool use_file_here(const char **ret, struct error *err)
{
	if (!is_file_here())
		return error_set(err, ERROR_USAGE,
				 "no input: standard input is no pipe and no file, and there is "
				 "no " FILE_HERE " in this folder; name a capture");
	*ret = FILE_HERE;
	return true;
}

bool default_input_find(const char **ret, bool is_quiet, struct error *err)
{
	struct stat status;

	if (fstat(STDIN_FILENO, &status) != 0 ||
	    !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISREG(status.st_mode)))
		return use_file_here(ret, err);
	if (is_empty(&status, is_quiet))
		return error_set(err, ERROR_FORMAT, "standard input is empty; %s",
				 is_file_here() ? "to read " FILE_HERE " in this folder, name it"
						: "name a capture to read that");
	*ret = "-";
	return true;
}
