/* SPDX-License-Identifier: MIT */
/*
 * Handles user callchains that the kernel writes after their samples, when the thread returns to
 * user space. The callchain of such a sample ends in a cookie, which the later record repeats:
 *
 *     SAMPLE tid 7   KERNEL k1 k2 USER_DEFERRED cookie ─┐
 *     ...                                               ├─▶ KERNEL k1 k2 USER u1 u2
 *     CALLCHAIN_DEFERRED tid 7   cookie, USER u1 u2 ────┘
 *
 * The state pass collects the later records. The sample pass only looks up these records, from any
 * thread. Equal callchains are stored once.
 *
 * Source: PERF_RECORD_CALLCHAIN_DEFERRED in linux/perf_event.h.
 */
#ifndef PROCESS_DEFERRED_H
#define PROCESS_DEFERRED_H

#include "base/arena.h"
#include "base/idtable.h"
#include "base/vec.h"
#include "libparse/callchain.h"
#include "libparse/event.h"

/*
 * Maximum number of user callchains recorded later than their samples. Each callchain takes at
 * least 32 bytes of memory.
 */
#define LIMIT_DEFERRED_CALLCHAINS (1u << 24)

struct deferred_body {
	const uint64_t *ips; /* addresses of the callchain, in the arena */
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

/*
 * Adds a callchain. If several callchains have the same cookie and thread, the first takes
 * precedence. Callchains beyond LIMIT_DEFERRED_CALLCHAINS are dropped.
 */
void deferred_add(struct deferred_callchains *chains, const struct event_deferred_callchain *chain);

/* Whether this callchain ends in the cookie of a deferred user part. */
static inline bool deferred_is_awaited(const uint64_t *ips, uint32_t ip_count)
{
	return ip_count >= 2 && ips[ip_count - 2] == CALLCHAIN_USER_DEFERRED;
}

/*
 * Writes the callchain to ret, with its user part in place of the cookie. If there is no user part,
 * returns false, and ret is the callchain without a user part.
 */
bool deferred_join(const struct deferred_callchains *chains, const struct event_sample *sample,
		   struct callchain_buffer *ret);

#endif
