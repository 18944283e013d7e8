/* SPDX-License-Identifier: MIT */
#ifdef HAVE_LIBDW
#include "dwarf/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dwarf/debug_reader.h"

/* Memory of a process that reads debug information, in addition to the file. There are at most
 * two such processes for each thread. A large C++ program needs hundreds of MB. */
#define LIMIT_DWARF_MEMORY_BYTES ((uint64_t)4 << 30)
/* CPU time of a process that reads debug information. A large C++ program needs a few seconds. */
#define LIMIT_DWARF_CPU_SECONDS 30u

/* The highest descriptor to close on kernels without close_range(). */
#define DESCRIPTORS_MAX 4096

struct job {
	int socket;
	struct dwarf_files files; /* archive_fds is set by the reader */
	int archive_fds[DWARF_ARCHIVES_MAX];
};

static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
}

/* Closes everything but the socket: a pipe of kiln's must end when kiln closes it. */
static int keep_only(int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (socket != 3 && dup2(socket, 3) < 0)
		_exit(0);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0)
		return 3;
#endif
	for (int fd = 4; fd < DESCRIPTORS_MAX; fd++)
		close(fd);
	return 3;
}

/* The files of a job, by their order in the message. */
static struct job sort_files(const int *list, size_t count, const struct helper_job *request)
{
	size_t archive_count = request->archive_count;
	struct job job = {
		.socket = list[0],
		.files = {
			.fd = list[1],
			.shared_fd = count > 2 + archive_count ? list[2 + archive_count] : -1,
			.archive_count = archive_count,
			.wants_lines = request->wants_lines,
		},
	};

	for (size_t i = 0; i < archive_count; i++)
		job.archive_fds[i] = list[2 + i];
	return job;
}

/* Copies the descriptors of a message; returns their number. */
static size_t copy_descriptors(struct msghdr *message, int *list)
{
	const struct cmsghdr *header = CMSG_FIRSTHDR(message);
	size_t size_bytes;

	if (!header || header->cmsg_type != SCM_RIGHTS)
		return 0;
	size_bytes = header->cmsg_len - CMSG_LEN(0);
	memcpy(list, CMSG_DATA(header), size_bytes);
	return size_bytes / sizeof(*list);
}

/* False at the end. The job's socket is -1 if the server is out of descriptors; the caller then gets no answer. */
static bool receive_job(int socket, struct job *job)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(HELPER_FILES_MAX * sizeof(int))];
	} control;
	struct helper_job request = { 0 };
	struct iovec vector = { &request, sizeof(request) };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int list[HELPER_FILES_MAX];
	size_t list_count;
	ssize_t count;

	do
		count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (count < 0 && errno == EINTR);
	if (count != sizeof(request))
		return false;
	list_count = copy_descriptors(&message, list);
	if (list_count < 2 + (size_t)request.archive_count || message.msg_flags & MSG_CTRUNC) {
		while (list_count)
			close(list[--list_count]);
		*job = (struct job){ .socket = -1 };
		return true;
	}
	*job = sort_files(list, list_count, &request);
	return true;
}

/* Closes all descriptors of a job but the socket. */
static void close_files(const struct job *job)
{
	close(job->files.fd);
	for (size_t i = 0; i < job->files.archive_count; i++)
		close(job->archive_fds[i]);
	if (job->files.shared_fd >= 0)
		close(job->files.shared_fd);
}

static void set_limit(int resource, uint64_t soft, uint64_t hard)
{
	struct rlimit limit = { .rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard };
	struct rlimit current;

	/* The limit may be lower already. */
	if (getrlimit(resource, &current) == 0 && current.rlim_max < limit.rlim_max)
		limit.rlim_max = current.rlim_max;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

static uint64_t size_of(int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
}

#ifdef __has_feature
#define HELPER_HAS_FEATURE(name) __has_feature(name)
#else
#define HELPER_HAS_FEATURE(name) 0
#endif

/* Sanitizers reserve terabytes of address space. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	HELPER_HAS_FEATURE(address_sanitizer) || HELPER_HAS_FEATURE(thread_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

/* Mapped files count as memory. */
static void set_limits(const struct dwarf_files *files)
{
	uint64_t memory = LIMIT_DWARF_MEMORY_BYTES + size_of(files->fd) + size_of(files->shared_fd);

	if (!IS_SANITIZED && sizeof(void *) > 4)
		set_limit(RLIMIT_AS, memory, memory);
	/* XCPU comes at the soft limit. At the hard one it would be KILL, which others send, too. */
	set_limit(RLIMIT_CPU, LIMIT_DWARF_CPU_SECONDS, LIMIT_DWARF_CPU_SECONDS + 1);
	set_limit(RLIMIT_CORE, 0, 0);
	set_limit(RLIMIT_FSIZE, 0, 0);
}

static bool read_exactly(int socket, void *to, size_t size_bytes)
{
	char *at = to;

	while (size_bytes) {
		ssize_t count = read(socket, at, size_bytes);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		at += count;
		size_bytes -= (size_t)count;
	}
	return true;
}

static void write_exactly(int socket, const void *from, size_t size_bytes)
{
	const char *at = from;

	while (size_bytes) {
		ssize_t count = send(socket, at, size_bytes, MSG_NOSIGNAL);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			_exit(0);
		at += count;
		size_bytes -= (size_t)count;
	}
}

static bool receive_request(int socket, struct dwarf_request *request)
{
	struct helper_request_header header;
	uint64_t *addresses;
	char *places;

	if (!read_exactly(socket, &header, sizeof(header)))
		return false;
	addresses = memory_alloc((size_t)header.address_count, sizeof(*addresses));
	places = memory_alloc((size_t)header.places_bytes + 1, 1);
	if (!read_exactly(socket, addresses, (size_t)header.address_count * sizeof(*addresses)) ||
	    !read_exactly(socket, places, (size_t)header.places_bytes))
		return false;
	*request = (struct dwarf_request){
		.addresses = addresses,
		.address_count = (size_t)header.address_count,
		.places = { places, (uint32_t)header.places_bytes },
	};
	return true;
}

static void append(byte_list *answer, const void *bytes, size_t size_bytes)
{
	if (!size_bytes)
		return;
	vec_reserve(answer, answer->count + size_bytes);
	memcpy(answer->at + answer->count, bytes, size_bytes);
	answer->count += size_bytes;
}

static NORETURN void answer_error(int socket, const struct error *err)
{
	byte_list answer = { .at = NULL };

	vec_push(&answer, HELPER_ANSWER_ERROR);
	append(&answer, err->text, strlen(err->text));
	write_exactly(socket, answer.at, answer.count);
	_exit(0);
}

static NORETURN void answer_table(int socket, struct dwarf_reader *reader,
				  const struct dwarf_request *request)
{
	struct inline_table table;
	byte_list answer = { .at = NULL };
	byte_list split_files = { .at = NULL };
	uint32_t size_bytes;

	inline_table_init(&table);
	dwarf_reader_answer(reader, request, &table, &split_files);
	size_bytes = (uint32_t)split_files.count;
	vec_push(&answer, HELPER_ANSWER_TABLE);
	append(&answer, &size_bytes, sizeof(size_bytes));
	append(&answer, split_files.at, split_files.count);
	inline_table_write(&table, &answer);
	write_exactly(socket, answer.at, answer.count);
	_exit(0);
}

/* The reader. It exits without freeing memory. Waiting for the request has no time limit. */
static NORETURN void read_and_answer(const struct job *job)
{
	struct dwarf_files files = job->files;
	struct dwarf_request request;
	struct dwarf_reader *reader;
	struct error err = { .text = "" };

	files.archive_fds = job->archive_fds;
	set_limits(&files);
	alarm(LIMIT_DWARF_WALL_SECONDS);
	reader = dwarf_reader_open(&files, &err);
	alarm(0);
	if (!receive_request(job->socket, &request))
		_exit(0);
	alarm(LIMIT_DWARF_WALL_SECONDS);
	if (!reader)
		answer_error(job->socket, &err);
	answer_table(job->socket, reader, &request);
}

/* A running reader, and the socket on which the caller waits for its status. */
struct reader_process {
	pid_t pid;
	int socket;
};

struct readers {
	VEC(struct reader_process) running;
	sigset_t usual_signals; /* the mask while the server waits */
};

/* Sends the status of a reader. The caller may be gone already. */
static void send_status(int socket, int status)
{
	struct helper_trailer trailer = { .status = status };
	ssize_t sent;

	do
		sent = send(socket, &trailer, sizeof(trailer), MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	close(socket);
}

static void send_statuses(struct readers *readers)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < readers->running.count; i++) {
			if (readers->running.at[i].pid != pid)
				continue;
			send_status(readers->running.at[i].socket, status);
			readers->running.at[i] = readers->running.at[--readers->running.count];
			break;
		}
	}
}

/* Closes the sockets of other readers, which must end with those. */
static NORETURN void become_reader(const struct readers *readers, int socket, const struct job *job,
				   pid_t server)
{
	die_with(server);
	close(socket);
	for (size_t i = 0; i < readers->running.count; i++)
		close(readers->running.at[i].socket);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &readers->usual_signals, NULL);
	read_and_answer(job);
}

static void start_reader(struct readers *readers, int socket, const struct job *job, pid_t self)
{
	pid_t pid = fork();

	if (pid == 0)
		become_reader(readers, socket, job, self);
	if (pid > 0)
		vec_push(&readers->running, (struct reader_process){ pid, job->socket });
	else
		send_status(job->socket, -1);
	close_files(job);
}

static void wake_up(int number)
{
	(void)number;
}

/* Blocks SIGCHLD except in ppoll(), so that no end of a reader is missed. */
static void hold_signals(struct readers *readers)
{
	struct sigaction action = { .sa_handler = wake_up };
	sigset_t ends;

	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, &readers->usual_signals);
	sigdelset(&readers->usual_signals, SIGCHLD);
}

void helper_process_serve(int socket)
{
	struct readers readers = { .running = { .at = NULL } };
	struct pollfd request = { .events = POLLIN };
	pid_t self = getpid();
	struct job job;

	die_with(getppid());
	request.fd = socket = keep_only(socket);
	hold_signals(&readers);
	for (;;) {
		int count = ppoll(&request, 1, NULL, &readers.usual_signals);

		if (count < 0 && errno != EINTR)
			break;
		send_statuses(&readers);
		if (count <= 0)
			continue;
		if (!receive_job(socket, &job))
			break;
		if (job.socket >= 0)
			start_reader(&readers, socket, &job, self);
	}
	_exit(0);
}

#endif
