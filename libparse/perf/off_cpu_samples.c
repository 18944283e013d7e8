/* SPDX-License-Identifier: MIT */
#include "libparse/perf/off_cpu_samples.h"

#include "libparse/perf/abi.h"
#include "libparse/perf/sample.h"

/*
 * At the end of a recording, perf writes the remaining totals, with fake times that begin at this
 * value.
 */
#define TIME_OF_SUMS 0xffffffff00000000ull

bool off_cpu_samples_is_event(const struct perf_attr *attr, struct text name)
{
	return attr->type == TYPE_SOFTWARE && attr->config == SOFTWARE_BPF_OUTPUT &&
	       text_is(name, "offcpu-time");
}

bool off_cpu_samples_are_raw(const struct perf_attr *attr)
{
	return (attr->sample_type & (SAMPLE_RAW | SAMPLE_CALLCHAIN)) == SAMPLE_RAW;
}

bool off_cpu_samples_read(struct event *event, uint64_t *ips)
{
	struct event_sample *sample = &event->sample;
	struct span raw = sample->raw;
	bool is_sum = event->has_time && event->time_ns >= TIME_OF_SUMS;

	if (is_sum)
		event->has_time = false;
	if ((sample->present & (SAMPLE_RAW | SAMPLE_CALLCHAIN)) != SAMPLE_RAW)
		return true;
	/* Totals have pid and tid in reverse order. */
	if (!span_u32(&raw, is_sum ? &sample->pid : &sample->tid) ||
	    !span_u32(&raw, is_sum ? &sample->tid : &sample->pid) ||
	    !span_u64(&raw, &sample->period) || !sample_read_callchain(&raw, ips, sample))
		return false;
	/* The entry after CALLCHAIN_USER. */
	sample->ip = sample->ip_count > 1 ? ips[1] : 0;
	sample->cpu_mode = CPU_MODE_USER;
	sample->present |= SAMPLE_HAS_TID | SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN;
	return true;
}
