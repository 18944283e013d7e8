/* SPDX-License-Identifier: MIT */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/standard_streams.h"

#define COPY_BYTES    ((size_t)1 << 20)
#define NS_PER_SECOND ((int64_t)1000000000)
/* The default limit of Linux for users without privileges. */
#define PIPE_BYTES (1 << 20)

static int64_t time_ns_of(const struct timespec *time)
{
	int64_t ns;

	/* File systems can store times of any year, so check for overflow. */
	return __builtin_mul_overflow((int64_t)time->tv_sec, NS_PER_SECOND, &ns) ||
			       __builtin_add_overflow(ns, time->tv_nsec, &ns)
		       ? 0
		       : ns;
}

static bool read_full(int fd, char *bytes, size_t size_bytes, size_t *got, struct error *err)
{
	*got = 0;
	while (*got < size_bytes) {
		ssize_t done = read(fd, bytes + *got, size_bytes - *got);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set_errno(err, "cannot read");
		if (done == 0)
			break;
		*got += (size_t)done;
	}
	return true;
}

/* Appends the rest of a pipe to a spool. */
static bool copy_all(int from, struct input *spool, struct error *err)
{
	char *buffer = memory_alloc(COPY_BYTES, 1);
	size_t got = COPY_BYTES;
	bool good = true;

	while (good && got == COPY_BYTES)
		good = read_full(from, buffer, COPY_BYTES, &got, err) &&
		       input_append_spool(spool, buffer, got, err);
	memory_free(buffer);
	return good;
}

/*
 * Copies a pipe to an unnamed file: first the bytes in the window, then the rest. The file's
 * descriptor replaces the pipe's descriptor.
 */
static bool spool_to(struct input *input, int fd, struct error *err)
{
	struct input file = { .fd = fd, .space = input->space };

	if (file.fd < 0)
		return error_set_errno(err,
				       "cannot create a temporary file in %s to spool the pipe",
				       temporary_space_directory());
	if (!input_append_spool(&file, input->window.at, input->window.count, err) ||
	    !copy_all(input->fd, &file, err)) {
		close(file.fd);
		return false;
	}
	close(input->fd);
	input->fd = file.fd;
	input->size_bytes = file.size_bytes;
	input->is_spool = true;
	input->window = (struct input_window){ 0 };
	return true;
}

static bool spool(struct input *input, struct error *err)
{
	return spool_to(input, temporary_space_create_file(), err);
}

/*
 * Spools a pipe that ended within the head. It fits into memory, so a temporary directory that is
 * full or read-only does not matter.
 */
static bool spool_short(struct input *input, struct error *err)
{
	int fd = memfd_create("kiln", MFD_CLOEXEC);

	return fd >= 0 ? spool_to(input, fd, err) : spool(input, err);
}

/*
 * Enlarges a pipe beyond the default of 64 KiB, so that its writer waits less often. The system may
 * refuse.
 */
static void widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	if (fcntl(fd, F_GETPIPE_SZ) < PIPE_BYTES)
		(void)!fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
#else
	(void)fd;
#endif
}

/* Reads the head of a pipe. A pipe that ends within the head is spooled at once. */
static bool let_pass(struct input *input, struct error *err)
{
	const char *last;
	size_t got;

	widen_pipe(input->fd);
	input->head = memory_alloc(INPUT_HEAD_BYTES, 1);
	if (!read_full(input->fd, input->head, INPUT_HEAD_BYTES, &got, err))
		return false;
	input->window = (struct input_window){ .at = input->head, .count = got };
	last = got ? memrchr(input->head, '\n', got) : NULL;
	input->size_bytes = last ? (uint64_t)(last + 1 - input->head) : 0;
	return got == INPUT_HEAD_BYTES || spool_short(input, err);
}

static bool open_descriptor(struct input *input, const char *path, bool can_pass, struct error *err)
{
	bool is_standard = strcmp(path, "-") == 0;
	struct stat status;

	if (is_standard && !standard_streams_check(STDIN_FILENO, err))
		return false;
	/* A FIFO is opened like any file. Standard input is duplicated, so that it stays open. */
	input->fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
				: open(path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0)
		return error_set_errno(err, "cannot open");
	if (fstat(input->fd, &status) != 0)
		return error_set_errno(err, "cannot read");
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_FORMAT, "is a directory");
	if (S_ISREG(status.st_mode)) {
		input->size_bytes = (uint64_t)status.st_size;
		input->written_time_ns = time_ns_of(&status.st_mtim);
		return true;
	}
	if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode))
		return can_pass ? let_pass(input, err) : spool(input, err);
	return error_set(err, ERROR_FORMAT, "is neither a file nor a pipe");
}

static bool open_path(struct input *input, const char *path, bool can_pass, struct error *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	*input = (struct input){ .fd = -1 };
	input->name = memory_duplicate(name, strlen(name));
	if (open_descriptor(input, path, can_pass, err))
		return true;
	error_prefix(err, "%s", input->name);
	input_close(input);
	return false;
}

bool input_open(struct input *input, const char *path, struct error *err)
{
	return open_path(input, path, false, err);
}

bool input_open_streamed(struct input *input, const char *path, struct error *err)
{
	return open_path(input, path, true, err);
}

bool input_spool(struct input *input, struct error *err)
{
	return !input_is_streamed(input) || spool(input, err);
}

bool input_read_next(struct input *input, void *buffer, size_t size_bytes, size_t *got,
		     struct error *err)
{
	return read_full(input->fd, buffer, size_bytes, got, err);
}

static bool open_regular(struct input *input, const char *directory, const char *name,
			 struct error *err)
{
	struct stat status;
	int directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory_fd < 0)
		return error_set_errno(err, "cannot open its directory");
	input->fd = openat(directory_fd, name,
			   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (input->fd < 0 && errno == ELOOP)
		error_set(err, ERROR_FORMAT, "is a symbolic link, which is not followed");
	else if (input->fd < 0)
		error_set_errno(err, "cannot open");
	close(directory_fd);
	if (input->fd < 0)
		return false;
	if (fstat(input->fd, &status) != 0)
		return error_set_errno(err, "cannot read");
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_FORMAT, "is not a regular file");
	input->size_bytes = (uint64_t)status.st_size;
	input->written_time_ns = time_ns_of(&status.st_mtim);
	return true;
}

bool input_open_in(struct input *input, const char *directory, const char *name, struct error *err)
{
	size_t directory_length = strlen(directory);
	size_t name_length = strlen(name);

	*input = (struct input){ .fd = -1 };
	input->name = memory_alloc(directory_length + name_length + 2, 1);
	memcpy(input->name, directory, directory_length);
	input->name[directory_length] = '/';
	memcpy(input->name + directory_length + 1, name, name_length + 1);
	if (open_regular(input, directory, name, err))
		return true;
	error_prefix(err, "%s", input->name);
	input_close(input);
	return false;
}

void input_join(struct input *input, struct input *other)
{
	vec_push(&input->pieces, (struct input_piece){ other->fd, input->size_bytes });
	for (size_t i = 0; i < other->pieces.count; i++)
		vec_push(&input->pieces,
			 (struct input_piece){ other->pieces.at[i].fd,
					       input->size_bytes + other->pieces.at[i].begin });
	input->size_bytes += other->size_bytes;
	other->fd = -1;
	other->pieces.count = 0;
	input_close(other);
}

void input_close(struct input *input)
{
	if (input->fd >= 0)
		close(input->fd);
	for (size_t i = 0; i < input->pieces.count; i++)
		close(input->pieces.at[i].fd);
	vec_free(&input->pieces);
	memory_free(input->head);
	memory_free(input->name);
	*input = (struct input){ .fd = -1 };
}

bool input_create_spool(struct input *input, struct temporary_space *space, struct error *err)
{
	static const char name[] = "temporary file";

	*input = (struct input){
		.fd = temporary_space_create_file(),
		.space = space,
		.is_spool = true,
	};
	input->name = memory_duplicate(name, sizeof(name) - 1);
	return input->fd >= 0 || error_set_errno(err, "cannot create a temporary file");
}

bool input_append_spool(struct input *input, const void *bytes, size_t size_bytes,
			struct error *err)
{
	struct temporary_space own = { .used_bytes = input->size_bytes };

	if (!temporary_space_write(input->space ? input->space : &own, input->fd, bytes, size_bytes,
				   err))
		return false;
	input->size_bytes += size_bytes;
	return true;
}

/*
 * Finds the piece that contains an offset, and limits the read to that piece. The last piece has no
 * end.
 */
static int find_piece(const struct input *input, uint64_t *offset, size_t *size_bytes)
{
	const struct input_piece *pieces = input->pieces.at;
	size_t low = vec_count_first(&input->pieces, piece, piece->begin <= *offset);
	uint64_t begin;
	uint64_t left;

	left = low < input->pieces.count ? pieces[low].begin - *offset : UINT64_MAX;
	if (*size_bytes > left)
		*size_bytes = (size_t)left;
	begin = low ? pieces[low - 1].begin : 0;
	*offset -= begin;
	return low ? pieces[low - 1].fd : input->fd;
}

static size_t read_window(const struct input_window *window, uint64_t offset, void *buffer,
			  size_t size_bytes)
{
	size_t left;

	if (offset < window->offset || offset - window->offset >= window->count)
		return 0;
	left = window->count - (size_t)(offset - window->offset);
	if (size_bytes > left)
		size_bytes = left;
	memcpy(buffer, window->at + (offset - window->offset), size_bytes);
	return size_bytes;
}

bool input_read(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes,
		size_t *got, struct error *err)
{
	char *at = buffer;

	*got = 0;
	if (input_is_streamed(input)) {
		*got = read_window(&input->window, offset, buffer, size_bytes);
		return true;
	}
	while (*got < size_bytes) {
		uint64_t from = offset + *got;
		size_t wanted = size_bytes - *got;
		int fd = find_piece(input, &from, &wanted);
		ssize_t done = pread(fd, at + *got, wanted, (off_t)from);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set_errno(err, "cannot read at byte %llu",
					       (unsigned long long)offset);
		if (done == 0)
			break;
		*got += (size_t)done;
	}
	return true;
}

bool input_peek(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes)
{
#ifdef RWF_NOWAIT
	struct iovec part = { .iov_base = buffer, .iov_len = size_bytes };
	uint64_t from = offset;
	int fd;

	if (input_is_streamed(input))
		return false;
	fd = find_piece(input, &from, &part.iov_len);
	return part.iov_len == size_bytes &&
	       preadv2(fd, &part, 1, (off_t)from, RWF_NOWAIT) == (ssize_t)size_bytes;
#else
	(void)input, (void)offset, (void)buffer, (void)size_bytes;
	return false;
#endif
}
