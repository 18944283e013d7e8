/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/standard_streams.h"
#include "base/unfinished_file.h"
#include "compress/codec.h"
#include "render/escape.h"

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return memory_duplicate(".", 1);
	return memory_duplicate(path, slash == path ? 1 : (size_t)(slash - path));
}

static char *join_path(const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = memory_alloc(size, 1);

	snprintf(path, size, "%s%s%s", directory, *directory ? "/" : "", name);
	return path;
}

/* The file or link at a path; a link is not followed. */
struct destination {
	struct stat directory;
	struct stat file;    /* st_nlink is 0 if there is no file */
	char link[PATH_MAX]; /* the target of a link; otherwise empty */
};

/*
 * Inspects the file through a descriptor, because the name could refer to a different file a moment
 * later.
 */
static void look_at(const char *path, struct destination *ret)
{
	char *directory = directory_of(path);
	const char *slash = strrchr(path, '/');
	int directory_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = directory_fd < 0 ? -1
				  : openat(directory_fd, slash ? slash + 1 : path,
					   O_PATH | O_NOFOLLOW | O_CLOEXEC);
	ssize_t length = 0;

	memset(&ret->directory, 0, sizeof(ret->directory));
	memset(&ret->file, 0, sizeof(ret->file));
	if (fd >= 0 && fstat(directory_fd, &ret->directory) == 0 && fstat(fd, &ret->file) == 0 &&
	    S_ISLNK(ret->file.st_mode))
		length = readlinkat(fd, "", ret->link, sizeof(ret->link) - 1);
	ret->link[length > 0 ? length : 0] = '\0';
	if (fd >= 0)
		close(fd);
	if (directory_fd >= 0)
		close(directory_fd);
	memory_free(directory);
}

/*
 * Whether another user may have put the file or link into a directory like /tmp. Linux refuses to
 * follow such links and to write to such files (fs.protected_symlinks and others in
 * Documentation/admin-guide/sysctl/fs.rst). The kernel's protection does not apply here, because
 * kiln reads the links itself and replaces the file.
 */
static bool is_planted(const struct destination *destination)
{
	mode_t mode = destination->directory.st_mode;
	uid_t owner = destination->file.st_uid;

	return destination->file.st_nlink && (mode & S_ISVTX) && (mode & S_IWOTH) &&
	       (S_ISLNK(destination->file.st_mode) || S_ISREG(destination->file.st_mode) ||
		S_ISFIFO(destination->file.st_mode)) &&
	       owner != geteuid() && owner != destination->directory.st_uid;
}

static char *join_link(const char *at, const char *link)
{
	char *directory = link[0] == '/' ? memory_duplicate("", 0) : directory_of(at);
	char *path = join_path(directory, link);

	memory_free(directory);
	return path;
}

/* The maximum number of links to follow, which is that of the kernel. */
#define LINKS_MAX 40

/*
 * Sets target to the path with symbolic links resolved. Unlike with realpath, the file need not
 * exist.
 */
static bool follow_links(struct output *output, struct error *err)
{
	struct destination destination;

	output->target = memory_duplicate(output->path, strlen(output->path));
	for (int i = 0; i < LINKS_MAX; i++) {
		char *next;

		look_at(output->target, &destination);
		if (is_planted(&destination))
			return error_set(
				err, ERROR_DENIED,
				"%s of another user in a world-writable directory; choose another "
				"output",
				S_ISLNK(destination.file.st_mode) ? "is a link" : "is a file");
		if (!destination.link[0])
			break;
		next = join_link(output->target, destination.link);
		memory_free(output->target);
		output->target = next;
	}
	output->replaced = destination.file;
	return true;
}

/*
 * Makes a short name in the target's directory. With a suffix, the target's own name could become
 * too long.
 */
static char *name_beside(const char *target, unsigned attempt)
{
	char *directory = directory_of(target);
	char base[40];
	char *name;

	snprintf(base, sizeof(base), ".kiln-%ld-%u", (long)getpid(), attempt);
	name = join_path(directory, base);
	memory_free(directory);
	return name;
}

/*
 * The first names may already be used by files of killed runs, because containers soon reuse
 * process ids.
 */
#define NAMES_MAX 100

typedef bool create_fn(struct output *output, const char *name);

/*
 * Creates a file and lists it for removal. Signals are blocked in the meantime, because a signal
 * between the two steps would leave the file behind.
 */
static bool create_listed(struct output *output, create_fn *create_as, const char *name)
{
	sigset_t all, before;
	bool is_created;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	is_created = create_as(output, name);
	if (is_created)
		output->unfinished = unfinished_file_add(name);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_created;
}

/* Tries temporary names until create_as succeeds with one. */
static bool find_name(struct output *output, create_fn *create_as)
{
	for (unsigned attempt = 0; attempt < NAMES_MAX; attempt++) {
		char *name = name_beside(output->target, attempt);

		if (create_listed(output, create_as, name)) {
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

/* Opens a device or pipe, which is written to instead of being replaced. */
static bool open_device(struct output *output, const struct stat *wanted, struct error *err)
{
	struct stat status;

	output->fd = open(output->path, O_WRONLY | O_CLOEXEC);
	if (output->fd < 0)
		return error_set_errno(err, "cannot write");
	/* By now, the path may refer to a different file. */
	if (fstat(output->fd, &status) == 0 && status.st_dev == wanted->st_dev &&
	    status.st_ino == wanted->st_ino)
		return true;
	close(output->fd);
	return error_set(err, ERROR_IO, "was replaced by a different file; run kiln again");
}

static bool open_file(struct output *output, struct error *err)
{
	struct stat status;
	char *directory;

	if (!follow_links(output, err))
		return false;
	/* Links in /proc/self/fd do not contain a path to their target. */
	if (stat(output->path, &status) == 0 && !S_ISREG(status.st_mode))
		return open_device(output, &status, err);
	output->is_replacing = true;
	directory = directory_of(output->target);
	/* An unnamed file gets its name through /proc. */
	output->fd = access("/proc/self/fd", X_OK) == 0
			     ? open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
			     : -1;
	memory_free(directory);
	/* Some file systems do not support unnamed files. */
	if (output->fd < 0 && !find_name(output, create_file))
		return error_set_errno(err, "cannot create");
	return true;
}

static bool is_standard(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

const char *output_name(const char *path)
{
	return is_standard(path) ? "standard output" : path;
}

char *output_written_path(const char *path)
{
	struct output output = { .path = path };
	struct stat status;
	struct error ignored;
	char *ret;

	if (is_standard(path))
		return NULL;
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return memory_duplicate(path, strlen(path));
	ret = follow_links(&output, &ignored) ? directory_of(output.target) : NULL;
	memory_free(output.target);
	return ret;
}

/* How output is compressed, by the last suffix of its file. */
struct compression {
	const char *suffix;
	enum codec codec;
	sink_filter *filter;
};

/* Each buffer becomes a member of the file. */
static size_t write_gzip(struct sink *to, struct text bytes, bool is_end)
{
	(void)is_end;
	if (bytes.length && !codec_write_gzip(to, bytes))
		to->failed_errno = ENOMEM;
	return bytes.length;
}

/* Each buffer becomes a frame of the file. */
static size_t write_zstd(struct sink *to, struct text bytes, bool is_end)
{
	(void)is_end;
	if (bytes.length && !codec_write_zstd(to, bytes))
		to->failed_errno = ENOMEM;
	return bytes.length;
}

static const struct compression compressions[] = {
	{ ".gz", CODEC_GZIP, write_gzip },
	{ ".zst", CODEC_ZSTD, write_zstd },
};

/* Takes the suffix of a compressed file from the name. NULL: there is none. */
static const struct compression *take_compression(struct text *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(compressions); i++)
		if (text_has_suffix(*name, compressions[i].suffix)) {
			name->length -= (uint32_t)strlen(compressions[i].suffix);
			return &compressions[i];
		}
	return NULL;
}

struct text output_plain_name(const char *path)
{
	struct text name = text_of(path ? path : "");

	(void)take_compression(&name);
	return name;
}

/* Compresses the output if its name asks for that. */
static bool compress(struct output *output, struct error *err)
{
	struct text name = text_of(output->path ? output->path : "");
	const struct compression *compression = take_compression(&name);

	if (!compression)
		return true;
	if (!codec_has(compression->codec))
		return error_set(err, ERROR_UNSUPPORTED,
				 "cannot be written: kiln was built without the library that "
				 "compresses %s files",
				 compression->suffix);
	output->sink.filter = compression->filter;
	return true;
}

void output_write_unchanged(struct output *output)
{
	output->sink.filter = NULL;
}

bool output_open(struct output *output, const char *path, struct error *err)
{
	bool good;

	*output = (struct output){ .fd = STDOUT_FILENO };
	if (is_standard(path)) {
		good = standard_streams_check(STDOUT_FILENO, err);
	} else {
		output->path = path;
		good = open_file(output, err);
	}
	if (!good) {
		memory_free(output->target);
		*output = (struct output){ .fd = -1 };
		return error_prefix(err, "%s", output_name(path));
	}
	sink_init_fd(&output->sink, output->fd);
	/*
	 * For programs and files, names are written unchanged, but a terminal would interpret
	 * control characters in names.
	 */
	if (isatty(output->fd))
		output->sink.filter = escape_terminal_output;
	if (compress(output, err))
		return true;
	output_discard(output);
	return error_prefix(err, "%s", output_name(path));
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
	const struct stat *old = &output->replaced;

	if (old->st_nlink) {
		/* Only root may change the owner; other users already own the file. */
		(void)!fchown(output->fd, old->st_uid, old->st_gid);
		(void)!fchmod(output->fd, old->st_mode & 0777);
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
	unfinished_file_forget(output->unfinished);
	sink_deinit(&output->sink);
	if (output->path && output->fd >= 0)
		close(output->fd);
	memory_free(output->target);
	memory_free(output->temporary);
	output->target = output->temporary = NULL;
}

bool output_check_terminal(const char *path, const char *what, struct error *err)
{
	return !is_standard(path) || !isatty(STDOUT_FILENO) ||
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
	const char *name = output_name(output->path);

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

bool output_close(struct output *output, bool is_good, struct error *err)
{
	if (is_good)
		return output_commit(output, err);
	output_discard(output);
	return false;
}

uint32_t output_terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t count;

	if (columns && text_to_u64(text_of(columns), &count) && count && count <= UINT16_MAX)
		return (uint32_t)count;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}
