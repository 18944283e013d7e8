/* SPDX-License-Identifier: MIT */
/*
 * Which system calls a process may make, enforced by seccomp (built with libseccomp):
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
 * A compiled list, which is applied by the process that compiled it, or by each of that process's
 * children.
 */
struct call_filter {
	void *instructions; /* struct sock_filter; NULL: none */
	size_t count;
};

/* Whether the kernel has seccomp, and kiln was built with libseccomp. */
bool call_filter_is_available(void);

/* False if a call of the list cannot be added; then the filter cannot be applied. */
bool call_filter_compile(struct call_filter *filter, enum call_list list) WARN_UNUSED;

/* Restricts this process to the calls that the filter allows, and to signals to itself. */
bool call_filter_apply(struct call_filter *filter) WARN_UNUSED;

void call_filter_free(struct call_filter *filter);

#endif
