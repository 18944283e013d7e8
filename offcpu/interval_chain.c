/* SPDX-License-Identifier: MIT */
#include "offcpu/interval_chain.h"

#include "profile/chains.h"

static void push_marks(const struct interval *interval, bool tells_length,
		       struct chain_buffer *buffer)
{
	if (tells_length) {
		vec_push(buffer, CHAIN_LENGTH);
		vec_push(buffer, interval_rounded(interval->length_ns) % CHAIN_MARKER_FIRST);
	}
	if (interval->waker_count) {
		vec_push(buffer, CHAIN_WAKER);
		vec_push(buffer, interval->waker);
	}
	if (interval->mark != INTERVAL_PLAIN && interval->mark != INTERVAL_RUNNING) {
		vec_push(buffer, CHAIN_MARK);
		vec_push(buffer, interval->mark);
	}
}

const uint64_t *interval_chain(const struct interval *interval, bool tells_length,
			       const struct event_sample *sample, const uint64_t *ips,
			       uint32_t *count, struct chain_buffer *buffer)
{
	buffer->count = 0;
	push_marks(interval, tells_length, buffer);
	if (!buffer->count)
		return ips;
	if (interval->mark == INTERVAL_UNSAMPLED || interval->mark == INTERVAL_UNKNOWN)
		*count = 0;
	/* Without a marker of their own, addresses are where the sample was taken. */
	if (*count && ips[0] < CHAIN_MARKER_FIRST)
		vec_push(buffer, sample->cpu_mode == CPU_MODE_KERNEL ? CHAIN_KERNEL : CHAIN_USER);
	for (uint32_t i = 0; i < *count; i++)
		vec_push(buffer, ips[i]);
	*count = (uint32_t)buffer->count;
	return buffer->at;
}
