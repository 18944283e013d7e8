/* SPDX-License-Identifier: MIT */
/*
 * The processes that serve sandbox/service.h, and their protocol. A message to the server is a
 * struct service_message with the descriptors of the job. The first descriptor is the job's socket.
 * This socket carries:
 *
 *     caller ─▶ worker    the request, as the kind of job defines it; replies to questions
 *     worker ─▶ caller    header | question      any number of times
 *                         header | answer
 *     server ─▶ caller    trailer
 */
#ifndef SANDBOX_WORKER_H
#define SANDBOX_WORKER_H

#include <stdint.h>

#include "base/attributes.h"
#include "base/error.h"

/* The maximum number of descriptors of a job, and the maximum number of bytes sent with them. */
#define SERVICE_FILES_MAX  32
#define SERVICE_HEAD_BYTES 64

/* The maximum size of a worker's request for a file: the file's kind, directory and path. */
#define LIMIT_QUESTION_BYTES ((size_t)16 << 10)

/* The exit status of a worker that could not be locked down. */
#define WORKER_UNLOCKED 71

/* A job as the job's worker sees it. */
struct service_job {
	int socket;
	const void *head;
	size_t head_bytes;
	const int *files;
	size_t file_count;
};

/* A kind of job. */
struct service_kind {
	const char *what; /* for messages: "reading its debug information" */
	/*
	 * Runs in the worker. The worker ends when this function returns, so this function need not
	 * free memory.
	 */
	void (*run)(const struct service_job *job);
	uint64_t memory_bytes; /* maximum address space, in addition to the sizes of the files */
	unsigned cpu_seconds;
	/*
	 * Instead of run: opens a file in the server, which is not locked. Returns a descriptor, or
	 * -1. head may be hostile, so no request in head may weaken the caller's lock.
	 */
	int (*open)(const void *head, size_t head_bytes);
};

struct service_message {
	uint8_t kind;
	uint8_t head_bytes;
	unsigned char head[SERVICE_HEAD_BYTES];
};

enum service_frame {
	SERVICE_QUESTION = 1,
	SERVICE_ANSWER,
};

struct service_header {
	uint32_t frame;
	uint32_t unused; /* 0 */
	uint64_t size_bytes;
};

/* The worker's status from waitpid(), or -1 if the worker was not started. */
struct service_trailer {
	int32_t status;
};

struct lockdown_kernel;

/* The server: starts a worker for each job until the socket is closed. Arguments: see
 * service_start. */
void worker_serve(int socket, const struct service_kind *const *kinds,
		  const struct lockdown_kernel *kernel) NORETURN;

/* Reads a part of the request. Returns false if the request ends too early. */
bool worker_read(const struct service_job *job, void *to, size_t size_bytes) WARN_UNUSED;

/* Asks the caller for a file; returns its descriptor, or -1. */
int worker_ask(const struct service_job *job, const void *question, size_t size_bytes) WARN_UNUSED;

/* Sends the answer, and ends the worker. */
void worker_answer(const struct service_job *job, const void *bytes, size_t size_bytes) NORETURN;

#endif
