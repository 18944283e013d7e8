/* SPDX-License-Identifier: MIT */
/*
 * Limits the system calls that a process may make, with seccomp filters built by libseccomp:
 *
 *     worker    a short list is allowed
 *     main      programs, processes, sockets, ptrace, mount, ... are refused; all others are allowed
 */
#ifndef SANDBOX_CALL_FILTER_H
#define SANDBOX_CALL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"

enum call_list {
	CALLS_OF_WORKER,
	CALLS_OF_MAIN,
	CALLS_OF_MAIN_WITH_NETWORK,
};

/*
 * A compiled list of system calls. The process that compiled the list applies it, or each of its
 * children does.
 */
struct call_filter {
	void *instructions; /* an array of struct sock_filter; NULL if there is no filter */
	size_t count;
};

/* Whether the kernel supports seccomp and kiln was built with libseccomp. */
bool call_filter_is_available(void);

/*
 * Returns false if a call on the list cannot be added. A filter without the call cannot be applied.
 */
bool call_filter_compile(struct call_filter *filter, enum call_list list) WARN_UNUSED;

/* Restricts this process to the calls that the filter allows, and to signals to itself. */
bool call_filter_apply(struct call_filter *filter) WARN_UNUSED;

void call_filter_free(struct call_filter *filter);

#endif
