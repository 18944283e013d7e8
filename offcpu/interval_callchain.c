/* SPDX-License-Identifier: MIT */
#include "offcpu/interval_callchain.h"

#include "profile/callchains.h"

static void push_marks(const struct interval *interval, bool tells_length,
		       struct callchain_buffer *buffer)
{
	if (tells_length) {
		vec_push(buffer, CALLCHAIN_DURATION);
		vec_push(buffer, interval_rounded(interval->length_ns) % CALLCHAIN_MARKER_FIRST);
	}
	if (interval->waker_count) {
		vec_push(buffer, CALLCHAIN_WAKER);
		vec_push(buffer, interval->waker);
	}
	if (interval->mark != INTERVAL_PLAIN && interval->mark != INTERVAL_RUNNING) {
		vec_push(buffer, CALLCHAIN_MARK);
		vec_push(buffer, interval->mark);
	}
}

const uint64_t *interval_callchain(const struct interval *interval, bool tells_length,
				   const struct event_sample *sample, const uint64_t *ips,
				   uint32_t *count, struct callchain_buffer *buffer)
{
	buffer->count = 0;
	push_marks(interval, tells_length, buffer);
	if (!buffer->count)
		return ips;
	if (interval->mark == INTERVAL_UNSAMPLED || interval->mark == INTERVAL_UNKNOWN)
		*count = 0;
	/* Without a marker of their own, addresses are where the sample was taken. */
	if (*count && ips[0] < CALLCHAIN_MARKER_FIRST)
		vec_push(buffer,
			 sample->cpu_mode == CPU_MODE_KERNEL ? CALLCHAIN_KERNEL : CALLCHAIN_USER);
	for (uint32_t i = 0; i < *count; i++)
		vec_push(buffer, ips[i]);
	*count = (uint32_t)buffer->count;
	return buffer->at;
}
