/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return memory_duplicate(".", 1);
	return memory_duplicate(path, slash == path ? 1 : (size_t)(slash - path));
}

static char *join_path(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = memory_alloc(size, 1);

	snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
	return path;
}

/* As many as the kernel follows before it gives up. */
#define LINKS_MAX 40

/* Where path leads in the end, which need not be there yet. realpath wants it to be. */
static char *follow_links(const char *path)
{
	char *at = memory_duplicate(path, strlen(path));

	for (int i = 0; i < LINKS_MAX; i++) {
		char target[PATH_MAX];
		ssize_t length = readlink(at, target, sizeof(target) - 1);
		char *folder;
		char *next;

		if (length <= 0)
			break;
		target[length] = '\0';
		folder = target[0] == '/' ? memory_duplicate("", 0) : folder_of(at);
		next = join_path(folder, target);
		memory_free(folder);
		memory_free(at);
		at = next;
	}
	return at;
}

/* A name in the target's folder that nobody else uses, and short: the target's own may leave no room. */
static char *name_beside(const char *target, unsigned attempt)
{
	char *folder = folder_of(target);
	char base[40];
	char *name;

	snprintf(base, sizeof(base), ".kiln-%ld-%u", (long)getpid(), attempt);
	name = join_path(folder, base);
	memory_free(folder);
	return name;
}

/* Leftovers of runs that were killed may have the first names: in a container numbers of processes
 * come back soon. */
#define NAMES_MAX 100

/* Makes the file's temporary name one that take could have. */
static bool find_name(struct output *output, bool (*take)(struct output *output, const char *name))
{
	for (unsigned attempt = 0; attempt < NAMES_MAX; attempt++) {
		char *name = name_beside(output->target, attempt);

		if (take(output, name)) {
			output->temporary = name;
			return true;
		}
		memory_free(name);
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool create(struct output *output, const char *name)
{
	output->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return output->fd >= 0;
}

static bool open_file(struct output *output, struct error *err)
{
	struct stat status;
	char *folder;

	if (stat(output->path, &status) == 0 && !S_ISREG(status.st_mode)) {
		/* A device or a pipe is written to, not replaced. */
		output->fd = open(output->path, O_WRONLY | O_CLOEXEC);
		return output->fd >= 0 || error_set_errno(err, "cannot write");
	}
	output->is_replacing = true;
	output->target = follow_links(output->path);
	folder = folder_of(output->target);
	/* A file without a name gets one through /proc. */
	output->fd = access("/proc/self/fd", X_OK) == 0
			     ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
			     : -1;
	memory_free(folder);
	/* Some file systems have no files without names. */
	if (output->fd < 0 && !find_name(output, create))
		return error_set_errno(err, "cannot create");
	return true;
}

bool output_open(struct output *output, const char *path, struct error *err)
{
	*output = (struct output){ .fd = STDOUT_FILENO };
	if (path && strcmp(path, "-") != 0) {
		output->path = path;
		if (!open_file(output, err)) {
			memory_free(output->target);
			return error_prefix(err, "%s", path);
		}
	}
	sink_init_fd(&output->sink, output->fd);
	return true;
}

/* linkat does not replace, so a nameless file gets a name beside the target first. */
static bool link_to(struct output *output, const char *name)
{
	char from[64];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", output->fd);
	return linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool put_in_place(struct output *output)
{
	struct stat old;

	if (stat(output->target, &old) == 0) {
		/* Only root may give files away; for anyone else it is theirs already. */
		(void)!fchown(output->fd, old.st_uid, old.st_gid);
		(void)!fchmod(output->fd, old.st_mode & 0777);
	}
	if (!output->temporary && !find_name(output, link_to))
		return false;
	/* Some file systems only say here that there is no room. */
	if (close(output->fd) != 0)
		return false;
	output->fd = -1;
	return rename(output->temporary, output->target) == 0;
}

static void finish(struct output *output)
{
	sink_deinit(&output->sink);
	if (output->path && output->fd >= 0)
		close(output->fd);
	memory_free(output->target);
	memory_free(output->temporary);
	output->target = output->temporary = NULL;
}

void output_discard(struct output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	finish(output);
}

bool output_commit(struct output *output, struct error *err)
{
	const char *name = output->path ? output->path : "standard output";

	if (!sink_flush(&output->sink, err)) {
		error_prefix(err, "%s", name);
		output_discard(output);
		return false;
	}
	if (output->is_replacing && !put_in_place(output)) {
		error_set_errno(err, "%s: cannot put the finished file in place", name);
		output_discard(output);
		return false;
	}
	finish(output);
	return true;
}
