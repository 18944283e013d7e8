/* SPDX-License-Identifier: MIT */
/*
 * Recorded callchains: addresses, the innermost first, separated by context markers. A marker
 * states the context (kernel, user, guest) of the addresses after it.
 *
 *     CALLCHAIN_KERNEL  schedule  do_syscall_64  CALLCHAIN_USER  read  main
 *
 * Source: enum perf_callchain_context in linux/perf_event.h; the names are those of PERF_CONTEXT_*.
 */
#ifndef LIBPARSE_CALLCHAIN_H
#define LIBPARSE_CALLCHAIN_H

#include <stddef.h>
#include <stdint.h>

/* Values from here on are markers, not addresses (PERF_CONTEXT_MAX). */
#define CALLCHAIN_MARKER_FIRST ((uint64_t)-4095)
#define CALLCHAIN_HYPERVISOR   ((uint64_t)-32)
#define CALLCHAIN_KERNEL       ((uint64_t)-128)
#define CALLCHAIN_USER         ((uint64_t)-512)
/*
 * The next entry is a cookie. The user part is in a later event_deferred_callchain with the same
 * cookie.
 */
#define CALLCHAIN_USER_DEFERRED ((uint64_t)-640)
#define CALLCHAIN_GUEST         ((uint64_t)-2048)
#define CALLCHAIN_GUEST_KERNEL  ((uint64_t)-2176)
#define CALLCHAIN_GUEST_USER    ((uint64_t)-2560)
/*
 * This value replaces recorded values from CALLCHAIN_MARKER_FIRST on that are not one of the
 * markers above.
 */
#define CALLCHAIN_INVALID CALLCHAIN_MARKER_FIRST

/*
 * Sanitises a recorded entry. A walk over corrupt frame pointers can record any number. profile/
 * uses some values above CALLCHAIN_MARKER_FIRST for its own markers.
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

/*
 * Linux maps nothing below vm.mmap_min_addr, so a "return address" there is garbage read after the
 * last frame.
 */
#define CALLCHAIN_LOWEST_ADDRESS 4096

/* A frame-pointer walk often reads one word too many at the end of the stack. */
static inline uint32_t callchain_trimmed_count(const uint64_t *ips, uint32_t count)
{
	while (count > 1 && ips[count - 1] < CALLCHAIN_LOWEST_ADDRESS)
		count--;
	return count;
}

/*
 * A callchain under construction. A zero-initialised buffer is empty. Free the entries with
 * vec_free.
 */
struct callchain_buffer {
	uint64_t *at;
	size_t count, capacity;
};

#endif
