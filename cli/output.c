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

/* The kernel gives up after as many. */
#define LINKS_MAX 40

/* The path with symbolic links resolved. The file need not exist, as it must for realpath. */
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

/* A short unused name in the target's folder: a suffix might make the target's own name too long. */
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

/* Killed runs may have left files with the first names: containers reuse process ids soon. */
#define NAMES_MAX 100

/* Tries temporary names until create_as succeeds with one. */
static bool find_name(struct output *output,
		      bool (*create_as)(struct output *output, const char *name))
{
	for (unsigned attempt = 0; attempt < NAMES_MAX; attempt++) {
		char *name = name_beside(output->target, attempt);

		if (create_as(output, name)) {
			output->temporary = name;
			return true;
		}
		memory_free(name);
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool create_file(struct output *output, const char *name)
{
	output->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return output->fd >= 0;
}

static bool open_file(struct output *output, struct error *err)
{
	struct stat status;
	char *folder;

	if (stat(output->path, &status) == 0 && !S_ISREG(status.st_mode)) {
		/* Devices and pipes are written to, not replaced. */
		output->fd = open(output->path, O_WRONLY | O_CLOEXEC);
		return output->fd >= 0 || error_set_errno(err, "cannot write");
	}
	output->is_replacing = true;
	output->target = follow_links(output->path);
	folder = folder_of(output->target);
	/* An unnamed file gets its name through /proc. */
	output->fd = access("/proc/self/fd", X_OK) == 0
			     ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
			     : -1;
	memory_free(folder);
	/* Some file systems do not support unnamed files. */
	if (output->fd < 0 && !find_name(output, create_file))
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
			*output = (struct output){ .fd = -1 };
			return error_prefix(err, "%s", path);
		}
	}
	sink_init_fd(&output->sink, output->fd);
	return true;
}

/* linkat does not replace files, so an unnamed file gets a temporary name first. */
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
		/* Only root may change the owner; other users own the file already. */
		(void)!fchown(output->fd, old.st_uid, old.st_gid);
		(void)!fchmod(output->fd, old.st_mode & 0777);
	}
	if (!output->temporary && !find_name(output, link_to))
		return false;
	/* Some file systems report a full disk only here. */
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

bool output_check_terminal(const char *path, const char *what, struct error *err)
{
	return path || !isatty(STDOUT_FILENO) ||
	       error_set(err, ERROR_USAGE, "refusing to write %s to a terminal; use -o FILE", what);
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
		error_set_errno(err, "%s: cannot move the finished file into place", name);
		output_discard(output);
		return false;
	}
	finish(output);
	return true;
}
