/* SPDX-License-Identifier: MIT */
/*
 * Reads samples. The attr determines their layout, which is computed once as a plan:
 *
 *     | fixed words: IDENTIFIER IP TID TIME ADDR ID STREAM CPU PERIOD | variable part ... |
 *       one bounds check, then read by index                            checked field by field
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

/* Indexes of fixed words, in units of 8 bytes. WORD_ABSENT: not in the sample. */
struct sample_plan {
	uint64_t sample_type;
	bool has_unknown_fields; /* from a newer kernel, after the known fields */
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t default_period; /* used for samples without a period */
	uint8_t user_register_count, interrupt_register_count;
	uint8_t fixed_words;
	uint8_t identifier, ip, tid, time, address, id, stream_id, cpu, period;
	/* The sample_id trailer of other records. Indexes count words from its start. */
	bool has_trailer;
	uint8_t trailer_words, trailer_time, trailer_id, trailer_cpu;
};

void sample_plan_init(struct sample_plan *plan, const struct perf_attr *attr);

/* Buffers for the variable parts of a sample, in host byte order. */
struct sample_buffers {
	uint64_t *ips;           /* LIMIT_CALLCHAIN_ENTRIES */
	bool ignores_callchains; /* samples get empty ones */
	VEC(struct event_branch) branches;
};

void sample_buffers_init(struct sample_buffers *buffers);
void sample_buffers_deinit(struct sample_buffers *buffers);

/*
 * Reads the sample in payload into ret. Sets all fields that samples of this plan have; the caller
 * has zeroed the others, or left the last sample of this plan in ret. Pointers in ret are valid
 * until payload becomes invalid or buffers are used again. False if the fields do not fit into the
 * record or, unless it has unknown fields, do not fill it exactly: the record is corrupt, or
 * belongs to a different attr.
 */
bool sample_read(const struct sample_plan *plan, const struct span *payload,
		 struct sample_buffers *buffers, struct event_sample *ret, uint64_t *time_ns_ret);

/* Reads the fixed words only, and advances payload. False if it is too short. */
bool sample_read_fixed(const struct sample_plan *plan, struct span *payload,
		       struct event_sample *ret, uint64_t *time_ns_ret);

/*
 * Reads a callchain: its length, then the entries, which are stored in ips. False if the span is
 * too short.
 */
bool sample_read_callchain(struct span *span, uint64_t *ips, struct event_sample *ret);

#endif
