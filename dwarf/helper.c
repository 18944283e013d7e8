/* SPDX-License-Identifier: MIT */
#include "dwarf/helper.h"

#ifndef HAVE_LIBDW

void dwarf_helper_start(struct dwarf_helper *helper)
{
	*helper = (struct dwarf_helper){ .socket = -1 };
}

void dwarf_helper_stop(struct dwarf_helper *helper)
{
	(void)helper;
}

bool dwarf_helper_is_built_in(void)
{
	return false;
}

bool dwarf_helper_begin(const struct dwarf_helper *helper, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err)
{
	(void)helper;
	(void)files;
	(void)ret;
	return error_set(err, ERROR_UNSUPPORTED, "built without libdw");
}

void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request)
{
	(void)reading;
	(void)request;
}

bool dwarf_reading_receive(struct dwarf_reading *reading, struct inline_table *table,
			   byte_list *split_files, struct error *err)
{
	(void)reading;
	(void)table;
	(void)split_files;
	return error_set(err, ERROR_UNSUPPORTED, "built without libdw");
}

void dwarf_reading_cancel(struct dwarf_reading *reading)
{
	(void)reading;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dwarf/helper_process.h"
#include "dwarf/inline_table.h"

bool dwarf_helper_is_built_in(void)
{
	return true;
}

void dwarf_helper_start(struct dwarf_helper *helper)
{
	int pair[2];

	*helper = (struct dwarf_helper){ .socket = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	helper->pid = fork();
	if (helper->pid == 0)
		helper_process_serve(pair[1]);
	close(pair[1]);
	if (helper->pid > 0)
		helper->socket = pair[0];
	else
		close(pair[0]);
}

void dwarf_helper_stop(struct dwarf_helper *helper)
{
	if (helper->socket < 0)
		return;
	close(helper->socket);
	while (waitpid(helper->pid, NULL, 0) < 0 && errno == EINTR)
		;
	helper->socket = -1;
}

/* Lists the descriptors for a reader; returns their number. */
static size_t list_files(const struct dwarf_files *files, int answer_socket, int *list)
{
	size_t count = 0;

	list[count++] = answer_socket;
	list[count++] = files->fd;
	for (size_t i = 0; i < files->archive_count; i++)
		list[count++] = files->archive_fds[i];
	if (files->shared_fd >= 0)
		list[count++] = files->shared_fd;
	return count;
}

/* Sends the files, and the socket for the answer. */
static bool send_files(const struct dwarf_helper *helper, const struct dwarf_files *files,
		       int answer_socket)
{
	int list[HELPER_FILES_MAX];
	size_t size_bytes = sizeof(int) * list_files(files, answer_socket, list);
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(list))];
	} control = { .bytes = { 0 } };
	struct helper_job request = {
		.archive_count = (uint8_t)files->archive_count,
		.wants_lines = files->wants_lines,
	};
	struct iovec vector = { &request, sizeof(request) };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_SPACE(size_bytes),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	ssize_t sent;

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(size_bytes);
	memcpy(CMSG_DATA(header), list, size_bytes);
	do
		sent = sendmsg(helper->socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == sizeof(request);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for events on the socket; false at the deadline. */
static bool wait_for(int socket, short events, int64_t deadline_ms)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = socket, .events = events };
		int64_t left_ms = deadline_ms - now_ms();
		int count = left_ms > 0 ? poll(&poll_fd, 1, (int)left_ms) : 0;

		if (count >= 0 || errno != EINTR)
			return count > 0;
	}
}

static bool send_bytes(int socket, const void *bytes, size_t size_bytes, int64_t deadline_ms)
{
	const char *at = bytes;

	while (size_bytes) {
		ssize_t sent;

		if (!wait_for(socket, POLLOUT, deadline_ms))
			return false;
		sent = send(socket, at, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		size_bytes -= (size_t)sent;
	}
	return true;
}

static bool send_request(int socket, const struct dwarf_request *request, int64_t deadline_ms)
{
	struct helper_request_header header = {
		.address_count = request->address_count,
		.places_bytes = request->places.length,
	};

	return send_bytes(socket, &header, sizeof(header), deadline_ms) &&
	       send_bytes(socket, request->addresses,
			  request->address_count * sizeof(*request->addresses), deadline_ms) &&
	       send_bytes(socket, request->places.at, request->places.length, deadline_ms) &&
	       shutdown(socket, SHUT_WR) == 0;
}

/* Reads up to the end; false if it comes too late or the answer is too large. */
static bool receive_all(int socket, byte_list *bytes, int64_t deadline_ms)
{
	for (;;) {
		ssize_t count;

		if (bytes->count > LIMIT_INLINE_TABLE_BYTES ||
		    !wait_for(socket, POLLIN, deadline_ms))
			return false;
		vec_reserve(bytes, bytes->count + HELPER_CHUNK_BYTES);
		count = recv(socket, bytes->at + bytes->count, HELPER_CHUNK_BYTES, MSG_DONTWAIT);
		if (count < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		/* The end is ECONNRESET if the reader has not read the whole request. */
		if (count <= 0)
			return count == 0 || errno == ECONNRESET;
		bytes->count += (size_t)count;
	}
}

static bool fail_by_status(int status, struct error *err)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (number == SIGXCPU || number == SIGALRM)
		return error_set(err, ERROR_LIMIT, "reading its debug information took too long");
	/* Such as KILL of a kernel that is out of memory, or TERM. */
	if (number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP)
		return error_set(err, ERROR_IO,
				 "the process that reads its debug information was killed by "
				 "another program or the kernel (%s)",
				 strsignal(number));
	if (number)
		return error_set(err, ERROR_CORRUPT, "reading its debug information crashed (%s)",
				 strsignal(number));
	return error_set(err, ERROR_LIMIT, "reading its debug information needs too much memory");
}

static bool read_table(struct span answer, struct inline_table *table, byte_list *split_files,
		       struct error *err)
{
	struct span files;
	uint32_t size_bytes;

	if (!span_u32(&answer, &size_bytes) || !span_sub(&answer, size_bytes, &files) ||
	    (size_bytes && files.at[size_bytes - 1]))
		return error_set(err, ERROR_CORRUPT,
				 "the process that reads debug information sent a corrupt answer");
	if (!inline_table_read(table, answer, err))
		return false;
	for (; split_files && span_left(&files); files.at++)
		vec_push(split_files, *files.at);
	return true;
}

/* Reads the answer, which is followed by the exit status of the reader. */
static bool read_answer(const byte_list *bytes, struct inline_table *table, byte_list *split_files,
			struct error *err)
{
	struct span answer = span_of(bytes->at, bytes->count, 0, false);
	struct helper_trailer trailer;
	uint8_t kind;

	if (bytes->count < sizeof(trailer))
		return error_set(err, ERROR_CORRUPT,
				 "the process that reads debug information was killed");
	answer.end -= sizeof(trailer);
	memcpy(&trailer, answer.end, sizeof(trailer));
	if (trailer.status != 0)
		return fail_by_status(trailer.status, err);
	if (span_u8(&answer, &kind) && kind == HELPER_ANSWER_TABLE)
		return read_table(answer, table, split_files, err);
	return error_set(err, ERROR_CORRUPT, "%.*s", (int)span_left(&answer),
			 (const char *)answer.at);
}

bool dwarf_helper_begin(const struct dwarf_helper *helper, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err)
{
	int pair[2];
	bool good;

	*ret = (struct dwarf_reading){ .socket = -1 };
	if (helper->socket < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set(err, ERROR_IO, "cannot start a process to read debug information");
	good = send_files(helper, files, pair[1]);
	close(pair[1]);
	ret->socket = pair[0];
	if (good)
		return true;
	dwarf_reading_cancel(ret);
	return error_set(err, ERROR_IO, "cannot start a process to read debug information");
}

void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request)
{
	reading->deadline_ms = now_ms() + (LIMIT_DWARF_WALL_SECONDS + 5) * (int64_t)1000;
	/* A reader that ends before it has read the whole request still sends an answer. */
	(void)!send_request(reading->socket, request, reading->deadline_ms);
}

bool dwarf_reading_receive(struct dwarf_reading *reading, struct inline_table *table,
			   byte_list *split_files, struct error *err)
{
	byte_list bytes = { .at = NULL };
	bool good = receive_all(reading->socket, &bytes, reading->deadline_ms);

	good = good ? read_answer(&bytes, table, split_files, err) : fail_by_status(SIGALRM, err);
	dwarf_reading_cancel(reading);
	vec_free(&bytes);
	return good;
}

void dwarf_reading_cancel(struct dwarf_reading *reading)
{
	close(reading->socket);
	reading->socket = -1;
}

#endif
