/* SPDX-License-Identifier: MIT */
/*
 * What one attr's samples look like, worked out once, and reading a sample by it.
 *
 *     | fixed words: IDENTIFIER IP TID TIME ADDR ID STREAM CPU PERIOD | variable part ... |
 *       checked as one, then read by index                              checked field by field
 *
 * Source: the comment above PERF_RECORD_SAMPLE in linux/perf_event.h.
 */
#ifndef LIBPARSE_PERF_SAMPLE_H
#define LIBPARSE_PERF_SAMPLE_H

#include "base/span.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "libparse/perf/attr.h"

#define WORD_ABSENT 0xff

/* Word indexes are of 8 bytes each, WORD_ABSENT for a field the attr does not have. */
struct sample_plan {
	uint64_t sample_type;
	bool has_unknown_fields; /* of a newer kernel, behind all that is known */
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t default_period; /* where samples carry none */
	uint8_t user_register_count, interrupt_register_count;
	uint8_t fixed_words;
	uint8_t identifier, ip, tid, time, address, id, stream_id, cpu, period;
	/* The trailer of all other records, words counted from its beginning. */
	bool has_trailer;
	uint8_t trailer_words, trailer_time, trailer_id, trailer_cpu;
};

void sample_plan_init(struct sample_plan *plan, const struct perf_attr *attr);

/* Where the parts of a sample go that are many, in this machine's byte order. */
struct sample_buffers {
	uint64_t *ips; /* LIMIT_CALLCHAIN_ENTRIES */
	VEC(struct event_branch) branches;
};

void sample_buffers_init(struct sample_buffers *buffers);
void sample_buffers_deinit(struct sample_buffers *buffers);

/*
 * Reads the sample in payload (the record behind its header) into ret, which is zero but for what
 * the caller knows of it. What ret points to is valid as long as payload is, and until buffers is used
 * for the next one. False when the fields do not fill the record exactly: then it is damaged, or of
 * another attr.
 */
bool sample_read(const struct sample_plan *plan, struct span payload,
		 struct sample_buffers *buffers, struct event_sample *ret, uint64_t *time_ns_ret);

/*
 * Reads the fields every sample of this plan has in the same place, and steps over them; sample_read
 * does the same. False when payload is too short.
 */
bool sample_read_fixed(const struct sample_plan *plan, struct span *payload,
		       struct event_sample *ret, uint64_t *time_ns_ret);

/* Reads a call chain, its count before it, into ips and ret. False when it does not fit the span. */
bool sample_read_callchain(struct span *span, uint64_t *ips, struct event_sample *ret);

#endif
