/* SPDX-License-Identifier: MIT */
/*
 * Recorded callchains: addresses, the innermost first, with context markers among them that say
 * where the addresses behind a marker ran.
 *
 *     CALLCHAIN_KERNEL  schedule  do_syscall_64  CALLCHAIN_USER  read  main
 *
 * Source: enum perf_callchain_context in linux/perf_event.h; the names are those of PERF_CONTEXT_*.
 */
#ifndef LIBPARSE_CALLCHAIN_H
#define LIBPARSE_CALLCHAIN_H

#include <stddef.h>
#include <stdint.h>

/* Entries from here on are no addresses (PERF_CONTEXT_MAX). */
#define CALLCHAIN_MARKER_FIRST ((uint64_t)-4095)
#define CALLCHAIN_HYPERVISOR   ((uint64_t)-32)
#define CALLCHAIN_KERNEL       ((uint64_t)-128)
#define CALLCHAIN_USER         ((uint64_t)-512)
/* One entry follows, a cookie: the user part comes in a later event_deferred_callchain. */
#define CALLCHAIN_USER_DEFERRED ((uint64_t)-640)
#define CALLCHAIN_GUEST         ((uint64_t)-2048)
#define CALLCHAIN_GUEST_KERNEL  ((uint64_t)-2176)
#define CALLCHAIN_GUEST_USER    ((uint64_t)-2560)
/* Replaces every other value from CALLCHAIN_MARKER_FIRST on. */
#define CALLCHAIN_INVALID CALLCHAIN_MARKER_FIRST

/*
 * An entry as recorded, made safe. A frame-pointer walk that reads garbage can record any number,
 * and profile/ uses some of those above CALLCHAIN_MARKER_FIRST as markers of its own.
 */
static inline uint64_t callchain_entry(uint64_t recorded)
{
	if (recorded < CALLCHAIN_MARKER_FIRST || recorded == CALLCHAIN_HYPERVISOR ||
	    recorded == CALLCHAIN_KERNEL || recorded == CALLCHAIN_USER ||
	    recorded == CALLCHAIN_USER_DEFERRED || recorded == CALLCHAIN_GUEST ||
	    recorded == CALLCHAIN_GUEST_KERNEL || recorded == CALLCHAIN_GUEST_USER)
		return recorded;
	return CALLCHAIN_INVALID;
}

/* A callchain under construction. All zero is an empty one; free it with vec_free. */
struct callchain_buffer {
	uint64_t *at;
	size_t count, capacity;
};

#endif
