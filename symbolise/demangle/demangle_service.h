/* SPDX-License-Identifier: MIT */
/*
 * Demangles names in a worker (sandbox/service.h), because libiberty is large, and names come from
 * untrusted files. If a name crashes the worker, all names of the same job stay mangled. The
 * request and the answer:
 *
 *     request    for each name: size_bytes | hashes | name
 *     answer     for each name: size_bytes | text            size 0: not demangled
 */
#ifndef SYMBOLISE_DEMANGLE_DEMANGLE_SERVICE_H
#define SYMBOLISE_DEMANGLE_DEMANGLE_SERVICE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "sandbox/service.h"
#include "symbolise/demangle/demangle.h"

/* The maximum number of names of one job. The answer has at most 16 MB. */
#define DEMANGLE_JOB_NAMES 4096u

struct demangle_request {
	struct text name; /* the mangled name, at most LIMIT_MANGLED_BYTES long */
	enum demangle_hashes hashes;
	struct text shown; /* the demangled name from the answer; .at is NULL if not demangled */
};

extern const struct service_kind demangle_service_kind;

/*
 * Demangles at most DEMANGLE_JOB_NAMES names. The results are stored in the arena. Returns false,
 * without any demangled name, if the worker cannot be started, crashes, or takes too long.
 * Thread-safe if each thread has its own arena.
 */
bool demangle_in_worker(const struct service *service, struct demangle_request *requests,
			size_t count, struct arena *arena, struct error *err) WARN_UNUSED;

/*
 * Reads the answer, which may be hostile. Returns false, without any demangled name, if the answer
 * is corrupt.
 */
bool demangle_read_answer(struct span answer, struct demangle_request *requests, size_t count,
			  struct arena *arena);

#endif
