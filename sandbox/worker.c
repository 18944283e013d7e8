/* SPDX-License-Identifier: MIT */
#include "sandbox/worker.h"

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

#include "base/memory.h"
#include "base/vec.h"
#include "sandbox/call_filter.h"
#include "sandbox/descriptors.h"
#include "sandbox/lockdown.h"

/* Descriptors below this number are closed on kernels without close_range(). */
#define OPEN_DESCRIPTORS_MAX 4096
/* SIGXCPU comes first, because it names the reason. SIGKILL ends a worker that ignores SIGXCPU. */
#define SECONDS_AFTER_SIGXCPU 5u

_Static_assert(1 + SERVICE_FILES_MAX <= DESCRIPTORS_MAX, "a job fits into a message");

/* A running worker, and the socket on which the caller waits for its status. */
struct worker_process {
	pid_t pid;
	int socket;
};

struct server {
	int socket;
	pid_t pid;
	const struct service_kind *const *kinds;
	unsigned kind_count;
	const struct lockdown_kernel *kernel; /* NULL if workers are not locked */
	struct call_filter filter;
	bool has_filter;
	VEC(struct worker_process) running;
	sigset_t usual_signals; /* the signal mask while the server waits */
};

/* A job as the server received it. */
struct received_job {
	struct service_message message;
	int descriptors[1 + SERVICE_FILES_MAX]; /* the socket, then the files */
	size_t descriptor_count;
};

#ifdef COUNTS_LINES
void __gcov_dump(void);
#endif

/* Ends a process without flushing files of the process from which it was forked. */
static NORETURN void end(int status)
{
#ifdef COUNTS_LINES
	__gcov_dump();
#endif
	_exit(status);
}

static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		end(0);
}

/*
 * Closes all descriptors except the socket. Otherwise, a pipe of kiln would stay open after kiln
 * closed it.
 */
static int keep_only(int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (socket != 3 && dup2(socket, 3) < 0)
		end(0);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0)
		return 3;
#endif
	for (int fd = 4; fd < OPEN_DESCRIPTORS_MAX; fd++)
		close(fd);
	return 3;
}

static void copy_descriptors(struct msghdr *message, struct received_job *job)
{
	const struct cmsghdr *header = CMSG_FIRSTHDR(message);
	size_t size_bytes;

	job->descriptor_count = 0;
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return;
	size_bytes = header->cmsg_len - CMSG_LEN(0);
	memcpy(job->descriptors, CMSG_DATA(header), size_bytes);
	job->descriptor_count = size_bytes / sizeof(*job->descriptors);
}

static void close_descriptors(struct received_job *job, size_t first)
{
	while (job->descriptor_count > first)
		close(job->descriptors[--job->descriptor_count]);
}

/*
 * Returns false at the end. A message without descriptors is not a job. Either the server has no
 * descriptors left, or the message is wrong. The caller then does not get an answer.
 */
static bool receive_job(const struct server *server, struct received_job *job)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(job->descriptors))];
	} control;
	struct iovec vector = { &job->message, sizeof(job->message) };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t count;

	do
		count = recvmsg(server->socket, &message, MSG_CMSG_CLOEXEC);
	while (count < 0 && errno == EINTR);
	if (count != sizeof(job->message))
		return false;
	copy_descriptors(&message, job);
	if (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC) ||
	    job->message.kind >= server->kind_count || job->message.head_bytes > SERVICE_HEAD_BYTES)
		close_descriptors(job, 0);
	return true;
}

static void set_limit(int resource, uint64_t value, uint64_t maximum)
{
	struct rlimit limit = { .rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)maximum };
	struct rlimit current;

	/* The limit may already be lower. */
	if (getrlimit(resource, &current) == 0 && current.rlim_max < limit.rlim_max)
		limit.rlim_max = current.rlim_max;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

static uint64_t size_of(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_size > 0 ? (uint64_t)status.st_size : 0;
}

/* Sanitizers reserve terabytes of address space. */
#if HAS_ADDRESS_SANITIZER || defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

/* Mapped files count as memory. */
static void set_limits(const struct service_kind *kind, const struct service_job *job)
{
	uint64_t memory = kind->memory_bytes;

	for (size_t i = 0; i < job->file_count; i++)
		if (__builtin_add_overflow(memory, size_of(job->files[i]), &memory))
			memory = UINT64_MAX;
	if (!IS_SANITIZED && sizeof(void *) > 4)
		set_limit(RLIMIT_AS, memory, memory);
	set_limit(RLIMIT_CPU, kind->cpu_seconds, kind->cpu_seconds + SECONDS_AFTER_SIGXCPU);
	set_limit(RLIMIT_CORE, 0, 0);
#ifndef COUNTS_LINES
	set_limit(RLIMIT_FSIZE, 0, 0);
#endif
}

bool worker_read(const struct service_job *job, void *to, size_t size_bytes)
{
	char *at = to;

	while (size_bytes) {
		ssize_t count = read(job->socket, at, size_bytes);

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
			end(0);
		at += count;
		size_bytes -= (size_t)count;
	}
}

static void write_frame(const struct service_job *job, enum service_frame frame, const void *bytes,
			size_t size_bytes)
{
	struct service_header header = { .frame = frame, .size_bytes = size_bytes };

	write_exactly(job->socket, &header, sizeof(header));
	write_exactly(job->socket, bytes, size_bytes);
}

int worker_ask(const struct service_job *job, const void *question, size_t size_bytes)
{
	int fd;

	if (size_bytes > LIMIT_QUESTION_BYTES)
		return -1;
	write_frame(job, SERVICE_QUESTION, question, size_bytes);
	if (!descriptors_receive_one(job->socket, &fd))
		end(0);
	return fd;
}

void worker_answer(const struct service_job *job, const void *bytes, size_t size_bytes)
{
	write_frame(job, SERVICE_ANSWER, bytes, size_bytes);
	end(0);
}

/* Returns false if the socket is full. Ignore errors, because the caller may already be gone. */
static bool try_send_status(int socket, int status, int flags)
{
	struct service_trailer trailer = { .status = status };
	ssize_t sent;

	do
		sent = send(socket, &trailer, sizeof(trailer), MSG_NOSIGNAL | flags);
	while (sent < 0 && errno == EINTR);
	return sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

static void close_running(const struct server *server)
{
	for (size_t i = 0; i < server->running.count; i++)
		close(server->running.at[i].socket);
}

/*
 * Sends the status of a worker. A separate process waits until the caller has read a long answer,
 * because the server must stay ready for other callers.
 */
static void send_status(const struct server *server, int socket, int status)
{
	if (!try_send_status(socket, status, MSG_DONTWAIT) && fork() == 0) {
		die_with(server->pid);
		close(server->socket);
		close_running(server);
		(void)!try_send_status(socket, status, 0);
		end(0);
	}
	close(socket);
}

static void send_statuses(struct server *server)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < server->running.count; i++) {
			struct worker_process ended = server->running.at[i];

			if (ended.pid != pid)
				continue;
			server->running.at[i] = server->running.at[--server->running.count];
			send_status(server, ended.socket, status);
			break;
		}
	}
}

/* Closes the sockets of other workers, so that each socket ends with its own worker. */
static NORETURN void become_worker(struct server *server, const struct received_job *job)
{
	const struct service_kind *kind = server->kinds[job->message.kind];
	struct service_job own = {
		.socket = job->descriptors[0],
		.head = job->message.head,
		.head_bytes = job->message.head_bytes,
		.files = job->descriptors + 1,
		.file_count = job->descriptor_count - 1,
	};

	die_with(server->pid);
	close(server->socket);
	close_running(server);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &server->usual_signals, NULL);
	set_limits(kind, &own);
	if (server->kernel && lockdown_worker(server->kernel, &server->filter) != 0)
		end(WORKER_UNLOCKED);
	kind->run(&own);
	end(0);
}

/* The filter is compiled for the first job, because many inputs do not need a job. */
static void prepare_lock(struct server *server)
{
	if (!server->kernel || server->has_filter)
		return;
	/* If compiling the filter fails, locking a worker also fails. */
	if (server->kernel->has_seccomp)
		(void)!call_filter_compile(&server->filter, CALLS_OF_WORKER);
	server->has_filter = true;
}

/* Ignore errors, because the caller may already be gone. */
static void open_for(const struct service_kind *kind, struct received_job *job)
{
	int fd = kind->open(job->message.head, job->message.head_bytes);

	(void)!descriptors_send(job->descriptors[0], "", 1, &fd, fd >= 0);
	if (fd >= 0)
		close(fd);
	close_descriptors(job, 0);
}

static void start_worker(struct server *server, struct received_job *job)
{
	pid_t pid;

	prepare_lock(server);
	pid = fork();
	if (pid == 0)
		become_worker(server, job);
	if (pid > 0)
		vec_push(&server->running, (struct worker_process){ pid, job->descriptors[0] });
	else
		send_status(server, job->descriptors[0], -1);
	close_descriptors(job, 1);
}

static void wake_up(int number)
{
	(void)number;
}

/* Blocks SIGCHLD except in ppoll(), so that no end of a worker is missed. */
static void hold_signals(struct server *server)
{
	struct sigaction action = { .sa_handler = wake_up };
	sigset_t ends;

	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, &server->usual_signals);
	sigdelset(&server->usual_signals, SIGCHLD);
}

void worker_serve(int socket, const struct service_kind *const *kinds,
		  const struct lockdown_kernel *kernel)
{
	struct server server = { .pid = getpid(), .kinds = kinds, .kernel = kernel };
	struct pollfd request = { .events = POLLIN };
	struct received_job job;

	die_with(getppid());
	request.fd = server.socket = keep_only(socket);
	while (kinds[server.kind_count])
		server.kind_count++;
	hold_signals(&server);
	for (;;) {
		int count = ppoll(&request, 1, NULL, &server.usual_signals);

		if (count < 0 && errno != EINTR)
			break;
		send_statuses(&server);
		if (count <= 0)
			continue;
		if (!receive_job(&server, &job))
			break;
		if (!job.descriptor_count)
			continue;
		if (kinds[job.message.kind]->open)
			open_for(kinds[job.message.kind], &job);
		else
			start_worker(&server, &job);
	}
	end(0);
}
