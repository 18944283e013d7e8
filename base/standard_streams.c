/* SPDX-License-Identifier: MIT */
#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

/*
 * Opens a placeholder with O_PATH, which allows neither reading nor writing. Real streams never
 * have O_PATH, so O_PATH identifies a placeholder.
 */
static int open_placeholder(void)
{
	int fd = open("/dev/null", O_PATH);

	/* A minimal root file system has no /dev. */
	return fd >= 0 ? fd : open("/", O_PATH);
}

bool standard_streams_reserve(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
		/*
		 * open() returns the lowest free number, which is this stream, because all lower
		 * numbers are in use.
		 */
		if (fcntl(stream, F_GETFD) < 0 && open_placeholder() != stream)
			return false;
	}
	return true;
}

bool standard_streams_check(int stream, struct error *err)
{
	int flags = fcntl(stream, F_GETFL);

	return (flags >= 0 && !(flags & O_PATH)) || error_set(err, ERROR_IO, "is closed");
}
