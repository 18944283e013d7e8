/* SPDX-License-Identifier: MIT */
/*
 * Starts workers, which read hostile bytes. Workers can use only the files that kiln sends. Workers
 * have no capabilities and no network access, and their memory and time are limited
 * (sandbox/lockdown.h). If such bytes crash or take over a worker, only the worker's answer is lost
 * or wrong.
 *
 *     kiln ──fork── server ──fork── worker, one for each job
 *      │  job and files │ exit status │ answer, or a question for a file
 *      └────────────────┘◀────────────┘
 *
 * The server is forked while kiln has one thread and little memory. The server only forks and
 * waits, and opens files that kiln cannot open once kiln is locked (service_open). A worker starts
 * when the job begins, before the worker gets the request. All processes end with kiln.
 */
#ifndef SANDBOX_SERVICE_H
#define SANDBOX_SERVICE_H

#include <sys/types.h>

#include "base/span.h"
#include "base/vec.h"
#include "sandbox/worker.h"

struct service {
	const struct service_kind *const *kinds; /* list of kinds that ends with NULL */
	int socket;                              /* -1 if there is no server */
	pid_t pid;
};

/*
 * Starts the server. This process must have a single thread. kinds: ends with NULL. kernel: the
 * protections that lock the workers (sandbox/lockdown.h); NULL if workers are not locked.
 */
void service_start(struct service *service, const struct service_kind *const *kinds,
		   const struct lockdown_kernel *kernel);

/* Ends the server and its workers. Does nothing if there is no server. */
void service_stop(struct service *service);

/* A running job. */
struct service_call {
	const struct service_kind *kind;
	int socket;
	int64_t deadline_ms;
};

/* Starts a worker. Ignores job->socket; the caller may close the other descriptors. Thread-safe. */
bool service_begin(const struct service *service, const struct service_kind *kind,
		   const struct service_job *job, struct service_call *ret,
		   struct error *err) WARN_UNUSED;

/*
 * Asks the server to open a file by kind->open, with this head. Returns a descriptor, or -1.
 * Thread-safe.
 */
int service_open(const struct service *service, const struct service_kind *kind, const void *head,
		 size_t head_bytes) WARN_UNUSED;

/* Sets how long the call waits for the worker, counted from now. */
void service_set_deadline(struct service_call *call, unsigned seconds);

/*
 * Sends a part of the request. Returns false if the worker has ended. The caller can still receive
 * the worker's answer.
 */
bool service_send(const struct service_call *call, const void *bytes, size_t size_bytes);

/* Replies to questions for files. */
struct service_replies {
	/*
	 * Returns a descriptor, which the service closes, or -1. The question is from a process
	 * that may be hostile.
	 */
	int (*open)(void *context, struct span question);
	void *context;
};

/*
 * Receives the answer, of at most bytes_max, and ends the call. If replies is NULL, the worker gets
 * -1 as the reply to each question.
 */
bool service_receive(struct service_call *call, const struct service_replies *replies,
		     size_t bytes_max, byte_list *answer, struct error *err) WARN_UNUSED;

void service_cancel(struct service_call *call);

#endif
