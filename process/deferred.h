/* SPDX-License-Identifier: MIT */
/*
 * User call chains that the kernel wrote later than the samples they belong to, when the thread went
 * back to its program. A sample's chain ends in a cookie then, which the later record has too:
 *
 *     SAMPLE tid 7   KERNEL k1 k2 USER_DEFERRED cookie ─┐
 *     ...                                               ├─▶ KERNEL k1 k2 USER u1 u2
 *     CALLCHAIN_DEFERRED tid 7   cookie, USER u1 u2 ────┘
 *
 * They are collected while state is read and only looked up while samples are, so it does not matter
 * which worker reads a sample. Equal chains are kept once; what is kept of each record is a row.
 *
 * Source: PERF_RECORD_CALLCHAIN_DEFERRED in linux/perf_event.h.
 */
#ifndef PROCESS_DEFERRED_H
#define PROCESS_DEFERRED_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/event.h"

/* User callchains recorded later than their samples. Each takes 32 bytes of memory. */
#define LIMIT_DEFERRED_CALLCHAINS (1u << 24)

struct deferred_body {
	const uint64_t *ips; /* in the arena */
	uint32_t ip_count;
};

struct deferred_row {
	uint64_t cookie;
	uint32_t tid;
	uint32_t body;
};

struct deferred_callchains {
	struct arena arena;
	struct idtable row_ids, body_ids;
	VEC(struct deferred_row) rows;
	VEC(struct deferred_body) bodies;
};

void deferred_init(struct deferred_callchains *chains);
void deferred_deinit(struct deferred_callchains *chains);

/* Keeps a chain; the first of its cookie and thread counts. Beyond LIMIT_DEFERRED_CALLCHAINS none is. */
void deferred_add(struct deferred_callchains *chains, const struct event_deferred_callchain *chain);

/* Whether the user part of this chain is to come. */
static inline bool deferred_is_awaited(const uint64_t *ips, uint32_t ip_count)
{
	return ip_count >= 2 && ips[ip_count - 2] == CALLCHAIN_USER_DEFERRED;
}

/*
 * Puts such a chain into ret, with its user part in place of the cookie. False when that part never
 * came: ret is the chain without it.
 */
bool deferred_join(const struct deferred_callchains *chains, const struct event_sample *sample,
		   struct callchain_buffer *ret);

#endif
