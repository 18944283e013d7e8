/* SPDX-License-Identifier: MIT */
#include "sandbox/service.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "sandbox/descriptors.h"

#define CHUNK_BYTES 65536u

/*
 * The maximum time to wait until the server has opened a directory. Opening takes microseconds,
 * unless a worker keeps the server busy.
 */
#define OPEN_SECONDS_MAX 10u

/*
 * The maximum number of questions that kiln answers for one worker. A large program has about ten
 * thousand .dwo files, and the worker asks for each of them at several paths.
 */
#define LIMIT_QUESTIONS (1u << 18)

void service_start(struct service *service, const struct service_kind *const *kinds,
		   const struct lockdown_kernel *kernel)
{
	int pair[2];

	*service = (struct service){ .kinds = kinds, .socket = -1 };
	if (!*kinds || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	service->pid = fork();
	if (service->pid == 0)
		worker_serve(pair[1], kinds, kernel);
	close(pair[1]);
	if (service->pid > 0)
		service->socket = pair[0];
	else
		close(pair[0]);
}

void service_stop(struct service *service)
{
	if (service->socket < 0)
		return;
	close(service->socket);
	while (waitpid(service->pid, NULL, 0) < 0 && errno == EINTR)
		;
	service->socket = -1;
}

static bool send_job(const struct service *service, const struct service_kind *kind,
		     const struct service_job *job, int socket)
{
	struct service_message message = { .head_bytes = (uint8_t)job->head_bytes };
	int descriptors[1 + SERVICE_FILES_MAX] = { socket };

	while (service->kinds[message.kind] && service->kinds[message.kind] != kind)
		message.kind++;
	if (!service->kinds[message.kind])
		return false;
	if (job->head_bytes)
		memcpy(message.head, job->head, job->head_bytes);
	for (size_t i = 0; i < job->file_count; i++)
		descriptors[1 + i] = job->files[i];
	return descriptors_send(service->socket, &message, sizeof(message), descriptors,
				1 + job->file_count);
}

bool service_begin(const struct service *service, const struct service_kind *kind,
		   const struct service_job *job, struct service_call *ret, struct error *err)
{
	int pair[2];
	bool good;

	*ret = (struct service_call){ .kind = kind, .socket = -1 };
	if (service->socket < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set(err, ERROR_IO, "cannot start a process for %s", kind->what);
	good = send_job(service, kind, job, pair[1]);
	close(pair[1]);
	ret->socket = pair[0];
	if (good)
		return true;
	service_cancel(ret);
	return error_set(err, ERROR_IO, "cannot start a process for %s", kind->what);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void service_set_deadline(struct service_call *call, unsigned seconds)
{
	call->deadline_ms = now_ms() + seconds * (int64_t)1000;
}

/* Waits for events on the socket. Returns false at the deadline. */
static bool wait_for(const struct service_call *call, short events)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = call->socket, .events = events };
		int64_t left_ms = call->deadline_ms - now_ms();
		int count = left_ms > 0 ? poll(&poll_fd, 1, (int)left_ms) : 0;

		if (count >= 0 || errno != EINTR)
			return count > 0;
	}
}

int service_open(const struct service *service, const struct service_kind *kind, const void *head,
		 size_t head_bytes)
{
	const struct service_job job = { .head = head, .head_bytes = head_bytes };
	struct service_call call;
	struct error ignored;
	int fd = -1;

	if (!service_begin(service, kind, &job, &call, &ignored))
		return -1;
	service_set_deadline(&call, OPEN_SECONDS_MAX);
	/* If the socket is at its end, the server has ended, and no descriptor is received. */
	if (wait_for(&call, POLLIN))
		(void)!descriptors_receive_one(call.socket, &fd);
	service_cancel(&call);
	return fd;
}

bool service_send(const struct service_call *call, const void *bytes, size_t size_bytes)
{
	const char *at = bytes;

	while (size_bytes) {
		ssize_t sent;

		if (!wait_for(call, POLLOUT))
			return false;
		sent = send(call->socket, at, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		size_bytes -= (size_t)sent;
	}
	return true;
}

/* An answer being received. */
struct reception {
	struct service_call *call;
	const struct service_replies *replies;
	size_t bytes_max;
	byte_list *bytes; /* the received bytes, without questions */
	unsigned question_count;
};

static void reply(struct reception *reception, struct span question)
{
	const struct service_replies *replies = reception->replies;
	int fd = -1;

	if (replies && reception->question_count < LIMIT_QUESTIONS)
		fd = replies->open(replies->context, question);
	reception->question_count++;
	/* If sending fails, the worker has ended; receive_all then also ends. */
	(void)!descriptors_send(reception->call->socket, "", 1, &fd, fd >= 0);
	if (fd >= 0)
		close(fd);
}

/*
 * Replies to a question once it is complete. The worker does not send anything else until it has
 * the reply.
 */
static void reply_to_question(struct reception *reception)
{
	byte_list *bytes = reception->bytes;
	struct service_header header;

	if (bytes->count < sizeof(header))
		return;
	memcpy(&header, bytes->at, sizeof(header));
	if (header.frame != SERVICE_QUESTION || header.size_bytes > LIMIT_QUESTION_BYTES ||
	    bytes->count - sizeof(header) != header.size_bytes)
		return;
	reply(reception, span_of(bytes->at + sizeof(header), (size_t)header.size_bytes, 0, false));
	bytes->count = 0;
}

/*
 * Reads the answer to its end. Returns false if the end comes too late, or if the answer is too
 * large.
 */
static bool receive_all(struct reception *reception)
{
	byte_list *bytes = reception->bytes;

	for (;;) {
		ssize_t count;

		if (bytes->count > reception->bytes_max || !wait_for(reception->call, POLLIN))
			return false;
		vec_reserve(bytes, bytes->count + CHUNK_BYTES);
		count = recv(reception->call->socket, bytes->at + bytes->count, CHUNK_BYTES,
			     MSG_DONTWAIT);
		if (count < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		/*
		 * If the worker has not read the whole request, the end is reported as ECONNRESET.
		 */
		if (count <= 0)
			return count == 0 || errno == ECONNRESET;
		bytes->count += (size_t)count;
		reply_to_question(reception);
	}
}

static bool fail_by_status(const struct service_kind *kind, int status, struct error *err)
{
	int number = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (status < 0)
		return error_set(err, ERROR_IO, "cannot start a process for %s", kind->what);
	if (number == SIGXCPU)
		return error_set(err, ERROR_LIMIT, "%s needs more CPU time than the limit of %u s",
				 kind->what, kind->cpu_seconds);
	if (number == SIGALRM)
		return error_set(err, ERROR_LIMIT, "%s took too long", kind->what);
	/* For example, SIGKILL from a kernel that is out of memory, or SIGTERM. */
	if (number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP)
		return error_set(err, ERROR_IO,
				 "%s: the process was killed by another program or "
				 "the kernel (%s)",
				 kind->what, strsignal(number));
	if (number)
		return error_set(err, ERROR_CORRUPT, "%s crashed (%s)", kind->what,
				 strsignal(number));
	if (WEXITSTATUS(status) == WORKER_UNLOCKED)
		return error_set(err, ERROR_IO, "%s: the kernel refused to sandbox the process",
				 kind->what);
	return error_set(err, ERROR_LIMIT, "%s needs too much memory", kind->what);
}

/* Removes the header and the trailer, so that only the answer is left. */
static bool take_answer(const struct service_kind *kind, byte_list *bytes, struct error *err)
{
	struct service_trailer trailer;
	struct service_header header;

	if (bytes->count < sizeof(trailer))
		return error_set(err, ERROR_IO, "%s: the process was killed by another program",
				 kind->what);
	bytes->count -= sizeof(trailer);
	memcpy(&trailer, bytes->at + bytes->count, sizeof(trailer));
	if (trailer.status != 0)
		return fail_by_status(kind, trailer.status, err);
	if (bytes->count < sizeof(header))
		return error_set(err, ERROR_CORRUPT, "%s returned no result", kind->what);
	memcpy(&header, bytes->at, sizeof(header));
	bytes->count -= sizeof(header);
	if (header.frame != SERVICE_ANSWER || header.size_bytes != bytes->count)
		return error_set(err, ERROR_CORRUPT, "%s returned a corrupt result", kind->what);
	memmove(bytes->at, bytes->at + sizeof(header), bytes->count);
	return true;
}

bool service_receive(struct service_call *call, const struct service_replies *replies,
		     size_t bytes_max, byte_list *answer, struct error *err)
{
	struct reception reception = {
		.call = call, .replies = replies, .bytes_max = bytes_max, .bytes = answer
	};
	bool good;

	answer->count = 0;
	if (receive_all(&reception))
		good = take_answer(call->kind, answer, err);
	else
		good = error_set(err, ERROR_LIMIT, "%s took too long", call->kind->what);
	service_cancel(call);
	return good;
}

void service_cancel(struct service_call *call)
{
	close(call->socket);
	call->socket = -1;
}
